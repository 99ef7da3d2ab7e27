"""Complete answers by fingerprint, in a SQLite file. An answer is JSON text: nothing that is read can be run.

The libraries that keep Python objects on disk unpickle what they find there (CVE-2025-69872 of one), and take
four times as long to find it.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from router.model import End, Event, Request, Start, Text, Usage
from router.sqlitefile import opened

FORMAT = "answer/1"
FILE = "answers.sqlite"
DEFAULT_LIMIT_BYTES = 256 * 1024**2
CACHEABLE_END = "stop"
EVICTED_PERCENT = 10  # of the answers, the oldest, each time that the file is too large
_BEFORE = "PRAGMA auto_vacuum = INCREMENTAL"
# what is forgotten is overwritten; of a key stored again the new answer counts as the youngest
_SCHEMA = """
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS answer (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body BLOB NOT NULL);
PRAGMA user_version = 1;
"""
_GET = "SELECT body FROM answer WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO answer (key, body) VALUES (?, ?)"
_EVICT = (
    "DELETE FROM answer WHERE number <= (SELECT number FROM answer ORDER BY number LIMIT 1 OFFSET"
    " (SELECT count(*) * ? / 100 FROM answer))"
)


class Cache:
    """Answers in `folder` (0700), the least recently stored evicted above `limit_bytes`. Thread-safe.

    Never raises for the state of its files: a cache that cannot be read is a miss, one that cannot be
    written stores nothing (`error` says why).
    """

    def __init__(self, folder: Path, *, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self._folder = folder
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._opened: Any = None
        self.error = ""

    def get(self, key: str) -> tuple[Event, ...] | None:
        """The events of a stored answer, marked as cached and costing nothing; None for a miss."""
        try:
            with self._lock:
                row = self._file().execute(_GET, (key,)).fetchone()
        except Exception as error:  # noqa: BLE001  a damaged cache file must not end a conversation
            self.error = f"the cache cannot be read: {error}"
            return None
        return _decode(row[0]) if row is not None else None

    def put(self, key: str, request: Request, events: Sequence[Event], *, keep_sampled: bool = False) -> bool:
        """Store a finished answer where it may be replayed; True when it was stored."""
        if not storable(request, events, keep_sampled=keep_sampled):
            return False
        try:
            with self._lock:
                self._file().execute(_PUT, (key, _encode(events)))
                self._shrink()
        except Exception as error:  # noqa: BLE001  a full disk must not end a conversation
            self.error = f"the cache cannot be written: {error}"
            return False
        return True

    def clear(self) -> int:
        """Forget everything; the number of answers that were there."""
        with self._lock:
            found = self._file().execute("DELETE FROM answer").rowcount
            self._give_back()
        return found

    def volume(self) -> int:
        """Bytes that the answers take."""
        with self._lock:
            return self._used()

    def close(self) -> None:
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _file(self) -> Any:
        if self._opened is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.chmod(self._folder, 0o700)
            self._opened = opened(self._folder / FILE, _SCHEMA, before=_BEFORE)
        return self._opened

    def _used(self) -> int:
        ask = self._file().execute
        pages, free = (ask(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count"))
        return (pages - free) * ask("PRAGMA page_size").fetchone()[0]

    def _shrink(self) -> None:
        before = None
        while (used := self._used()) > self._limit and used != before:
            self._file().execute(_EVICT, (EVICTED_PERCENT,))
            before = used
        if before is not None:
            self._give_back()

    def _give_back(self) -> None:
        self._file().execute("PRAGMA incremental_vacuum").fetchall()
        self._file().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def storable(request: Request, events: Sequence[Event], *, keep_sampled: bool = False) -> bool:
    """Whether an answer may be replayed: complete, of plain text, and the same when asked again.

    A sampled answer (temperature above 0) is one of many: kept only where the operator asked for that.
    """
    if request.temperature != 0 and not keep_sampled:
        return False
    if request.tools:
        return False
    ends = [event for event in events if isinstance(event, End)]
    if len(ends) != 1 or ends[0].reason != CACHEABLE_END:
        return False
    known = all(isinstance(event, Start | Text | Usage | End) for event in events)
    return known and bool("".join(event.text for event in events if isinstance(event, Text)).strip())


def _encode(events: Sequence[Event]) -> bytes:
    start = next(event for event in events if isinstance(event, Start))
    usage = next((event for event in events if isinstance(event, Usage)), None)
    body: dict[str, Any] = {
        "format": FORMAT,
        "engine": start.engine,
        "model": start.model,
        # in one piece: it is there at once, and eighty events took as long as all the rest of a hit
        "texts": ["".join(event.text for event in events if isinstance(event, Text))],
        "tokens": [usage.tokens_in, usage.tokens_out] if usage else None,
    }
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _decode(stored: object) -> tuple[Event, ...] | None:
    if not isinstance(stored, bytes):
        return None
    try:
        body = json.loads(stored.decode("ascii"))
        if body["format"] != FORMAT:
            return None
        events: list[Event] = [Start(engine=body["engine"], model=body["model"], cached=True)]
        events += [Text(text=text) for text in body["texts"]]
        if body["tokens"]:
            events.append(Usage(tokens_in=body["tokens"][0], tokens_out=body["tokens"][1], cost_usd=0.0))
    except (ValueError, KeyError, TypeError, IndexError):
        return None  # written by another version, or damaged: a miss
    return (*events, End(reason=CACHEABLE_END))
