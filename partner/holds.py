"""What holds now, as formation asks for it: formation's port, adapted on the store.

Formation compares on subject, attribute and words alone, so candidates are found by words alone: no vector,
no ranking by salience or age. Engrams are immutable; those read once are kept for the next turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from partner.context import settled
from store.model import CLASS_OF, Engram, EngramType, Klass
from store.port import Selection
from store.retrieval.text import match_expression, query_terms

if TYPE_CHECKING:
    from store import Store

_RAW = frozenset({EngramType.UTTERANCE, EngramType.TRACE})
_CLAIMS = (Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE, Klass.KNOWLEDGE)
_COMPARED = (EngramType.OBSERVATION, *(t for t, klass in CLASS_OF.items() if klass in _CLAIMS))
MAX_SAME_KEY = 50
BIG_LOG, FEW_TERMS, MAX_PAIRED = 30_000, 3, 8
MAX_KEPT = 20_000


class StoreHolds:
    """Claims that hold now; raw turns, traces, proposals and control entries never."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[int, Engram] = {}

    def by_key(self, subject: str, attribute: str) -> Sequence[Engram]:
        found = self._store.current(subject=subject, attribute=attribute, limit=MAX_SAME_KEY)
        return [engram for engram in found if settled(engram)]

    def about(self, words: Sequence[str], limit: int = 30) -> Sequence[Engram]:
        """Claims first; what actions brought behind them, so that no turn crowds out a claim."""
        match = self._match(" ".join(words))
        if not match:
            return []
        found = self._found(match, Selection(types=_COMPARED, limit=2 * limit))
        claims = filter(_is_claim, sorted(found, key=lambda engram: engram.type is EngramType.OBSERVATION))
        return list(claims)[:limit]

    def _match(self, words: str) -> str:
        """Any of the words; in a big log two of them together, for one common word finds thousands there."""
        terms = query_terms(words)
        if len(terms) < FEW_TERMS or self._store.head().seq < BIG_LOG:
            return match_expression(words)
        pairs = combinations(terms[:MAX_PAIRED], 2)
        return " OR ".join(f'("{one}" AND "{other}")' for one, other in pairs)

    def recent(self, limit: int = 20, klass: Klass | None = None) -> Sequence[Engram]:
        found = self._store.current(klass=klass, limit=limit * 4)
        return [engram for engram in found if _is_claim(engram)][:limit]

    def _found(self, match: str, selection: Selection) -> list[Engram]:
        seqs = [seq for seq, _ in self._store.backend.lexical(match, selection)]
        missing = [seq for seq in seqs if seq not in self._kept]
        if missing:
            if len(self._kept) + len(missing) > MAX_KEPT:
                self._kept.clear()
                missing = seqs
            ids = [standing.id for standing in self._store.backend.standings_at(missing)]
            self._kept |= {engram.seq: engram for engram in self._store.read_all(ids)}
        return [self._kept[seq] for seq in seqs if not self._kept[seq].erased]


def _is_claim(engram: Engram) -> bool:
    return engram.type not in _RAW and settled(engram)
