"""A sentence that speaks of several: a claim of each, so that a change of one leaves the others."""

from __future__ import annotations

import pytest

from tests.partner.formation.remembering import Memory, heard


def held(memory: Memory) -> list[str]:
    return [e.content for e in memory.holds().all()]


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    ("said", "claims"),
    [
        (
            "Timo has his lesson on Tuesdays at 16:30, Aïcha on Wednesdays at 15:00 and the twins on "
            "Saturday mornings",
            [
                "Timo has his lesson on Tuesdays at 16:30.",
                "Aïcha has a lesson on Wednesdays at 15:00.",
                "The twins have a lesson on Saturday mornings.",
            ],
        ),
        ("Anna is 7, Ben 9 and Carla 12", ["Anna is 7.", "Ben is 9.", "Carla is 12."]),
        (
            "Flour costs 3 euros, sugar 2 and butter 4",
            ["Flour costs 3 euros.", "Sugar costs 2.", "Butter costs 4."],
        ),
        (
            "Mein Steuerberater ist Herr Wouters, der Termin bei ihm ist am 18. Dezember um 11 Uhr",
            ["Mein Steuerberater ist Herr Wouters.", "Der Termin bei ihm ist am 18. Dezember um 11 Uhr."],
        ),
        (
            "Ma soeur s'appelle Inés et elle habite à Liège",
            ["Ma soeur s'appelle Inés.", "Ma soeur habite à Liège."],
        ),
        (
            "Mi hermana se llama Inés y vive en Lieja",
            ["Mi hermana se llama Inés.", "Mi hermana vive en Lieja."],
        ),
        (
            "My van is a 2014 Transit and it needs new brake pads",
            ["My van is a 2014 Transit.", "My van needs new brake pads."],
        ),
    ],
)
def test_each_thing_that_a_sentence_says_is_a_claim(said: str, claims: list[str]) -> None:
    memory = Memory()
    memory.says(said)
    assert held(memory) == claims


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    "said",
    [
        "The train to Ghent leaves at 9, platform 3",
        "Anna lives in Rome, Via Appia 3",
        "Die Wohnung liegt in der Straße, die nach Norden führt",
        "Der Laden gehört Ana und Ben",
        "Le chat que ma soeur aime dort beaucoup et ronfle",
    ],
)
def test_what_is_not_parallel_stays_one_claim(said: str) -> None:
    memory = Memory()
    memory.says(said)
    assert len(held(memory)) == 1


@pytest.mark.conforms("P8")
def test_a_change_of_one_leaves_the_others() -> None:
    memory = Memory()
    memory.says("Timo has his lesson on Tuesdays, Aïcha on Wednesdays and the twins on Saturdays")
    memory.says("Timo's lesson moves to Thursday")
    assert [c for c in held(memory) if "Aïcha" in c or "twins" in c] == [
        "Aïcha has a lesson on Wednesdays.",
        "The twins have a lesson on Saturdays.",
    ]


def test_her_number_is_the_number_of_her_who_was_just_named() -> None:
    memory = Memory()
    memory.says("Timo's lesson moves to Thursday")
    memory.says("Timo's mum is called Els, her number is 0478 12 34 56")
    assert held(memory)[-1] == "Els' number is 0478 12 34 56."


def test_an_abbreviation_ends_no_sentence() -> None:
    memory = Memory()
    memory.says("The rent is 820 euros incl. water")
    assert held(memory) == ["The rent is 820 euros incl. water."]


@pytest.mark.parametrize(
    "said",
    [
        "I'm hoping to have an impact on the community and inspire others as well",
        "It's nice to escape the noise of the city and relax in nature",
        "This guitar is a reminder of my passion for music and the friends I've made",
        "It made me see how much I love them and how much joy they bring me",
    ],
)
def test_what_goes_on_about_the_same_is_no_claim_of_its_own(said: str) -> None:
    memory = Memory()
    memory.says(said)
    assert all(claim.rstrip(".") == said for claim in held(memory))


@pytest.mark.parametrize(
    "said",
    [
        "I'll definitely let you know my thoughts",
        "I totally get it",
        "I'd love to take a look",
        "[shares a photo of two dogs]",
        "Can't wait for the tour",
    ],
)
def test_courtesies_and_stage_directions_are_kept_as_said_and_no_claims(said: str) -> None:
    memory = Memory()
    memory.says(said)
    assert held(memory) == []


@pytest.mark.conforms("P8")
@pytest.mark.parametrize(
    ("said", "changed", "now"),
    [
        (
            "Timo has his lesson on Tuesdays at 16:30",
            "Timo's lesson moves to Thursday",
            "Timo has his lesson every Thursday at 16:30.",
        ),
        ("I have my choir practice on Mondays", "Choir practice is on Thursdays now", None),
    ],
)
def test_when_somebody_has_a_thing_is_said_of_the_thing(said: str, changed: str, now: str | None) -> None:
    memory = Memory()
    memory.says(said)
    memory.says("Timo has a dog")
    memory.says(changed)
    assert held(memory) == ["Timo has a dog.", now or f"{changed}."]


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        (
            "the fee for group 2 is 62 and for group 4 its 58",
            ["The fee for group 2 is 62.", "The fee for group 4 is 58."],
        ),
        (
            "die Gebühr für Gruppe 2 ist 62 Euro und für Gruppe 4 58 Euro",
            ["Die Gebühr für Gruppe 2 ist 62 Euro.", "Die Gebühr für Gruppe 4 ist 58 Euro."],
        ),
        (
            "cabin 1 is Mrs Hale, cabin 2 the Ross brothers and cabin 3 Mr Lund",
            ["Cabin 1 is Mrs Hale.", "Cabin 2 is the Ross brothers.", "Cabin 3 is Mr Lund."],
        ),
        (
            "la cabane 1 est à Luc et le prix pour la cabane 2 est 40",
            ["La cabane 1 est à Luc.", "Le prix pour la cabane 2 est 40."],
        ),
    ],
)
def test_one_attribute_of_several_things_is_a_claim_of_each(said: str, claims: list[str]) -> None:
    assert heard(said).contents() == claims


def test_one_of_several_told_together_can_be_corrected_alone() -> None:
    memory = heard("the fee for group 2 is 62 and for group 4 its 58", "the fee for group 4 is 59 now")
    assert memory.contents() == ["The fee for group 2 is 62.", "The fee for group 4 is 59 now."]


@pytest.mark.conforms("P1")
def test_what_shares_a_name_alone_with_a_retraction_stays_and_the_operator_is_asked() -> None:
    memory = Memory()
    memory.says("Keith is coming on Sunday.")
    assert memory.says("Forget what I said about Keith wanting a hamster, that was private.").question
    assert len(memory.contents()) == 1
    memory.says("Forget what I said about Keith.")
    assert memory.contents() == []
