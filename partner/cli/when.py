"""A time as people give it to an option: ISO-8601, or the words that conversations use for days."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from partner.errors import UsageError

_CLOCK = re.compile(r"(?:^|[\sT]+(?:at\s+|um\s+)?)(?P<h>[01]?\d|2[0-3])[:.](?P<m>[0-5]\d)\Z")
_AGO = re.compile(r"(?P<n>\d{1,5}) ?(?P<unit>h|hours?|min|minutes?) ago\Z")
LAST_MOMENT = timedelta(days=1) - timedelta(microseconds=1)


def read_moment(value: str, *, now: datetime, to_its_end: bool = False) -> datetime:
    """An aware datetime in the zone of `now`; a time with an offset of its own keeps it.

    A day alone is its beginning, or with `to_its_end` its last moment; 'today' is `now` in both. Raises
    UsageError for what names no time.
    """
    said = " ".join(value.split()).casefold()
    if said in ("now", "today", now.date().isoformat()):
        return now
    if found := _AGO.match(said):
        minutes = int(found["n"]) * (60 if found["unit"].startswith("h") else 1)
        return now - timedelta(minutes=minutes)
    day = _day(said, now)
    if day is not None:
        begin = _zoned(datetime.combine(day, time()), now)
        return begin + LAST_MOMENT if to_its_end else begin
    try:
        return _zoned(datetime.fromisoformat(value.strip()), now)
    except ValueError:
        pass
    clock = _CLOCK.search(said)
    day = _day(said[: clock.start()].strip() or "today", now) if clock else None
    if clock is None or day is None:
        raise UsageError(
            f"'{value}' is not a time. Write a day (2026-03-06, yesterday, last friday), a day and a time "
            "(yesterday 14:00), or both with the offset (2026-03-06T10:15:00+01:00)."
        )
    return _zoned(datetime.combine(day, time(int(clock["h"]), int(clock["m"]))), now)


def _day(said: str, now: datetime) -> date | None:
    """The one day that the words name, with nothing beside it; None where they name none or more."""
    if said == "today":
        return now.date()
    try:
        return date.fromisoformat(said)
    except ValueError:
        pass
    from partner.formation.dates import resolve

    for words in (said, f"on {said}"):  # a weekday alone counts where something leads to it
        found = resolve(words, now)
        if len(found.resolved) == 1:
            told = re.search(r" \((\d{4}-\d{2}-\d{2})\)\Z", found.text)
            if told and found.text[: told.start()] == words:
                return date.fromisoformat(told[1])
    return None


def _zoned(when: datetime, now: datetime) -> datetime:
    if when.tzinfo is not None:
        return when
    # the machine's own offset may be another on that day; a named zone knows its own
    return when.replace(tzinfo=now.tzinfo) if isinstance(now.tzinfo, ZoneInfo) else when.astimezone()
