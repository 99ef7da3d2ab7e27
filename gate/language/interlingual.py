"""What a noun or verb of one language is in the others, and which nouns of its own may stand for it.

The word files of the five other languages name English equivalents; kinds and kinds of kinds come from
the English thesaurus and back. Everything here runs when a rule is compiled, never in a check, but for
the acts of a verb that no lexicon lists. The files are searched as those of the thesaurus are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from gate.language.lexicon import LANGUAGES
from gate.language.stem import stem
from gate.language.thesaurus import entry

OTHERS = tuple(language for language in LANGUAGES if language != "en")
WITH_VERBS = ("it", "pt")  # languages whose verbs have a file
_LIKELY = 0.5
_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {  # plural (or feminine) ending -> what the word in the file may end in
        "de": (
            ("innen", "in"), ("in", ""), ("ern", ""), ("er", ""), ("en", ""), ("en", "e"), ("es", ""),
            ("e", ""), ("n", ""), ("s", ""),
        ),
        "es": (("ces", "z"), ("es", ""), ("s", "")),
        "fr": (("aux", "al"), ("x", ""), ("s", ""), ("es", "")),
        "it": (
            ("chi", "co"), ("che", "ca"), ("ghi", "go"), ("ghe", "ga"), ("i", "o"), ("i", "e"), ("i", "io"),
            ("i", "a"), ("e", "a"),
        ),
        "pt": (
            ("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("ns", "m"),
            ("es", ""), ("s", ""),
        ),
    }
)  # fmt: skip

Graded = dict[str, float]


def _forms(word: str, language: str) -> Iterable[str]:
    yield word
    for ending, instead in _ENDINGS[language]:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            yield word[: len(word) - len(ending)] + instead


@lru_cache(maxsize=8192)
def _fields(word: str, language: str) -> tuple[str, ...]:
    """Fields of a noun's line, by way of its singular."""
    if language not in OTHERS:
        return ()
    for form in _forms(word, language):
        found = entry(f"{language}-nouns.tsv", form)
        if found:
            return tuple(found)
    return ()


def _groups(fields: Iterable[str], lead: str) -> Iterable[tuple[float, str]]:
    """(grade, word) of the fields that belong to a language ('' for the line's own)."""
    for field in fields:
        before, _, words = field.rpartition(":")
        language, _, grade = before.rpartition(" ")
        if language == lead:
            for word in words.split(" "):
                yield int(grade) / 100, word


def _raise(graded: Graded, key: str, grade: float) -> None:
    if grade > graded.get(key, 0.0):
        graded[key] = grade


@lru_cache(maxsize=8192)
def abroad(word: str) -> Mapping[str, float]:
    """Stems, in the other languages, of what an English noun means."""
    graded: Graded = {}
    for form in (
        word,
        word.removesuffix("s"),
        word.removesuffix("es"),
        word[:-3] + "y" if word.endswith("ies") else word,
    ):
        fields = entry("bridge.tsv", form) if form.isascii() and form.isalpha() else []
        if fields:
            for language in OTHERS:
                for grade, other in _groups(fields, language):
                    _raise(graded, stem(other, language), grade)
            break
    return MappingProxyType(graded)


@lru_cache(maxsize=8192)
def related_in(word: str, language: str) -> Mapping[str, float]:
    """Stems that may stand for a noun of another language: synonyms, kinds, and its equivalents abroad."""
    fields = _fields(word, language)[1:]
    graded: Graded = {}
    for grade, other in _groups(fields, ""):
        _raise(graded, stem(other, language), grade)
    for grade, english in _groups(fields, "en"):
        _raise(graded, stem(english, "en"), grade)
        for worth, near in _english_related(english):
            for likeness, back in _groups(entry("bridge.tsv", near), language):
                if worth * likeness * grade >= _LIKELY:
                    _raise(graded, stem(back, language), min(worth, likeness, grade))
        for key, likeness in abroad(english).items():
            _raise(graded, key, min(grade, likeness))
    graded.pop(stem(word, language), None)
    return MappingProxyType(graded)


def _english_related(word: str) -> Iterable[tuple[float, str]]:
    for field in entry("en-nouns.tsv", word)[1:]:
        grade, _, words = field.partition(":")
        for other in words.split(" "):
            yield int(grade) / 100, other


@lru_cache(maxsize=16384)
def class_in(word: str, language: str) -> str | None:
    """WordNet class of a noun's first sense, or None when it is no known noun."""
    fields = _fields(word, language)
    return fields[0] if fields else None


@lru_cache(maxsize=4096)
def english_verbs(stemmed: str, language: str) -> tuple[tuple[str, float], ...]:
    """English verbs that a verb of another language, given as its stem, may be; the nearest first."""
    if language not in WITH_VERBS:
        return ()
    fields = entry(f"{language}-verbs.tsv", stemmed)[1:]
    return tuple((verb, grade) for grade, verb in _groups(fields, "en"))


def knows(word: str, language: str) -> bool:
    """Whether a word is a noun in a language's file."""
    return bool(_fields(word, language))
