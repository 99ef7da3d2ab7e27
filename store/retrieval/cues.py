"""What a question asks for, and what a text offers: dates, times, numbers, who speaks, whether it asks.

Closed classes of words in six languages, read once a question and once an engram; no model. Everything is on
folded words (`text.words`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from store.model import Authority, EngramType
from store.retrieval import cue_words as lexicon
from store.retrieval.ports import Row
from store.retrieval.text import words
from store.retrieval.traits import KLASS_CODE, Traits, key_of

_SENTENCE = re.compile(r"[^.!?\u3002\uff01\uff1f\u061f\n]+[.!?\u3002\uff01\uff1f\u061f]*")
_ASKING = ("?", "\uff1f", "\u061f")
_YEAR = re.compile(r"(?<!\S)(?:19|20|21)\d\d(?!\S)")
_NUMBER = re.compile(r"(?<!\S)\d")
READING = 1  # raised with every change of what `read_row` makes of a row
_CLEAR_MONTHS = lexicon.MONTHS.keys() - lexicon.AMBIGUOUS_MONTHS


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
    first_person: bool  # 'tell me' too: of what is done for somebody their own words tell more
    about_partner: bool  # what the partner itself said


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
        about_operator=_of_oneself(found),
        first_person=not lexicon.OWN.isdisjoint(found),
        about_partner=lexicon.PARTNER_SAYS.search(" ".join(found)) is not None,
    )


def _of_oneself(found: Sequence[str]) -> bool:
    """Whether it asks about whoever asks; 'tell me' only says to whom the answer goes."""
    return any(
        word in lexicon.FIRST_PERSON and not (word in lexicon.TO_ME and before in lexicon.ANSWERING)
        for before, word in zip(("", *found), found, strict=False)
    )


def share_of_questions(content: str) -> float:
    """The share 0..1 of a text's words that stand in questions (of its first 20,000 characters)."""
    if not any(mark in content for mark in _ASKING):  # of most texts, and each candidate is read
        return 0.0
    asking = total = 0
    for sentence in _SENTENCE.findall(content[:20_000]):
        count = len(sentence.split())
        total += count
        asking += count if sentence.endswith(_ASKING) else 0
    return asking / total if total else 0.0


def reading() -> str:
    """Eight hex digits of what `read_row` depends on beside the row: its word lists, and `READING`. Traits
    that were published under others are not these."""
    lists = (lexicon.TIME_WORDS, lexicon.MONTHS, lexicon.AMBIGUOUS_MONTHS, lexicon.NUMBER_WORDS)
    told = [str(READING), *(" ".join(sorted(one)) for one in (*lists, lexicon.FIRST_PERSON))]
    return blake2b("\n".join(told).encode(), digest_size=4).hexdigest()


def read_row(row: Row) -> Traits:
    """Read one engram."""
    found = words(row.content[:20_000])
    distinct, line = set(found), " ".join(found)
    dated = not (distinct.isdisjoint(lexicon.TIME_WORDS) and distinct.isdisjoint(_CLEAR_MONTHS))
    utterance = row.type is EngramType.UTTERANCE
    return Traits(
        id=row.id,
        key=key_of(line),
        speaker=frozenset(_name(row.speaker)) if row.speaker else frozenset(),
        numbers=(
            float(utterance),
            share_of_questions(row.content),
            log(max(1, min(len(found), 48))),
            float(dated or _YEAR.search(line) is not None),
            float(not distinct.isdisjoint(lexicon.NUMBER_WORDS) or _NUMBER.search(line) is not None),
            float(row.created_at.year),
            float(row.created_at.month),
            float(row.created_at.day),
            row.created_at.timestamp(),
            row.salience,
            (row.authority / Authority.OPERATOR) ** 2,  # an operator's word is apart from the rest
            float(KLASS_CODE[row.klass]),
            float(not lexicon.FIRST_PERSON.isdisjoint(distinct)),
        ),
    )


@lru_cache(maxsize=1024)
def _name(speaker: str) -> tuple[str, ...]:
    return tuple(words(speaker))


def dated(question: Question, numbers: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """How well each engram's date fits the one a question names: 0 (none named, or another) to 1."""
    if not question.months and not question.years:
        return np.zeros(numbers["year"].shape[0])
    right_year = np.isin(numbers["year"], list(question.years)) if question.years else np.True_
    if not question.months:
        return np.where(right_year, 0.5, 0.0)
    fit = np.where(np.isin(numbers["day"], list(question.days)), 1.0, 0.6) if question.days else 1.0
    return np.where(right_year & np.isin(numbers["month"], list(question.months)), fit, 0.0)
