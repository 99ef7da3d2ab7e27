"""What a new claim does not speak of goes on holding, whatever it changes."""

from __future__ import annotations

import random
import re

import pytest
from remembering import heard

# (subject and verb, what may follow in any number, how another figure is told)
EVENTS = (
    (
        "The {noun} is",
        ("on {date} May", "at {hour}:15", "in room {room}", "with Ana"),
        "The {noun} is {new} now",
    ),
    (
        "Der {noun} ist",
        ("am {date}. Mai", "um {hour}:15 Uhr", "in Raum {room}", "bei Frau Ott"),
        "Der {noun} ist jetzt {new}",
    ),
    (
        "El {noun} es",
        ("el {date} de mayo", "a las {hour}:15", "en el aula {room}", "con Ana"),
        "El {noun} es ahora {new}",
    ),
    (
        "Le {noun} est",
        ("le {date} mai", "à {hour}h15", "en salle {room}", "avec Ana"),
        "Le {noun} est maintenant {new}",
    ),
)
NOUNS = (("course", "Kurs", "curso", "cours"), ("choir", "Chor", "coro", "concert"))
SEED = 20_260


def _cases() -> list[tuple[str, str, frozenset[str]]]:
    chance = random.Random(SEED)
    cases: list[tuple[str, str, frozenset[str]]] = []
    for place, (told, parts, again) in enumerate(EVENTS):
        for _ in range(12):
            noun = chance.choice(NOUNS)[place]
            was = {"date": chance.randint(2, 14), "hour": chance.randint(8, 12), "room": chance.randint(2, 9)}
            figure = chance.choice(("date", "hour", "room"))
            now = {**was, figure: was[figure] + 10}
            chosen = chance.sample(parts[:3], chance.randint(1, 3))
            changed = next((p for p in chosen if f"{{{figure}}}" in p), None)
            if changed is None:
                continue
            said = [*chosen, parts[3]]
            old = " ".join([told.format(noun=noun), *(p.format(**was) for p in said)])
            new = again.format(noun=noun, new=changed.format(**now))
            left = " ".join(p.format(**was) for p in said if p != changed)
            cases.append((old, new, frozenset(re.findall(r"\w+", left))))
    return cases


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(("old", "new", "left"), _cases())
def test_an_update_of_one_attribute_leaves_every_other_word_held(
    old: str, new: str, left: frozenset[str]
) -> None:
    contents = heard(old, new).contents()
    held = set(re.findall(r"\w+", " ".join(contents)))
    assert left <= held, contents
    figure = re.findall(r"\d\w*", new)[0]
    assert figure in held


@pytest.mark.parametrize(
    ("turns", "claims"),
    [
        (
            (
                "Neuer Auftrag von Bruns: 40 Stühle, Abgabe am 12. Mai",
                "Bruns hat verschoben, Abgabe ist jetzt am 19. Mai",
            ),
            ["Neuer Auftrag von Bruns: 40 Stühle, Abgabe am 19. Mai."],
        ),
        (
            ("Le cours a lieu le 3 mai en salle 4", "Le cours est reporté au 10 mai"),
            ["Le cours a lieu le 10 mai en salle 4."],
        ),
        (
            ("The rent is 625 plus 80 for heating", "The rent is 650 now"),
            ["The rent is 650 plus 80 for heating."],
        ),
        (
            ("The kiosk is open from 9 to 5 on weekdays", "The kiosk is open from 10 to 4 now"),
            ["The kiosk is open from 10 to 4 on weekdays."],
        ),
    ],
)
def test_a_new_figure_takes_the_place_of_the_old_one_alone(turns: tuple[str, ...], claims: list[str]) -> None:
    assert [c for c in heard(*turns).contents() if "verschoben" not in c] == claims


@pytest.mark.parametrize(
    ("turns", "claim"),
    [
        (("Anna weighs 4 kg at birth", "Anna weighs 6 kg now"), "Anna weighs 6 kg now."),
        (
            ("The crew is 5 people: Ana, Ben, Cy, Dee and me", "The crew is 6 people now"),
            "The crew is 6 people now.",
        ),
    ],
)
def test_what_was_said_of_the_old_figure_is_not_said_of_the_new(turns: tuple[str, ...], claim: str) -> None:
    assert claim in heard(*turns).contents()


@pytest.mark.parametrize(
    ("held", "away"),
    [
        ("Joy comes on Tuesdays and Fridays.", "Joy is off sick till the 20th, Pat comes instead"),
        ("Joy comes Tuesdays 9 to 11.", "joy is off sick till the 20th, her stand-in is Pat"),
        ("Joy orders the flour.", "Joy is on holiday this week, Max orders the flour"),
        ("Joy kommt dienstags von 9 bis 11.", "Joy ist bis zum 20. krank, ihre Vertretung ist Pat"),
        ("Joy vient le mardi de 9 à 11.", "Joy est malade jusqu'au 20, sa remplaçante est Pat"),
        ("Joy viene los martes de 9 a 11.", "Joy está de baja hasta el 20, su sustituta es Pat"),
    ],
)
def test_somebody_away_for_a_while_goes_on_doing_what_they_do(held: str, away: str) -> None:
    assert [c for c in heard(held, away).contents() if c.startswith(held[:12])]


@pytest.mark.parametrize(
    "said",
    [
        ("Gran takes 5 mg of Astat in the morning and 3 mg of Belor at night.",),
        ("I take 5 mg of Astat.", "I take 3 mg of Belor at night."),
    ],
)
def test_two_medicines_hold_side_by_side(said: tuple[str, ...]) -> None:
    told = " ".join(heard(*said).contents())
    assert "5 mg of Astat" in told
    assert "3 mg of Belor" in told


def test_of_two_doses_the_one_that_is_named_changes() -> None:
    memory = heard("Gran takes 5 mg of A-Stat and 3 mg of Belor at night.", "Gran takes 10 mg of A-Stat now.")
    assert any("10 mg of A-Stat" in c for c in memory.contents())
    assert any("3 mg of Belor" in c for c in memory.contents())
    assert not any("5 mg" in c for c in memory.contents())
