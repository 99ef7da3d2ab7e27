"""A question put into the other languages that a store is written in, word by word.

An embedder for English finds nothing by a German question, and words find nothing across languages at
all. Of everyday words `configs/across.txt` knows what they are called in six languages: a question is put
into the other languages that the store has texts in, and searched for as it stands and as it is put. Names,
numbers and words that are not known stay as they are. Where a store has one language, and it is the
question's, nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from store.errors import BadRequest
from store.retrieval.language import LANGUAGES, STOP_WORDS, detect, stem
from store.retrieval.text import unelided, words

MOST_WORDS = 3  # of an entry
MAX_ASKED_WORDS = 64  # of a longer question nothing is put otherwise: it is a text
SENSES, FORMS = 2, 3  # of a word, that are looked for
LINKING = ("", "s", "n", "en", "es")  # between the parts of a German compound
SHORTEST_PART = 3
READINGS = 2  # in other languages, that are compared by meaning; by words it is looked for in all
ONE_IN = 100  # texts with one of its marks: a language is in use
# Of many texts, where another reading costs as much again as the question, more of them: else a few of
# another language, or names and codes in it ('van der Berg', 'El Paso', 'EST'), would slow every question.
MANY_TEXTS, ONE_IN_OF_MANY = 10_000, 20
GREW_BY = 50  # a part in so many more or fewer texts: it is counted again

Frequencies = Callable[[Sequence[str], int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Put:
    """A question in another language: as a text, and the terms that are looked for by words."""

    language: str
    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in every language: its forms as written. `small` words are not looked for."""

    forms: dict[str, tuple[str, ...]]
    small: bool


Key = tuple[str, ...]


class Lexicon:
    """Entries by their words in each language."""

    def __init__(self, entries: Sequence[Entry], marks: dict[str, tuple[str, ...]]) -> None:
        self.marks = marks
        self._entries = entries
        self._indexed: dict[str, tuple[dict[Key, list[Entry]], dict[str, list[Entry]]]] = {}

    def _index(self, language: str) -> tuple[dict[Key, list[Entry]], dict[str, list[Entry]]]:
        """Entries by their words and by the stem of their only word; made with the first use of a language,
        so that a store of one never waits for it."""
        if language not in self._indexed:
            exact: dict[Key, list[Entry]] = {}
            stems: dict[str, list[Entry]] = {}
            for entry in self._entries:
                for form in entry.forms.get(language, ()):
                    key = tuple(words(unelided(form)))
                    _once(exact.setdefault(key, []), entry)
                    if len(key) == 1:
                        _once(stems.setdefault(stem(key[0], language), []), entry)
            self._indexed[language] = exact, stems
        return self._indexed[language]

    def languages(self, found: Sequence[str]) -> list[str]:
        """Those that a question may be in, likeliest first: by its small words, else by how many it knows."""
        if (one := detect(found)) == "en":
            return [one]
        known = {
            language: sum(word in STOP_WORDS[language] or (word,) in exact for word in found)
            for language, (exact, _) in ((each, self._index(each)) for each in LANGUAGES)
        }
        most = max(known.values())
        best = [language for language in LANGUAGES if most and known[language] == most]
        return ["en"] if "en" in best and one is None else sorted(best, key=lambda it: it != one)

    def look_up(self, found: Sequence[str], language: str) -> Iterator[tuple[Key, list[Entry]]]:
        """The question in pieces of one to three words, each with what it may be; [] of what is unknown."""
        exact, at = self._index(language)[0], 0
        while at < len(found):
            for count in range(min(MOST_WORDS, len(found) - at), 0, -1):
                key = tuple(found[at : at + count])
                entries = exact.get(key, []) if count > 1 else self._one(key[0], language)
                if entries or count == 1:
                    yield from [(key, entries)] if entries else self._parts(key[0], language)
                    at += count
                    break

    def _one(self, word: str, language: str) -> list[Entry]:
        exact, stems = self._index(language)
        return exact.get((word,)) or stems.get(stem(word, language), [])

    def _parts(self, word: str, language: str) -> list[tuple[Key, list[Entry]]]:
        """A German compound as its parts, the longest first part that is known with a known rest."""
        for end in range(len(word) - SHORTEST_PART, SHORTEST_PART - 1, -1) if language == "de" else ():
            first = self._one(word[:end], language)
            for link in LINKING if first else ():
                rest = word[end + len(link) :]
                if word[end:].startswith(link) and len(rest) >= SHORTEST_PART:
                    last = self._one(rest, language)
                    if last and not (first[0].small or last[0].small):
                        return [((word[:end],), first), ((rest,), last)]
        return [((word,), [])]


def _once(entries: list[Entry], entry: Entry) -> None:
    if entry not in entries:
        entries.append(entry)


class Across:
    """Puts questions into the languages of one store."""

    def __init__(self, frequencies: Frequencies) -> None:
        self._frequencies = frequencies
        self._counted = -1
        self._used: tuple[str, ...] = ()

    def put(self, query: str, texts: int) -> list[Put]:
        """The question in each other language in use; [] where there is none. `texts`: how many there are."""
        used = self._in_use(texts)
        found = words(unelided(query)) if used else []
        if not found or len(found) > MAX_ASKED_WORDS or used == ("en",) == (detect(found),):
            return []
        known = lexicon()
        asked = known.languages(found)
        others = [language for language in used if language not in asked] if asked else []
        asks = query.rstrip().endswith("?")
        made = [_put(known, found, asked[0], language, asks=asks) for language in others]
        return self._likeliest([put for put in made if put.terms])

    def _likeliest(self, made: list[Put]) -> list[Put]:
        """First those of whose terms the most are there at all."""
        if len(made) < 2:
            return made
        there = [sum(self._frequencies(put.terms, 1)) for put in made]
        return [made[at] for at in sorted(range(len(made)), key=lambda at: -there[at])]

    def _in_use(self, texts: int) -> tuple[str, ...]:
        """The languages of the store by their marks; counted again when the store has grown by a fiftieth."""
        if self._counted < 0 or abs(texts - self._counted) * GREW_BY > self._counted:
            marks = lexicon().marks
            terms = {
                language: dict.fromkeys(term for word in marks[language] for term in _stems(word, language))
                for language in LANGUAGES
            }
            cap = max(1, texts // (ONE_IN if texts < MANY_TEXTS else ONE_IN_OF_MANY))
            counts = iter(self._frequencies([term for own in terms.values() for term in own], cap))
            met = {language: max(next(counts) for _ in own) for language, own in terms.items()}
            self._used = tuple(language for language in LANGUAGES if met[language] >= cap)
            self._counted = texts
        return self._used


def language_of(query: str) -> str:
    """The language a question is in; English where nothing tells."""
    found = words(unelided(query))[:MAX_ASKED_WORDS]
    return (lexicon().languages(found) or ["en"])[0]


def _put(known: Lexicon, found: Sequence[str], source: str, target: str, *, asks: bool) -> Put:
    said: list[str] = []
    terms: dict[str, None] = {}
    before = ""
    for key, entries in known.look_up(found, source):
        given = next((entry.forms[target][0] for entry in entries if target in entry.forms), "")
        said.append(given or " ".join(key))
        things = [entry for entry in entries if not entry.small][:SENSES]
        forms = [form for entry in things for form in entry.forms.get(target, ())[:FORMS]]
        for form in forms:
            parts = [word for word in words(unelided(form)) if word not in STOP_WORDS[target]]
            terms |= dict.fromkeys(term for word in parts for term in _stems(word, target))
        noun = "".join(words(given)) if target == "de" and things and " " not in given else ""
        if noun and before:
            compounds = (f"{before}{link}{noun}" for link in LINKING)
            terms |= dict.fromkeys(term for word in compounds for term in _stems(word, target))
        before = noun
    return Put(target, " ".join(said) + "?" * asks, tuple(terms))


def _stems(word: str, language: str) -> tuple[str, ...]:
    """As the word is indexed: by its language, or as English where a text's language was not told."""
    return tuple(dict.fromkeys((stem(word, language), stem(word, "en"))))


@cache
def lexicon() -> Lexicon:
    """That of this installation; read once."""
    root = Path(__file__).resolve().parents[2]
    for candidate in (root / "configs", root / "partner" / "_configs"):
        if (candidate / "across.txt").is_file():
            return read_lexicon((candidate / "across.txt").read_text(encoding="utf-8"))
    raise BadRequest("the file configs/across.txt of this installation is missing")


def read_lexicon(text: str) -> Lexicon:
    """The entries of a file of this form. Raises BadRequest where a line has not a part a language."""
    entries: list[Entry] = []
    marks: dict[str, tuple[str, ...]] = {}
    part = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            part = line.strip("[] ")
        elif line.strip() and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) != len(LANGUAGES) or part not in ("marks", "small", "things"):
                raise BadRequest(f"configs/across.txt, line {number}: not a part for each of {LANGUAGES}")
            forms = {
                language: tuple(form.strip() for form in cell.split(","))
                for language, cell in zip(LANGUAGES, cells, strict=True)
                if cell != "-"
            }
            if part == "marks":
                marks = forms
            else:
                entries.append(Entry(forms, small=part == "small"))
    return Lexicon(entries, marks)
