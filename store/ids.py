"""Ids (UUIDv7, RFC 9562) and the short forms an operator types."""

from __future__ import annotations

import re
import threading
import uuid

from store.errors import BadRequest

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
        with self._lock:
            self._last = max(self._last + 1, max(unix_ms, 0) << 12)
            stamp = self._last
        low = 2 << 62 | int.from_bytes(noise, "big") & ((1 << 62) - 1)
        digits = f"{(stamp >> 12) << 80 | 7 << 76 | (stamp & 0xFFF) << 64 | low:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


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
