"""Long texts in pieces, so that the cost of a check grows with the length of the text and no faster."""

from __future__ import annotations

import re
from collections.abc import Iterator

PIECE = 4_000  # characters read at once; a request that people type is one piece
_BREAKS = (re.compile(r"[.!?;\n]\s"), re.compile(r"[,:]\s"), re.compile(r"\s"))


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """(offset, piece) of a text, parted at the end of a sentence where one is near, else at a word."""
    start = 0
    while len(text) - start > PIECE:
        end = _break(text, start)
        yield start, text[start:end]
        start = end
    yield start, text[start:]


def _break(text: str, start: int) -> int:
    """The best place to part a text in the second half of the piece that begins at `start`."""
    middle, limit = start + PIECE // 2, start + PIECE
    for pattern in _BREAKS:
        last = 0
        for match in pattern.finditer(text, middle, limit):
            last = match.end()
        if last:
            return last
    return limit
