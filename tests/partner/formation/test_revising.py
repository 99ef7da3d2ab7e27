"""Corrections in the words people use: the new value alone, or the change said round a corner."""

from __future__ import annotations

import pytest
from remembering import heard

REVISED = [
    (("The deposit is 300 euros.", "Make that 350."), "The deposit is 350 euros."),
    (("Ida's room is number 12.", "Correction: number 14."), "Ida's room is number 14."),
    (("The talk lasts 40 minutes.", "Change the talk to 30 minutes."), "The talk lasts 30 minutes."),
    (("Lunch is at 12:30. Sorry, 12:45.",), "Lunch is at 12:45."),
]
REWORDED = [
    ("Our accountant is Ms Feld.", "We've since moved to Mr Otten as our accountant.", "Otten"),
    (
        "The code review takes place on Mondays.",
        "It's Wednesdays these days for the code review.",
        "Wednesdays",
    ),
    ("The workshop fee is 40 euros.", "That should have been 45 euros for the workshop fee.", "45"),
    ("Rosa leads the choir.", "Rosa has handed the choir over to Emil.", "Emil"),
    ("My dentist is Dr Ahn.", "I've changed dentists, it's Dr Moor now.", "Moor"),
    ("The boat is called Tern.", "We've renamed the boat Kittiwake.", "Kittiwake"),
    ("The wifi network is called Otter.", "The wifi network got a new name: Badger.", "Badger"),
    ("The club has 60 members.", "The club is down to 52 members.", "52"),
    ("The rent is 800 euros.", "We now pay 850 in rent.", "850"),
    ("Marek's phone number is 555-0101.", "You can reach Marek on 555-0199 now.", "555-0199"),
    ("The museum closes at 17:00.", "The museum now shuts at 18:00.", "18:00"),
    ("Kajsa orders the flour.", "Kajsa's on leave from today, Moritz orders the flour.", "Moritz"),
    (
        "Unit 4 is rented to the potters.",
        "The potters moved out. Unit 4 is rented to a printmaker.",
        "printmaker",
    ),
    ("En la bodega hay 40 cajas.", "He vuelto a contar: en la bodega hay 36 cajas.", "36"),
    ("Vivo en Murcia.", "Me he mudado a Gijón.", "Gijón"),
    ("Ich bin 34 Jahre alt.", "Ich bin gestern 35 geworden.", "35"),
    ("Unser Lieferant ist Brandt.", "Wir sind zu Keller gewechselt, Brandt liefert nicht mehr.", "Keller"),
]


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(("turns", "left"), REVISED)
def test_a_new_value_alone_takes_the_old_ones_place(turns: tuple[str, ...], left: str) -> None:
    assert heard(*turns).contents() == [left]


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(("before", "said", "value"), REWORDED)
def test_a_change_said_round_a_corner_supersedes(before: str, said: str, value: str) -> None:
    left = heard(before, said).contents()
    assert before not in left
    assert any(value in claim for claim in left)


@pytest.mark.parametrize(
    "turns",
    [
        ("The hall costs 300 euros and seats 80.", "Make that 350."),
        ("The mill opens at nine.", "Move the file to the archive."),
        ("The hall opens at 9:00.", "The hall closes at 17:00 now."),
    ],
)
def test_where_it_is_not_clear_what_is_corrected_nothing_ends(turns: tuple[str, ...]) -> None:
    memory = heard(*turns)
    first = heard(turns[0]).contents()
    assert set(first) <= set(memory.contents())


def test_what_asks_to_take_note_is_no_part_of_the_claim() -> None:
    memory = heard("Deliveries leave at 5:30.", "Ruth's birthday is on 4 May, remember that.")
    assert "Ruth's birthday is on 4 May." in [c.split(" (")[0].rstrip(".") + "." for c in memory.contents()]


@pytest.mark.parametrize(
    ("turns", "holds"),
    [
        (
            (
                "My dog is called Miso.",
                "We renamed the dog from Miso to Otto.",
                "The dog only answers to Biscuit these days.",
            ),
            ["The dog only answers to Biscuit these days."],
        ),
        (
            (
                "Friday is my climbing day.",
                "Climbing moved from Friday to Saturday.",
                "Monday is my climbing day.",
            ),
            ["Monday is my climbing day."],
        ),
        (
            ("Standup moved from 10:15 to 13:30.", "Set my alarm, standup starts 15:45."),
            ["Standup starts 15:45."],
        ),
    ],
)
def test_an_attribute_is_the_same_one_however_its_change_was_told(
    turns: tuple[str, ...], holds: list[str]
) -> None:
    assert heard(*turns).contents() == holds


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("Die Chorprobe beginnt um 19 Uhr.", "Neuer Stand: Die Chorprobe beginnt um 18 Uhr."),
        ("Die Chorprobe beginnt um 19 Uhr.", "Update: Die Chorprobe beginnt um 18 Uhr."),
        ("La répétition commence à 19 heures.", "Mise à jour : La répétition commence à 18 heures."),
        ("La répétition commence à 19 heures.", "Correction : La répétition commence à 18 heures."),
        ("El ensayo empieza a las 19.", "Novedad: El ensayo empieza a las 18."),
    ],
)
def test_what_is_announced_as_the_state_of_things_now_replaces_the_one_before(said: str, then: str) -> None:
    assert heard(said, then).contents() == [then.partition(": ")[2]]
