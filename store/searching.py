"""Search over a log: the corpus that `store.retrieval` ranks, and positions turned into engrams."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from store.codec import micros, read_back
from store.errors import BadRequest
from store.model import CLASS_OF, Engram, EngramType, Klass, Relation
from store.port import EdgeRow, EngramLog, Selection, Standing
from store.proving import Prover
from store.records import Hit
from store.retrieval.hebbian import Weights

if TYPE_CHECKING:  # numpy and ranking are loaded with the first search: a check of the gate needs neither
    from store.retrieval import RankSettings, Retriever
    from store.retrieval.ports import Embedder, Formed, Ranking, Reranker, Row

_NEVER_RANKED = (Klass.CONTROL, Klass.PROHIBITION)
_ENDING = (Relation.SUPERSEDES, Relation.RETRACTS, Relation.CONTRADICTS)
HEBBIAN = "hebbian"  # the key under which weights of links are kept beside the log
_instant: ContextVar[int | None] = ContextVar("instant", default=None)


class LogCorpus:
    """`store.retrieval.Corpus` over an `EngramLog`."""

    def __init__(self, log: EngramLog, prover: Prover | None = None) -> None:
        self._log = log
        self._prover = prover

    def _selection(
        self, classes: Collection[Klass], limit: int | None, as_of: int | None, history: bool
    ) -> Selection:
        return Selection(
            klasses=tuple(klass for klass in classes if klass not in _NEVER_RANKED),
            position=as_of,
            instant_us=None if as_of is not None else _instant.get(),
            include_ended=history,
            limit=limit,
        )

    def lexical(
        self, match: str, *, classes: Collection[Klass], limit: int, as_of: int | None, history: bool
    ) -> Sequence[tuple[int, float]]:
        return self._log.lexical(match, self._selection(classes, limit, as_of, history))

    def frequencies(self, terms: Sequence[str], cap: int) -> Sequence[int]:
        return self._log.frequencies(terms, cap)

    def rows(self, seqs: Sequence[int]) -> Mapping[int, Row]:
        rows = {}
        for entry in self._log.entries_at(seqs):
            engram = read_back(entry)
            if engram.erased and self._prover is not None:
                self._prover.proved([entry])  # content that is gone without an erasure is not passed over
            elif not engram.erased and engram.klass not in _NEVER_RANKED:
                rows[engram.seq] = as_row(engram)
        return rows

    def holding(self, seqs: Sequence[int], *, as_of: int | None) -> Collection[int]:
        return self._log.holding(seqs, self._selection(tuple(Klass), None, as_of, False))

    def recent(
        self, *, classes: Collection[Klass], limit: int, as_of: int | None, history: bool
    ) -> Sequence[int]:
        return self._log.select_seqs(self._selection(classes, limit, as_of, history))

    def vectors(self, model: str, *, after: int = 0) -> Iterator[tuple[int, int, Klass, bytes]]:
        return self._log.vectors(model, after=after)

    def accesses(self, seqs: Sequence[int]) -> Mapping[int, Sequence[float]]:
        found = self._log.accesses(seqs)
        return {seq: [us / 1e6 for us in times] for seq, times in found.items()}

    def links(self, ids: Mapping[int, str], *, now_s: float) -> Mapping[int, Sequence[tuple[int, float]]]:
        seq_of = {engram_id: seq for seq, engram_id in ids.items()}
        edges = [edge for edge in self._log.edges(list(seq_of)) if edge.relation not in _ENDING]
        if not edges:
            return {}
        known = self._log.standing({end for edge in edges for end in (edge.src, edge.dst)})
        # a claim and the turn it was formed from say the same: neither brings the other to mind
        edges = [edge for edge in edges if not _formed_from_words(edge, known)]
        seq_of |= {key: standing.seq for key, standing in known.items()}
        pairs = [
            (seq_of[edge.src], seq_of[edge.dst]) for edge in edges if {edge.src, edge.dst} <= seq_of.keys()
        ]
        if not pairs:
            return {}
        weights = Weights.from_bytes(self._log.meta(HEBBIAN))
        found: dict[int, list[tuple[int, float]]] = {}
        for pair in pairs:
            weight = weights.weight(pair, now_s=now_s)
            for one, other in (pair, pair[::-1]):
                if one in ids:
                    found.setdefault(one, []).append((other, weight))
        return found

    def formed(self, ids: Mapping[int, str], *, as_of: int | None) -> Mapping[int, Formed]:
        from store.retrieval.ports import Formed

        seq_of = {engram_id: seq for seq, engram_id in ids.items()}
        edges = self._log.edges(list(seq_of), Relation.DERIVED_FROM, include_ended=True)
        formed = [(edge.src, seq_of[edge.dst]) for edge in edges if edge.dst in seq_of]
        if not formed:
            return {}
        claims = {key: s.seq for key, s in self._log.standing({claim for claim, _ in formed}).items()}
        # a prohibition is never ranked, and holds all the same: the turn that set it is not outdated
        holding = replace(self._selection((), None, as_of, False), klasses=tuple(Klass))
        held = self._log.holding(list(claims.values()), holding)
        made: dict[int, list[int]] = {}
        for claim, utterance in formed:
            if claim in claims and (as_of is None or claims[claim] <= as_of):
                made.setdefault(utterance, []).append(claims[claim])
        return {
            utterance: Formed(tuple(seqs), sum(seq not in held for seq in seqs) / len(seqs))
            for utterance, seqs in made.items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningState:
    """Which model's vectors answer now (None: words alone), which is on its way, and how far it is: `made`
    vectors of about `of`."""

    serving: str | None
    coming: str | None
    made: int
    of: int


def _formed_from_words(edge: EdgeRow, known: Mapping[str, Standing]) -> bool:
    source = known.get(edge.dst)
    return (
        edge.relation is Relation.DERIVED_FROM and source is not None and source.type is EngramType.UTTERANCE
    )


def as_row(engram: Engram) -> Row:
    from store.retrieval.ports import Row

    speaker, session = engram.metadata.get("speaker"), engram.metadata.get("session")
    return Row(
        seq=engram.seq,
        id=engram.id,
        klass=CLASS_OF[engram.type],
        type=engram.type,
        content=engram.content,
        created_at=engram.valid_from or engram.created_at,
        salience=engram.salience,
        authority=engram.provenance.authority,
        speaker=speaker if isinstance(speaker, str) else None,
        session=session if isinstance(session, str) else None,
    )


@contextmanager
def _at(instant_us: int | None) -> Iterator[None]:
    """Questions asked inside are about this instant (the ranking itself only knows positions)."""
    token = _instant.set(instant_us)
    try:
        yield
    finally:
        _instant.reset(token)


class Searcher:
    """Ranks with whatever embedder it was given last; without one, by words alone.

    After a change of model the old one may serve `meanwhile`, until every engram has a vector of the new.
    """

    def __init__(self, log: EngramLog, prover: Prover) -> None:
        self._log = log
        self._prover = prover
        self._corpus = LogCorpus(log, prover)
        self._lock = threading.Lock()
        self.embedder: Embedder | None = None
        self._serving: Retriever | None = None  # until something is searched for
        self._coming: Retriever | None = None

    @property
    def _retriever(self) -> Retriever:
        if self._serving is None:
            from store.retrieval import Retriever

            self._serving = Retriever(self._corpus)
        return self._serving

    def use(
        self,
        embedder: Embedder | None,
        settings: RankSettings | None = None,
        index_dir: Path | None = None,
        reranker: Reranker | None = None,
        meanwhile: Embedder | None = None,
    ) -> None:
        from store.retrieval import Retriever

        def ranking_with(chosen: Embedder | None) -> Retriever:
            return Retriever(self._corpus, chosen, settings=settings, index_dir=index_dir, reranker=reranker)

        with self._lock:
            self.embedder = embedder
            self._serving = ranking_with(meanwhile or embedder)
            self._coming = ranking_with(embedder) if meanwhile is not None else None

    def arrived(self) -> None:
        """Every engram has its vector: from now on the new model serves."""
        with self._lock:
            if self._coming is not None:
                self._serving, self._coming = self._coming, None

    def meaning(self) -> MeaningState:
        with self._lock:
            serving = self._serving.model if self._serving else None
            coming = self._coming.model if self._coming else None
        made = dict(self._log.models())
        return MeaningState(
            serving=serving,
            coming=coming,
            made=made.get(coming or serving or "", 0),
            of=max(made.values(), default=0),
        )

    def damaged(self) -> list[str]:
        """Files of the published index that are not what was written."""
        return self._retriever.damaged()

    def publish(self, *, head: int, at_least: int | None = None) -> int:
        return (self._coming or self._retriever).publish(head=head, at_least=at_least)

    def forget(self, seq: int) -> None:
        for retriever in (self._serving, self._coming):
            if retriever is not None:
                retriever.forget(seq)

    def search(
        self,
        query: str,
        *,
        classes: Collection[Klass] | None,
        limit: int,
        as_of: datetime | int | None,
        history: bool,
        now: datetime,
    ) -> list[Hit]:
        """Best first; [] when the query has no word to look for. Raises BadRequest for what is no query."""
        if not isinstance(query, str):
            raise BadRequest("a query is text")
        wanted = None if classes is None else {_klass(klass) for klass in classes}
        position = as_of if isinstance(as_of, int) else None
        with self._log.together(), _at(micros(as_of) if isinstance(as_of, datetime) else None):
            ranking = self._retriever.rank(
                query, now=now, classes=wanted, limit=limit, as_of=position, history=history
            )
            return self._hits(ranking, history=history)

    def _hits(self, ranking: Ranking, *, history: bool) -> list[Hit]:
        seqs = [hit.seq for hit in ranking.hits]
        holding = self._log.holding(seqs, Selection(klasses=tuple(Klass))) if history else set(seqs)
        folded = [seq for hit in ranking.hits for seq in hit.duplicates]
        others = {s.seq: s.id for s in self._log.standings_at(folded)} if folded else {}
        entries = self._prover.proved(self._log.entries_at(seqs))
        engrams = {entry.seq: read_back(entry) for entry in entries}
        return [
            Hit(
                engram=engrams[hit.seq],
                score=hit.score,
                reasons=dict(hit.reasons),
                holds=hit.seq in holding,
                duplicates=tuple(others[seq] for seq in hit.duplicates if seq in others),
                route=ranking.route,
                near=hit.near,
            )
            for hit in ranking.hits
            if hit.seq in engrams and not engrams[hit.seq].erased
        ]


def _klass(value: Klass | str) -> Klass:
    try:
        return Klass(value)
    except ValueError as error:
        raise BadRequest(f"unknown class {value!r}; one of: {', '.join(Klass)}") from error
