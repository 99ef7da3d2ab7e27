"""From similarities to a ranking: the weighted terms of each candidate and the reasons they make.

All arrays are over the same n candidates. A claim (anything but an utterance) is judged by its meaning as a
whole, an utterance by its words in their conversation: measured, the pooled vector of a turn ranks farewells
first, while for a sentence that shares no word with the question it is all there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from store.retrieval import cue_words, cues
from store.retrieval.base_level import presence
from store.retrieval.ports import Float32
from store.retrieval.settings import RankSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarities:
    """What the question and each candidate have in common; float32 [n] except `seqs` int64 and `sessions`.

    `lexical` 0..1 (share of the best BM25 score), `dense` cosine less hubness, `alone` and `window` late
    interaction without and with the neighbouring turns; NaN where a candidate has no vectors.
    """

    seqs: NDArray[np.int64]
    sessions: NDArray[np.uint32]
    lexical: Float32
    dense: Float32
    alone: Float32
    window: Float32

    def take(self, at: NDArray[np.integer]) -> Similarities:
        return Similarities(
            seqs=self.seqs[at],
            sessions=self.sessions[at],
            lexical=self.lexical[at],
            dense=self.dense[at],
            alone=self.alone[at],
            window=self.window[at],
        )


def rough(found: Similarities) -> NDArray[np.float64]:
    """One number a candidate, for choosing whose neighbours and rows are read; the better of both views."""
    meaning = np.fmax(found.window, 0.5 * found.alone + found.dense).astype(np.float64)
    meaning = np.where(np.isnan(meaning), _without_vectors(found.lexical), meaning)
    return np.asarray(meaning + 0.1 * found.lexical, np.float64)


def _without_vectors(lexical: Float32) -> Float32:
    """What the late interaction of a text found by words alone would about be."""
    return (0.4 + 0.4 * lexical).astype(np.float32)


def session_strength(sessions: NDArray[np.uint32], values: Float32) -> Float32:
    """For each candidate the mean of the three best values of its session; its own without a session.

    A session with fewer candidates is filled up with the lowest value, so one lucky turn is not a topic.
    """
    out = values.copy()
    floor = values.min() if values.shape[0] else np.float32(0)
    for session in np.unique(sessions):
        if session == 0:
            continue
        inside = np.flatnonzero(sessions == session)
        best = np.sort(values[inside])[::-1][:3]
        out[inside] = (best.sum() + (3 - best.shape[0]) * floor) / 3
    return out


def terms(
    found: Similarities,
    traits: Sequence[cues.Traits],
    question: cues.Question,
    settings: RankSettings,
    *,
    now: datetime,
    accesses: Mapping[int, Sequence[float]],
) -> dict[str, NDArray[np.float64]]:
    """Each term's weighted share, by name; their sum is the score."""
    s = settings
    utterance = np.array([t.utterance for t in traits], bool)
    bare = np.isnan(found.window)
    similar = np.where(
        utterance,
        s.utterance_late * found.window + s.utterance_dense * found.dense,
        s.claim_late * found.alone + s.claim_dense * found.dense,
    )
    similar = np.where(bare, _without_vectors(found.lexical), similar).astype(np.float32)
    strength = session_strength(found.sessions, similar)
    ages = [cues.moment(t, now) for t in traits]
    uses = [
        [age, *((now.timestamp() - at) / 86_400.0 for at in accesses.get(int(seq), ()))]
        for seq, age in zip(found.seqs, ages, strict=True)
    ]
    shares = {
        "tokens": np.where(utterance, s.weight_similarity * similar, 0.0),
        "meaning": np.where(utterance, 0.0, s.weight_similarity * similar),
        "session": s.weight_session * strength,
        "words": s.weight_lexical * found.lexical,
        "speaker": s.weight_speaker * _named(traits, question),
        "role": s.weight_role * _role(traits, question),
        "asking": -s.weight_asking * _column(t.asking * t.utterance for t in traits),
        "length": s.weight_length * _column(t.length * t.utterance for t in traits),
        "date": s.weight_date * _column(cues.dated(question, t) for t in traits),
        "answer": s.weight_answer
        * _column(
            (question.wants_time and t.has_time) + (question.wants_number and t.has_number) for t in traits
        ),
        "salience": s.weight_salience * _column(t.salience for t in traits),
        "use": s.weight_use * _column(presence(u, decay=s.decay) for u in uses),
        "recency": s.weight_recency * _column(0.5 ** (age / s.recency_half_life_days) for age in ages),
        "authority": s.weight_authority * _column(t.authority for t in traits),
    }
    return {name: np.asarray(share, np.float64) for name, share in shares.items()}


def _column(values: Iterable[float]) -> NDArray[np.float64]:
    return np.fromiter(values, np.float64)


def _named(traits: Sequence[cues.Traits], question: cues.Question) -> NDArray[np.float64]:
    """+0.5 for turns of a speaker the question names, -0.5 for the others', 0 when it names none or all."""
    speakers = {t.speaker for t in traits if t.speaker}
    named = {speaker for speaker in speakers if not speaker.isdisjoint(question.words)}
    if not named or named == speakers:
        return np.zeros(len(traits))
    return _column((0.5 if t.speaker in named else -0.5) if t.speaker else 0.0 for t in traits)


def _role(traits: Sequence[cues.Traits], question: cues.Question) -> NDArray[np.float64]:
    """In talk between operator and partner the operator's words count, unless the partner's are asked for."""
    sign = -0.5 if question.about_partner else 0.5

    def of(speaker: frozenset[str]) -> float:
        if not speaker.isdisjoint(cue_words.PARTNER_NAMES):
            return -sign
        return sign if not speaker.isdisjoint(cue_words.OPERATOR_NAMES) else 0.0

    return _column(of(t.speaker) for t in traits)
