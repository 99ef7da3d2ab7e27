"""What a folded word is read as: without what is written onto it, without a slip of the hand, as a stem."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from gate.language.interlingual import knows as knows_noun
from gate.language.lexicon import Lexicon, load
from gate.language.slips import SHORTEST, Slips
from gate.language.thesaurus import noun_class

KEPT_CHARS = 40  # a longer word is read anew each time
_DIGRAPH = re.compile("[aou]e")


def word_of(text: str, language: str) -> tuple[str, str, bool, int]:
    """The word, its stem, whether it is a possessive, and how many characters of `text` come before it."""
    return _kept(text, language) if len(text) <= KEPT_CHARS else _read(text, language)


@lru_cache(maxsize=65536)
def _kept(text: str, language: str) -> tuple[str, str, bool, int]:
    return _read(text, language)


def _read(text: str, language: str) -> tuple[str, str, bool, int]:
    lexicon = load(language)
    possessive, elided = False, 0
    if text.endswith("'s") and language == "en" and not lexicon.has("auxiliary", text):
        possessive = True
        text = text[:-2]
    elif "'" in text and language in ("fr", "it"):
        head, _, rest = text.rpartition("'")
        if rest and len(head) <= 6 and not lexicon.has("auxiliary", text):
            elided = len(text) - len(rest)
            text = rest  # l'archive, dell'archivio, d'argent
    if language == "de" and _DIGRAPH.search(text):
        text = _with_umlauts(text, lexicon)
    base = lexicon.base(text)
    unknown = base not in lexicon.acts and base not in lexicon.verbs
    if language == "en" and unknown and len(text) >= SHORTEST and not _is_word(text, lexicon):
        meant = _slips().meant(text)
        if meant is not None:
            text, base = meant, lexicon.base(meant)
    return text, base, possessive, elided


_PREFIXES = ("re", "pre", "un", "over", "out", "mis", "under", "non", "de", "co", "fore", "sub", "up")


def _is_word(text: str, lexicon: Lexicon) -> bool:
    """Whether a word is listed, or made of one by a prefix: 'preset' is no slip of 'present'."""
    rests = (text.removeprefix(prefix) for prefix in _PREFIXES if text.startswith(prefix))
    return text in lexicon.known or any(
        len(rest) > 2 and (rest in lexicon.verb_words or noun_class(rest) is not None) for rest in rests
    )


@cache
def _slips() -> Slips:
    """Of the words that the English lexicon lists."""
    return Slips(load("en").known)


def _with_umlauts(text: str, lexicon: Lexicon) -> str:
    """'loeschen' and 'fuer' as 'loschen' and 'fur', if only so it is a word."""
    folded = text.replace("ae", "a").replace("oe", "o").replace("ue", "u")
    return folded if _listed(folded, lexicon) and not _listed(text, lexicon) else text


def _listed(word: str, lexicon: Lexicon) -> bool:
    base = lexicon.base(word)
    return (
        base in lexicon.acts or base in lexicon.concepts or base in lexicon.nominals
        or any(word in words for words in lexicon.words.values()) or knows_noun(word, "de")
    )  # fmt: skip
