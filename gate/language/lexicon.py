"""Lexicons: one data file a language, read once when the language is first met.

A phrase is a tuple of stems; `~` in the file is a gap of up to `MAX_GAP` words. Noun concepts carry an
English id whatever the language, so a German request meets an English rule.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gate.errors import LexiconDamaged
from gate.language.classes import Classes, Unions
from gate.language.conjugate import forms, separated
from gate.language.normalise import fold_words
from gate.language.participles import participle_stem
from gate.language.stem import stem

LANGUAGES = ("en", "de", "es", "fr", "it", "pt")
CJK = ("ja", "zh")  # read by gate/language/cjk.py: plain rules only
GAP = "~"
TOPIC = "~"  # before a concept: the word only belongs to its field
MAX_GAP = 9
# German 'geloescht', 'abgenickt', 'freigegeben': the prefix, and the stem between ge- and -t or -en.
# Pronouns written onto a verb: 'alquilale', 'scrivilo'.
_CLITICS = {
    "es": re.compile(r"(\w{3,}?)(?:(?:me|te|se|nos|os)?(?:lo|la|los|las|le|les)|me|te|se|nos)\Z"),
    "it": re.compile(r"(\w{3,}?)(?:glie|me|te|se|ce|ve)?(?:lo|la|li|le|ne|gli|mi|ti|si|ci|vi)\Z"),
    "pt": re.compile(r"(\w{3,}?)(?:lhe|lhes|me|te|nos)\Z"),
}
_CLOSED = (
    *(
        "determiner",
        "pronoun",
        "preposition",
        "conjunction",
        "subordinator",
        "auxiliary",
        "negator",
        "question",
    ),
    *("filler", "relative", "subject", "adverb"),
)
_WORD = re.compile(r"~|[^\W\d_]+(?:'[^\W\d_]+)*|\d+|[^\w\s]")


def lexicon_dir() -> Path:
    """The folder of the lexicon files: beside the packages in a checkout, inside `partner` in a wheel."""
    root = Path(__file__).resolve().parents[2]
    for candidate in (root / "configs" / "lexicon", root / "partner" / "_configs" / "lexicon"):
        if candidate.is_dir():
            return candidate
    raise LexiconDamaged("the lexicon files of this installation are missing (configs/lexicon)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The rest of a phrase after its first stem, and what the phrase means."""

    rest: tuple[str, ...]
    meaning: str
    unsure: bool = False  # `?` before it in the file: it may mean that
    member: bool = False  # of the kind that `meaning` names, not another word for it
    weight: int = 0  # how much of it is words: the longer phrase has it
    last: str = ""  # of its words behind the first: where it is not said, neither is the phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One language's words as stems. `acts`, `nominals`, `states`, `concepts`: first stem -> phrases."""

    language: str
    acts: Mapping[str, tuple[Phrase, ...]]
    nominals: Mapping[str, tuple[Phrase, ...]]
    states: Mapping[str, tuple[Phrase, ...]]
    concepts: Mapping[str, tuple[Phrase, ...]]
    keep: Mapping[str, tuple[str, ...]]  # a state to be kept -> the acts that end it
    kinds: Mapping[str, frozenset[str]]  # a kind -> the concepts that are of it
    words: Mapping[str, frozenset[str]]  # closed classes, as folded words
    unions: Mapping[tuple[str, ...], frozenset[str]]  # several of them together
    stems: Mapping[str, frozenset[str]]  # the same classes, as stems
    irregular: Mapping[str, str]  # folded form -> folded base
    numbers: Mapping[str, int]
    joiners: frozenset[str]
    ordinals: Mapping[str, int]
    fractions: Mapping[tuple[str, ...], str]
    units: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]  # first word -> (rest words, unit)
    calendar: Mapping[str, Mapping[str, tuple[tuple[str, ...], ...]]]  # section -> value -> phrases
    time_words: frozenset[str]  # words that can begin an expression of time
    number_words: frozenset[str]  # words that can begin a number
    patterns: Mapping[str, Any]
    known: frozenset[str]  # every word that the file spells out
    verb_words: frozenset[str]  # the same verbs as words in their base form
    told: frozenset[str]  # forms of its verbs that report and never order
    orders: frozenset[str]  # forms that may order
    verbs: Mapping[str, str]  # stem -> 'V' mostly a verb, 'B' both, 'N' mostly something else

    def base(self, word: str) -> str:
        """Stem of a folded word, by way of its base form when it is irregular."""
        base = stem(self.irregular.get(word, word), self.language)
        if self.language == "de" and base not in self.acts:
            told = participle_stem(word, self.irregular, self.acts)
            if told is not None:
                return told
        clitics = _CLITICS.get(self.language)
        if clitics is not None and base not in self.acts:
            attached = clitics.match(word)
            if attached:
                plain = stem(self.irregular.get(attached[1], attached[1]), self.language)
                if plain in self.acts:
                    return plain
        return base

    def deeds(self, text: str, base: str) -> tuple[Phrase, ...]:
        """Phrases that begin with a noun of an act; an English one in -ing is not told by its stem."""
        found = self.nominals.get(base, ())
        if self.language == "en" and text.endswith(("ing", "ings")):
            return self.nominals.get(text.removesuffix("s"), ()) + found
        return found

    def with_pronoun(self, word: str) -> bool:
        """Whether a word is a verb with a pronoun written onto it: 'envíaselo', 'mandaglielo'."""
        clitics = _CLITICS.get(self.language)
        if clitics is None or word in self.irregular or word in self.verb_words:
            return False
        attached = clitics.match(word)
        return attached is not None and (attached[1] in self.irregular or attached[1] in self.verb_words)

    def to_me(self, word: str) -> bool:
        """Whether a word is a verb with 'me' written onto it: 'cuéntame', 'raccontami'."""
        return word.endswith(("me", "mi", "melo", "mela")) and self.with_pronoun(word)

    def is_verb(self, word: str) -> bool:
        """Whether a word is a form of a listed verb; German tells by stem, English by its verb list."""
        if self.language not in _CLITICS and self.language != "fr":
            return True
        if word in self.irregular or word in self.verb_words:
            return True
        clitics = _CLITICS.get(self.language)
        attached = clitics.match(word) if clitics else None
        return attached is not None and (attached[1] in self.irregular or attached[1] in self.verb_words)

    def has(self, group: str, word: str) -> bool:
        """Whether a folded word belongs to a closed class."""
        return word in self.words[group]

    def has_any(self, groups: tuple[str, ...], word: str) -> bool:
        """Whether a folded word belongs to one of several closed classes."""
        return word in self.unions[groups]


def split_list(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def phrase_words(phrase: str) -> tuple[str, ...]:
    """A phrase as folded words; hyphens part words as they do in a text."""
    return tuple(word for word in _WORD.findall(fold_words(phrase)) if word != "-")


@cache
def load(language: str) -> Lexicon:
    """Read a language's file. Raises LexiconDamaged when it is missing or malformed."""
    try:
        return _build(language, load_data(language))
    except (KeyError, ValueError, re.error) as error:
        raise LexiconDamaged(f"{language}.toml: {error}") from error


@cache
def load_data(language: str) -> dict[str, Any]:
    """A language's file as it stands. Raises LexiconDamaged when it is missing or no TOML."""
    path = lexicon_dir() / f"{language}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise LexiconDamaged(f"{path.name}: {error}") from error


def _build(language: str, data: dict[str, Any]) -> Lexicon:
    irregular = _irregular(language, data)
    told, orders = _conjugate(language, data, irregular)

    def to_stem(word: str) -> str:
        return word if word == GAP else stem(irregular.get(word, word), language)

    def phrases(section: str) -> dict[str, tuple[Phrase, ...]]:
        found: dict[str, list[Phrase]] = {}
        for meaning, words in data.get(section, {}).items():
            words, _, topical = words.partition(">>")
            same, _, members = words.partition(">")
            if section == "acts":
                same = _with_gaps(same) if language == "en" else _parted(same, language)
            listed = [(e, "", False) for e in split_list(same)] + [(e, "", True) for e in split_list(members)]
            for entry, mark, member in [*listed, *((e, TOPIC, False) for e in split_list(topical))]:
                stems = tuple(to_stem(word) for word in phrase_words(entry.lstrip("?")))
                if section == "nominals" and language == "en" and entry.endswith(("ing", "ings")):
                    stems = (entry.removesuffix("s"),) if len(stems) == 1 else stems  # a booking is no book
                rest = [word for word in stems[1:] if word != GAP]
                found.setdefault(stems[0], []).append(
                    Phrase(
                        stems[1:], mark + meaning, entry[0] == "?", member, 2 * len(rest), "".join(rest[-1:])
                    )
                )
        return {first: _longest_first(items) for first, items in found.items()}

    words = Classes({group: frozenset(_folded(value)) for group, value in data["words"].items()})
    numbers = data.get("numbers", {})
    verbs = _verbs(language)
    return Lexicon(
        time_words=_first_words(data, (*TIMELY, "numbers", "ordinals")) | words.get("in_word", frozenset()),
        number_words=_first_words(data, ("numbers", "fractions")),
        language=language,
        acts=phrases("acts"),
        nominals=phrases("nominals"),
        states=phrases("states"),
        concepts=phrases("concepts"),
        keep={fold_words(state): tuple(split_list(acts)) for state, acts in data.get("keep", {}).items()},
        kinds={kind: frozenset(split_list(members)) for kind, members in data.get("kinds", {}).items()},
        words=words,
        unions=Unions(words),
        stems={
            group: frozenset(to_stem(word) for word in group_words) for group, group_words in words.items()
        },
        irregular=irregular,
        numbers=_numbered(numbers),
        joiners=frozenset(_folded(numbers.get("joiner", ""))),
        ordinals=_numbered(data.get("ordinals", {})),
        fractions={
            phrase_words(entry): value
            for value, listed in data.get("fractions", {}).items()
            for entry in split_list(listed)
        },
        units=_units(data.get("units", {})),
        calendar={
            section: {
                value: tuple(tuple(phrase.split()) for phrase in _folded(listed))
                for value, listed in data.get(section, {}).items()
            }
            for section in (*TIMELY, "limits", "window")
        },
        patterns=data.get("patterns", {}),
        verbs={stem(word, language): kind for word, kind in reversed(verbs.items())},
        verb_words=frozenset(verbs) | _entry_words(data.get("acts", {})),
        known=_listed_words(data),
        told=told,
        orders=orders,
    )


TIMELY = ("weekdays", "months", "seasons", "days", "dayparts", "clock", "relative", "holidays")
_GENDERS = {"it": ("a", "i", "e"), "es": ("a", "os", "as"), "pt": ("a", "os", "as")}


def _irregular(language: str, data: Mapping[str, Any]) -> dict[str, str]:
    """Folded form -> folded base of what is listed; of 'messo' also 'messa', 'messi', 'messe'."""
    irregular = {
        fold_words(form): fold_words(base)
        for base, listed in data.get("irregular", {}).items()
        for form in split_list(listed)
    }
    for form, base in tuple(irregular.items()):
        if language in _GENDERS and form.endswith("o") and len(form) > 4:
            for ending in _GENDERS[language]:
                irregular.setdefault(form[:-1] + ending, base)
        elif language == "fr" and form.endswith(("is", "it", "ert", "u", "aint", "eint")) and len(form) > 3:
            irregular.setdefault(form + "e", base)
            irregular.setdefault(form + "es", base)
    return irregular


def _conjugate(
    language: str, data: Mapping[str, Any], irregular: dict[str, str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Add the forms of the listed verbs to `irregular` so that they share its stem.

    Returns the forms that only tell, and those that may order. Function words stay.
    """
    if language == "en":
        return frozenset(), frozenset()
    small = {word for group in _CLOSED for word in _folded(data["words"].get(group, ""))}
    infinitives = _entry_words(data.get("acts", {}))
    if language == "de":
        infinitives |= {parted[0] for word in infinitives if (parted := separated(word))}
    told: set[str] = set()
    ordering: set[str] = set()
    listed = frozenset(irregular)
    for infinitive in sorted(infinitives):
        orders, reports = forms(infinitive, language)
        told |= reports
        ordering |= orders
        for form in orders | reports:
            if form not in small and form not in infinitives:
                irregular.setdefault(form, infinitive)
    return frozenset(told - ordering - small - listed), frozenset(ordering - small)


def _parted(listed: str, language: str) -> str:
    """German: 'abschicken' is also said as 'schick ~ ab'."""
    if language != "de":
        return listed
    entries = split_list(listed)
    parted = []
    for entry in entries:
        pieces = separated(fold_words(entry.lstrip("?"))) if " " not in entry else None
        if pieces:
            parted.append(f"{'?' * entry.startswith('?')}{pieces[0]} {GAP} {pieces[1]}")
    return ", ".join(dict.fromkeys([*entries, *parted]))


_PARTICLES = frozenset(
    ["up", "down", "off", "out", "away", "back", "over", "on", "in", "through", "around", "aside"]
)


def _with_gaps(listed: str) -> str:
    """'turn up' may be parted by its object: 'turn ~ up' beside it."""
    entries = split_list(listed)
    parted = []
    for entry in entries:
        words = entry.split()
        if len(words) == 2 and words[1] in _PARTICLES:
            parted.append(f"{words[0]} {GAP} {words[1]}")
    return ", ".join(dict.fromkeys([*entries, *parted]))


def _numbered(section: Mapping[str, str]) -> dict[str, int]:
    """Folded word -> the number that its entry stands under; entries under no number are left out."""
    return {
        fold_words(word): int(value)
        for value, listed in section.items()
        if value.isdigit()
        for word in split_list(listed)
    }


def _first_words(data: Mapping[str, Any], sections: tuple[str, ...]) -> frozenset[str]:
    phrases = [
        phrase
        for section in sections
        for listed in data.get(section, {}).values()
        for phrase in _folded(listed)
    ]
    return frozenset(phrase.split()[0] for phrase in phrases)


def _folded(value: str) -> Iterable[str]:
    return (fold_words(part) for part in split_list(value))


def _longest_first(items: list[Phrase]) -> tuple[Phrase, ...]:
    return tuple(sorted(items, key=lambda item: (-len(item.rest), item.rest, item.meaning)))


def _units(section: Mapping[str, str]) -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for unit, listed in section.items():
        for entry in split_list(listed):
            words = phrase_words(entry)
            found.setdefault(words[0], []).append((words[1:], unit))
    return {first: tuple(sorted(items, key=lambda item: -len(item[0]))) for first, items in found.items()}


def _verbs(language: str) -> dict[str, str]:
    """Verbs as words -> 'V' mostly a verb, 'B' both, 'N' mostly something else."""
    path = lexicon_dir() / f"{language}-verbs.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {word: line[0] for line in lines if line and line[0] != "#" for word in line[1:].split()}


def _listed_words(data: Mapping[str, Any]) -> frozenset[str]:
    """Every single word of the sections that list words."""
    sections = ("acts", "nominals", "states", "concepts", "words", "weekdays", "months", "numbers", "units")
    listed = [
        value for section in sections for value in data.get(section, {}).values() if isinstance(value, str)
    ]
    entries = [entry.strip().lstrip("?") for value in listed for entry in re.split(r"[,>]", value)]
    return frozenset(fold_words(entry) for entry in entries if entry and " " not in entry)


def _entry_words(acts: Mapping[str, str]) -> frozenset[str]:
    """First words of all entries that name an act."""
    entries = [entry for listed in acts.values() for entry in re.split(r"[,>]", listed) if entry.strip()]
    return frozenset(phrase_words(entry.strip().lstrip("?"))[0] for entry in entries)
