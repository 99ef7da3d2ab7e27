"""Ids (UUIDv7, RFC 9562) and the short forms an operator types."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Sequence

from store.errors import BadRequest

_VARIANT = {f"{digit:x}": f"{8 | digit & 3:x}" for digit in range(16)}  # the two bits of RFC 9562
_HEX = re.compile(r"[0-9a-f]{4,32}")
TAIL_DIGITS = 8


class IdMaker:
    """Makes UUIDv7 ids that grow within this process even when the clock stands still or goes back.

    48 bits of Unix milliseconds, 12 bits counting within one millisecond, 62 random bits.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0  # milliseconds << 12 | counter

    def make(self, unix_ms: int, noise: bytes) -> str:
        """An id of this millisecond (or the next free one); `noise` is eight random bytes."""
        return self.make_many(unix_ms, [noise.hex()])[0]

    def make_many(self, unix_ms: int, noise: Sequence[str]) -> list[str]:
        """An id for each of `noise`, 16 random hex digits each, in growing order."""
        with self._lock:
            first = max(self._last + 1, max(unix_ms, 0) << 12)
            self._last = first + len(noise) - 1
        ids = []
        for stamp, low in enumerate(noise, first):
            high = f"{stamp:015x}"
            ids.append(f"{high[:8]}-{high[8:12]}-7{high[12:]}-{_VARIANT[low[0]]}{low[1:4]}-{low[4:]}")
        return ids


def short(engram_id: str, digits: int = TAIL_DIGITS) -> str:
    """The short form shown to people: the random tail, since UUIDv7 heads of one day are alike."""
    return engram_id[-digits:]


def parse_ref(ref: str) -> str:
    """Return the hex digits of a full id, a prefix or a tail (at least 4); raise BadRequest otherwise."""
    digits = ref.strip().strip("#[]").lower().replace("-", "") if isinstance(ref, str) else ""
    if not _HEX.fullmatch(digits):
        raise BadRequest(f"{str(ref)[:60]!r} is not an engram id; give at least four of its hex digits")
    return digits


def canonical_id(digits: str) -> str:
    return str(uuid.UUID(digits))


def tail_key(engram_id: str) -> int:
    """The last eight hex digits read backwards, so that a tail of any length is a range of integers."""
    return int(engram_id[: -TAIL_DIGITS - 1 : -1], 16)


def tail_range(digits: str) -> tuple[int, int]:
    """Bounds (inclusive) of `tail_key` for ids that end with `digits`."""
    backwards = digits[: -TAIL_DIGITS - 1 : -1]
    return int(backwards.ljust(TAIL_DIGITS, "0"), 16), int(backwards.ljust(TAIL_DIGITS, "f"), 16)
