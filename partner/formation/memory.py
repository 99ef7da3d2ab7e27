"""An in-memory `HoldsView`: the shipped fake of what the store answers, for tests and dry runs."""

from __future__ import annotations

from collections.abc import Sequence

from partner.formation.topics import content_words
from store.model import Engram, EngramType, Klass

_RAW = frozenset({EngramType.UTTERANCE, EngramType.TRACE})


class MemoryHolds:
    """What holds now, oldest first. `add` and `remove` keep it; the four reads never change it."""

    def __init__(self, engrams: Sequence[Engram] = ()) -> None:
        self._engrams: dict[str, Engram] = {}
        for engram in engrams:
            self.add(engram)

    def add(self, engram: Engram) -> None:
        if engram.type not in _RAW and engram.klass is not Klass.CONTROL:
            self._engrams[engram.id] = engram

    def remove(self, engram_id: str) -> None:
        self._engrams.pop(engram_id, None)

    def all(self) -> list[Engram]:
        return list(self._engrams.values())

    def by_key(self, subject: str, attribute: str) -> Sequence[Engram]:
        return [
            e
            for e in self._engrams.values()
            if e.metadata.get("subject") == subject and e.metadata.get("attribute") == attribute
        ]

    def about(self, words: Sequence[str], limit: int = 30) -> Sequence[Engram]:
        wanted = content_words(" ".join(words))
        scored = [(len(wanted & content_words(e.content)), e.seq, e) for e in self._engrams.values()]
        return [e for score, _, e in sorted(scored, key=lambda s: (-s[0], -s[1])) if score][:limit]

    def recent(self, limit: int = 20, klass: Klass | None = None) -> Sequence[Engram]:
        found = [e for e in self._engrams.values() if klass is None or e.klass is klass]
        return sorted(found, key=lambda e: -e.seq)[:limit]
