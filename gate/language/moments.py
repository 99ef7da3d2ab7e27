"""The moments that expressions of time name, against the time of the request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from gate.language.lexicon import Lexicon
from gate.language.times import DAY_MINUTES, Span
from gate.language.tokens import Token

LATE = 119  # minutes that an hour 'in the evening' may be after what is called so
EARLIEST = 7 * 60  # a bare hour before it is one of the afternoon


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
            named += [
                day for other in found
                if other.start < span.start and other.day not in ("before", "after")
                for day in _days_of(other, at, tokens, lexicon) if day
            ]  # fmt: skip
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
        inside = [
            a < 720 and part[0] - 60 <= a + 720 <= part[1] + LATE for a, _ in hours
        ]  # 'at 2:00 every night' is not
        hours = [(a + 720, b + 720) if later else (a, b) for (a, b), later in zip(hours, inside, strict=True)]
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
        return [today + timedelta(days=(day - today.weekday()) % 7) for day in sorted(span.weekdays)]
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
