"""Closed classes of words by name, and the words of several of them together."""

from __future__ import annotations

from collections.abc import Mapping


class Classes(dict[str, frozenset[str]]):
    """Closed classes by name; one that a language does not have is empty."""

    def __missing__(self, group: str) -> frozenset[str]:
        return frozenset()


class Unions(dict[tuple[str, ...], frozenset[str]]):
    """The words of several closed classes together, put together when first asked for."""

    def __init__(self, words: Mapping[str, frozenset[str]]) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, groups: tuple[str, ...]) -> frozenset[str]:
        self[groups] = frozenset().union(*(self._words[group] for group in groups))
        return self[groups]
