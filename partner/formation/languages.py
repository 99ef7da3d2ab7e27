"""Which language a text is in, by its script, function words and letters; short texts default to English."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from partner.formation.cues import Cues, cues_from
from partner.formation.data import load
from partner.formation.words import words

CODES = ("en", "de", "es", "fr", "ja", "zh")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
# One of these stands in every match of the pattern: without any of them it is not looked for.
_GIVEN_AWAY = {
    "en": ("'", "’"),
    "de": ("ge", "ung", *"äöüß"),
    "fr": ("'", "’", *"èêçœéÈÊÇŒÉ"),
    "es": ("ción", "dad", *"ñ¿¡áíóú"),
}
_LETTERS = {
    "en": re.compile(r"\w['’](?:s|re|ll|ve|m|t)\b", re.IGNORECASE),
    "de": re.compile(r"[äöüß]|\b(?:ge\w+t|\w+ung)\b"),
    "fr": re.compile(
        r"\b(?:[jldncmts]|qu)['’](?=[a-zéèêàâîôûù])(?!(?:s|re|ll|ve|d|t)\b)|[èêçœ]|\w+é\b", re.IGNORECASE
    ),
    "es": re.compile(r"[ñ¿¡]|\w+(?:ción|dad)\b|[áíóú]"),
}
SAMPLE_CHARS = 2_000


@cache
def language(code: str) -> Cues:
    """The cues of a language in `CODES`. An order whose object is denied forbids in each of them: a short one
    is easily taken for another language."""
    data, denied = load(code), load("denied")
    orders = [f"{denied['openers']}(?:{pattern})" for pattern in denied["patterns"]]
    cues = {**data["cues"], "prohibition": [*data["cues"]["prohibition"], *orders]}
    return cues_from({**data, "cues": cues})


@lru_cache(maxsize=4096)
def cues_for(text: str) -> Cues:
    """The language whose function words are met most; for Japanese and Chinese the script decides."""
    sample = text[:SAMPLE_CHARS]
    if script := _by_script(sample):
        return language(script)
    scores = _scores(sample)
    best = max(CODES, key=lambda code: scores[code])
    return language(best if scores[best] > scores["en"] else "en")


CLEAR = 2  # by so much another language has to be ahead in a sentence of a message


def cues_of_sentence(sentence: str, message: Cues) -> Cues:
    """The language of one sentence: that of its message, unless its own words clearly tell of another."""
    sample = sentence[:SAMPLE_CHARS]
    if script := _by_script(sample):
        return language(script)
    if message.code in ("ja", "zh"):
        return cues_for(sentence)
    scores = _scores(sample)
    best = max(CODES, key=lambda code: scores[code])
    return language(best) if scores[best] >= scores[message.code] + CLEAR else message


def _by_script(sample: str) -> str:
    if sample.isascii():
        return ""
    if _KANA.search(sample):
        return "ja"
    return "zh" if len(_HAN.findall(sample)) * 4 > len(re.findall(r"[A-Za-z]+", sample)) else ""


def _scores(sample: str) -> dict[str, int]:
    """How much the function words and letters of a text speak for each language."""
    scores: dict[str, int] = dict.fromkeys(CODES, 0)
    weights = _weights()
    for word in words(sample):
        for code, weight in weights.get(word.low, ()):
            scores[code] += weight
    for code, pattern in _LETTERS.items():
        if any(mark in sample for mark in _GIVEN_AWAY[code]):
            scores[code] += 2 * len(pattern.findall(sample))
    return scores


@cache
def _weights() -> dict[str, list[tuple[str, int]]]:
    """For each function word the languages that have it; one with an accent tells twice as much."""
    found: dict[str, list[tuple[str, int]]] = {}
    for code in CODES:
        for word in language(code).words:
            found.setdefault(word, []).append((code, 1 if word.isascii() else 2))
    return found
