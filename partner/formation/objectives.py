"""Objectives that are reached or dropped: which one a sentence is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from partner.formation.cues import Cues
from partner.formation.model import HoldsView
from partner.formation.stems import stem
from partner.formation.topics import content_words
from partner.formation.verbs import AUXILIARIES, form_of, lemma
from partner.formation.words import words
from store.model import Engram, Klass

REACHED, DROPPED, LIKELY = "reached", "dropped", "likely"
_STATUS_WORDS = content_words(
    """goal target objective aim reached achieved met hit done accomplished drop dropping dropped giving
    give up gave finally today nice time make made did do managed manage got there nailed job yes
    ziel erreicht objetivo alcanzado cumplido meta objectif atteint abandonne abandono aufgeben gebe auf
    idea plan project idée projet projekt idee proyecto whole all abandon abandoned shelve scrap cancel
    cancelled quit pursue longer anymore"""
)


def closes(sentence: str, cues: Cues) -> str:
    """'reached', 'dropped', 'likely' (something was done; only the objective's own verb tells) or ''."""
    if cues.dropped.search(sentence):
        return DROPPED
    if cues.reached.search(sentence) and not re.search(
        r"(?i)\b(?:not|n't|never|nicht|no|pas) (?:yet |noch )?(?:reached|achieved|met|erreicht|done)\b",
        sentence,
    ):
        return REACHED
    return LIKELY if cues.code == "en" and _is_past(sentence) else ""


def find(sentence: str, around: Sequence[str], holds: HoldsView, cues: Cues) -> Engram | None:
    """The open objective that a closing sentence means, or None.

    With a word for 'goal' in it, the words around decide and, failing those, the newest objective is meant;
    without one, the sentence has to share the objective's own words.
    """
    open_ones = [e for e in holds.recent(50, Klass.OBJECTIVE) if e.metadata.get("status", "open") == "open"]
    if not open_ones:
        return None
    spoken = cues.goal.search(sentence) is not None
    # a goal given up is named before the reason: 'I'm giving up on the tandem, the frame is cracked'
    said = re.split(r"[,;:–—]\s", sentence, maxsplit=1)[0] if cues.dropped.search(sentence) else sentence
    for spoken_here, least in (
        (content_words(said), 1 if spoken else 2),
        (content_words(" ".join(around)), 1),
    ):
        scored = [
            (len((spoken_here - _STATUS_WORDS) & content_words(e.content)), e.seq, e) for e in open_ones
        ]
        best = max(scored, key=lambda s: s[:2])
        if best[0] >= least or (best[0] >= 1 and _covers(spoken_here, best[2])):
            return best[2]
        if not spoken and not _bare(sentence):
            return None
    return open_ones[0] if spoken or len(open_ones) == 1 else None


def done(sentence: str, holds: HoldsView) -> Engram | None:
    """The open objective whose own verb and object a sentence says were done ('I passed the sailing
    exam')."""
    pursued = holds.recent(50, Klass.OBJECTIVE)
    if not pursued:
        return None
    tokens = words(sentence)
    verbs = {stem(lemma(t.low)) for t in tokens if _done_form(t.low)}
    spoken = content_words(sentence)
    for engram in pursued:
        wanted = content_words(engram.content) - _STATUS_WORDS
        shared = spoken & wanted
        if verbs & shared and len(shared) >= 2 and len(shared) >= 0.5 * min(len(wanted), len(spoken)):
            return engram
    return None


def _done_form(low: str) -> bool:
    return (form_of(low) == "past" or low.endswith("ed")) and low not in AUXILIARIES


def _is_past(sentence: str) -> bool:
    lows = [t.low for t in words(sentence)]
    return any(map(_done_form, lows)) and not {
        "not",
        "n't",
        "didn't",
        "haven't",
        "hasn't",
        "isn't",
        "never",
        "no",
    } & set(lows)


def _covers(words: frozenset[str], engram: Engram) -> bool:
    own = words - _STATUS_WORDS
    return 0 < len(own) <= 2 and own <= content_words(engram.content)


def _bare(sentence: str) -> bool:
    """'We did it!' names nothing."""
    return len(content_words(sentence) - _STATUS_WORDS) == 0
