"""Word lists written as text, so that a table of names stays readable as a table."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The blank-separated words of `text`."""
    return frozenset(text.split())


_STATEMENT_WORDS = (
    "drop",
    "truncate",
    "delete",
    "update",
    "insert",
    "alter",
    "merge",
    "create",
    "select",
    "grant",
)


def may_hold_statements(text: str) -> bool:
    """Whether a text has a word that could begin a SQL statement, as a word or inside one."""
    lowered = text.lower()
    return any(word in lowered for word in _STATEMENT_WORDS)
