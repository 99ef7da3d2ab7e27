"""From similarities to a ranking: the weighted terms of each candidate and the reasons they make.

All arrays are over the same n candidates. A claim (anything but an utterance) is judged by its meaning as a
whole, an utterance by its words in their conversation: measured, the pooled vector of a turn ranks farewells
first, while for a sentence that shares no word with the question it is all there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from store.model import Klass
from store.retrieval import cue_words, cues
from store.retrieval.base_level import once, presence
from store.retrieval.ports import Float32, Formed
from store.retrieval.routing import STANDING
from store.retrieval.settings import RankSettings
from store.retrieval.traits import KLASS_CODE, Traits


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarities:
    """What the question and each candidate have in common; float32 [n] except `seqs` int64 and `sessions`.

    `lexical` 0..1 (share of the best BM25 score; 1 more where the question names its class), `dense` cosine
    less hubness, `alone` and `window` late interaction without and with the neighbouring turns; NaN where a
    candidate has no vectors. `linked` is the activation 0..1 that reached it over links. `before` int64 is
    the position of the turn before it (-1 for none) and `answered` what it gains where that turn is a
    question. `foreign` is 1.0 where the nearest reading of the question is not English. `sizes` are
    ln(tokens) and `uneven` 0..1 how unlike these are among the turns: one for all.
    """

    seqs: NDArray[np.int64]
    sessions: NDArray[np.uint32]
    lexical: Float32
    dense: Float32
    alone: Float32
    window: Float32
    linked: Float32
    sizes: Float32
    uneven: Float32
    before: NDArray[np.int64]
    answered: Float32
    foreign: Float32

    def take(self, at: NDArray[np.integer]) -> Similarities:
        return Similarities(**{part.name: getattr(self, part.name)[at] for part in fields(self)})

    def better(self, other: Similarities) -> Similarities:
        """Both sets of candidates, each as near as the nearer of two readings of the question has it."""
        seqs = np.union1d(self.seqs, other.seqs)
        whole = self.joined(other.take(np.flatnonzero(~np.isin(other.seqs, self.seqs))))
        whole = whole.take(np.argsort(whole.seqs, kind="stable"))
        at = np.searchsorted(seqs, other.seqs)
        foreign = whole.foreign.copy()
        foreign[at] = np.where(whole.alone[at] > other.alone, foreign[at], other.foreign)
        nearer = {"foreign": foreign}
        for name in ("dense", "alone", "window", "answered"):
            value = getattr(whole, name).copy()
            value[at] = np.fmax(value[at], getattr(other, name))
            nearer[name] = value
        return replace(whole, **nearer)

    def joined(self, other: Similarities) -> Similarities:
        return Similarities(
            **{
                part.name: np.concatenate([getattr(self, part.name), getattr(other, part.name)])
                for part in fields(self)
            }
        )


def rough(found: Similarities) -> NDArray[np.float64]:
    """One number a candidate, for choosing whose neighbours and rows are read; the better of both views."""
    meaning = np.fmax(found.window, 0.5 * found.alone + found.dense).astype(np.float64)
    meaning = np.where(np.isnan(meaning), _without_vectors(found.lexical), meaning)
    return np.asarray(meaning + 0.1 * found.lexical, np.float64)


def promising(found: Similarities, count: int) -> Similarities:
    """The most promising candidates, in their order.

    Turns of a conversation and what stands alone have `count` places each: a claim says again what its turn
    said, and would take the place of another turn.
    """
    order = np.argsort(-rough(found), kind="stable")
    alone = found.sessions[order] == 0
    kept = np.concatenate([order[~alone][:count], order[alone][:count]])
    return found.take(np.sort(kept))


def _without_vectors(lexical: Float32) -> Float32:
    """What the late interaction of a text found by words alone would about be."""
    return (0.4 + 0.4 * lexical).astype(np.float32)


def session_strength(sessions: NDArray[np.uint32], values: Float32) -> Float32:
    """For each candidate the mean of the three best values of its session; its own without a session.

    A session with fewer candidates is filled up with the lowest value of any turn, so one lucky turn is not a
    topic.
    """
    if not sessions.any():
        return values
    lowest = values[sessions != 0].min()
    order = np.lexsort((-values, sessions))
    ranked, grouped = values[order], sessions[order]
    starts = np.flatnonzero(np.concatenate([[True], grouped[1:] != grouped[:-1]]))
    sizes = np.diff(np.append(starts, ranked.shape[0]))
    padded = np.concatenate([ranked, np.full(2, lowest, ranked.dtype)])
    best = np.zeros(starts.shape[0], np.float32)
    for place in range(3):
        best += np.where(sizes > place, padded[starts + place], lowest)
    out = np.empty_like(values)
    out[order] = np.repeat(best / 3, sizes)
    return np.where(sessions == 0, values, out)


def terms(
    found: Similarities,
    traits: Sequence[Traits],
    numbers: Mapping[str, NDArray[np.float64]],
    question: cues.Question,
    settings: RankSettings,
    *,
    priors: Mapping[Klass, float],
    now: datetime,
    accesses: Mapping[int, Sequence[float]],
    outdated: Mapping[int, float],
    formed: Mapping[int, Formed],
    asked: NDArray[np.float64],
) -> dict[str, NDArray[np.float64]]:
    """Each term's weighted share, by name; their sum is the score. `numbers` are the columns of the traits,
    `asked` is how much of the turn before each is questions."""
    s, n = settings, numbers
    spoken = n["utterance"]
    standing = np.isin(n["klass"], [KLASS_CODE[klass] for klass in STANDING])
    uneven = found.uneven * (not question.about_partner)
    alone = s.uneven_alone * uneven
    similar = np.select(
        [spoken == 1, standing],
        [
            s.utterance_late * (found.window + alone * (found.alone - found.window))
            + (s.utterance_dense + s.uneven_dense * uneven) * found.dense,
            s.standing_late * found.alone + s.standing_dense * found.dense,
        ],
        s.claim_late * found.alone + s.claim_dense * found.dense,
    )
    similar = np.where(np.isnan(found.window), _without_vectors(found.lexical), similar).astype(np.float32)
    claims, turns = _pairs(found, formed)
    similar[claims] = np.fmin(similar[claims], similar[turns])
    session = session_strength(found.sessions, similar)
    session[claims] = np.fmin(session[claims], session[turns])
    ages = np.maximum((now.timestamp() - n["created"]) / 86_400.0, 0.0)
    partners = _partners(traits, found, spoken)
    # an answer that the partner gave is no source, unless its words are asked for
    heard = 1.0 if question.about_partner else 1.0 - partners
    answers = question.wants_time * n["has_time"] + question.wants_number * n["has_number"]
    shares = {
        "tokens": s.weight_similarity * similar * spoken,
        "meaning": s.weight_similarity * similar * (1.0 - spoken),
        "session": s.weight_session * session,
        "words": s.weight_lexical * found.lexical,
        "links": s.weight_links * found.linked,
        "speaker": s.weight_speaker * _named(traits, question),
        "role": _role(np.where(spoken == 1, partners, np.nan), found, question, s),
        "self": s.weight_self * question.about_operator * (n["own"] - 0.5) * (1.0 - spoken),
        "reply": s.weight_similarity * found.answered * asked * spoken * heard,
        "asking": -s.weight_asking * n["asking"] * spoken,
        "length": s.weight_length * n["length"] * spoken,
        "route": s.weight_route * sum(share * (n["klass"] == KLASS_CODE[k]) for k, share in priors.items()),
        "date": s.weight_date * cues.dated(question, n),
        "answer": s.weight_answer * answers,
        "outdated": -s.weight_outdated * np.array([outdated.get(seq, 0.0) for seq in found.seqs.tolist()]),
        "salience": s.weight_salience * n["salience"],
        "use": s.weight_use * _presences(found.seqs, ages, accesses, now, s.decay),
        "recency": s.weight_recency * 0.5 ** (ages / s.recency_half_life_days),
        "authority": s.weight_authority * np.where(partners * spoken == 1, 1.0, n["authority"]),
    }
    return {
        name: np.broadcast_to(np.asarray(share, np.float64), spoken.shape) for name, share in shares.items()
    }


def _pairs(found: Similarities, formed: Mapping[int, Formed]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of the claims whose turn of a conversation is a candidate too, and of those turns.

    A claim says no more than its turn did, and shall not be nearer to a question for saying it in fewer
    words. A turn that was settled stands alone, and its claims for it.
    """
    at = {seq: row for row, seq in enumerate(found.seqs.tolist())}
    told = [(at[turn], made) for turn, made in formed.items() if turn in at]
    pairs = [(at[c], row) for row, made in told if found.sessions[row] for c in made.claims if c in at]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def near(
    numbers: Mapping[str, NDArray[np.float64]],
    shares: Mapping[str, NDArray[np.float64]],
    settings: RankSettings,
    foreign: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Which candidates are likely about what was asked, and not merely the least unlike it.

    To an embedder for English all texts of another language are alike, so there words count for more.
    """
    s = settings
    sharing = shares["words"] >= s.near_words
    spoken = numbers["utterance"] == 1
    bound = np.where(
        spoken,
        np.where(sharing, s.near_utterance_sharing_words, s.near_utterance),
        np.where(sharing, s.near_claim_sharing_words, s.near_claim),
    )
    apart = np.where(spoken, s.near_foreign_utterance, s.near_foreign_claim)
    bound = np.where(foreign, np.where(sharing, s.near_foreign_sharing_words, apart), bound)
    return shares["tokens"] + shares["meaning"] >= bound


def _presences(
    seqs: NDArray[np.int64],
    ages: NDArray[np.float64],
    accesses: Mapping[int, Sequence[float]],
    now: datetime,
    decay: float,
) -> NDArray[np.float64]:
    """`base_level.presence` of each: of its creation alone, or with its accesses where there are any."""
    found = once(ages, decay=decay)
    for at in np.flatnonzero(np.isin(seqs, list(accesses))) if accesses else ():
        uses = [(now.timestamp() - used) / 86_400.0 for used in accesses[int(seqs[at])]]
        found[at] = presence([float(ages[at]), *uses], decay=decay)
    return found


def _named(traits: Sequence[Traits], question: cues.Question) -> NDArray[np.float64]:
    """+0.5 for turns of a speaker the question names, -0.5 for the others', 0 when it names none or all."""
    speakers = {t.speaker for t in traits if t.speaker}
    named = {speaker for speaker in speakers if not speaker.isdisjoint(question.words)}
    if not named or named == speakers:
        return np.zeros(len(traits))
    value = {speaker: 0.5 if speaker in named else -0.5 for speaker in speakers}
    return np.array([value.get(t.speaker, 0.0) for t in traits])


def _partners(
    traits: Sequence[Traits], found: Similarities, spoken: NDArray[np.float64]
) -> NDArray[np.float64]:
    """1 for the turns of the partner. Where no turn has a speaker's name, and some are long and others short,
    it is who talks at length."""
    if any(t.speaker for t in traits) or not found.uneven.any() or not spoken.any():
        partner = [not t.speaker.isdisjoint(cue_words.PARTNER_NAMES) for t in traits]
        return np.array(partner, np.float64)
    sizes = np.nan_to_num(found.sizes)
    return (sizes > sizes[spoken == 1].mean()).astype(np.float64)


def _role(
    partners: NDArray[np.float64], found: Similarities, question: cues.Question, settings: RankSettings
) -> NDArray[np.float64]:
    """In talk between operator and partner the operator's words count, unless the partner's are asked for.

    `partners` is 1 for the partner's turns, 0 for other turns, NaN for what is no turn. Where neither is
    asked for, it counts how much longer the partner's turns are: long answers to short questions are advice,
    and who tells things of the world talks as long as the other.
    """
    s = settings
    if question.about_partner:
        return np.where(partners == 0, -s.weight_role_asked, 0.0)
    if question.first_person:
        return np.where(partners == 1, -s.weight_role_self, 0.0)
    own, others = found.sizes[partners == 1], found.sizes[partners == 0]
    own, others = own[~np.isnan(own)], others[~np.isnan(others)]
    longer = float(own.mean() - others.mean()) if own.shape[0] and others.shape[0] else 0.0
    weight = s.weight_role + s.weight_role_longer * min(max(longer, 0.0), 1.0)
    return np.where(partners == 1, -weight, 0.0)
