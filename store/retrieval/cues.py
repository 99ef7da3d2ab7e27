"""What a question asks for, and what a text offers: dates, times, numbers, who speaks, whether it asks.

Closed classes of words in six languages, read once a question and once an engram; no model. Everything is on
folded words (`text.words`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from math import log

from store.model import Authority, EngramType
from store.retrieval import cue_words as lexicon
from store.retrieval.ports import Row
from store.retrieval.text import words

_SENTENCE = re.compile(r"[^.!?\u3002\uff01\uff1f\u061f\n]+[.!?\u3002\uff01\uff1f\u061f]*")
_ASKING = ("?", "\uff1f", "\u061f")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was read from a question. `months`, `years` and `days` are those it names."""

    words: frozenset[str]
    months: frozenset[int]
    years: frozenset[int]
    days: frozenset[int]
    wants_time: bool
    wants_number: bool
    about_operator: bool  # first person
    about_partner: bool  # what the partner itself said


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What ranking reads from one engram, kept between questions."""

    key: str  # its words: equal keys are duplicates
    utterance: bool
    speaker: frozenset[str]  # words of the speaker's name
    asking: float  # share of its words that stand in questions, 0..1
    length: float  # natural logarithm of its words, at most log(48)
    has_time: bool
    has_number: bool
    year: int
    month: int
    day: int
    created_s: float  # Unix seconds
    salience: float
    authority: float  # 0..1


def _follows(found: Sequence[str], openers: dict[str, frozenset[str]]) -> bool:
    return any(b in openers.get(a, ()) for a, b in pairwise(found))


def read_question(query: str) -> Question:
    """Read a question (its first 2,000 characters)."""
    found = words(query[:2_000])
    months: set[int] = set()
    for at, word in enumerate(found):
        number = lexicon.MONTHS.get(word)
        if number is None:
            continue
        before = found[at - 1] if at else ""
        after = found[at + 1] if at + 1 < len(found) else ""
        if word in lexicon.AMBIGUOUS_MONTHS and not (
            before in lexicon.BEFORE_A_MONTH
            or before.isdigit()
            or (after.isdigit() and len(after) in (1, 2, 4))
        ):
            continue
        months.add(number)
    numbers = [int(word) for word in found if word.isdecimal() and len(word) <= 4]
    return Question(
        words=frozenset(found),
        months=frozenset(months),
        years=frozenset(number for number in numbers if 1900 <= number <= 2199),
        days=frozenset(number for number in numbers if 1 <= number <= 31) if months else frozenset(),
        wants_time=any(word in lexicon.ASKS_TIME for word in found[:4])
        or _follows(found[:5], lexicon.ASKS_TIME_AFTER),
        wants_number=any(word in lexicon.ASKS_NUMBER for word in found[:4])
        or _follows(found, lexicon.ASKS_NUMBER_AFTER),
        about_operator=not lexicon.FIRST_PERSON.isdisjoint(found),
        about_partner=lexicon.PARTNER_SAYS.search(" ".join(found)) is not None,
    )


def read_row(row: Row) -> Traits:
    """Read one engram."""
    found = words(row.content[:20_000])
    asking = total = 0
    for sentence in _SENTENCE.findall(row.content[:20_000]):
        count = len(sentence.split())
        total += count
        asking += count if sentence.endswith(_ASKING) else 0
    distinct = set(found)
    return Traits(
        key=" ".join(found),
        utterance=row.type is EngramType.UTTERANCE,
        speaker=frozenset(_name(row.speaker)) if row.speaker else frozenset(),
        asking=asking / total if total else 0.0,
        length=log(max(1, min(len(found), 48))),
        has_time=not distinct.isdisjoint(lexicon.TIME_WORDS) or any(_is_dated(word) for word in distinct),
        has_number=not distinct.isdisjoint(lexicon.NUMBER_WORDS)
        or any(word[0].isdecimal() for word in distinct),
        year=row.created_at.year,
        month=row.created_at.month,
        day=row.created_at.day,
        created_s=row.created_at.timestamp(),
        salience=row.salience,
        authority=row.authority / Authority.OPERATOR,
    )


@lru_cache(maxsize=1024)
def _name(speaker: str) -> tuple[str, ...]:
    return tuple(words(speaker))


def _is_dated(word: str) -> bool:
    if word in lexicon.MONTHS:
        return word not in lexicon.AMBIGUOUS_MONTHS
    return len(word) == 4 and word.isdecimal() and word[:2] in ("19", "20", "21")


def dated(question: Question, traits: Traits) -> float:
    """How well the engram's date fits the one a question names: 0 (none named, or another) to 1."""
    if question.years and traits.year not in question.years:
        return 0.0
    if question.months:
        if traits.month not in question.months:
            return 0.0
        return 1.0 if not question.days or traits.day in question.days else 0.6
    return 0.5 if question.years else 0.0


def moment(traits: Traits, now: datetime) -> float:
    """Age in days at `now`, at least 0."""
    return max((now.timestamp() - traits.created_s) / 86_400.0, 0.0)
