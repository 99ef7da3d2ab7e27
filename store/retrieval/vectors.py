"""Exact search over blocks of vectors, and late interaction over the token vectors of candidates.

MaxSim (Khattab & Zaharia 2020): every token of the question takes its best match in a text; the sum is
weighted by how rare the token is, so that names and things decide and function words do not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from store.model import Klass
from store.retrieval.ports import Float32
from store.retrieval.tail import KLASS_CODE, View


def nearest(
    views: Sequence[View], query: Float32, *, classes: Collection[Klass], limit: int, upto: int | None = None
) -> list[tuple[int, float]]:
    """(seq, cosine) of the `limit` nearest of these classes, best first, ties by position.

    The filter comes before the cut, so a rare class is never starved by a common one. `upto` leaves out
    later positions.
    """
    codes = np.array([KLASS_CODE[klass] for klass in classes], np.uint8)
    seqs, scores = [], []
    for view in views:
        kept = np.isin(view.klasses, codes)
        if upto is not None:
            kept &= view.seqs <= upto
        at = np.flatnonzero(kept)
        if at.shape[0] == 0:
            continue
        found = view.pooled @ query if at.shape[0] == len(view) else view.pooled[at] @ query
        if found.shape[0] > limit:
            best = np.argpartition(-found, limit - 1)[:limit]
            at, found = at[best], found[best]
        seqs.append(view.seqs[at])
        scores.append(found)
    if not seqs:
        return []
    all_seqs, all_scores = np.concatenate(seqs), np.concatenate(scores)
    order = np.lexsort((all_seqs, -all_scores))[:limit]
    return [(int(all_seqs[i]), float(all_scores[i])) for i in order]


def gather(views: Sequence[View], seqs: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Where each of `seqs` that has vectors lies: seq -> (number of the view, row in it)."""
    wanted = np.asarray(seqs, np.int64)
    found: dict[int, tuple[int, int]] = {}
    for number, view in enumerate(views):
        rows = np.flatnonzero(np.isin(view.seqs, wanted))
        found.update((int(view.seqs[row]), (number, int(row))) for row in rows)
    return found


def late_interaction(
    views: Sequence[View],
    places: Mapping[int, tuple[int, int]],
    query_tokens: Float32,
    weights: NDArray[np.float32],
) -> dict[int, float]:
    """MaxSim of a question's tokens float32 [m, token_dim] with `weights` [m] against each place.

    The result is the weighted mean of the best cosines, from -1 to 1. Texts without tokens are left out.
    """
    if query_tokens.shape[0] == 0 or not places or float(weights.sum()) <= 0:
        return {}
    weights = weights / weights.sum()
    scores: dict[int, float] = {}
    for number, view in enumerate(views):
        rows = [(seq, row) for seq, (block, row) in places.items() if block == number]
        rows = [(seq, row) for seq, row in rows if view.offsets[row + 1] > view.offsets[row]]
        if not rows:
            continue
        spans = [slice(int(view.offsets[row]), int(view.offsets[row + 1])) for _, row in rows]
        tokens = np.concatenate([view.tokens[span] for span in spans]).astype(np.float32)
        starts = np.cumsum([0] + [span.stop - span.start for span in spans[:-1]])
        best = np.maximum.reduceat(query_tokens @ tokens.T, starts, axis=1)
        values = (weights @ best) / 127.0
        scores.update((seq, float(value)) for (seq, _), value in zip(rows, values, strict=True))
    return scores
