"""What happened ends what held: debts paid, things back, sold, mended, people gone, deeds done."""

from __future__ import annotations

import pytest

from tests.partner.formation.remembering import held


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    "turns",
    [
        ("Sam owes me 40 euros.", "Sam paid me back."),
        ("I owe Petra 25 euros for the tickets.", "I've paid Petra back."),
        ("Dan owes us 300.", "Dan has settled up."),
        ("Mein Bruder schuldet mir 50 Euro.", "Mein Bruder hat mir die 50 Euro zurückgegeben."),
        ("Ana me debe 20 euros.", "Ana me ha pagado."),
        ("Luc me doit 30 euros.", "Luc m'a remboursé."),
        ("I lent Ben the ladder.", "Ben brought it back."),
        ("Uncle Hywel plays the organ on Sundays.", "Uncle Hywel died on Tuesday."),
        ("Mia has my drill.", "Mia gave me the drill back."),
        ("Ich habe Jonas die Bohrmaschine geliehen.", "Jonas hat die Bohrmaschine zurückgebracht."),
        ("The van is at the garage.", "Got the van back."),
        ("The bathroom tap leaks.", "The tap's fixed."),
        ("Paul is my flatmate.", "Paul moved out last week."),
        ("Jan works at Bosch.", "Jan quit his job."),
        ("Jan is engaged to Rita.", "Jan and Rita have split up."),
        ("I have a Honda motorbike.", "I sold the motorbike."),
        ("I'm on antibiotics until Friday.", "I've finished the antibiotics."),
        ("My grandmother lives in Kiel.", "My grandmother died."),
        ("I promised Lea to water her plants in July.", "I watered Lea's plants."),
        ("I have to renew my passport by May.", "The passport is renewed."),
    ],
)
def test_what_happened_ends_what_held(turns: tuple[str, str]) -> None:
    left = held(*turns)
    assert len(left) == 1
    assert turns[0] not in left


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    "turns",
    [
        ("Sam owes me 40 euros.", "Sam paid half."),
        ("Sam owes me 40 euros.", "Sam gave me 10 euros back."),
        ("Sam owes me 40 euros.", "Sam will pay me back on Friday."),
        ("Sam owes me 40 euros.", "Tom paid me back."),
        ("I lent Mia the tent.", "Ben brought the ladder back."),
        ("Paul lives with us.", "Anna moved out."),
        ("I have a house with a garage.", "I sold the garage."),
        ("The bathroom tap leaks.", "The kitchen tap is fixed."),
        ("Our car is insured with Allianz.", "The car is ready."),
        ("I should water the plants every day.", "I watered the plants."),
        ("Sam owes me 40 euros.", "Sam's sister paid me back."),
        ("Sam owes me 40 euros.", "Sam says he paid me back."),
        ("Sam owes me 40 for the tent.", "Sam paid me back for the petrol."),
        ("Paul is my flatmate.", "Paul moved out of his office."),
        ("Paul is my flatmate.", "Paul's sister moved out."),
        ("My grandmother lives in Bonn.", "My grandmother's cat died."),
        ("Meine Oma wohnt in Bonn.", "Die Katze meiner Oma ist gestorben."),
        ("Mi abuela vive en Cádiz.", "El gato de mi abuela murió."),
        ("Ma grand-mère habite à Lyon.", "Le chat de ma grand-mère est mort."),
        ("My laptop is at the office.", "My laptop died."),
        ("My car is a Saab.", "My brother's car was stolen."),
        ("The van is at the garage.", "I picked up the van's papers."),
        ("I lost my keys.", "I found the keys to the shed."),
        ("I lost my keys.", "Ben found his keys."),
        ("The pool is closed until May.", "The pool bar is open."),
        ("Jan works at Bosch.", "Jan's wife quit her job."),
    ],
)
def test_another_event_or_a_part_of_it_ends_nothing(turns: tuple[str, str]) -> None:
    assert turns[0] in held(*turns)


TENT, PETROL = "Sam owes me 40 for the tent.", "Sam owes me 25 for petrol."


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Sam paid me back.", [TENT, PETROL]),
        ("Sam paid me back everything.", []),
        ("Sam paid me back the 40.", [PETROL]),
        ("Sam paid me back for the tent.", [PETROL]),
    ],
)
def test_of_two_debts_only_the_one_that_is_meant_is_paid(said: str, left: list[str]) -> None:
    assert [claim for claim in held(TENT, PETROL, said) if claim in (TENT, PETROL)] == left


@pytest.mark.conforms("P1")
@pytest.mark.parametrize("whose", ["cat", "sister", "neighbour", "phone", "brother's dog"])
@pytest.mark.parametrize(
    ("claim", "event"),
    [
        ("Karl owes me 40 euros.", "{} paid me back."),
        ("Karl is my flatmate.", "{} moved out."),
        ("Karl works at Bosch.", "{} retired."),
        ("Karl lives in Bonn.", "{} died."),
        ("Karl is in hospital.", "{} is back home."),
        ("I lent Karl the ladder.", "{} brought the ladder back."),
    ],
)
def test_what_happened_to_who_belongs_to_somebody_ends_nothing_of_theirs(
    claim: str, event: str, whose: str
) -> None:
    assert claim in held(claim, event.format(f"Karl's {whose}"))


def test_a_pronoun_ends_only_the_latest_claim_that_fits() -> None:
    left = held("I lent Ben the ladder.", "I lent Ben the tent.", "Ben brought it back.")
    assert left[0] == "I lent Ben the ladder."
    assert "I lent Ben the tent." not in left


@pytest.mark.parametrize(
    ("turns", "claims"),
    [
        (
            ("Mi hermana vive en Sevilla.", "Se ha mudado a Cádiz."),
            ["Mi hermana vive ahora en Cádiz."],
        ),
        (
            ("Mi primo Raúl trabaja en Correos.", "Se jubiló el año pasado."),
            ["Mi primo Raúl se jubiló el año pasado."],
        ),
        (("Ma soeur habite à Lyon.", "Elle a déménagé à Nantes."), ["Ma soeur habite maintenant à Nantes."]),
        (
            ("Mein Bruder wohnt in Linz.", "Er ist nach Graz gezogen."),
            ["Mein Bruder wohnt jetzt in Graz."],
        ),
        (("Tengo dos perros.", "Vive en Sevilla."), ["Tengo dos perros."]),
    ],
)
def test_a_subject_left_out_or_said_by_a_pronoun_is_that_of_the_sentence_before(
    turns: tuple[str, ...], claims: list[str]
) -> None:
    assert held(*turns) == claims


@pytest.mark.conforms("P1")
def test_what_is_said_over_of_one_of_several_leaves_the_claim_on_all() -> None:
    assert "I have a Honda and a Saab." in held("I have a Honda and a Saab.", "I sold the Saab.")
    assert held("I drive a Saab.", "I sold the Saab.") == ["I sold the Saab."]
