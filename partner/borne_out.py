"""Whether a small model's answer is borne out by what it was given: of a note it makes up the rest.

Signs without a model: a figure that stands nowhere in what it was given; an answer to a question that a note
bears on which says nothing of that note, the question back for one; one most of whose words are neither the
note's nor the question's.
"""

from __future__ import annotations

import re

from partner.manners import asks

_FIGURE = re.compile(r"\d(?:[\d.,:/’'\u00a0\u202f]*\d)?")
_NUMBERED = re.compile(r"(?m)^\s*\d{1,3}[.)]\s")  # a list's own numbers
_BETWEEN = re.compile(r"[.,:/’'\u00a0\u202f]")
STRANGE_SHARE = 0.6  # of an answer's words that tell something; from here on it speaks of something else
STRANGE_WORDS = 2


def doubt(answer: str, notes: str, question: str, given: str) -> str:
    """What speaks against an answer, as the end of a sentence; '' where nothing does. `given` is all that its
    engine read."""
    if strange := made_up(answer, given):
        return f"{', '.join(strange)} {'is' if len(strange) == 1 else 'are'} in nothing it was given"
    from partner.formation.topics import content_words  # its lexicons are no part of a start

    if not bears_on(notes, question):
        return ""  # no question that a note answers: a poem on the cat may say what it likes
    said, asked, noted = content_words(answer), content_words(question), content_words(notes)
    told = said - asked
    if said and not told and not noted <= asked:
        return "it only says the question back"
    strays = told - noted - content_words(given)
    most = len(strays) >= STRANGE_WORDS and len(strays) >= STRANGE_SHARE * len(said)
    if most or (told and not told & noted and not noted <= asked):
        return "it does not say what I have noted"
    return ""


def bears_on(notes: str, question: str) -> bool:
    """Whether a message is a question, and shares a word that tells something with the notes."""
    from partner.formation.topics import content_words

    return asks(question) and not content_words(question).isdisjoint(content_words(notes))


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
