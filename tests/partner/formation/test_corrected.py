"""A correction that gives the new value alone is put where the old one stood, where that is certain."""

from __future__ import annotations

import pytest

from tests.partner.formation.remembering import held


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    ("turns", "claim"),
    [
        (("Our landlady is Mrs Pires.", "No, Mrs Peres."), "Our landlady is Mrs Peres."),
        (("The bread for the fair is rye.", "Scrap that, spelt."), "The bread for the fair is spelt."),
        (("The staircase is going to be oak. No wait, ash.",), "The staircase is going to be ash."),
        (
            ("The grain dryer belongs to Holger.", "Sorry, I meant Helge."),
            "The grain dryer belongs to Helge.",
        ),
        (("Els paid 120 for November.", "that's wrong, it was 150"), "Els paid 150 for November."),
        (
            ("I'm allergic to walnuts.", "Forget the thing about walnuts, it was hazelnuts actually."),
            "I'm allergic to hazelnuts.",
        ),
        (("I've ordered 40 chairs for the hall, sorry, 45.",), "I've ordered 45 chairs for the hall."),
        (("Pick-up is from gate C, wait, gate D.",), "Pick-up is from gate D."),
        (("VHF working channel is 72.", "77 instead of 72 please."), "VHF working channel is 77."),
        (("La entrada cuesta 12 euros.", "Quise decir 15."), "La entrada cuesta 15 euros."),
        (
            ("I'd like to lose 6 kilos by summer.", "8 kilos, actually."),
            "I'd like to lose 8 kilos by summer.",
        ),
    ],
)
def test_the_new_value_stands_where_the_old_one_stood(turns: tuple[str, ...], claim: str) -> None:
    assert held(*turns) == [claim]


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    "remark",
    [
        "Sorry, long day.",
        "No, thanks.",
        "Wait, what?",
        "No, Dad.",
        "I mean, honestly.",
        "Scrap that, bad idea?",
    ],
)
def test_what_only_opens_like_a_correction_changes_nothing(remark: str) -> None:
    assert held("Our accountant is Petra Sommer.", remark) == ["Our accountant is Petra Sommer."]


def test_no_value_is_put_where_two_places_could_be_meant() -> None:
    claims = held("The key hangs on the hook in the hall.", "No wait, the kitchen.")
    assert claims == ["The key hangs on the hook in the hall."]


def test_a_word_for_the_old_claim_is_no_value() -> None:
    assert held("The rent is 800.", "Forget that, it was a joke.") == []


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    ("turns", "claims"),
    [
        (
            ("The budget meeting is on Mondays at 14:00.", "The budget meeting moves to 15:30."),
            ["The budget meeting is on Mondays at 15:30."],
        ),
        (
            ("Liv's football practice is on Mondays at 5.", "practice is at half past five from now on"),
            ["Liv's football practice is on Mondays at half past five."],
        ),
        (
            ("My sister Randi lives in Oslo.", "Randi has moved to Tromsø."),
            ["My sister Randi has moved to Tromsø."],
        ),
        (
            ("The backup runs at 02:00 on atlas.", "The backup moved from atlas to hera."),
            ["The backup runs at 02:00 on hera."],
        ),
        (
            ("Timo has his lesson on Tuesdays at 16:30.", "Timo's lesson moves to Thursday"),
            ["Timo has his lesson every Thursday at 16:30."],
        ),
        (("Ward 4 has 18 beds.", "Ward 4 has 20, not 18."), ["Ward 4 has 20 beds."]),
        (
            ("The depot gate closes at 22:00.", "The depot gate closes at 21:00 on Sundays."),
            ["The depot gate closes at 22:00.", "The depot gate closes at 21:00 on Sundays."],
        ),
    ],
)
def test_what_a_new_value_leaves_standing_is_kept(turns: tuple[str, ...], claims: list[str]) -> None:
    assert held(*turns) == claims


@pytest.mark.conforms("P1")
def test_a_part_that_somebody_gave_up_ends_the_claim_that_they_have_it() -> None:
    claims = held("Nadia is our treasurer.", "Nadia stepped down as treasurer last month.")
    assert "Nadia is our treasurer." not in claims


@pytest.mark.conforms("P1")
def test_how_far_one_is_does_not_end_a_goal() -> None:
    claims = held(
        "goal: have 12 pupils by the end of February",
        "right now I've got 7",
        "actually I've got 8 pupils now",
    )
    assert claims == ["Have 12 pupils by the end of February.", "I've got 8 pupils now."]


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    "said",
    [
        "The barrels, which stood in the yard all winter, leak at the seams.",
        "Lena, who paints the shop sign in May, wants 310 euros.",
        "The mare foaled in the night.",
        "The sofa cost 400.",
    ],
)
def test_a_statement_is_kept_whole(said: str) -> None:
    assert held(said) == [said]


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    ("turns", "claims"),
    [
        (
            ("Sunniva is 26.", "btw Sunniva's fee is 4000"),
            ["Sunniva is 26.", "Sunniva's fee is 4000."],
        ),
        (
            ("Display didn't arrive.", "the tubes arrived but it was 30 instead of 40"),
            ["Display didn't arrive.", "The tubes arrived: it was 30 instead of 40."],
        ),
        (
            (
                "Meine Katzen heißen Momo und Fips.",
                "Ich habe doch nur zwei Katzen, Fips ist im Herbst gestorben.",
            ),
            [
                "Meine Katzen heißen Momo und Fips.",
                "Ich habe doch nur zwei Katzen.",
                "Fips ist im Herbst gestorben.",
            ],
        ),
        (
            ("Mi médico es el doctor Ruiz.", "Mi médico ahora es la doctora Paz."),
            ["Mi médico ahora es la doctora Paz."],
        ),
        (
            ("Mein Bruder Stefan wohnt in Graz.", "Stefan ist nach Linz umgezogen"),
            ["Stefan wohnt jetzt in Linz."],
        ),
        (
            ("Ma soeur s'appelle Inés et elle habite à Liège.", "Elle a déménagé à Namur."),
            ["Ma soeur s'appelle Inés.", "Ma soeur habite maintenant à Namur."],
        ),
        (
            ("I don't like rehearsing on Sundays.", "Actually I don't mind Sundays."),
            ["I don't mind Sundays."],
        ),
        (("Note to self: bring the tuning fork.",), ["Bring the tuning fork."]),
        (("Ordered 40 inner tubes from Vredestein.",), ["I ordered 40 inner tubes from Vredestein."]),
    ],
)
def test_another_subject_or_attribute_is_no_rival_and_a_move_is(
    turns: tuple[str, ...], claims: list[str]
) -> None:
    assert held(*turns) == claims


def test_a_goal_of_another_thing_is_a_goal_beside() -> None:
    claims = held("I want to read 30 books this year.", "My new goal is 12 pupils.")
    assert claims == ["I want to read 30 books this year.", "My new goal is 12 pupils."]
