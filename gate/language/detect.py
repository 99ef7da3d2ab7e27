"""Which language a text is in: by function words, by letters that one language alone has, by its words."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from math import log

from gate.errors import LexiconDamaged
from gate.language.interlingual import knows as knows_noun
from gate.language.lexicon import LANGUAGES, lexicon_dir, load, load_data, split_list
from gate.language.normalise import fold_words, leet_readings
from gate.language.thesaurus import noun_class

_LETTERS = re.compile(r"\w*[^\W\d_]\w*(?:'[^\W\d_]*)?")


@cache
def _markers() -> dict[str, tuple[tuple[str, float], ...]]:
    """Word -> the languages it speaks for; one that several share speaks for each the less."""
    path = lexicon_dir() / "languages.toml"
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8"))["markers"]
        words = {language: frozenset(split_list(listed[language])) for language in LANGUAGES}
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise LexiconDamaged(f"{path.name}: {error}") from error
    markers: dict[str, tuple[tuple[str, float], ...]] = {}
    for word in frozenset().union(*words.values()):
        speaking = [language for language in LANGUAGES if word in words[language]]
        markers[word] = tuple((language, 1 / len(speaking)) for language in speaking)
    return markers


_CAPITAL = re.compile(r"(?<=[\w,] )[A-ZÀ-Þ][^\W\d_]+")
_FOREIGN = tuple(language for language in LANGUAGES if language != "en")
_NARROWLY = 0.35
_SAMPLE = 24  # words that are looked up
_ENGLISH_MOST = 0.75  # share from which small words that another language has too do not make it that one
_FEW = 3.0  # weight of small words up to which the others are looked at
_SHORT = 5  # words of a text that tells little of its language
_ENGLISH_ENOUGH = 0.5  # share of a text's words that are English, from which no other language is tried


def _knows(word: str, language: str) -> bool:
    lexicon = load(language)
    word = word.rpartition("'")[2]
    base = lexicon.base(word)
    if base in lexicon.acts or base in lexicon.concepts or base in lexicon.nominals:
        return True
    if language == "en":
        return base in lexicon.verbs or noun_class(word) is not None
    return knows_noun(word, language)


@cache
def _pieces(language: str) -> tuple[dict[str, int], int]:
    """How often the words of a language's lexicon have each piece of three letters."""
    counts: dict[str, int] = {}
    data = load_data(language)
    words = {word for listed in data["words"].values() for word in split_list(listed)}
    listed = (value for section in ("acts", "concepts") for value in data[section].values())
    words.update(word for value in listed for word in split_list(value))
    for word in sorted({part for entry in words for part in fold_words(entry).split()}):
        for piece in _cut(word):
            counts[piece] = counts.get(piece, 0) + 1
    return counts, sum(counts.values())


def _cut(word: str) -> list[str]:
    padded = f" {word} "
    return [padded[at : at + 3] for at in range(len(padded) - 2)]


def _likeness(sample: list[str], language: str) -> float:
    """Mean log-probability of the words' pieces, in units of a known word."""
    counts, total = _pieces(language)
    pieces = [piece for word in sample for piece in _cut(word)]
    return sum(log((counts.get(piece, 0) + 0.5) / total) for piece in pieces) / max(len(pieces), 1)


def _is_english(word: str) -> bool:
    return word in load("en").known or _knows(word, "en")


def _named(written: str) -> frozenset[str]:
    """Words with a capital inside a text: names are words of no language."""
    return frozenset(fold_words(name) for name in _CAPITAL.findall(written[:2000]))


def _known(sample: list[str], language: str) -> int:
    return sum(_knows(word, language) for word in sample)


_LETTER_CUES = (  # what is written in one of the languages and in none of its neighbours
    ("de", re.compile(r"[ßäö]")),
    ("es", re.compile(r"[ñ¿¡]|ción\b|\w{3}ó\b|\b(?:más|según|algún|ningún|también|sólo)\b")),
    ("pt", re.compile(r"[ãõ]|lh|nh|ç[oõã]")),
    ("fr", re.compile(r"[œûîëï]|\b(?:[jnmt]|qu)['’]|ê|eau|eux\b|ez\b")),
    ("it", re.compile(r"[ìò]|\b(?:[dn]ell|d?all|sull|un|quell)['’]|zion[ei]\b|gli\b|[aeiou]tà\b|cch|zz")),
)  # fmt: skip
_CUE_WEIGHT = 0.7
_KNOWN, _LIKE = 0.15, 1.0  # weights of a word that is known, and of letters that look alike


def detect_language(folded: str, written: str = "") -> str:
    """The language whose function words are most frequent; else the one that knows most of the words.

    `written` is the text before folding: letters that one language alone has count as a word of it.
    """
    sample = [
        word if word.isalpha() else (leet_readings(word) or (word,))[0]
        for word in _LETTERS.findall(folded[:2000])
    ]
    markers = _markers()
    scores: dict[str, float] = dict.fromkeys(LANGUAGES, 0.0)
    for word in sample:
        for language, weight in markers.get(word, ()) or markers.get(word.partition("'")[0] + "'", ()):
            scores[language] += weight
    if scores["en"] > max(scores[language] for language in _FOREIGN) + _CUE_WEIGHT:
        return "en"  # whatever the letters say
    if written:
        lowered = written[:2000].lower()
        for language, cue in _LETTER_CUES:
            if cue.search(lowered):
                scores[language] += _CUE_WEIGHT
    top = max(scores[language] for language in _FOREIGN)
    if scores["en"] > top or not sample:
        return "en"
    rivals = [language for language in _FOREIGN if scores[language] >= top - _NARROWLY]
    clear = top >= (1.2 if len(sample) > 8 or scores["en"] > 0.5 else 0.3) and top > scores["en"]
    words = [word for word in sample if word not in markers and len(word) > 2][:_SAMPLE]
    if clear and len(rivals) == 1 and top > _FEW:
        return rivals[0]
    if not clear and len(sample) <= _SHORT and not _is_english(sample[0]):
        ordered = [language for language in rivals if load(language).base(sample[0]) in load(language).acts]
        if ordered:  # 'Ordina latte', 'Zahl Jan 60 Euro': its verb is known, and to English not
            return max(ordered, key=lambda one: (_known(words, one) + _likeness(words, one), one))
    if not clear and _known(words, "en") >= _ENGLISH_ENOUGH * len(words):
        return "en"
    best = max(
        rivals,
        key=lambda language: (
            scores[language] + _KNOWN * _known(words, language) + _LIKE * _likeness(words, language),
            language,
        ),
    )
    common = [word for word in words if word not in _named(written)]
    here, abroad = _known(common, "en"), _known(common, best)
    if here >= _ENGLISH_MOST * len(common) and here >= abroad + 2:
        return "en"  # 'run five batches in vat A, so ...': small words alone make no other language
    return best if clear or abroad + scores[best] > here + scores["en"] else "en"
