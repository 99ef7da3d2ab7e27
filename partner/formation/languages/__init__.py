"""Cue lists, one file a language; `cues_for` picks by the words of the turn."""

from __future__ import annotations

import re
from functools import lru_cache

from partner.formation.cues import Cues
from partner.formation.languages.de import DE
from partner.formation.languages.en import EN
from partner.formation.languages.es import ES
from partner.formation.languages.fr import FR
from partner.formation.languages.ja import JA
from partner.formation.languages.zh import ZH
from partner.formation.words import words

LANGUAGES: tuple[Cues, ...] = (EN, DE, ES, FR, JA, ZH)
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LETTERS = {
    "de": re.compile(r"[äöüß]|\b(?:ge\w+t|\w+ung)\b"),
    "fr": re.compile(r"\b(?:[jldncmts]|qu)['’](?=[a-zéèêàâîôûù])(?!(?:s|re|ll|ve|d|t)\b)|[èêçœ]|\w+é\b", re.IGNORECASE),
    "es": re.compile(r"[ñ¿¡]|\w+(?:ción|dad)\b|[áíóú]"),
}
SAMPLE_CHARS = 2_000


@lru_cache(maxsize=4096)
def cues_for(text: str) -> Cues:
    """The language whose function words are met most; for Japanese and Chinese the script decides."""
    sample = text[:SAMPLE_CHARS]
    if _KANA.search(sample):
        return JA
    if len(_HAN.findall(sample)) * 4 > len(re.findall(r"[A-Za-z]+", sample)):
        return ZH
    lows = [w.low for w in words(sample)]
    scores = {cues.code: sum(_weight(low, cues) for low in lows) for cues in LANGUAGES}
    for code, pattern in _LETTERS.items():
        scores[code] += 2 * len(pattern.findall(sample))
    best = max(LANGUAGES, key=lambda cues: scores[cues.code])
    return best if scores[best.code] > scores["en"] else EN


def _weight(low: str, cues: Cues) -> int:
    return (2 if not low.isascii() else 1) if low in cues.words else 0
