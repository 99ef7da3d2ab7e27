"""What a terminal shows of what was written to it."""

from __future__ import annotations


def line_shown(written: str) -> str:
    """One line as it stands in the end: a carriage return goes back to its beginning."""
    shown: list[str] = []
    at = 0
    for char in written:
        if char == "\r":
            at = 0
        else:
            shown[at : at + 1] = [char]
            at += 1
    return "".join(shown).rstrip()
