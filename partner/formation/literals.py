"""What a text must hold for a pattern to match: a quick look that spares most patterns their search.

The idea is RE2's FilteredRE2: from the parsed pattern one takes strings of which every match holds at least
one, and finds all strings of all patterns in one pass (Aho-Corasick). Where a pattern gives no such string it
is always tried, so what matches never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import ahocorasick_rs

try:
    from re import _parser  # type: ignore[attr-defined]  # what re itself parses with; not public
except ImportError:  # another interpreter: no pattern is spared
    _parser = None

SHORTEST = 2  # letters; a single one stands in nearly every text, but for a face or a sign


class Sieve:
    """Which of the patterns may match a text that is in lower case."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._always: list[int] = []
        self._by_literal: list[tuple[int, ...]] = []
        places: dict[str, list[int]] = {}
        for place, pattern in enumerate(patterns):
            literals = needed(pattern)
            if not literals:
                self._always.append(place)
            for literal in literals:
                places.setdefault(literal, []).append(place)
        self._by_literal = [tuple(found) for found in places.values()]
        self._found = ahocorasick_rs.AhoCorasick(list(places)) if places else None

    @property
    def always(self) -> Sequence[int]:
        """The places of the patterns that are tried on every text."""
        return self._always

    def any(self, low: str) -> bool:
        """Whether a pattern that is not tried always may match."""
        return self._found is not None and bool(self._found.find_matches_as_indexes(low))

    def candidates(self, low: str) -> list[int]:
        """The places of all patterns that may match, in order."""
        found = set(self._always)
        if self._found is not None:
            for literal, _, _ in self._found.find_matches_as_indexes(low, overlapping=True):
                found.update(self._by_literal[literal])
        return sorted(found)


def needed(pattern: str) -> frozenset[str]:
    """Strings in lower case, one of which every match holds; empty where that cannot be told."""
    if _parser is None:
        return frozenset()
    return _of_sequence(_parser.parse(pattern)) or frozenset()


def _of_sequence(nodes: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """The best that the parts of a sequence give: all parts must match, so any of them will do."""
    found: list[frozenset[str]] = []
    run = ""
    for kind, value in nodes:
        name = str(kind)
        if name == "LITERAL":
            run += chr(value)
            continue
        if name == "AT":  # takes no room: letters before and behind it stand side by side
            continue
        found.append(frozenset({run.lower()}))
        run = ""
        inner = _of_node(name, value)
        if inner is not None:
            found.append(inner)
    found.append(frozenset({run.lower()}))
    telling = [literals for literals in found if all(map(_tells, literals))]
    return max(telling, key=lambda literals: (min(map(len, literals)), -len(literals)), default=None)


def _tells(literal: str) -> bool:
    return len(literal) >= SHORTEST or (literal != "" and not literal.isascii() and not literal.isalnum())


def _of_node(name: str, value: Any) -> frozenset[str] | None:
    if name == "IN":  # a set of single signs, such as faces
        signs = [chr(what) for kind, what in value if str(kind) == "LITERAL"]
        return frozenset(signs) if len(signs) == len(value) else None
    if name == "SUBPATTERN":
        return _of_sequence(value[-1])
    if name == "ATOMIC_GROUP":
        return _of_sequence(value)
    if name == "BRANCH":
        parts = [_of_sequence(branch) for branch in value[1]]
        known = [part for part in parts if part is not None]
        return frozenset().union(*known) if len(known) == len(parts) else None
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, _, inner = value
        return _of_sequence(inner) if least else None
    if name == "ASSERT":  # what stands beside the match stands in the text as well
        return _of_sequence(value[1])
    return None
