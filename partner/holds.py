"""What holds now, as formation asks for it: formation's port, adapted on the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner.context import settled
from store.model import Engram, EngramType, Klass

if TYPE_CHECKING:
    from store import Store

_RAW = frozenset({EngramType.UTTERANCE, EngramType.TRACE})
_CLAIMS = (Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE, Klass.KNOWLEDGE)


class StoreHolds:
    """Claims that hold now; raw turns, traces and control entries never."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def by_key(self, subject: str, attribute: str) -> Sequence[Engram]:
        return [e for e in self._store.current(subject=subject, attribute=attribute) if settled(e)]

    def about(self, words: Sequence[str], limit: int = 30) -> Sequence[Engram]:
        """Claims first; what actions brought behind them, so that no turn crowds out a claim."""
        query = " ".join(words)
        claims = self._store.search(query, classes=_CLAIMS, limit=limit)
        observed = self._store.search(query, classes=(Klass.OBSERVATION,), limit=limit)
        return [h.engram for h in (*claims, *observed) if _is_claim(h.engram)][:limit]

    def recent(self, limit: int = 20, klass: Klass | None = None) -> Sequence[Engram]:
        found = self._store.current(klass=klass, limit=limit * 4)
        return [engram for engram in found if _is_claim(engram)][:limit]


def _is_claim(engram: Engram) -> bool:
    return engram.type not in _RAW and settled(engram)
