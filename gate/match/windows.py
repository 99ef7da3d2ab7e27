"""Whether something happens inside a rule's window of time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gate.constraint import Window
from gate.language.moments import Moment
from gate.language.times import DAY_MINUTES
from gate.model import Facts, Truth


def local_time(at: datetime, facts: Facts) -> datetime:
    """`at` in the operator's zone, or as given when none is known."""
    if facts.timezone is None:
        return at
    try:
        return at.astimezone(ZoneInfo(facts.timezone))
    except (ZoneInfoNotFoundError, ValueError):
        return at


def any_of(truths: Iterable[Truth]) -> Truth:
    """Three-valued 'or'."""
    unknown = False
    for truth in truths:
        if truth is Truth.TRUE:
            return Truth.TRUE
        unknown = unknown or truth is Truth.UNKNOWN
    return Truth.UNKNOWN if unknown else Truth.FALSE


def all_of(truths: Iterable[Truth]) -> Truth:
    """Three-valued 'and'."""
    unknown = False
    for truth in truths:
        if truth is Truth.FALSE:
            return Truth.FALSE
        unknown = unknown or truth is Truth.UNKNOWN
    return Truth.UNKNOWN if unknown else Truth.TRUE


def moment_at(at: datetime) -> Moment:
    minute = at.hour * 60 + at.minute
    return Moment(at.date(), minute, minute)


def in_windows(windows: tuple[Window, ...], moments: Iterable[Moment]) -> Truth:
    """Whether any moment lies in any window; TRUE when the rule has no window."""
    if not windows:
        return Truth.TRUE
    truth = any_of(in_window(window, moment) for moment in moments for window in windows)
    if windows[0].outside and truth is not Truth.UNKNOWN:
        return Truth.FALSE if truth is Truth.TRUE else Truth.TRUE
    return truth


def in_window(window: Window, moment: Moment) -> Truth:
    """Whether one moment lies in one window."""
    return all_of(
        (_weekday(window, moment), _months(window, moment), _dates(window, moment), _minutes(window, moment))
    )


def _weekday(window: Window, moment: Moment) -> Truth:
    if not window.weekdays:
        return Truth.TRUE
    if moment.day is None:
        return Truth.UNKNOWN
    return Truth.TRUE if moment.day.weekday() in window.weekdays else Truth.FALSE


def _months(window: Window, moment: Moment) -> Truth:
    if not window.months:
        return Truth.TRUE
    month = moment.day.month if moment.day is not None else moment.month
    if month is None:
        return Truth.UNKNOWN
    return Truth.TRUE if month in window.months else Truth.FALSE


def _dates(window: Window, moment: Moment) -> Truth:
    if not window.dates:
        return Truth.TRUE
    if moment.day is None:
        return Truth.UNKNOWN
    day = (moment.day.month, moment.day.day)
    for first, last in window.dates:
        inside = first <= day <= last if first <= last else (day >= first or day <= last)
        if inside:
            return Truth.TRUE
    return Truth.FALSE


def _minutes(window: Window, moment: Moment) -> Truth:
    if not window.minutes:
        return Truth.TRUE
    if moment.start is None or moment.stop is None:
        return Truth.UNKNOWN
    return any_of(_overlap(first, last, moment.start, moment.stop) for first, last in window.minutes)


def _overlap(first: int, last: int, start: int, stop: int) -> Truth:
    """Stretch [first, last) of the rule against [start, stop] of the request, midnight passed or not."""
    verdicts = []
    for shift in (-DAY_MINUTES, 0, DAY_MINUTES):
        begin, end = start + shift, stop + shift
        if begin == end:
            verdicts.append(Truth.TRUE if first <= begin < last else Truth.FALSE)
        elif end <= first or begin >= last:
            verdicts.append(Truth.FALSE)
        elif begin >= first and end <= last:
            verdicts.append(Truth.TRUE)
        else:
            verdicts.append(Truth.TRUE if stop - start <= 180 else Truth.UNKNOWN)
    return any_of(verdicts)
