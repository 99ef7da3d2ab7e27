"""What happened ends what held: debts paid, things back, sold, mended, people gone, deeds done."""

from __future__ import annotations

import pytest

from tests.partner.formation.remembering import Memory


def held(*turns: str) -> list[str]:
    memory = Memory()
    for turn in turns:
        memory.says(turn)
    return [e.content for e in memory.holds().all()]


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
    ],
)
def test_another_event_or_a_part_of_it_ends_nothing(turns: tuple[str, str]) -> None:
    assert turns[0] in held(*turns)


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
