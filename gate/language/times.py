"""Days and hours: the windows that rules name and the moments that requests name.

Moments are read against the request's own time in the operator's zone. A named weekday is the next
one, today included; an hour alone is of the day named, else of today.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gate.language.calendar import (
    beginnings,
    hour_openings,
    month_numbers,
    named_days,
    parts_of_day,
    phrase_at,
)
from gate.language.hours import (
    DAY_MINUTES,
    at_point,
    counts,
    first_hour,
    has_hour_word,
    hour_at,
    introduced,
    second_hour,
    with_half,
)
from gate.language.lexicon import Lexicon
from gate.language.numbers import word_number
from gate.language.tokens import Token

_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})\Z")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?")
_DAY = re.compile(r"(\d{1,2})\.?(?:st|nd|rd|th)?")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Span:
    """Something said of time at tokens [start, end). Minutes count from midnight and may pass 24 h."""

    start: int
    end: int
    day: str | None = None  # today, tomorrow, overmorrow, yesterday, or an offset '+3'
    weekdays: frozenset[int] = frozenset()
    month: int | None = None
    months: frozenset[int] = frozenset()  # of a season
    month_day: int | None = None
    year: int | None = None
    from_minute: int | None = None
    to_minute: int | None = None  # equal to from_minute for a point of time
    part: bool = False  # a part of the day ('afternoon'), not a clock time
    bare: bool = False  # an hour that says neither morning nor afternoon: 'at two'


def spans(
    tokens: list[Token], start: int, end: int, lexicon: Lexicon, first_by: int | None = None
) -> list[Span]:
    """Every expression of time between two tokens, left to right; none where none begins by `first_by`."""
    found: list[Span] = []
    index = start
    while index < end:
        if first_by is not None and index > first_by and not found:
            break
        span = None
        if _may_begin(tokens, index, end, lexicon) and not tokens[index].quoted:
            span = _day_at(tokens, index, end, lexicon)
            if span is None:
                span = _clock_at(tokens, index, start, end, lexicon)
            elif span.day is not None and span.from_minute is None:
                span = _with_part(span, tokens, lexicon)
        if span is None:
            index += 1
            continue
        found.append(span)
        index = max(span.end, index + 1)
    return found


def _with_part(span: Span, tokens: list[Token], lexicon: Lexicon) -> Span:
    """'this evening', 'heute Abend': a day that says which part of it is meant."""
    for at in range(span.start, span.end):
        for hours, phrases in parts_of_day(lexicon.language).get(tokens[at].text, ()):
            if (at > span.start or span.end - span.start == 1) and phrase_at(
                tokens, at, span.end, phrases
            ) == span.end:
                first, last = (int(float(hour) * 60) for hour in hours.split("-"))
                return replace(span, from_minute=first, to_minute=last, part=True)
    return span


def _may_begin(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """Whether something of time may begin here, as far as this word and the next tell."""
    token = tokens[index]
    if token.kind == "n":
        return True
    seconds = beginnings(lexicon.language).get(token.text)
    if seconds is None:
        return _compound(token, lexicon)
    return not seconds or (index + 1 < end and tokens[index + 1].text in seconds)


def _compound(token: Token, lexicon: Lexicon) -> bool:
    return lexicon.language == "de" and len(token.text) > 9 and word_number(token.text, lexicon) is not None


def _day_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    return (
        _named_day(tokens, index, end, lexicon)
        or _date_at(tokens, index, end, lexicon)
        or _in_days(tokens, index, end, lexicon)
        or _days_from_now(tokens, index, end, lexicon)
    )


def _named_day(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    named = named_days(lexicon.language).get(tokens[index].text)
    if named is None or not (named.alone or (index + 1 < end and tokens[index + 1].text in named.seconds)):
        return None
    for group, value, phrases in named.listed:
        after = phrase_at(tokens, index, end, phrases)
        if after <= 0:
            continue
        if group in ("days", "relative"):
            return Span(index, after, day=value)
        if group == "holidays":
            month, _, day = value.partition("-")
            return Span(index, after, month=int(month), month_day=int(day))
        if group == "weekdays":
            days = {"weekend": frozenset((5, 6)), "workday": frozenset(range(5))}.get(value)
            return Span(index, after, weekdays=days if days is not None else frozenset((int(value),)))
        if lexicon.has("preposition", tokens[index - 1].text if index else ""):
            return Span(index, after, months=frozenset(int(month) for month in value.split(",")))
    return None


def _month(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> int | None:
    return month_numbers(lexicon.language).get(tokens[index].text) if index < end else None


def _date_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    text = tokens[index].text
    if tokens[index].kind == "n" and len(text) == 4 and index + 4 < end + 1:
        iso = _ISO.match("".join(token.text for token in tokens[index : index + 5]))
        if iso:
            return Span(index, index + 5, year=int(iso[1]), month=int(iso[2]), month_day=int(iso[3]))
    dotted = _DOTTED.fullmatch(text) if tokens[index].kind == "n" else None
    ends = lexicon.language != "en" and index + 1 < end and tokens[index + 1].text == "."
    if dotted and ends and 1 <= int(dotted[2]) <= 12 and 1 <= int(dotted[1]) <= 31:
        year = int(dotted[3]) if dotted[3] else None
        return Span(index, index + 2, year=year, month=int(dotted[2]), month_day=int(dotted[1]))
    day = _day_number(tokens[index], lexicon)
    if day is not None:
        at = index + 1
        while at < end and tokens[at].text in ("of", ".", "th", "st", "nd", "rd", "de", "the"):
            at += 1
        month = _month(tokens, at, end, lexicon)
        if month is not None:
            return Span(index, at + 1, month=month, month_day=day, year=_year(tokens, at + 1, end))
    if day is not None and _day_alone(tokens, index, end, lexicon):
        return Span(index, index + 1, month_day=day)
    ranged = _first_of_two(tokens, index, end, lexicon)
    if ranged is not None:
        return ranged
    month = _month(tokens, index, end, lexicon)
    if month is None or (lexicon.has("month_or_name", text) and not _is_month(tokens, index, end, lexicon)):
        return None
    day = _day_number(tokens[index + 1], lexicon) if index + 1 < end else None
    if day is not None and lexicon.language == "en":
        return Span(index, index + 2, month=month, month_day=day, year=_year(tokens, index + 2, end))
    return Span(index, index + 1, month=month, year=_year(tokens, index + 1, end))


def _day_alone(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """'on the 14th': a day of this month or the next."""
    if lexicon.language != "en" or index < 2 or tokens[index - 1].text != "the":
        return False
    if not lexicon.has("day_preposition", tokens[index - 2].text) or tokens[index].kind != "n":
        return False
    return index + 1 < end and tokens[index + 1].text in ("th", "st", "nd", "rd")


def _first_of_two(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    """'3 to 17 April': the first day is of the same month."""
    first = _day_number(tokens[index], lexicon) if tokens[index].kind == "n" else None
    if first is None or index + 3 >= end or not lexicon.has("range_word", tokens[index + 1].text):
        return None
    second = _day_number(tokens[index + 2], lexicon)
    at = index + 3
    while at < end and tokens[at].text in ("of", "th", "st", "nd", "rd"):
        at += 1
    month = _month(tokens, at, end, lexicon) if second is not None and second > first else None
    return Span(index, index + 1, month=month, month_day=first) if month is not None else None


def _is_month(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """'in May', 'of Jan', 'May 5', 'Jan or Feb': a month that is also a name or another word."""
    before = tokens[index - 1].text if index else ""
    if lexicon.has("month_prep", before):
        return True
    if index + 1 < end and tokens[index + 1].kind == "n":
        return True
    months = month_numbers(lexicon.language)
    joined = lexicon.has("conjunction", before) or before in (",", "-", "to", "until", "bis")
    if joined and index > 1 and tokens[index - 2].text in months:
        other = tokens[index - 2].text
        return not lexicon.has("month_or_name", other) or _is_month(tokens, index - 2, end, lexicon)
    ranged = index + 2 < end and lexicon.has("range_word", tokens[index + 1].text)
    return ranged and tokens[index + 2].text in months


def _year(tokens: list[Token], index: int, end: int) -> int | None:
    if index < end and _YEAR.fullmatch(tokens[index].text):
        return int(tokens[index].text)
    return None


def _day_number(token: Token, lexicon: Lexicon) -> int | None:
    match = _DAY.fullmatch(token.text) if token.text[:1].isdecimal() else None
    day = int(match[1]) if match else lexicon.ordinals.get(token.text, 0)
    return day if 1 <= day <= 31 else None


def _in_days(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    """'in three days', 'in two weeks', 'in an hour'."""
    if not lexicon.has("in_word", tokens[index].text) or index + 2 >= end:
        return None
    count = word_number(tokens[index + 1].text, lexicon)
    if count is None and tokens[index + 1].text.isdigit():
        count = int(tokens[index + 1].text[:6])
    if count is None and lexicon.has("determiner", tokens[index + 1].text):
        count = 1
    if count is None:
        return None
    for rest, unit in lexicon.units.get(tokens[index + 2].text, ()):
        if not rest and unit in ("h", "min", "d", "week", "month"):
            factor = {"h": 60, "min": 1, "d": DAY_MINUTES, "week": 7 * DAY_MINUTES, "month": 30 * DAY_MINUTES}
            return Span(index, index + 3, day=f"+{min(count, 10**6) * factor[unit]}")
    return None


def _days_from_now(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    """'three days from now', 'a week later'."""
    if index + 2 >= end or not lexicon.has("from_now", tokens[index + 2].text):
        return None
    text = tokens[index].text
    count = int(text) if text.isdigit() and len(text) < 4 else word_number(text, lexicon)
    factor = {"d": DAY_MINUTES, "week": 7 * DAY_MINUTES}
    for rest, unit in lexicon.units.get(tokens[index + 1].text, ()):
        if count is not None and not rest and unit in factor:
            return Span(index, index + 4, day=f"+{count * factor[unit]}")
    return None


def _clock_at(tokens: list[Token], index: int, start: int, end: int, lexicon: Lexicon) -> Span | None:
    for offset, phrases in hour_openings(lexicon.language).get(tokens[index].text, ()):
        after = phrase_at(tokens, index, end, phrases)
        if after > 0:
            hour = hour_at(tokens, after, end, lexicon)
            if hour is not None:
                minute, at = with_half(tokens, after + 1, end, hour * 60 + offset, lexicon)
                bare = at == after + 1 and 0 < hour < 12  # 'at half past three'
                return Span(index, at, from_minute=minute, to_minute=minute, bare=bare)
    counted = _minutes_to(tokens, index, start, end, lexicon)
    if counted is not None:
        return counted
    token = tokens[index]
    exact = _CLOCK.match(token.text) if token.kind == "n" else None
    if (
        exact
        and int(exact[1]) < 25
        and int(exact[2]) < 60
        and (
            ":" in token.text
            or has_hour_word(tokens, index + 1, end, lexicon)
            or at_point(tokens, index, end, lexicon)
        )
    ):
        minute, at = with_half(tokens, index + 1, end, int(exact[1]) * 60 + int(exact[2]), lexicon)
        return Span(index, at, from_minute=minute, to_minute=minute)
    for hours, phrases in parts_of_day(lexicon.language).get(token.text, ()):
        after = phrase_at(tokens, index, end, phrases)
        if after > 0 and not (index > start and tokens[index - 1].text in ("a", "per", "-", "each", "pro")):
            first, last = (float(hour) for hour in hours.split("-"))
            point = last - first < 0.1
            return Span(
                index,
                after,
                from_minute=int(first * 60),
                to_minute=int((first if point else last) * 60),
                part=not point,
            )
    hour = hour_at(tokens, index, end, lexicon)
    if hour is None:
        return None
    if has_hour_word(tokens, index + 1, end, lexicon):
        minute, at = with_half(tokens, index + 1, end, hour * 60, lexicon)
        return Span(index, at, from_minute=minute, to_minute=minute)
    first = first_hour(tokens, index, start, end, lexicon) or second_hour(tokens, index, start, end, lexicon)
    if first or (introduced(tokens, index, start, lexicon) and not counts(tokens, index + 1, end, lexicon)):
        minute, at = with_half(tokens, index + 1, end, hour * 60, lexicon)
        if lexicon.language == "en" and hour > 12 and at == index + 1:
            return None  # 'bring it down to 22'
        bare = at == index + 1 and 0 < hour < 12 and not tokens[index].text.startswith("0")
        return Span(index, at, from_minute=minute, to_minute=minute, bare=bare)
    return None


def _minutes_to(tokens: list[Token], index: int, start: int, end: int, lexicon: Lexicon) -> Span | None:
    """'at ten to seven', 'twenty past six': minutes before or after an hour."""
    if index + 2 >= end:
        return None
    text = tokens[index].text
    count = int(text) if text.isdigit() and len(text) < 3 else word_number(text, lexicon)
    if count is None or not 0 < count < 60 or count % 5:
        return None
    at = index + 1 + (tokens[index + 1].text in lexicon.units and tokens[index + 1].text.startswith("min"))
    to = lexicon.has("minutes_to", tokens[at].text)
    if not (to or lexicon.has("minutes_past", tokens[at].text)):
        return None
    before = tokens[index - 1].text if index > start else ""
    hour = hour_at(tokens, at + 1, end, lexicon)
    if hour is None or hour > 12 or not lexicon.has("clock_at", before):
        return None
    minute, after = with_half(tokens, at + 2, end, hour * 60 + (-count if to else count), lexicon)
    return Span(index, after, from_minute=minute, to_minute=minute, bare=after == at + 2)
