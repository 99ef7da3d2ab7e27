"""The shipped thesaurus (derived from WordNet 3.0): words related to an English word, and a noun's class.

The files are sorted by word and searched as bytes by bisection. Each is read once, whole, when it is first
needed (some ms for the largest, most of it its digest); a check that needs no look-up never touches them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from gate.language.lexicon import lexicon_dir
from gate.language.manifest import read_checked
from gate.language.stem import stem

# WordNet's lexicographer files of nouns, as far as they matter here (lexnames(5WN)).
ACTION, EVENT = "4", "11"
ANIMAL, ARTIFACT, BODY, COMMUNICATION, FOOD, GROUP, PLACE, PERSON, PLANT, POSSESSION, SUBSTANCE = (
    "5", "6", "8", "10", "13", "14", "15", "18", "20", "21", "27",
)  # fmt: skip

_MEMBER = 85  # grade of the kinds of a thing and the ways of an act in the files


@cache
def _file(name: str) -> bytes:
    # Not mapped: a file rewritten in place (an upgrade below a running process) would kill it with SIGBUS.
    return read_checked(lexicon_dir() / name)


def _line(name: str, word: str) -> str | None:
    """The line of a word, found by bisection over the bytes."""
    data = _file(name)
    wanted = word.encode()
    low, high = 0, len(data)
    while low < high:
        middle = (low + high) // 2
        start = data.rfind(b"\n", low, middle) + 1 or low
        end = data.find(b"\n", middle)
        end = len(data) if end < 0 else end
        key = data[start : data.find(b"\t", start)]
        if key == wanted:
            return data[start:end].decode()
        if key < wanted:
            low = end + 1
        else:
            high = start
    return None


def _forms(word: str) -> tuple[str, ...]:
    """The word, and what it may be the plural or the inflection of."""
    forms = [word]
    if word.endswith("ies"):
        forms.append(word[:-3] + "y")
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("s"):
        forms.append(word[:-1])
    return tuple(forms)


@lru_cache(maxsize=4096)
def related(word: str, part: str = "noun") -> Mapping[str, float]:
    """Stems of the words that may stand for an English noun or verb, graded from 0 to 1."""
    if not word.isascii() or not word.isalpha():
        return MappingProxyType({})
    for form in _forms(word):
        line = _line(f"en-{part}s.tsv", form)
        if line is None:
            continue
        graded: dict[str, float] = {}
        for group in line.split("\t")[2:]:
            grade, _, words = group.partition(":")
            for other in words.split(" "):
                graded.setdefault(stem(other, "en"), int(grade) / 100)
        return MappingProxyType(graded)
    return MappingProxyType({})


@lru_cache(maxsize=4096)
def verbs_of(noun: str) -> tuple[str, ...]:
    """Verbs whose doing an English noun names in its main sense: 'cancellation' is to cancel."""
    if not noun.isascii() or not noun.isalpha():
        return ()
    for form in _forms(noun):
        line = _line("en-nominals.tsv", form)
        if line is not None:
            return tuple(line.split("\t")[1].split(" "))
    return ()


@lru_cache(maxsize=4096)
def near_words(word: str) -> tuple[tuple[str, float], ...]:
    """Stems of words that are used of the same matters, with their cosine: ground to ask, no more."""
    return tuple((stem(other, "en"), cosine) for other, cosine in spelled_near(word))


def spelled_near(word: str) -> tuple[tuple[str, float], ...]:
    """`near_words` as they are spelled, the nearest first."""
    if not word.isascii() or not word.isalpha():
        return ()
    for form in _forms(word):
        line = _line("en-near.tsv", form)
        if line is not None:
            pairs = (entry.rpartition(":") for entry in line.split("\t")[1].split(" "))
            return tuple((other, int(cosine) / 100) for other, _, cosine in pairs)
    return ()


@lru_cache(maxsize=4096)
def ways_of(verb: str) -> tuple[tuple[str, float], ...]:
    """Verbs that an English verb in its base form is a synonym or a way of, graded, the nearest first."""
    if not verb.isascii() or not verb.isalpha():
        return ()
    line = _line("en-verbs.tsv", verb)
    if line is None:
        return ()
    found: list[tuple[str, float]] = []
    for group in line.split("\t")[2:]:
        grade, _, words = group.partition(":")
        if int(grade) != _MEMBER:  # what is a way of doing *it* says nothing
            found.extend((word, int(grade) / 100) for word in words.split(" "))
    return tuple(found)


@lru_cache(maxsize=16384)
def noun_class(word: str) -> str | None:
    """Lexicographer class of an English noun's first sense, or None when it is no known noun."""
    if not word.isascii() or not word.isalpha():
        return None
    for form in _forms(word):
        line = _line("en-nouns.tsv", form)
        if line is not None:
            return line.split("\t", 2)[1]
    return None


@lru_cache(maxsize=4096)
def verb_class(verb: str) -> str | None:
    """Lexicographer class of the first sense of an English verb in its base form, or None."""
    if not verb.isascii() or not verb.isalpha():
        return None
    line = _line("en-verbs.tsv", verb)
    return line.split("\t", 2)[1] if line is not None else None


@lru_cache(maxsize=16384)
def rarity(word: str, stemmed: str) -> float:
    """How much an English word tells, from 0.35 (of the thousand most frequent) to 1 (not among 8,000)."""
    told = 1.0
    for form in (word, stemmed):
        line = _line("en-common.tsv", form) if form.isascii() and form.isalpha() else None
        if line is not None:
            told = min(told, int(line.rpartition("\t")[2]) / 100)
    return told


def entry(name: str, word: str) -> list[str]:
    """The fields of a word's line in one of the files after the word itself; [] when it has none."""
    line = _line(name, word)
    return line.split("\t")[1:] if line is not None else []
