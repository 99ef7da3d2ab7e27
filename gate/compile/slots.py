"""The typed slots of a rule: windows of time, exceptions, paths, hosts and labels."""

from __future__ import annotations

import re
from functools import cache

from gate.constraint import Unless, Window
from gate.language.lexicon import Lexicon, load
from gate.language.reading import Reading
from gate.language.thesaurus import ACTION, EVENT, PERSON, noun_class
from gate.language.times import DAY_MINUTES, Span, spans
from gate.language.tokens import Token

DAWN = 5 * 60  # a bare hour from which "after it" is said of the evening
_TIMES = frozenset((ACTION, EVENT, "28", "22"))  # WordNet's classes of what lasts: deeds, events, times


def preceded(
    reading: Reading, index: int, start: int, phrases: tuple[tuple[str, ...], ...], reach: int = 0
) -> int:
    """Start of the phrase that ends right before `index` (with up to `reach` words between), or -1."""
    tokens = reading.tokens
    for gap in range(reach + 1):
        end = index - gap
        best = -1
        for phrase in phrases:
            first = end - len(phrase)
            if first >= start and all(tokens[first + k].text == word for k, word in enumerate(phrase)):
                best = first if best < 0 else min(best, first)
        if best >= 0:
            return best
    return -1


def find_windows(reading: Reading, start: int, end: int) -> tuple[tuple[Window, ...], set[int]]:
    """Windows said between two tokens ('or' parts alternatives), and the tokens that say them."""
    lexicon, tokens = reading.lexicon, reading.tokens
    found = spans(tokens, start, end, lexicon)
    groups: list[list[Span]] = []
    used: set[int] = set()
    for span in found:
        told = span.start > start and lexicon.has("told_time", tokens[span.start - 1].text)
        if span.day is not None or tokens[span.end - 1].possessive or told or _says_which(reading, span):
            continue  # 'last August's collision', 'night recordings': no time of the rule
        parted = not groups or any(
            lexicon.has("or", tokens[at].text) for at in range(groups[-1][-1].end, span.start)
        )
        if parted and groups and (_same_list(groups[-1], span) or _stretch(reading, groups[-1], span, start)):
            parted = False
        if parted:
            groups.append([])
        groups[-1].append(span)
    windows = []
    for group in groups:
        window = _window(reading, group, start)
        if window is not None:
            windows.append(window)
            for span in group:
                used.update(range(span.start, span.end))
                introduction = _introduction(reading, span, start)
                used.update(introduction)
                used.update(_named_time(reading, introduction.start or span.start, start))
                used.update(_and_holidays(reading, span.end, end))
    return tuple(windows), used


def _says_which(reading: Reading, span: Span) -> bool:
    """'night recordings', 'the lunch menu': a part of the day right before a noun says which one is meant."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if lexicon.language != "en" or span.end - span.start > 1 or span.end >= len(tokens):
        return False
    follow, before = tokens[span.end], tokens[span.start - 1].text if span.start else ""
    if not span.part and not (
        lexicon.has("owning", before) and (span.month or span.weekdays) and span.month_day is None
    ):
        return False  # 'the March backup' is one of several; 'no Sunday lessons' says when
    if lexicon.has("preposition", before) or follow.kind != "w" or noun_class(follow.text) is None:
        return False
    return not any(lexicon.has(group, follow.text) for group in ("preposition", "conjunction", "auxiliary"))


def _and_holidays(reading: Reading, at: int, end: int) -> range:
    """'on Sundays or public holidays': days that no calendar here knows, beside those that it does."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if at >= end or not (lexicon.has("or", tokens[at].text) or lexicon.has("conjunction", tokens[at].text)):
        return range(0)
    for index in range(at + 1, min(end, at + 4)):
        if lexicon.has("day_off", tokens[index].text):
            follow = index + 1 < end and lexicon.has("day_off", tokens[index + 1].text)
            return range(at, index + 2 if follow else index + 1)
    return range(0)


def _same_list(group: list[Span], span: Span) -> bool:
    """'on Saturdays and Sundays', 'in July or August': items of one list, not alternatives."""
    last = group[-1]
    return bool(last.weekdays and span.weekdays and last.from_minute is None) or bool(
        last.month and span.month and not last.month_day and not span.month_day
    )


def _stretch(reading: Reading, group: list[Span], span: Span, start: int) -> bool:
    """'between 13:00 and 15:00': two points of one stretch."""
    last = group[-1]
    opened = preceded(
        reading, last.start, start, reading.lexicon.calendar["window"].get("between", ()), reach=1
    )
    both = last.from_minute is not None and span.from_minute is not None
    return opened >= 0 and (both or bool(last.month and span.month))


def _introduction(reading: Reading, span: Span, start: int) -> range:
    calendar = reading.lexicon.calendar["window"]
    phrases = tuple(phrase for listed in calendar.values() for phrase in listed)
    first = -1
    if span.month_day or _at_an_hour(reading, span):  # 'before the press conference on 14 May'
        around = (*calendar.get("before", ()), *calendar.get("after", ()))
        first = preceded(reading, span.start, start, around, reach=5)
    if first < 0:
        first = preceded(reading, span.start, start, phrases, reach=1)
    return range(first, span.start) if first >= 0 else range(0)


def _at_an_hour(reading: Reading, span: Span) -> bool:
    """'before the polls close at 20:00': what happens at an hour is before or after it."""
    before = reading.tokens[span.start - 1].text if span.start else ""
    return span.from_minute is not None and before == "at" and reading.language == "en"


def _named_time(reading: Reading, end: int, start: int) -> range:
    """'in the holidays from 3 to 17 April': the name of the time that is then told."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if lexicon.language != "en" or end - start < 2 or tokens[end - 1].kind != "w":
        return range(0)
    at = end - 1
    while at > start and not lexicon.has("preposition", tokens[at].text) and end - at < 4:
        at -= 1
    named = noun_class(tokens[end - 1].text) in _TIMES  # 'in the orchard on Sundays' is a place
    return range(at, end) if named and lexicon.has("during_prep", tokens[at].text) else range(0)


def _window(reading: Reading, group: list[Span], start: int) -> Window | None:
    weekdays: set[int] = set()
    months: set[int] = set()
    minutes: list[tuple[int, int]] = []
    dates: list[tuple[tuple[int, int], tuple[int, int]]] = []
    clocks = [span for span in group if span.from_minute is not None]
    for span in group:
        weekdays |= span.weekdays
        months |= span.months
        if span.month and span.month_day:
            dates.append(((span.month, span.month_day), (span.month, span.month_day)))
        elif span.month:
            months.add(span.month)
    if (
        len(group) == 2
        and group[0].month
        and group[1].month
        and len(months) == 2
        and _stretch(reading, group[:1], group[1], start)
    ):
        first, last = group[0].month, group[1].month
        months = {(first - 1 + step) % 12 + 1 for step in range((last - first) % 12 + 1)}
    if len(dates) == 2:
        dates = [(dates[0][0], dates[1][1])]
    elif len(dates) == 1:
        dates = [_open_date(reading, next(span for span in group if span.month_day), dates[0][0], start)]
    minutes = _minutes(reading, clocks, start)
    if not (weekdays or months or minutes or dates):
        return None
    words = " ".join(reading.tokens[at].text for at in range(group[0].start, group[-1].end))
    return Window(
        weekdays=frozenset(weekdays),
        months=frozenset(months),
        minutes=tuple(minutes),
        dates=tuple(dates),
        words=words,
    )


def _open_date(
    reading: Reading, span: Span, day: tuple[int, int], start: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """'before 15 June' and 'after 1 September' run from and to the turn of the year."""
    window = reading.lexicon.calendar["window"]
    if preceded(reading, span.start, start, window.get("before", ()), reach=5) >= 0:
        month, number = day
        return ((1, 1), (month, number - 1) if number > 1 else (month - 1 or 12, 31))
    if preceded(reading, span.start, start, window.get("after", ()), reach=5) >= 0:
        return (day, (12, 31))
    return (day, day)


def _minutes(reading: Reading, clocks: list[Span], start: int) -> list[tuple[int, int]]:
    window = reading.lexicon.calendar["window"]
    points = [span for span in clocks if span.from_minute == span.to_minute]
    minutes = [
        (span.from_minute, span.to_minute)
        for span in clocks
        if span.from_minute is not None and span.to_minute is not None and not (span.part and points)
        and span.from_minute != span.to_minute
    ]  # fmt: skip
    values = [span.from_minute for span in points if span.from_minute is not None]
    if len(values) == 2:
        first, last = values
        if last < first and points[1].bare and last + DAY_MINUTES // 2 > first:
            last += DAY_MINUTES // 2  # 'between 12 and 2'
        return [*minutes, (first, last if last > first else last + DAY_MINUTES)]
    for span, value in zip(points, values, strict=True):
        reach = 5 if _at_an_hour(reading, span) else 1
        before = preceded(reading, span.start, start, window.get("before", ()), reach)
        if before >= 0:
            minutes.append((0, value))
        elif preceded(reading, span.start, start, window.get("after", ()), reach) >= 0:
            late = span.bare and DAWN <= value < DAY_MINUTES // 2  # 'after eight': in the evening
            minutes.append((value + DAY_MINUTES // 2 if late else value, DAY_MINUTES))
        else:
            minutes.append((value, value + 60))
    return minutes


def is_person(token: Token) -> bool:
    return "=" + "child" in token.keys or noun_class(token.text) == PERSON


@cache
def _exception(language: str) -> re.Pattern[str] | None:
    source = load(language).patterns.get("exception")
    return re.compile(source) if source else None


def exception_starts(reading: Reading, start: int, end: int) -> list[tuple[int, int]]:
    """Token ranges (marker first) of the exceptions between two tokens, each to the next one's start."""
    pattern = _exception(reading.language)
    if pattern is None or start >= end:
        return []
    tokens, lexicon = reading.tokens, reading.lexicon
    offset = tokens[start].start
    text = reading.folded.text[offset : tokens[end - 1].end]
    starts: list[int] = []
    for match in pattern.finditer(text):
        index = next((i for i in range(start, end) if tokens[i].start >= offset + match.start()), end)
        after = next((i for i in range(index, end) if tokens[i].start >= offset + match.end()), end)
        if index < start + (lexicon.language != "de") or after >= end:
            continue  # 'Nicht ohne Zustimmung ...' may begin with its exception
        near = spans(tokens, index, min(end, after + 6), lexicon)
        timed = any(span.start <= after + 1 or span.month_day or _at_an_hour(reading, span) for span in near)
        if timed and tokens[index].text not in ("except", "unless", "but"):
            continue
        if lexicon.has("outside", tokens[index].text) and after < end and is_person(tokens[after]):
            continue  # 'to outside players'
        placed = any(token.kind == "x" for token in tokens[after : after + 2])  # 'ausserhalb von x.example'
        if placed and lexicon.has("outside", tokens[index].text):
            continue
        starts.append(index)
    ends = [starts[k + 1] if k + 1 < len(starts) else end for k in range(len(starts))]
    return [(begin, _phrase_end(reading, begin, stop)) for begin, stop in zip(starts, ends, strict=True)]


def _phrase_end(reading: Reading, begin: int, end: int) -> int:
    """German: the object may follow the exception: 'ohne Zustimmung des Chefs das Bild (ändern)'."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if lexicon.language != "de":
        return end
    for index in range(begin + 2, end):
        text, before = tokens[index].text, tokens[index - 1].text
        if (
            not lexicon.has("determiner", text)
            or lexicon.has("genitive", text)
            or lexicon.has("preposition", text)
        ):
            continue
        if not lexicon.has("preposition", before) and not lexicon.has("conjunction", before):
            return index
    return end


def unless_kind(words: list[str], lexicon: Lexicon, marker: str) -> str:
    """What sort of exception the words after `marker` are."""
    stems = {lexicon.base(word) for word in words}
    if stems & lexicon.stems.get("approval", frozenset()) and not lexicon.has("free_marker", marker):
        return "approval"
    return "recipient" if lexicon.has("free_marker", marker) else "condition"


__all__ = ["Unless", "exception_starts", "find_windows", "is_person", "preceded", "unless_kind"]
