"""Settled or not: what is asked, supposed, joked, quoted or only considered writes nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from remembering import Memory, heard

from store.model import Klass

UNSETTLED = (Path(__file__).parents[2] / "data" / "unsettled.txt").read_text(encoding="utf-8")
SENTENCES = [s for s in UNSETTLED.splitlines() if s and not s.startswith("#")]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_that_settles_nothing_writes_nothing(sentence: str) -> None:
    assert heard(sentence).log == []


def test_a_joke_announced_in_the_next_turn_is_taken_back() -> None:
    memory = heard("The boat shed is painted pink from tomorrow.", "Just kidding!")
    assert memory.contents() == []


def test_sarcasm_may_be_followed_by_what_is_meant() -> None:
    memory = heard("Oh sure, let's heat the sauna with banknotes. Seriously: the sauna opens at 17:00.")
    assert memory.contents() == ["The sauna opens at 17:00."]


def test_a_wish_in_the_form_of_a_supposition_is_a_preference() -> None:
    assert heard("I'd like my tea without sugar.").contents(Klass.DISPOSITION)


def test_what_the_partner_said_becomes_no_claim() -> None:
    memory = Memory()
    memory.partner_says("Your deadline is 9 June and you prefer green.")
    memory.says("Thanks, good to know.")
    assert memory.log == []


def test_small_talk_questions_and_repeats_leave_no_junk_and_no_duplicate() -> None:
    """Thousands of turns: the state is bounded by what was settled."""
    facts = [
        "The kiln is fired on Thursdays.",
        "We decided to print the map in two colours.",
        "I prefer short answers.",
        "Never lend the ladder to the theatre group.",
        "My goal is to glaze 80 bowls by May.",
    ]
    draw = random.Random(11)
    memory = heard(*facts)
    settled = sorted(memory.contents())
    for _ in range(3_000):
        memory.says(draw.choice(facts) if draw.random() < 0.2 else draw.choice(SENTENCES))
    assert sorted(memory.contents()) == settled
    assert len(memory.log) == len(facts)


def test_of_a_long_story_only_what_it_comes_to_is_kept() -> None:
    memory = heard(
        "You would not believe Saturday. We set off at dawn with three thermoses and no map, because Otto "
        "insists he knows the forest. He does not know the forest. By noon we had passed the "
        "same stump twice, "
        "and the dog had eaten the sandwiches. A farmer laughed at us for a good minute. My boots are still "
        "drying. Grandma says we should stick to museums. Anyway, the upshot: the cabin costs 85 "
        "a night, and "
        "never ask Otto for the way."
    )
    assert memory.contents() == ["The cabin costs 85 a night.", "Never ask Otto for the way."]


def test_what_happened_to_others_in_a_story_is_not_kept() -> None:
    memory = heard(
        "The exam went fine. The invigilator had squeaky shoes. Lena finished early and waved from the door. "
        "Afterwards we all sat on the steps. I'm glad it's over. Results come out on 14 July."
    )
    assert memory.contents() == ["Results come out on 14 July."]


@pytest.mark.parametrize(
    ("turn", "count"),
    [
        ("The harbour office opens at 7:30.", 1),
        ("The mast is 11 m tall, the boom is 4 m long, and the hull weighs 900 kg.", 3),
        ("Rui mends the nets and paints the buoys.", 2),
        ("If the horn sounds twice, close the sluice.", 1),
        ("Ana, who joined in May, runs the kitchen.", 1),
        ("The hut sleeps eight because we added two bunks.", 1),
    ],
)
@pytest.mark.conforms("P1")
def test_one_engram_holds_one_claim(turn: str, count: int) -> None:
    assert len(heard(turn).current()) == count, heard(turn).contents()
