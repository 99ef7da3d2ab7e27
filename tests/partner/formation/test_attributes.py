"""One attribute of a subject is never replaced by what is said of another, and no order changes what
holds."""

from __future__ import annotations

from itertools import permutations

import pytest
from remembering import heard

SAID = (
    "is allergic to nuts", "has the keys", "moved to Lyon", "works for Brandt", "is 40 years old",
    "plays the cello", "drives a grey van", "speaks Danish", "likes figs", "starts on Monday",
    "is the treasurer", "sold the boat", "can be reached on 555-0101", "is deaf in one ear",
    "owes us 300 euros", "wants a window seat", "handles the payroll",
)  # fmt: skip
WAYS = ("{s} {p}.", "{s} {p} now.", "Actually, {s} {p}.", "Correction: {s} {p}.", "Change of plan. {s} {p}.")


@pytest.mark.conforms("P7")
@pytest.mark.parametrize("subject", ["Paul", "My brother", "The caretaker"])
def test_what_is_said_of_one_attribute_takes_nothing_from_another(subject: str) -> None:
    lost = [
        (old, new, way)
        for old, new in permutations(SAID, 2)
        for way in WAYS
        if not any(old in c for c in heard(f"{subject} {old}.", way.format(s=subject, p=new)).contents())
    ]
    assert lost == []


@pytest.mark.parametrize(
    ("before", "order"),
    [
        ("Our oven breaks down above 260 degrees.", "Set the oven to 240 degrees please"),
        ("The heating is set to 19 degrees.", "Set the heating to 21."),
        ("The oven is at 200 degrees.", "Turn the oven down to 180."),
        ("The lamp hangs in the hall.", "Put the lamp in the yard."),
        ("The van is in the yard.", "Bring the van to the mill."),
        ("The flag is red.", "Paint the flag blue."),
        ("The gate is locked.", "Please open the gate."),
    ],
)
def test_an_order_changes_nothing_that_holds(before: str, order: str) -> None:
    assert heard(before, order).contents() == [before]


@pytest.mark.parametrize(
    ("before", "said", "left"),
    [
        ("The meeting is on Tuesday at 3.", "Move the meeting to Thursday at 4.", "at 4."),
        ("The rent is 1,200 euros.", "The rent is now 1.250 EUR.", "1.250 EUR."),
        ("I hate coriander.", "I love coriander now.", "I love coriander now."),
        ("Paul lives in Graz.", "Paul moved to Lyon.", "Paul moved to Lyon."),
        (
            "Goal: 120 loaves a day by Easter.",
            "Change of mind: we want 150 loaves a day by Easter, not 120.",
            "150",
        ),
    ],
)
def test_the_same_attribute_said_anew_replaces_it_whole(before: str, said: str, left: str) -> None:
    (claim,) = heard(before, said).contents()
    assert left in claim


def test_a_change_that_cannot_be_read_whole_makes_no_claim_half_old_and_half_new() -> None:
    left = heard("The meeting is on Tuesday at 3.", "Move the meeting to Thursday at noon.").contents()
    assert not any("Thursday" in claim and "at 3" in claim for claim in left)


def test_a_courtesy_is_no_verb_of_the_subjects() -> None:
    assert heard("I prefer short answers, and please call me chef.").contents() == [
        "I prefer short answers.",
        "Please call me chef.",
    ]
