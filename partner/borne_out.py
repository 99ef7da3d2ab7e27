"""Whether a small model's answer is borne out by what it was given: of a note it makes up the rest.

Signs without a model: a figure that stands nowhere in what it was given; an answer to a question that a note
bears on which says nothing of that note, the question back for one; one of whose words too many are neither
the note's nor the question's; one that puts beside the note a figure, a name or a unit that the note does not
have (asked for flat 3, told of flat 4, it answers for flat 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from partner.formation.calendar_words import MONTHS, WEEKDAYS
from partner.manners import inquires

_FIGURE = re.compile(r"\d(?:[\d.,:/’'\u00a0\u202f]*\d)?")
_NUMBERED = re.compile(r"(?m)^\s*\d{1,3}[.)]\s")  # a list's own numbers
_BETWEEN = re.compile(r"[.,:/’'\u00a0\u202f]")
STRANGE_WORDS = 2  # of an answer: from here on it speaks of something else
_WORD = re.compile(r"[\w’'-]+")
_UNIT = re.compile(r"[^\W\d_]+|[$€£¥%°]")
_COUNTED = re.compile(r"([$€£¥])(?=\s?\d)|(?<=\d)\s?([^\W\d_]+|[$€£¥%])")
_DATE = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_AMOUNT = re.compile(r"(\d(?:[\d.,]*\d)?)\s?([^\W\d_]+|[€£%])")
_OWNER = re.compile(r"['’]s?$")
_NAME = re.compile(r"(?<![\w.])[A-ZÀ-Þ][\w’'-]*")
_AT_BEGINNING = re.compile(r"(?:^|[.!?:]\s+)[\W_]*$")


def doubt(answer: str, notes: str, question: str, given: str) -> str:
    """What speaks against an answer, as the end of a sentence; '' where nothing does. `given` is all that its
    engine read."""
    if strange := made_up(answer, given):
        return f"{', '.join(strange)} {'is' if len(strange) == 1 else 'are'} in nothing it was given"
    from partner.formation.topics import content_words  # its lexicons are no part of a start

    notes = _DATE.sub(_spelt, notes)
    if not bears_on(notes, question):
        return ""  # no question that a note answers: a poem on the cat may say what it likes
    said, asked, noted = content_words(answer), content_words(question), content_words(notes)
    told = said - asked
    if not told and not noted <= asked:
        return "it only says the question back"
    strays = told - noted - content_words(given)
    if len(strays) >= STRANGE_WORDS or (not told & noted and not noted <= asked):
        return "it does not say what I have noted"
    if left := amounts_left_out(answer, notes):
        return f"of what I have noted it leaves out {left}"
    if strange := put_beside(answer, notes, question):
        return f"{strange} is not in what I have noted"
    return ""


def amounts_left_out(answer: str, notes: str) -> str:
    """An amount of the note that an answer leaves out which has another of it in the same unit, if any.

    Which of them was asked for a small model guesses ('5 mg in the morning and 2.5 mg in the evening').
    """
    amounts: dict[str, dict[str, str]] = {}
    for figure, unit in _AMOUNT.findall(notes):
        for kind in _units(unit):
            amounts.setdefault(kind, {})[_plain(figure)] = f"{figure} {unit}"
    said = {_plain(figure) for figure in _FIGURE.findall(answer)}
    for listed in amounts.values():
        if said & listed.keys() and (left := [text for figure, text in listed.items() if figure not in said]):
            return left[0]
    return ""


def _spelt(date: re.Match[str]) -> str:
    """A date with its words beside it."""
    month = next((name for name, number in MONTHS.items() if number == int(date[1])), "")
    return f"{date[0]} {month} {int(date[2])} {int(date[2])}th"


def put_beside(answer: str, notes: str, question: str) -> str:
    """The first figure, name or currency of an answer that the notes on its subject do not have."""
    if figures := made_up(answer, notes):
        return figures[0]
    counted = _units(notes) | _units(question)
    for word in _COUNTED.findall(answer):
        unit = _units("".join(word))
        if unit and not unit & counted:
            return "".join(word)
    noted = {_bare(word) for word in _WORD.findall(notes)}
    asked = {_bare(name) for name, first in _names(question) if not first}
    for name, first in _names(answer):
        bare = _bare(name)
        if bare not in noted and bare not in WEEKDAYS and bare not in MONTHS and (not first or bare in asked):
            return name
    return ""


def _names(text: str) -> Iterator[tuple[str, bool]]:
    """What is written with a capital, and whether it begins a sentence."""
    for found in _NAME.finditer(text):
        yield found[0], bool(_AT_BEGINNING.search(text[: found.start()]))


def _bare(name: str) -> str:
    """Without the ending of an owner."""
    return _OWNER.sub("", name.lower())


def _units(text: str) -> frozenset[str]:
    """What is counted in: the currencies and measures that the gate knows, by any of their names."""
    table = _units_by_name()
    return frozenset(unit for word in _UNIT.findall(text.lower()) for unit in table.get(word, ()))


@cache
def _units_by_name() -> dict[str, set[str]]:
    from gate.language.lexicon import load_data, split_list

    found: dict[str, set[str]] = {}
    for unit, names in load_data("en")["units"].items():
        for name in (unit.lower(), *split_list(names)):
            found.setdefault(name, set()).add(unit)
    return found


def bears_on(notes: str, question: str) -> bool:
    """Whether a message is a question, and shares a word that tells something with the notes."""
    from partner.formation.topics import content_words

    return inquires(question) and not content_words(question).isdisjoint(content_words(notes))


def made_up(answer: str, given: str) -> list[str]:
    """Figures of the answer, as they are written, each once. '1,240' is the '1240' of a note, and '8:00' its
    '8'."""
    known = {_plain(figure) for figure in _FIGURE.findall(given)}
    parts = {part for figure in _FIGURE.findall(given) for part in _BETWEEN.split(figure)}
    said = dict.fromkeys(_FIGURE.findall(_NUMBERED.sub("", answer)))
    return [figure for figure in said if _plain(figure) not in known and not _whole(figure) <= parts]


def _plain(figure: str) -> str:
    return _BETWEEN.sub("", figure).lstrip("0")


def _whole(figure: str) -> set[str]:
    """The number without a fraction of nothing ('8:00', '8.0')."""
    parts = _BETWEEN.split(figure)
    return {parts[0]} if not any(part.strip("0") for part in parts[1:]) else {figure}
