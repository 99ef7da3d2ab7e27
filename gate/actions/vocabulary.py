"""Word lists written as text, so that a table of names stays readable as a table."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The blank-separated words of `text`."""
    return frozenset(text.split())
