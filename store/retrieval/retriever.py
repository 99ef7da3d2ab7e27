"""Ranking: candidates by words and by meaning, reranked by late interaction, then by standing.

Nothing here writes: what is cached is derived and may be dropped at any time. One `Retriever` serves many
threads; the only shared change is taking in newly put vectors, which a lock keeps single.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import numpy as np

from store.model import Authority, Klass
from store.retrieval import routing, text, vectors
from store.retrieval.codec import decode, encode
from store.retrieval.ports import Corpus, Embedder, Ranked, Ranking, Row
from store.retrieval.projection import reduce_tokens, vector_model
from store.retrieval.settings import RankSettings
from store.retrieval.tail import Tail

MAX_CACHED_ROWS = 50_000
MAX_EMBEDDED_CHARS = 2_000  # of a question


class Retriever:
    """Ranks what a corpus holds. Without an embedder it ranks by words alone."""

    def __init__(
        self, corpus: Corpus, embedder: Embedder | None = None, *, settings: RankSettings | None = None
    ) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._settings = settings or RankSettings()
        self._tail = Tail()
        self._position = 0
        self._lock = threading.Lock()
        self._rows: dict[int, Row] = {}

    def forget(self, seq: int) -> None:
        """Drop what is derived from an erased engram."""
        with self._lock:
            self._rows.pop(seq, None)
            self._tail = Tail()
            self._position = 0

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
            query: any text; empty or without a searchable word it finds by meaning alone, or nothing.
            now: the moment that recency and use are counted from.
            classes: the classes the operation asks for; None lets the router choose.
            as_of: a position in the log to answer from.
        """
        wanted, reason = routing.route(query, classes)
        if not wanted or limit <= 0 or not query.strip():
            return Ranking(hits=(), classes=wanted, route=reason)
        similarity = self._similar(query, wanted, as_of=as_of, history=history, limit=limit)
        rows = self._read(list(similarity))
        scored = self._score(similarity, rows, now)
        return Ranking(hits=tuple(_fold(scored, rows)[:limit]), classes=wanted, route=reason)

    def _similar(
        self, query: str, classes: Sequence[Klass], *, as_of: int | None, history: bool, limit: int
    ) -> dict[int, dict[str, float]]:
        """Candidates with their similarities in 0..1, widened while too few of them hold."""
        s = self._settings
        match = text.match_expression(query)
        lexical = dict(
            self._corpus.lexical(
                match, classes=classes, limit=s.lexical_candidates, as_of=as_of, history=history
            )
            if match
            else ()
        )
        top = max(lexical.values(), default=0.0)
        found = {seq: {"lexical": score / top if top > 0 else 0.0} for seq, score in lexical.items()}
        if self._embedder is None:
            return found
        self._take_in(self._embedder)
        view = self._tail.view()
        if view is None:
            return found
        embedding = self._embedder.embed_tokens([query[:MAX_EMBEDDED_CHARS]])[0]
        pooled = np.asarray(embedding.pooled, np.float32)
        width = s.dense_candidates
        while True:
            near = vectors.nearest([view], pooled, classes=classes, limit=width, upto=as_of)
            held = {seq for seq, _ in near} if history else set(self._holding([q for q, _ in near], as_of))
            if len(held) >= min(limit, len(near)) or width >= s.max_candidates or len(near) < width:
                break
            width *= 4
        for seq, cosine in near:
            if seq in held:
                found.setdefault(seq, {})["dense"] = max(cosine, 0.0)
        tokens = reduce_tokens(np.asarray(embedding.tokens, np.float32))
        weights = np.ones(tokens.shape[0], np.float32)
        places = vectors.gather([view], list(found))
        for seq, value in vectors.late_interaction([view], places, tokens, weights).items():
            found[seq]["late"] = max(value, 0.0)
        return found

    def _holding(self, seqs: Sequence[int], as_of: int | None) -> Collection[int]:
        return self._corpus.holding(seqs, as_of=as_of)

    def _take_in(self, embedder: Embedder) -> None:
        """Append to the tail what was put since last time."""
        with self._lock:
            new = list(self._corpus.vectors(vector_model(embedder), after=self._position))
            if new:
                self._tail.extend((seq, klass, decode(blob)) for _, seq, klass, blob in new)
                self._position = new[-1][0]

    def _read(self, seqs: Sequence[int]) -> Mapping[int, Row]:
        missing = [seq for seq in seqs if seq not in self._rows]
        if missing:
            fresh = self._corpus.rows(missing)
            if len(self._rows) + len(fresh) > MAX_CACHED_ROWS:
                self._rows = {}
            self._rows = {**self._rows, **fresh}
        rows = self._rows
        return {seq: rows[seq] for seq in seqs if seq in rows}

    def _score(
        self, similarity: Mapping[int, Mapping[str, float]], rows: Mapping[int, Row], now: datetime
    ) -> list[Ranked]:
        s = self._settings
        out: list[Ranked] = []
        for seq, terms in similarity.items():
            row = rows.get(seq)
            if row is None:
                continue
            age_days = max((now - row.created_at).total_seconds() / 86_400.0, 0.0)
            reasons = {
                "words": s.weight_lexical * terms.get("lexical", 0.0),
                "meaning": s.weight_dense * terms.get("dense", 0.0),
                "tokens": s.weight_late * terms.get("late", 0.0),
                "salience": s.weight_salience * row.salience,
                "recency": s.weight_recency * 0.5 ** (age_days / s.recency_half_life_days),
                "authority": s.weight_authority * row.authority / Authority.OPERATOR,
            }
            out.append(Ranked(seq=seq, score=sum(reasons.values()), reasons=reasons))
        return sorted(out, key=lambda hit: (-hit.score, -hit.seq))


def _fold(ranked: Sequence[Ranked], rows: Mapping[int, Row]) -> list[Ranked]:
    """The same words said twice are one hit: the best of them, with the others' positions."""
    first: dict[str, int] = {}
    folded: list[Ranked] = []
    for hit in ranked:
        key = " ".join(text.words(rows[hit.seq].content))
        if key and key in first:
            at = first[key]
            best = folded[at]
            folded[at] = Ranked(
                seq=best.seq,
                score=best.score,
                reasons=best.reasons,
                duplicates=(*best.duplicates, hit.seq),
            )
            continue
        first[key] = len(folded)
        folded.append(hit)
    return folded


def embed_for_store(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """The blobs to put for these texts (`text.searchable` of engrams), in order."""
    return [encode(embedding) for embedding in embedder.embed_tokens(texts)]
