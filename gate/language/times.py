"""Days and hours: the windows that rules name and the moments that requests name.

Moments are read against the request's own time in the operator's zone. A named weekday is the next
one, today included; an hour alone is of the day named, else of today.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from gate.language.lexicon import Lexicon, load
from gate.language.numbers import word_number
from gate.language.tokens import Token

DAY_MINUTES = 24 * 60
EARLIEST = 7 * 60  # a bare hour before it is one of the afternoon
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})\Z")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


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


def spans(tokens: list[Token], start: int, end: int, lexicon: Lexicon) -> list[Span]:
    """Every expression of time between two tokens, left to right."""
    found: list[Span] = []
    index = start
    while index < end:
        span = None
        token = tokens[index]
        if not token.quoted and (
            token.kind == "n" or token.text in lexicon.time_words or _compound(token, lexicon)
        ):
            span = _day_at(tokens, index, end, lexicon) or _clock_at(tokens, index, start, end, lexicon)
        if span is None:
            index += 1
            continue
        found.append(span)
        index = max(span.end, index + 1)
    return found


def _compound(token: Token, lexicon: Lexicon) -> bool:
    return lexicon.language == "de" and len(token.text) > 9 and word_number(token.text, lexicon) is not None


def _phrase(tokens: list[Token], index: int, end: int, phrases: Iterable[tuple[str, ...]]) -> int:
    """Position after the longest phrase that stands at `index`, or -1."""
    if index >= end:
        return -1
    best = -1
    first = tokens[index].text
    for words in phrases:
        if words[0] != first or index + len(words) > end:
            continue
        if all(tokens[index + k].text == words[k] for k in range(1, len(words))):
            best = max(best, index + len(words))
    return best


@lru_cache(maxsize=16)
def _first_words(language: str) -> frozenset[str]:
    """The words that a day by its name begins with: most tokens are none of them."""
    calendar = load(language).calendar
    groups = ("days", "relative", "holidays", "weekdays", "seasons")
    listed = (phrases for group in groups for phrases in calendar.get(group, {}).values())
    return frozenset(words[0] for phrases in listed for words in phrases if words)


def _day_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    may = tokens[index].text in _first_words(lexicon.language)
    named = _named_day(tokens, index, end, lexicon) if may else None
    return (
        named
        or _date_at(tokens, index, end, lexicon)
        or _in_days(tokens, index, end, lexicon)
        or _days_from_now(tokens, index, end, lexicon)
    )


def _named_day(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    calendar = lexicon.calendar
    for value in ("overmorrow", "tomorrow", "yesterday", "today"):
        after = _phrase(tokens, index, end, calendar["days"].get(value, ()))
        if after > 0:
            return Span(index, after, day=value)
    for value, phrases in calendar["relative"].items():
        after = _phrase(tokens, index, end, phrases)
        if after > 0:
            return Span(index, after, day=value)
    for value, phrases in calendar["holidays"].items():
        after = _phrase(tokens, index, end, phrases)
        if after > 0:
            month, _, day = value.partition("-")
            return Span(index, after, month=int(month), month_day=int(day))
    for value, phrases in calendar["weekdays"].items():
        after = _phrase(tokens, index, end, phrases)
        if after > 0:
            days = {"weekend": frozenset((5, 6)), "workday": frozenset(range(5))}.get(value)
            return Span(index, after, weekdays=days if days is not None else frozenset((int(value),)))
    for value, phrases in calendar["seasons"].items():
        after = _phrase(tokens, index, end, phrases)
        if after > 0 and lexicon.has("preposition", tokens[index - 1].text if index else ""):
            return Span(index, after, months=frozenset(int(month) for month in value.split(",")))
    return None


def _month(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> int | None:
    if index < end:
        for value, phrases in lexicon.calendar["months"].items():
            if (tokens[index].text,) in phrases:
                return int(value)
    return None


def _date_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> Span | None:
    text = tokens[index].text
    if tokens[index].kind == "n" and len(text) == 4 and index + 4 < end + 1:
        iso = _ISO.match("".join(token.text for token in tokens[index : index + 5]))
        if iso:
            return Span(index, index + 5, year=int(iso[1]), month=int(iso[2]), month_day=int(iso[3]))
    dotted = re.fullmatch(r"(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?", text)
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
    month = _month(tokens, index, end, lexicon)
    if month is None or (text == "may" and lexicon.language == "en" and not _month_may(tokens, index, end)):
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


def _month_may(tokens: list[Token], index: int, end: int) -> bool:
    """'in May', 'of May', 'May 5': the month; else the auxiliary."""
    before = tokens[index - 1].text if index else ""
    return before in ("in", "of", "during", "until", "from", "since", "till") or (
        index + 1 < end and tokens[index + 1].kind == "n"
    )


def _year(tokens: list[Token], index: int, end: int) -> int | None:
    if index < end and re.fullmatch(r"(?:19|20)\d\d", tokens[index].text):
        return int(tokens[index].text)
    return None


def _day_number(token: Token, lexicon: Lexicon) -> int | None:
    match = re.fullmatch(r"(\d{1,2})\.?(?:st|nd|rd|th)?", token.text)
    if match:
        day = int(match[1])
    else:
        day = lexicon.ordinals.get(token.text, 0)
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
    clock = lexicon.calendar["clock"]
    for name, offset in (("half_past", 30), ("quarter_past", 15), ("quarter_to", -15), ("half_to", -30)):
        after = _phrase(tokens, index, end, clock.get(name, ()))
        if after > 0:
            hour = _hour(tokens, after, end, lexicon)
            if hour is not None:
                minute, at = _meridiem(tokens, after + 1, end, hour * 60 + offset, lexicon)
                return Span(index, at, from_minute=minute, to_minute=minute)
    counted = _minutes_to(tokens, index, start, end, lexicon)
    if counted is not None:
        return counted
    token = tokens[index]
    exact = _CLOCK.match(token.text) if token.kind == "n" else None
    if (
        exact
        and int(exact[1]) < 25
        and int(exact[2]) < 60
        and (":" in token.text or _hour_word(tokens, index + 1, end, lexicon))
    ):
        minute, at = _meridiem(tokens, index + 1, end, int(exact[1]) * 60 + int(exact[2]), lexicon)
        return Span(index, at, from_minute=minute, to_minute=minute)
    for hours, phrases in lexicon.calendar["dayparts"].items():
        after = _phrase(tokens, index, end, phrases)
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
    hour = _hour(tokens, index, end, lexicon)
    if hour is None:
        return None
    if _hour_word(tokens, index + 1, end, lexicon):
        minute, at = _meridiem(tokens, index + 1, end, hour * 60, lexicon)
        return Span(index, at, from_minute=minute, to_minute=minute)
    if _introduced(tokens, index, start, lexicon) and not _counts(tokens, index + 1, end, lexicon):
        minute, at = _meridiem(tokens, index + 1, end, hour * 60, lexicon)
        if lexicon.language == "en" and hour > 12 and at == index + 1:
            return None  # 'bring it down to 22'
        bare = at == index + 1 and 0 < hour < 12 and not tokens[index].text.startswith("0")
        return Span(index, at, from_minute=minute, to_minute=minute, bare=bare)
    return None


def _introduced(tokens: list[Token], index: int, start: int, lexicon: Lexicon) -> bool:
    """Whether what stands before a number makes it an hour; 'and' does so only for the second of two."""
    before = tokens[index - 1].text if index > start else ""
    if not lexicon.has("clock_preposition", before):
        return False
    if not lexicon.has("conjunction", before):
        return True
    opening = {phrase[0] for phrase in lexicon.calendar["window"].get("between", ())}
    return any(token.text in opening for token in tokens[max(start, index - 6) : index - 1])


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
    hour = _hour(tokens, at + 1, end, lexicon)
    if hour is None or hour > 12 or not lexicon.has("clock_at", before):
        return None
    minute, after = _meridiem(tokens, at + 2, end, hour * 60 + (-count if to else count), lexicon)
    return Span(index, after, from_minute=minute, to_minute=minute, bare=after == at + 2)


def _hour(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> int | None:
    if index >= end:
        return None
    text = tokens[index].text
    value = int(text) if text.isdigit() and len(text) <= 2 else word_number(text, lexicon)
    return value if value is not None and 0 <= value <= 24 else None


def _hour_word(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    clock = lexicon.calendar["clock"]
    return any(_phrase(tokens, index, end, clock.get(name, ())) > 0 for name in ("hour_word", "am", "pm"))


def _counts(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> bool:
    """Whether the number is of something ('at 5 tables', 'by 18 %'), so it is no hour."""
    if index >= end:
        return False
    token = tokens[index]
    if token.text in ("%", "€", "$", "£", "-", "°", "/"):
        return True
    if token.kind != "w" or lexicon.has("preposition", token.text) or lexicon.has("conjunction", token.text):
        return False
    return not (lexicon.has("time_follow", token.text) or lexicon.has("pronoun", token.text))


def _meridiem(tokens: list[Token], at: int, end: int, minute: int, lexicon: Lexicon) -> tuple[int, int]:
    clock = lexicon.calendar["clock"]
    after = _phrase(tokens, at, end, clock.get("hour_word", ()))
    at = max(at, after)
    after = _phrase(tokens, at, end, clock.get("pm", ()))
    if after > 0:
        return (minute + 720 if minute < 720 else minute), after
    after = _phrase(tokens, at, end, clock.get("am", ()))
    if after > 0:
        return (minute - 720 if minute >= 720 and minute < 780 else minute), after
    return minute, at


@dataclass(frozen=True, slots=True)
class Moment:
    """When something would happen: a day if known, and minutes [start, stop] of it if known."""

    day: date | None
    start: int | None
    stop: int | None
    month: int | None = None


def moments(
    tokens: list[Token], found: list[Span], lexicon: Lexicon, at: datetime, earlier: Iterable[Span] = ()
) -> list[Moment]:
    """The moments that some expressions name, each day with each hour beside it; [] when there are none.

    `earlier` are those of the text before, for 'the day before' and the like.
    """
    days: list[tuple[date | None, int | None, int]] = []
    hours: list[tuple[int, int]] = []
    part: tuple[int, int] | None = None
    for span in found:
        if span.from_minute is not None and span.to_minute is not None:
            if span.part:
                part = (span.from_minute, span.to_minute)
            else:
                later = DAY_MINUTES // 2 if _afternoon(span, at, found) else 0
                hours.append((span.from_minute + later, span.to_minute + later))
            if span.day is None:
                continue
        if span.day in ("before", "after"):
            named = [day for other in earlier for day in _days_of(other, at, tokens, lexicon) if day]
            named += [day for other in found if other.start < span.start and other.day not in ("before", "after")
                      for day in _days_of(other, at, tokens, lexicon) if day]  # fmt: skip
            if named:
                days.append((named[-1] + timedelta(days=1 if span.day == "after" else -1), None, span.start))
        elif span.day and span.day.startswith("+"):
            moment = at + timedelta(minutes=int(span.day[1:]))
            days.append((moment.date(), None, span.start))
            if int(span.day[1:]) < DAY_MINUTES:
                minute = moment.hour * 60 + moment.minute
                hours.append((minute, minute))
        else:
            days.extend((day, span.month, span.start) for day in _days_of(span, at, tokens, lexicon))
    clock = _join_hours(hours, part, tokens, found)
    if not days and not clock:
        return []
    if not days:
        days = [(at.date(), None, 0)]
    if not clock:
        return [Moment(day, None, None, month) for day, month, _ in days]
    return [Moment(day, first, last, month) for day, month, _ in days for first, last in clock]


def _afternoon(span: Span, at: datetime, found: list[Span]) -> bool:
    """Whether a bare hour is meant after noon: 'at two', and 'at nine' once that has passed today."""
    if not span.bare or span.from_minute is None or any(other.part for other in found):
        return False
    if span.from_minute < EARLIEST:
        return True
    today = not any(other.day not in (None, "today") or other.weekdays or other.month for other in found)
    return today and span.from_minute < at.hour * 60 + at.minute


def _join_hours(
    hours: list[tuple[int, int]], part: tuple[int, int] | None, tokens: list[Token], found: list[Span]
) -> list[tuple[int, int]]:
    """Clock times, moved into the named part of the day; 'from 9 to 11' is one stretch."""
    if not hours:
        return [part] if part else []
    if part and part[0] >= 720:
        hours = [(a + 720, b + 720) if a < 720 and a + 720 <= part[1] else (a, b) for a, b in hours]
    clocks = [span for span in found if span.from_minute is not None and not span.part]
    if len(hours) == 2 and len(clocks) == 2:
        between = [token.text for token in tokens[clocks[0].end : clocks[1].start]]
        if between and all(
            word in ("to", "-", "until", "till", "bis", "and", "a", "as", "alle", "und", "y")
            for word in between
        ):
            return [(hours[0][0], hours[1][1])]
    return hours


def _days_of(span: Span, at: datetime, tokens: list[Token], lexicon: Lexicon) -> list[date | None]:
    today = at.date()
    if span.day in ("before", "after") or (span.day or "").startswith("+"):
        return []
    if span.day:
        offset = {"today": 0, "tomorrow": 1, "overmorrow": 2, "yesterday": -1}[span.day]
        return [today + timedelta(days=offset)]
    if span.weekdays:
        before = tokens[span.start - 1].text if span.start else ""
        ahead = 7 if lexicon.has("next_word", before) and False else 0
        return [today + timedelta(days=(day - today.weekday()) % 7 + ahead) for day in sorted(span.weekdays)]
    if span.month and span.month_day:
        year = span.year or today.year
        try:
            named = date(year, span.month, span.month_day)
        except ValueError:
            return []
        if span.year is None and named < today - timedelta(days=180):
            named = named.replace(year=year + 1) if (span.month, span.month_day) != (2, 29) else named
        return [named]
    if span.month_day:
        return [_next_day_number(today, span.month_day)]
    return [None] if span.month else []


def _next_day_number(today: date, number: int) -> date | None:
    """The next day of a month with this number, today included; None where the month has no such day."""
    year, month = today.year, today.month
    if number < today.day:
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    try:
        return date(year, month, number)
    except ValueError:
        return None
