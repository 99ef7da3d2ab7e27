"""Traits of engrams as ranking asks for them: published with their vectors, else read from their rows, and
kept. What is kept is derived and may be dropped at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from store.retrieval import cues, vectors
from store.retrieval.ports import Corpus
from store.retrieval.tail import View
from store.retrieval.traits import Traits

MAX_KEPT = 50_000


class KnownTraits:
    """Serves many threads: what is kept is replaced as a whole."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._kept: dict[int, Traits] = {}

    def told(self, seqs: Sequence[int]) -> Mapping[int, Traits]:
        """As their rows have them; without those that may not be answered from."""
        return {seq: cues.read_row(row) for seq, row in self._corpus.rows(seqs).items()}

    def read(self, seqs: NDArray[np.int64], views: Sequence[View]) -> Mapping[int, Traits]:
        """At least those of `seqs` that may be answered from."""
        known = self._kept
        missing = np.array([seq for seq in seqs.tolist() if seq not in known], np.int64)
        if missing.shape[0]:
            fresh = self._fresh(missing, [view for view in views if view.has_traits])
            if len(known) + len(fresh) > MAX_KEPT:
                known = {seq: known[seq] for seq in seqs.tolist() if seq in known}
            known = {**known, **fresh}
            self._kept = known
        return known

    def _fresh(self, missing: NDArray[np.int64], sealed: Sequence[View]) -> dict[int, Traits]:
        places = vectors.locate(sealed, missing)
        fresh: dict[int, Traits] = {}
        for view, at, rows in vectors.by_view(sealed, places):
            told = zip(missing[at].tolist(), view.traits(rows), strict=True)
            fresh |= {seq: traits for seq, traits in told if traits is not None}
        rest = missing[places[0] < 0].tolist()
        return {**fresh, **self.told(rest)} if rest else fresh

    def forget(self, seq: int) -> None:
        self._kept = {key: traits for key, traits in self._kept.items() if key != seq}
