"""A lexicon's calendar by the word that a phrase begins with: days, months, hours, parts of the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gate.language.lexicon import TIMELY, load
from gate.language.tokens import Token

Phrases = Sequence[tuple[str, ...]]
NO_PHRASES: Mapping[str, Phrases] = {}


def phrase_at(tokens: list[Token], index: int, end: int, begun: Mapping[str, Phrases]) -> int:
    """Position after the longest phrase that stands at `index`, or -1. `begun`: phrases by first word."""
    best = -1
    for words in begun.get(tokens[index].text, ()) if index < end else ():
        after = index + len(words)
        if best < after <= end and (
            len(words) == 1
            or (
                tokens[index + 1].text == words[1]
                and all(tokens[index + k].text == words[k] for k in range(2, len(words)))
            )
        ):
            best = after
    return best


def _by_first(phrases: Phrases) -> dict[str, Phrases]:
    firsts = dict.fromkeys(words[0] for words in phrases if words)
    return {first: tuple(words for words in phrases if words and words[0] == first) for first in firsts}


@lru_cache(maxsize=16)
def clock_phrases(language: str) -> dict[str, dict[str, Phrases]]:
    """What a calendar says of hours: name -> first word -> phrases."""
    return {name: _by_first(phrases) for name, phrases in load(language).calendar["clock"].items()}


@lru_cache(maxsize=16)
def hour_openings(language: str) -> dict[str, list[tuple[int, dict[str, Phrases]]]]:
    """First word -> (minutes to add, phrases) of what stands before an hour ('half past', 'quarter to')."""
    found: dict[str, list[tuple[int, dict[str, Phrases]]]] = {}
    for name, offset in (("half_past", 30), ("quarter_past", 15), ("quarter_to", -15), ("half_to", -30)):
        begun = clock_phrases(language).get(name, {})
        for first in begun:
            found.setdefault(first, []).append((offset, begun))
    return found


@lru_cache(maxsize=16)
def beginnings(language: str) -> dict[str, frozenset[str]]:
    """Words that may begin something of time. Where they do so only with certain others behind them, those;
    empty where a word may do so by itself."""
    lexicon = load(language)
    found: dict[str, set[str]] = {}
    alone = {*lexicon.numbers, *lexicon.ordinals, *lexicon.words["in_word"]}
    for section in TIMELY:
        for words in (words for phrases in lexicon.calendar[section].values() for words in phrases if words):
            if len(words) == 1:
                alone.add(words[0])
            else:
                found.setdefault(words[0], set()).add(words[1])
    return {word: frozenset(second) for word, second in found.items()} | dict.fromkeys(alone, frozenset())


@lru_cache(maxsize=16)
def parts_of_day(language: str) -> dict[str, list[tuple[str, dict[str, Phrases]]]]:
    """First word -> (hours, phrases) of the parts of the day that it may begin, in the order of trying."""
    found: dict[str, list[tuple[str, dict[str, Phrases]]]] = {}
    for hours, phrases in load(language).calendar["dayparts"].items():
        begun = _by_first(phrases)
        for first in begun:
            found.setdefault(first, []).append((hours, begun))
    return found


@lru_cache(maxsize=16)
def month_numbers(language: str) -> dict[str, int]:
    """Months of one word; the first that lists a word has it."""
    months = load(language).calendar["months"].items()
    listed = [(words[0], int(value)) for value, phrases in months for words in phrases if len(words) == 1]
    return dict(reversed(listed))


@dataclass(slots=True)
class NamedDays:
    """The days that a first word may begin: (group, value, phrases) in the order of trying."""

    listed: list[tuple[str, str, dict[str, Phrases]]] = field(default_factory=list)
    seconds: set[str] = field(default_factory=set)  # what follows the first word in phrases of several
    alone: bool = False  # whether a phrase is that word alone


@lru_cache(maxsize=16)
def named_days(language: str) -> dict[str, NamedDays]:
    """The days that a calendar names, by the first word of their names."""
    calendar = load(language).calendar
    days = {
        value: calendar["days"].get(value, ()) for value in ("overmorrow", "tomorrow", "yesterday", "today")
    }
    found: dict[str, NamedDays] = {}
    for group in ("days", "relative", "holidays", "weekdays", "seasons"):
        for value, phrases in (days if group == "days" else calendar[group]).items():
            begun = _by_first(phrases)
            for first, begin in begun.items():
                named = found.setdefault(first, NamedDays())
                named.listed.append((group, value, begun))
                named.seconds.update(words[1] for words in begin if len(words) > 1)
                named.alone = named.alone or any(len(words) == 1 for words in begin)
    return found
