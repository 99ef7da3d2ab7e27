"""The nearest over blocks of vectors, and where engrams and their neighbours lie in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from store.model import Klass
from store.retrieval.ports import Float32
from store.retrieval.tail import View, signs_of, turn_keys
from store.retrieval.traits import KLASS_CODE

EXACT_UP_TO = 20_000  # vectors that are all compared in full
# Beyond, that many a hit asked for, and one in a hundred, are chosen by the bits they share (Charikar 2002).
# Measured on 98,304 vectors of real sentences, for a hundred hits: the first ten are the exact ones to .998
CHOSEN_A_HIT = 20
CHOSEN_SHARE = 100


def nearest(
    views: Sequence[View], query: Float32, *, classes: Collection[Klass], limit: int, upto: int | None = None
) -> tuple[NDArray[np.int64], Float32]:
    """Positions int64 [n] and closeness float32 [n] of the `limit` nearest of these classes, best first, ties
    by position.

    Closeness is the cosine less the engram's hubness. The filter comes before the cut, so a rare class is
    never starved by a common one. `upto` leaves out later positions.
    """
    asked = np.zeros(len(KLASS_CODE), np.bool_)
    asked[[KLASS_CODE[klass] for klass in classes]] = True
    allowed = [_allowed(view, asked, upto) for view in views]
    count = sum(len(view) if at is None else at.shape[0] for view, at in zip(views, allowed, strict=True))
    if count > EXACT_UP_TO:
        allowed = _promising(views, allowed, query, CHOSEN_A_HIT * limit + count // CHOSEN_SHARE)
    seqs: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    scores: list[Float32] = [np.zeros(0, np.float32)]
    for view, at in zip(views, allowed, strict=True):
        if at is None:
            seqs.append(view.seqs)
            scores.append(view.pooled @ query - view.hubs)
        elif at.shape[0] * 4 > len(view):  # one pass over all is cheaper than copying a quarter
            seqs.append(view.seqs[at])
            scores.append((view.pooled @ query - view.hubs)[at])
        elif at.shape[0]:
            seqs.append(view.seqs[at])
            scores.append(view.pooled.take(at, axis=0) @ query - view.hubs[at])
    all_seqs, all_scores = np.concatenate(seqs), np.concatenate(scores)
    if all_scores.shape[0] > 4 * limit:  # those that tie with the last of them stay
        bound = np.partition(all_scores, all_scores.shape[0] - limit)[all_scores.shape[0] - limit]
        best = np.flatnonzero(all_scores >= bound)
        all_seqs, all_scores = all_seqs[best], all_scores[best]
    order = np.lexsort((all_seqs, -all_scores))[:limit]
    return all_seqs[order], all_scores[order]


def _allowed(view: View, asked: NDArray[np.bool_], upto: int | None) -> NDArray[np.int64] | None:
    """The rows of these classes up to a position; None where that is every row."""
    kept = asked.take(view.klasses)
    if upto is not None:
        kept &= view.seqs <= upto
    return None if kept.all() else np.flatnonzero(kept)


def _promising(
    views: Sequence[View], allowed: Sequence[NDArray[np.int64] | None], query: Float32, count: int
) -> list[NDArray[np.int64] | None]:
    """Of the allowed rows of each view the `count` over all whose signs agree most with the question's; of a
    view without signs all."""
    cosines = np.cos(np.pi / query.shape[0] * np.arange(query.shape[0] + 1)).astype(np.float32)
    wanted = signs_of(query[None, :])
    near: list[Float32] = []
    for view, at in zip(views, allowed, strict=True):
        if not view.signs.shape[0]:
            near.append(np.zeros(0, np.float32))
            continue
        apart = np.bitwise_count(view.signs ^ wanted).sum(axis=0, dtype=np.uint16)
        close = cosines.take(apart) - view.hubs
        near.append(close if at is None else close[at])
    every = np.concatenate(near)
    if every.shape[0] <= count:
        return list(allowed)
    bound = np.partition(every, every.shape[0] - count)[every.shape[0] - count]
    found: list[NDArray[np.int64] | None] = []
    for view, at, close in zip(views, allowed, near, strict=True):
        if view.signs.shape[0]:
            best = np.flatnonzero(close >= bound)
            at = best if at is None else at[best]
        found.append(at)
    return found


def locate(views: Sequence[View], seqs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The view and the row of each position: two int64 arrays, -1 where it has no vectors."""
    number = np.full(seqs.shape[0], -1, np.int64)
    row = np.full(seqs.shape[0], -1, np.int64)
    if not seqs.shape[0]:
        return number, row
    first, last = seqs.min(), seqs.max()
    for index, view in enumerate(views):
        if view.ordered[-1] < first or view.ordered[0] > last:
            continue
        inside = np.flatnonzero((seqs >= view.ordered[0]) & (seqs <= view.ordered[-1]))
        at = np.searchsorted(view.ordered, seqs[inside])
        hit = view.ordered[at] == seqs[inside]
        number[inside[hit]], row[inside[hit]] = index, view.by_seq[at[hit]]
    return number, row


def by_view(
    views: Sequence[View], places: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> Iterator[tuple[View, NDArray[np.int64], NDArray[np.int64]]]:
    """Of the places that `locate` gave: each view that has any, which they are, and their rows there."""
    numbers, rows = places
    for index in np.unique(numbers).tolist():
        if index >= 0:
            at = np.flatnonzero(numbers == index)
            yield views[index], at, rows[at]


def neighbours(
    views: Sequence[View], seqs: NDArray[np.int64], sessions: NDArray[np.uint32], *, reach: int
) -> NDArray[np.int64]:
    """Positions int64 [n, 2 * reach] of the turns before (nearest first), then after, in the same session.

    -1 where there is none. A session may lie in several views; an engram without one has no neighbours.
    """
    out = np.full((seqs.shape[0], 2 * reach), -1, np.int64)
    told = np.flatnonzero(sessions)
    if told.shape[0] < seqs.shape[0]:  # what stands alone is looked for nowhere
        if told.shape[0]:
            out[told] = neighbours(views, seqs[told], sessions[told], reach=reach)
        return out
    keys = turn_keys(sessions, seqs)
    steps = np.arange(1, reach + 1)
    per_view: list[NDArray[np.int64]] = []
    for view in views:
        left = np.searchsorted(view.turns, keys)
        right = left + (view.turns[np.minimum(left, len(view) - 1)] == keys)
        at = np.concatenate([left[:, None] - steps, right[:, None] + steps - 1], axis=1)
        inside = (at >= 0) & (at < len(view))
        rows = view.turn_rows[np.clip(at, 0, len(view) - 1)]
        same = inside & (view.sessions[rows] == sessions[:, None])
        per_view.append(np.where(same, view.seqs[rows], -1))
    if len(per_view) == 1:
        return per_view[0]
    if per_view:
        found = np.concatenate([block[:, :reach] for block in per_view], axis=1)
        out[:, :reach] = -np.sort(-found, axis=1)[:, :reach]  # the latest before
        found = np.concatenate([block[:, reach:] for block in per_view], axis=1)
        found = np.where(found < 0, np.iinfo(np.int64).max, found)
        found = np.sort(found, axis=1)[:, :reach]
        out[:, reach:] = np.where(found == np.iinfo(np.int64).max, -1, found)
    return out
