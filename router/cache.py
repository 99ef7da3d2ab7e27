"""Complete answers by fingerprint, on disk. Only bytes are stored; a pickle is refused (CVE-2025-69872)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from router.model import End, Event, Request, Start, Text, Usage

if TYPE_CHECKING:
    import diskcache

FORMAT = "answer/1"
DEFAULT_LIMIT_BYTES = 256 * 1024**2
CACHEABLE_END = "stop"


class Cache:
    """Answers in `folder` (0700), the least recently stored evicted above `limit_bytes`. Thread-safe.

    Never raises for the state of its files: a cache that cannot be read is a miss, one that cannot be
    written stores nothing (`error` says why).
    """

    def __init__(self, folder: Path, *, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self._folder = folder
        self._limit = limit_bytes
        self._opened: diskcache.Cache | None = None
        self.error = ""

    def get(self, key: str) -> tuple[Event, ...] | None:
        """The events of a stored answer, marked as cached and costing nothing; None for a miss."""
        try:
            stored = self._cache().get(key)
        except Exception as error:  # noqa: BLE001  a damaged cache file must not end a conversation
            self.error = f"the cache cannot be read: {error}"
            return None
        return _decode(stored) if isinstance(stored, bytes) else None

    def put(self, key: str, request: Request, events: Sequence[Event], *, keep_sampled: bool = False) -> bool:
        """Store a finished answer where it may be replayed; True when it was stored."""
        if not storable(request, events, keep_sampled=keep_sampled):
            return False
        try:
            return bool(self._cache().set(key, _encode(events)))
        except Exception as error:  # noqa: BLE001  a full disk must not end a conversation
            self.error = f"the cache cannot be written: {error}"
            return False

    def clear(self) -> int:
        """Forget everything; the number of answers that were there. Their bytes are overwritten."""
        found = self._cache().clear()
        self.close()  # the last connection to a file folds its write-ahead log into it
        return found

    def volume(self) -> int:
        """Bytes that the answers take."""
        return self._cache().volume()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _cache(self) -> diskcache.Cache:
        if self._opened is None:
            import diskcache

            from router.bytesdisk import BytesDisk

            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.chmod(self._folder, 0o700)
            # made here, so that SQLite gives its side files the same mode
            os.close(os.open(self._folder / diskcache.core.DBNAME, os.O_CREAT | os.O_RDWR, 0o600))
            self._opened = diskcache.Cache(
                str(self._folder),
                disk=BytesDisk,
                size_limit=self._limit,
                eviction_policy="least-recently-stored",
                sqlite_secure_delete=1,
            )
        return self._opened


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


def _decode(stored: bytes) -> tuple[Event, ...] | None:
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
