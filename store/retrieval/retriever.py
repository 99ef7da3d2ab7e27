"""Ranking: candidates by words and by meaning, late interaction in conversation, then cues and standing.

Ranking writes nothing: what is cached is derived and may be dropped at any time. One `Retriever` serves many
threads; the only shared change is taking in newly put vectors, which the index keeps single.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from store.errors import EmbedderFailed
from store.model import Klass
from store.retrieval import across, activation, comparing, cues, question, routing, scoring, text, vectors
from store.retrieval.comparing import Meaning
from store.retrieval.index import VectorIndex
from store.retrieval.known import KnownTraits
from store.retrieval.ports import Corpus, Embedder, Formed, Ranked, Ranking, Reranker, TokenEmbedding
from store.retrieval.projection import vector_model
from store.retrieval.scoring import Similarities
from store.retrieval.settings import RankSettings
from store.retrieval.tail import View
from store.retrieval.traits import Traits, columns

READ_AHEAD = 40  # best by words, read while the embedder is at work: most of them are read anyway
BUILT_AT_ONCE = 1 << 17  # vectors that a building holds in memory, half a gigabyte
MAX_LINKED = 60  # linked engrams whose own links are followed


@dataclass(frozen=True, slots=True)
class _Scope:
    """What one question may be answered from."""

    classes: tuple[Klass, ...]
    as_of: int | None
    history: bool
    limit: int
    now_s: float


class Retriever:
    """Ranks what a corpus holds. Without an embedder it ranks by words alone."""

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder | None = None,
        *,
        settings: RankSettings | None = None,
        index_dir: Path | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        """`index_dir` is where the vector index is published; without it vectors are held in memory."""
        self._corpus = corpus
        self._embedder = embedder
        self._settings = settings or RankSettings()
        self._known = KnownTraits(corpus)
        self._index: VectorIndex | None = None
        if embedder is not None:
            self._index = VectorIndex(
                vector_model(embedder), index_dir, traits=self._known.told, reading=cues.reading()
            )
        self._reranker = reranker
        self._across = across.Across(corpus.frequencies)

    @property
    def model(self) -> str | None:
        """The fingerprint of the vectors it ranks with; None where it ranks by words alone."""
        return None if self._index is None else self._index.model

    def damaged(self) -> list[str]:
        """Names of published files that are not what was written; what they held is read from the store."""
        return [] if self._index is None else sorted({*self._index.damaged, *self._index.verify()})

    def forget(self, seq: int) -> None:
        """Drop what is derived from an erased engram, from memory and from the published index."""
        self._known.forget(seq)
        if self._index is not None:
            self._index.forget(seq)

    def publish(self, *, head: int, at_least: int | None = None) -> int:
        """Write the vector index as far as `head`, the log's last position; how many segments were written.

        Ranking never does this: it is for whoever put vectors (see `VectorIndex.publish`).
        """
        if self._index is None:
            return 0
        written = 0
        while self._index.take_in(self._corpus, at_most=BUILT_AT_ONCE):
            written += self._index.publish(head=head, at_least=1)
        return written + self._index.publish(head=head, at_least=at_least)

    def rank(
        self,
        query: str,
        *,
        now: datetime,
        classes: Collection[Klass] | None = None,
        limit: int = 10,
        as_of: int | None = None,
        history: bool = False,
    ) -> Ranking:
        """The best `limit` of what holds (of all when `history`), best first.

        Args:
            query: any text; without a searchable word it finds by meaning alone, or nothing.
            now: the moment that recency and use are counted from.
            classes: the classes the operation asks for; None lets the router choose.
            as_of: a position in the log to answer from.
        """
        asked = text.ends(query, text.MAX_QUERY_CHARS)
        route = routing.route(asked, classes)
        if not route.classes or limit <= 0 or not query.strip():
            return Ranking(hits=(), classes=route.classes, route=route.reason)
        scope = _Scope(route.classes, as_of, history, limit, now.timestamp())
        views = self._there()
        put = self._across.put(route.content, sum(map(len, views or ())))
        asking = (
            self._asking([route.content, *(other.text for other in put[: across.READINGS])])
            if views != ()
            else []
        )
        also = [term for other in put for term in other.terms]
        lexical = self._lexical(route.content, also, scope)  # while the embedder reads the question
        lexical |= self._named(route, scope, lexical)
        if asking and views is not None:
            self._known.read(np.array(list(lexical)[:READ_AHEAD], np.int64), views)
        views = self._views() if views is None else views
        spoken = [across.language_of(route.content), *(other.language for other in put)]
        meanings, note = self._meanings(views, asking, spoken)
        found = self._similar(views, meanings, lexical, scope)
        found = scoring.promising(found, max(self._settings.read, 2 * limit))
        traits = self._known.read(np.union1d(found.seqs, found.before[found.before >= 0]), views)
        kept = [seq in traits and traits[seq].klass in route.classes for seq in found.seqs.tolist()]
        found = found.take(np.flatnonzero(kept))
        formed = self._formed(found, traits, as_of)
        outdated = {} if history else {seq: made.gone for seq, made in formed.items()}
        found = found.take(np.flatnonzero([outdated.get(seq, 0.0) < 1.0 for seq in found.seqs.tolist()]))
        hits = self._ranked(asked, found, traits, route.priors, outdated, formed, now, limit)
        read = question.how_much_was_read(len(query), with_meaning=bool(meanings))
        asked_too = f"also asked in {' and '.join(other.language for other in put)}" if put else ""
        said = "; ".join(filter(None, (route.reason, asked_too, note, read)))
        return Ranking(hits=hits, classes=route.classes, route=said)

    def _formed(
        self, found: Similarities, traits: Mapping[int, Traits], as_of: int | None
    ) -> Mapping[int, Formed]:
        """What was made of the turns: one whose claims are gone would bring back what they lost."""
        said = {seq: traits[seq].id for seq in found.seqs.tolist() if traits[seq].numbers[0] == 1.0}
        return self._corpus.formed(said, as_of=as_of) if said else {}

    def _ranked(
        self,
        query: str,
        found: Similarities,
        traits: Mapping[int, Traits],
        priors: Mapping[Klass, float],
        outdated: Mapping[int, float],
        formed: Mapping[int, Formed],
        now: datetime,
        limit: int,
    ) -> tuple[Ranked, ...]:
        if found.seqs.shape[0] == 0:
            return ()
        ordered = [traits[seq] for seq in found.seqs.tolist()]
        numbers = columns(ordered)
        shares = scoring.terms(
            found,
            ordered,
            numbers,
            cues.read_question(query),
            self._settings,
            priors=priors,
            now=now,
            accesses=self._corpus.accesses(found.seqs.tolist()),
            outdated=outdated,
            formed=formed,
            asked=_asked(found.before, traits),
        )
        totals = np.sum(list(shares.values()), axis=0)
        order = np.lexsort((-found.seqs, -totals))
        if self._reranker is not None and self._settings.weight_reranker > 0:
            shares["reranker"] = self._reread(self._reranker, query, found.seqs, order)
            totals = totals + shares["reranker"]
            order = np.lexsort((-found.seqs, -totals))
        near = scoring.near(numbers, shares, self._settings, found.foreign > 0)
        return _fold(order, found.seqs, ordered, shares, totals, limit, near)

    def _reread(
        self, reranker: Reranker, query: str, seqs: NDArray[np.int64], order: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """What a cross-encoder adds to the best so far; it never lifts one over them that it has not read."""
        share = np.zeros(seqs.shape[0])
        best = order[: self._settings.reranked]
        rows = self._corpus.rows(seqs[best].tolist())
        read = [at for at in best.tolist() if int(seqs[at]) in rows]
        texts = [rows[int(seqs[at])].content for at in read]
        share[read] = self._settings.weight_reranker * reranker.score(query, texts)
        return share

    def _similar(
        self, views: Sequence[View], meanings: Sequence[Meaning], lexical: Mapping[int, float], scope: _Scope
    ) -> Similarities:
        """What the question has in common with its candidates: as it stands or in another language, whichever
        is the nearer."""
        if meanings:
            read = [self._nearest(views, meaning, lexical, scope) for meaning in meanings]
            found = reduce(Similarities.better, read)
        else:
            found = comparing.by_words_alone(lexical, np.array(sorted(lexical), np.int64))
        return self._linked(found, views, meanings, scope)

    def _nearest(
        self, views: Sequence[View], meaning: Meaning, lexical: Mapping[int, float], scope: _Scope
    ) -> Similarities:
        """Candidates by words and by meaning; the search widens while too many of the nearest don't hold."""
        s = self._settings
        width = max(s.dense_candidates, scope.limit)
        while True:
            near, _ = vectors.nearest(
                views, meaning.pooled, classes=scope.classes, limit=width, upto=scope.as_of
            )
            seqs = np.union1d(np.fromiter(lexical, np.int64, len(lexical)), near)
            join = Klass.OBSERVATION in scope.classes
            found = comparing.in_conversation(views, meaning, lexical, seqs, s, join=join, as_of=scope.as_of)
            found = self._shown(
                scoring.promising(found, max(s.read + s.read // 2, 4 * scope.limit)), lexical, scope
            )
            enough = found.seqs.shape[0] >= scope.limit or near.shape[0] < width
            if enough or width >= max(s.max_candidates, scope.limit):
                return found
            width *= 4

    def _linked(
        self, found: Similarities, views: Sequence[View], meanings: Sequence[Meaning], scope: _Scope
    ) -> Similarities:
        """What the best candidates bring to mind over links joins in, with how strongly."""
        s = self._settings
        if s.seeds == 0 or s.weight_links == 0.0 or found.seqs.shape[0] == 0:
            return found
        rough = scoring.rough(found)
        best = np.argsort(-rough, kind="stable")[: s.seeds]
        top = max(float(rough[best[0]]), 1e-9)
        seeds = {int(found.seqs[at]): min(max(float(rough[at]) / top, 0.0), 1.0) for at in best}
        near = self._links(list(seeds), views, scope)
        if not near:
            return found
        second = {seq for linked in near.values() for seq, _ in linked} - seeds.keys()
        graph = {**self._links(sorted(second)[:MAX_LINKED], views, scope), **near}
        active = activation.spread(seeds, lambda seqs: {seq: graph.get(seq, ()) for seq in seqs})
        # a seed is here already by its own merit: links speak for what they lead to
        strength = {node.seq: node.strength for node in active if len(node.path) > 1}
        new = np.setdiff1d(np.array(list(strength), np.int64), found.seqs)
        if scope.as_of is not None:
            new = new[new <= scope.as_of]
        if new.shape[0]:
            read = [comparing.in_conversation(views, one, {}, new, s, join=False) for one in meanings]
            more = reduce(Similarities.better, read) if read else comparing.by_words_alone({}, new)
            found = found.joined(self._shown(more, {}, scope))
        linked = np.array([strength.get(seq, 0.0) for seq in found.seqs.tolist()], np.float32)
        return replace(found, linked=linked)

    def _links(
        self, seqs: Sequence[int], views: Sequence[View], scope: _Scope
    ) -> Mapping[int, Sequence[tuple[int, float]]]:
        traits = self._known.read(np.array(seqs, np.int64), views)
        ids = {seq: traits[seq].id for seq in seqs if seq in traits}
        return self._corpus.links(ids, now_s=scope.now_s) if ids else {}

    def _lexical(self, query: str, also: Sequence[str], scope: _Scope) -> dict[int, float]:
        match = text.match_expression(query, also)
        if not match:
            return {}
        found = self._corpus.lexical(
            match,
            classes=scope.classes,
            limit=max(self._settings.lexical_candidates, scope.limit),
            as_of=scope.as_of,
            history=scope.history,
        )
        top = max((score for _, score in found), default=0.0)
        return {seq: score / top if top > 0 else 0.0 for seq, score in found}

    def _named(self, route: routing.Route, scope: _Scope, lexical: dict[int, float]) -> dict[int, float]:
        """The newest of a standing class that the question names ('my goals'), as if they said its name."""
        if not (of := routing.named(route)):
            return {}
        new = self._corpus.recent(classes=of, limit=scope.limit, as_of=scope.as_of, history=scope.history)
        return {seq: 1.0 + lexical.get(seq, 0.0) for seq in new}

    def _there(self) -> tuple[View, ...] | None:
        """The vectors there are; None while the index is being opened."""
        if self._index is None:
            return ()
        return None if self._index.opening else self._views()

    def _asking(self, readings: Sequence[str]) -> list[Callable[[], TokenEmbedding]]:
        """The vectors of the question, as it stands first, on their way."""
        embedder = self._embedder
        return [] if embedder is None else [question.begun(embedder, one) for one in readings]

    def _views(self) -> tuple[View, ...]:
        assert self._index is not None
        self._index.take_in(self._corpus)
        return self._index.views()

    @staticmethod
    def _meanings(
        views: Sequence[View], asking: Sequence[Callable[[], TokenEmbedding]], spoken: Sequence[str]
    ) -> tuple[list[Meaning], str]:
        """The question's vectors in every reading, or none and what is to be said of their lack."""
        if not asking or not views:
            return [], ""
        try:
            read = zip(asking, spoken, strict=False)
            return [question.meaning_of(views, one(), language) for one, language in read], ""
        except EmbedderFailed as error:
            return [], f"by words alone: {error}"

    def _shown(self, found: Similarities, lexical: Mapping[int, float], scope: _Scope) -> Similarities:
        """The candidates that may be answers: what was found by words holds already, the rest must."""
        if scope.history:
            return found
        asked = [seq for seq in found.seqs.tolist() if seq not in lexical]
        held = set(self._corpus.holding(asked, as_of=scope.as_of)) if asked else set()
        return found.take(
            np.flatnonzero([seq in lexical or seq in held for seq in found.seqs.tolist()]).astype(np.int64)
        )


def _asked(before: NDArray[np.int64], traits: Mapping[int, Traits]) -> NDArray[np.float64]:
    """Of each candidate: how much of the turn before it is questions, 0 where there is none."""
    return np.array([traits[seq].asking if seq in traits else 0.0 for seq in before.tolist()], np.float64)


def _fold(
    order: NDArray[np.integer],
    seqs: NDArray[np.int64],
    traits: Sequence[Traits],
    shares: Mapping[str, NDArray[np.float64]],
    totals: NDArray[np.float64],
    limit: int,
    near: NDArray[np.bool_],
) -> tuple[Ranked, ...]:
    """The best; the same words said twice are one hit, at the place of the better of them.

    A claim stands for the utterance it was formed from, whichever scored higher: the claim has the class,
    the status and the links. The other positions are its duplicates.
    """
    groups: dict[str, list[int]] = {}
    for at in order.tolist():
        key = traits[at].key or str(seqs[at])
        if key in groups or len(groups) < limit:
            groups.setdefault(key, []).append(at)
    best = [group[0] for group in groups.values()]
    terms = np.stack(list(shares.values()))[:, best].T.tolist()
    scores, positions, is_near = totals[best].tolist(), seqs.tolist(), near.tolist()
    hits = []
    for group, score, reasons in zip(groups.values(), scores, terms, strict=True):
        stands = next((at for at in group if traits[at].klass is not Klass.OBSERVATION), group[0])
        hits.append(
            Ranked(
                seq=positions[stands],
                score=score,
                reasons={name: share for name, share in zip(shares, reasons, strict=True) if share},
                duplicates=tuple(positions[at] for at in group if at != stands),
                near=any(is_near[at] for at in group),
            )
        )
    return tuple(hits)
