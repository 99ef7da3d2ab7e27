"""Slips of the hand: a word that is none, one letter away from a word that names an act or a thing.

Distance one by deletion, insertion, replacement or transposition (Damerau 1964), found through the
deletions of both words (Garbe's symmetric deletion). English only; a word that the thesaurus knows stays.
"""

from __future__ import annotations

from collections.abc import Iterable

from gate.language.thesaurus import noun_class

SHORTEST = 5  # letters from which a word is long enough for one of them to be wrong


class Slips:
    """Words by what is left of them when one letter is missing."""

    def __init__(self, words: Iterable[str]) -> None:
        self._left: dict[str, list[str]] = {}
        self._words = frozenset(word for word in words if len(word) >= SHORTEST and word.isalpha())
        self._longest = max(map(len, self._words), default=0)
        for word in sorted(self._words):
            for left in _shortened(word):
                self._left.setdefault(left, []).append(word)

    def meant(self, word: str) -> str | None:
        """The one known word that `word` may be a slip of; None when it is known itself or several fit."""
        if not SHORTEST <= len(word) <= self._longest + 1 or word in self._words:
            return None
        if not (word.isascii() and word.isalpha()):
            return None
        found = {other for left in (word, *_shortened(word)) for other in self._left.get(left, ())}
        found |= {left for left in _shortened(word) if left in self._words}
        near = [other for other in found if _one_away(word, other)]
        if len(near) != 1 or noun_class(word) is not None:
            return None
        return near[0]


def one_slip(word: str, other: str) -> bool:
    """Whether a word is one slip of the hand away from another: one letter missing, added, wrong or two
    neighbours exchanged. For one word against one: a letter that is replaced counts, too."""
    if abs(len(word) - len(other)) > 1 or word[:1] != other[:1] or word == other:
        return False
    if _one_away(word, other):
        return True
    return len(word) == len(other) and sum(a != b for a, b in zip(word, other, strict=True)) == 1


def _shortened(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


def _one_away(one: str, other: str) -> bool:
    """Whether one letter is missing, added, wrong, or two neighbours are exchanged."""
    if one[0] != other[0]:
        return False  # the first letter is seldom wrong, and another word begins with another
    if abs(len(one) - len(other)) == 1:
        longer, shorter = (one, other) if len(one) > len(other) else (other, one)
        return shorter in _shortened(longer)
    if len(one) != len(other):
        return False
    wrong = [at for at in range(len(one)) if one[at] != other[at]]
    if len(wrong) == 1:
        return False  # a letter replaced makes another word as often as a slip
    return (
        len(wrong) == 2 and wrong[1] == wrong[0] + 1
        and one[wrong[0]] == other[wrong[1]] and one[wrong[1]] == other[wrong[0]]
    )  # fmt: skip
