"""Candidates compared with a question: by words, as a whole, and token by token in their conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.model import Klass
from store.retrieval import late, vectors
from store.retrieval.ports import Float32
from store.retrieval.scoring import Similarities
from store.retrieval.settings import RankSettings
from store.retrieval.tail import View
from store.retrieval.traits import KLASS_CODE

LAST = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question as vectors: `pooled` [dim], `tokens` [m, token_dim] and their `weights` [m]; whether it is
    `foreign`, in another language than English."""

    pooled: Float32
    tokens: Float32
    weights: Float32
    foreign: bool = False


def by_words_alone(lexical: Mapping[int, float], seqs: NDArray[np.int64]) -> Similarities:
    """Candidates where there is no vector of any of them."""
    bare = np.full(seqs.shape[0], np.nan, np.float32)
    return Similarities(
        seqs=seqs,
        sessions=np.zeros(seqs.shape[0], np.uint32),
        lexical=_looked_up(lexical, seqs),
        dense=bare,
        alone=bare,
        window=bare,
        sizes=bare,
        uneven=np.zeros(seqs.shape[0], np.float32),
        linked=np.zeros(seqs.shape[0], np.float32),
        before=np.full(seqs.shape[0], -1, np.int64),
        answered=np.zeros(seqs.shape[0], np.float32),
        foreign=np.zeros(seqs.shape[0], np.float32),
    )


def in_conversation(
    views: Sequence[View],
    meaning: Meaning,
    lexical: Mapping[int, float],
    seqs: NDArray[np.int64],
    settings: RankSettings,
    *,
    join: bool,
    as_of: int | None = None,
) -> Similarities:
    """The candidates compared with a question; where `join`, the neighbours of the best become candidates."""
    s = settings
    reach = len(s.discounts) // 2
    places, sessions, near = _placed(views, seqs, reach)
    sizes, told = late.sizes(views, places), _told(views, places)
    uneven = late.unevenness(sizes[told], s.even, s.uneven)
    matched = _matched(views, places, meaning, sizes, told, uneven, s)
    words = _looked_up(lexical, seqs)
    if (turns := sessions != 0).any():  # a claim has fewer words than its turn, so BM25 puts it first
        words[turns] /= max(float(words[turns].max()), 1e-9)
    best = np.argsort(-(meaning.weights @ matched + 0.1 * words), kind="stable")[: s.expanded]
    new = np.setdiff1d(near[best], seqs) if join else seqs[:0]
    new = new[(new >= 0) & (new <= (LAST if as_of is None else as_of))]
    if new.shape[0]:
        more, more_sessions, more_near = _placed(views, new, reach)
        sized = late.sizes(views, more)
        beside = _matched(views, more, meaning, sized, _told(views, more), uneven, s)
        matched, sizes = np.concatenate([matched, beside], axis=1), np.concatenate([sizes, sized])
        seqs, sessions = np.concatenate([seqs, new]), np.concatenate([sessions, more_sessions])
        places = (np.concatenate([places[0], more[0]]), np.concatenate([places[1], more[1]]))
        near, words = (
            np.concatenate([near, more_near]),
            np.concatenate([words, np.zeros(new.shape[0], np.float32)]),
        )
    around = _columns(seqs, near)
    window = late.in_window(matched, around, s.discounts)
    alone, beside = meaning.weights @ matched, meaning.weights @ window
    if (bare := places[0] < 0).any():
        alone[bare] = beside[bare] = np.nan
    return Similarities(
        seqs=seqs,
        sessions=sessions,
        lexical=words,
        dense=_closeness(views, places, meaning.pooled),
        alone=alone,
        window=beside,
        sizes=sizes,
        uneven=np.full(seqs.shape[0], uneven, np.float32),
        linked=np.zeros(seqs.shape[0], np.float32),
        before=near[:, 0] if reach else np.full(seqs.shape[0], -1, np.int64),
        answered=_answered(meaning.weights, matched, window, around, s.weight_reply),
        foreign=np.full(seqs.shape[0], meaning.foreign, np.float32),
    )


def _matched(
    views: Sequence[View],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    meaning: Meaning,
    sizes: Float32,
    told: NDArray[np.bool_],
    uneven: float,
    settings: RankSettings,
) -> Float32:
    """The best match of each token of the question in each text.

    The best of many is high by chance: of an answer with a list of advice every token of a question finds
    something like it. So where some talk at length and others briefly, a match in a long turn is worth less.
    """
    matched = late.matches(views, places, meaning.tokens)
    if (share := settings.dilution * uneven) == 0.0:
        return matched
    longer = np.maximum(np.nan_to_num(sizes) - np.log(settings.dilute_from), 0.0)
    return np.maximum(matched - share * longer * told, late.ABSENT).astype(np.float32)


def _told(views: Sequence[View], places: tuple[NDArray[np.int64], NDArray[np.int64]]) -> NDArray[np.bool_]:
    """Which of them are of the class of what was said, measured or done."""
    out = np.zeros(places[0].shape[0], np.bool_)
    for view, at, rows in vectors.by_view(views, places):
        out[at] = view.klasses[rows] == KLASS_CODE[Klass.OBSERVATION]
    return out


def _placed(
    views: Sequence[View], seqs: NDArray[np.int64], reach: int
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], NDArray[np.uint32], NDArray[np.int64]]:
    """Where these lie, their sessions, and the positions of the turns around them."""
    places = vectors.locate(views, seqs)
    sessions = _sessions(views, places)
    return places, sessions, vectors.neighbours(views, seqs, sessions, reach=reach)


def _answered(
    weights: Float32, matched: Float32, window: Float32, around: NDArray[np.int64], share: float
) -> Float32:
    """What each gains where the turn before it is a question: that turn's match counts in full, and a
    `share` of it on top. Float32 [n], 0 without a turn before."""
    if around.shape[1] == 0:
        return np.zeros(matched.shape[1], np.float32)
    before = around[:, 0]
    beside = np.where(before >= 0, matched[:, before], late.ABSENT)
    gain = weights @ (np.maximum(window, beside) - window) + share * np.maximum(weights @ beside, 0.0)
    return np.where(before >= 0, gain, 0.0).astype(np.float32)


def _looked_up(scores: Mapping[int, float], seqs: NDArray[np.int64]) -> Float32:
    """The score of each position, 0 where there is none."""
    if not scores or not seqs.shape[0]:
        return np.zeros(seqs.shape[0], np.float32)
    known = np.fromiter(scores, np.int64, len(scores))
    values = np.fromiter(scores.values(), np.float32, len(scores))
    order = np.argsort(known)
    at = order[np.minimum(np.searchsorted(known, seqs, sorter=order), known.shape[0] - 1)]
    return np.where(known[at] == seqs, values[at], np.float32(0.0))


def _sessions(
    views: Sequence[View], places: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> NDArray[np.uint32]:
    out = np.zeros(places[0].shape[0], np.uint32)
    for view, at, rows in vectors.by_view(views, places):
        out[at] = view.sessions[rows]
    return out


def _closeness(
    views: Sequence[View], places: tuple[NDArray[np.int64], NDArray[np.int64]], pooled: Float32
) -> Float32:
    out = np.full(places[0].shape[0], np.nan, np.float32)
    for view, at, rows in vectors.by_view(views, places):
        out[at] = view.pooled[rows] @ pooled - view.hubs[rows]
    return out


def _columns(seqs: NDArray[np.int64], near: NDArray[np.int64]) -> NDArray[np.int64]:
    """Neighbours given by position as columns of the candidates, -1 for those that are none."""
    order = np.argsort(seqs, kind="stable")
    at = np.minimum(np.searchsorted(seqs[order], near), seqs.shape[0] - 1)
    columns = order[at]
    return np.where((near >= 0) & (seqs[columns] == near), columns, -1)
