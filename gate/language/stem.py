"""Stems: English by inflection only (a derived word is another word), the others by Snowball.

The English stemmer undoes plural, -ed, -ing and final -e the same way for every word; its output
need not be a word, only equal for the forms of one. Irregular forms are data of the lexicon.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_SNOWBALL = {"de": "german", "es": "spanish", "fr": "french", "it": "italian", "pt": "portuguese"}
_FRENCH_PARTICIPLE = re.compile(r"(?<=[a-z]{3})ees?\Z")
_VOWELS = frozenset("aeiouy")
_stemmers: dict[str, Any] = {}


@lru_cache(maxsize=65536)
def stem(word: str, language: str) -> str:
    """Stem of a folded word in one of en, de, es, fr, it, pt; words of 2 letters stay."""
    if len(word) <= 2:
        return word
    if language == "en":
        return _english(word)
    if language not in _SNOWBALL:
        return word
    stemmer = _stemmers.get(language)
    if stemmer is None:
        import snowballstemmer  # loaded with the first text in that language

        stemmer = _stemmers[language] = snowballstemmer.stemmer(_SNOWBALL[language])
    if language == "fr":  # accents are folded away: a participle's feminine and plural first
        word = _FRENCH_PARTICIPLE.sub("er", word)
        word = word + "r" if word.endswith("ie") and len(word) > 4 else word
        if len(word) > 4 and word.endswith(("os", "us", "as", "is")):
            word = word[:-1]  # plurals that the stemmer leaves: 'numéros', 'menus'
    base = stemmer.stemWord(word)
    if language == "de" and base.endswith("t") and len(base) >= 6:
        base = base[:-1].removesuffix("s") if base.endswith("st") and len(base) >= 7 else base[:-1]
    return base


def _english(word: str) -> str:
    base = _without_plural(word)
    for suffix in ("ing", "ed"):
        rest = base[: -len(suffix)]
        if base.endswith(suffix) and len(rest) >= 2 and not _VOWELS.isdisjoint(rest):
            if suffix == "ed" and base.endswith("eed"):
                break
            base = rest
            if len(base) >= 4 and base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            break
    if len(base) >= 6 and base.endswith("ll"):
        base = base[:-1]
    if base.endswith("e") and len(base) > 3:
        base = base[:-1]
    if base.endswith("y") and len(base) > 3 and base[-2] not in _VOWELS:
        base = base[:-1] + "i"
    return base


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word
