"""Reading the log from end to end: in pages, so that no reader pins the write-ahead log, as plain tuples."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from store.errors import StoreDamaged
from store.port import LogEntry, Row
from store.sqlite.driver import dbapi2
from store.sqlite.driving import connect

PAGE = 250  # entries read at once: what they take stays in the processor's cache while they are looked at
LAST = 2**63 - 1
ENTRIES = f"SELECT {', '.join(LogEntry._fields)} FROM log WHERE seq > ? AND seq <= ? ORDER BY seq "  # noqa: S608 - own names
# a bare `LIMIT ?` is looked at by the planner: the statement is then prepared anew at every execution, which
# takes longer than running it (sqlite.org/c3ref/prepare.html on bindings that change the choice of a plan)
AT_MOST = "LIMIT ? + 0"
HASHES = "SELECT seq, hash FROM log WHERE seq IN (SELECT value FROM json_each(?))"
Ask = Callable[[str, Sequence[Any]], list[Any]]


def pages(ask: Ask, after: int, upto: int | None) -> Iterator[list[Row]]:
    """Rows with `after < seq <= upto`, a page at a time; `ask` gives what prepared text finds."""
    low, high = after, LAST if upto is None else upto
    while True:
        page = ask(ENTRIES + AT_MOST, (low, high, PAGE))
        yield page
        if len(page) < PAGE:
            return
        low = page[-1][0]


class Scan:
    """A file opened once more to read, by a process that does nothing else; see `store.port.Rows`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def _ask(self, text: str, values: Sequence[Any]) -> list[Any]:
        try:
            return self._connection.execute(text, values).fetchall()
        except dbapi2.Error as error:
            raise StoreDamaged(str(error)) from error

    def rows(self, *, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        for page in pages(self._ask, after, upto):
            yield from page

    def hashes(self, seqs: Collection[int]) -> dict[int, bytes]:
        return dict(self._ask(HASHES, (json.dumps(list(seqs)),)))


def reopen(path: str, key: str | None) -> Scan:
    """What `SqliteLog.reopening` names. `key` is the raw key of an encrypted file, in hex."""
    return Scan(connect(Path(path), key=None if key is None else bytes.fromhex(key), read_only=True))
