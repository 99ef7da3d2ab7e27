"""What holds now, as formation asks for it: formation's port, adapted on the store.

Formation compares on subject, attribute and words alone, so candidates are found by words alone: no vector,
no ranking by salience or age. Engrams are immutable; those read once are kept for the next turn.

What is only compared is not proved: most candidates have nothing to do with what was said, and a signature
takes longer than the comparison. What a turn replaces, ends or meets again is read, and so proved, before
anything is written about it (`partner.writing`).
"""

from __future__ import annotations

from collections.abc import Sequence
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
MAX_SAME_KEY = 16  # one of them holds as a rule: the newest are enough
MAX_SAME_WORDS = 50
MORE = 4  # found beyond the limit, since what actions brought comes last
BIG_LOG, BIG_LOG_LIMIT, RARE_TEXTS, MANY_TEXTS = 30_000, 8, 400, 4_000
MAX_KEPT = 20_000


class StoreHolds:
    """Claims that hold now; raw turns, traces, proposals and control entries never."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[int, Engram] = {}
        self._counts: dict[tuple[str, int], int] = {}  # by the term and how far it was counted
        self._counted_at = 0

    def by_key(self, subject: str, attribute: str) -> Sequence[Engram]:
        with self._store.backend.together():
            found = self._store.current(subject=subject, attribute=attribute, limit=MAX_SAME_KEY)
        return [engram for engram in found if settled(engram)]

    def about(self, words: Sequence[str], limit: int = 30) -> Sequence[Engram]:
        """Claims first; what actions brought behind them, so that no turn crowds out a claim."""
        with self._store.backend.together():
            head = self._store.head().seq
            match = self._match(" ".join(words), head)
            if not match:
                return []
            limit = min(limit, BIG_LOG_LIMIT) if head >= BIG_LOG else limit
            found = self._found(match, Selection(types=_COMPARED, limit=limit + MORE))
        claims = filter(_is_claim, sorted(found, key=lambda engram: engram.type is EngramType.OBSERVATION))
        return list(claims)[:limit]

    def in_these_words(self, type_: EngramType, text: str) -> Sequence[Engram]:
        """What holds of that type and says the same but for capitals, spaces and the full stop."""
        match = self._match(text, self._store.head().seq)
        found = self._found(match, Selection(types=(type_,), limit=MAX_SAME_WORDS)) if match else []
        return [engram for engram in found if settled(engram) and _plain(engram.content) == _plain(text)]

    def _match(self, words: str, head: int) -> str:
        """Any of the words; in a big log any of the rare ones, for a common word finds thousands there. Where
        only figures are rare, the least common word counts together with any other."""
        if head < BIG_LOG:
            return match_expression(words)
        terms = query_terms(words)
        count = self._frequencies(terms, head, RARE_TEXTS)
        rare = [term for term, texts in count.items() if 0 < texts < RARE_TEXTS]
        common = [term for term, texts in count.items() if texts >= RARE_TEXTS]
        found = [f'"{term}"' for term in rare]
        if common and all(term.isdigit() for term in rare):
            texts_with = self._frequencies(common, head, MANY_TEXTS)
            common.sort(key=lambda term: texts_with[term])
            found += [f'("{common[0]}" AND "{other}")' for other in common[1:]] or [f'"{common[0]}"']
        return " OR ".join(found)

    def _frequencies(self, terms: Sequence[str], head: int, cap: int) -> dict[str, int]:
        """In how many texts each term stands, counted up to `cap`: further only where it matters which of two
        common words is the rarer. Kept until the log has grown by a tenth."""
        if head > 1.1 * self._counted_at or len(self._counts) > MAX_KEPT:
            self._counts.clear()
            self._counted_at = head
        unknown = [term for term in terms if (term, cap) not in self._counts]
        if unknown:
            found = self._store.backend.frequencies(unknown, cap)
            self._counts |= {(term, cap): texts for term, texts in zip(unknown, found, strict=True)}
        return {term: self._counts[term, cap] for term in terms}

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
            self._kept |= {engram.seq: engram for engram in self._store.read_at(missing, proved=False)}
        return [self._kept[seq] for seq in seqs if not self._kept[seq].erased]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".! ")


def _is_claim(engram: Engram) -> bool:
    return engram.type not in _RAW and settled(engram)
