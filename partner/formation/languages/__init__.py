"""Cue lists, one file a language; `cues_for` picks by the words of the turn."""

from __future__ import annotations

from functools import cache

from partner.formation.cues import Cues
from partner.formation.languages.en import EN
from partner.formation.words import words

LANGUAGES: tuple[Cues, ...] = (EN,)


def cues_for(text: str) -> Cues:
    """The language whose function words are met most (the script decides for Japanese and Chinese)."""
    sample = text[:2000]
    lows = [w.low for w in words(sample)]
    scores = {cues.code: sum(low in cues.words for low in lows) for cues in LANGUAGES}
    best = max(LANGUAGES, key=lambda cues: scores[cues.code])
    return best if scores[best.code] else EN


@cache
def every_stop_word() -> frozenset[str]:
    """Function words of all languages together."""
    return frozenset().union(*(cues.stop for cues in LANGUAGES))
