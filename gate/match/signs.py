"""What a text and its clauses show, whatever the rule: worked out once, counted in by features.py."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from gate.compile.gist import SMALL
from gate.constraint import Part
from gate.language.lexicon import Lexicon, load
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.tokens import Token
from gate.match.contact import context_keys
from gate.match.region import Region, region_of, unquoted
from gate.match.view import TextView

_DENYING = ("negator", "taking_out")


@dataclass(slots=True)  # not frozen: made for every clause, in half the time
class Places:
    """Keys of some words of a text, each with the token that says it (-1: said elsewhere)."""

    at: Mapping[str, int]

    def best(self, part: Part) -> tuple[float, int]:
        """How well a part is named, and where."""
        grade, place = 0.0, -1
        if part.keys.keys().isdisjoint(self.at.keys()):
            return grade, place
        if len(self.at) < len(part.keys):
            for key, index in self.at.items():
                worth = part.keys.get(key, 0.0)
                if worth > grade:
                    grade, place = worth, index
        else:
            for key, worth in part.keys.items():
                if worth > grade and key in self.at:
                    grade, place = worth, self.at[key]
        return grade, place


@dataclass(slots=True)  # not frozen: made for every clause, in half the time
class TextSigns:
    """What a text as a whole shows; worked out once for all rules."""

    soft: tuple[Region, ...]  # questions that may be polite orders: never more than a question back
    said: Places
    denied: Places
    keys: Mapping[str, float]  # of every word, whatever it is said for
    recorded: frozenset[str]
    numbers: Mapping[str, float]


@dataclass(slots=True)  # not frozen: made for every clause, in half the time
class ClauseSigns:
    """What a clause shows, whatever the rule."""

    own: Places
    sentence: Places
    near: Places
    acts: tuple[ActHit, ...]
    known: bool  # one of its verbs has an act for sure
    denies: bool
    numbers: Mapping[str, float]


@cache
def small_words(language: str) -> frozenset[str]:
    """Words of a language that tell nothing by themselves."""
    words = load(language).words
    return frozenset().union(*(words.get(group, frozenset()) for group in SMALL))


@cache
def _soft(language: str) -> re.Pattern[str] | None:
    source = load(language).patterns.get("soft")
    return re.compile(source) if source else None


def _telling(token: Token, small: frozenset[str]) -> bool:
    if token.quoted or (token.kind == "p" and token.text.isascii()):
        return False
    return token.kind != "w" or token.text not in small


def _told(reading: Reading) -> list[tuple[str, ...] | None]:
    """Keys of every token that tells something, None for the others; worked out once."""
    if reading.telling is None:
        small = small_words(reading.language)
        reading.telling = [token.keys if _telling(token, small) else None for token in reading.tokens]
    return reading.telling


def _places(reading: Reading, indices: Iterable[int]) -> Places:
    told = _told(reading)
    found: dict[str, int] = {}
    for index in indices:
        keys = told[index]
        if keys:
            for key in keys:
                if key not in found:
                    found[key] = index
    return Places(found)


def _denies(reading: Reading, clause: Clause, texts: Iterable[str]) -> bool:
    denying = reading.lexicon.unions[_DENYING]
    return not denying.isdisjoint(texts) or any(hit.negated for hit in clause.hits)


def text_signs(view: TextView) -> TextSigns:
    """The signs of a view's text."""
    if view.signs is None:
        view.signs = _text_signs(view.reading)
    return view.signs


def _text_signs(reading: Reading) -> TextSigns:
    lexicon, clauses, tokens = reading.lexicon, reading.clauses, reading.tokens
    pattern = _soft(reading.language)
    soft = [
        position
        for position, clause in enumerate(clauses)
        if pattern
        and clause.mood is Mood.QUESTION
        and not lexicon.has("question", clause.link)
        and pattern.match(_asked_words(reading, clause))
    ]
    texts = [token.text for token in tokens]
    denied = [c for c in clauses if c.refrains or _denies(reading, c, texts[c.start : c.end])]
    words = frozenset(texts)
    speaker = load("en").words["speaker"]  # weighed in every language as fitted: 'me' is said in several
    total = max(1, [token.kind for token in tokens].count("w"))
    chat = _count(texts, words, lexicon.words.get("chat", frozenset()))
    return TextSigns(
        soft=tuple(region_of(reading, position) for position in soft),
        said=_places(reading, (i for c in clauses if not c.refrains for i in unquoted(reading, c))),
        denied=_places(reading, (i for c in denied for i in range(c.start, c.end))),
        keys=dict.fromkeys((key for token in tokens for key in token.keys), 1.0),
        recorded=words & lexicon.words.get("recorded", frozenset()),
        numbers={
            "text_refrains": float(any(clause.refrains for clause in clauses)),
            "text_undoes": _any(words, lexicon, "undoing"),
            "text_past": _any(words, lexicon, "past_time"),
            "text_questions": float(
                any(c.mood is Mood.QUESTION for at, c in enumerate(clauses) if at not in soft)
            ),
            "text_chat": float(chat > 0),
            "text_chat_share": min(1.0, 10 * chat / total),
            "text_mine": min(1.0, 8 * (_count(texts, words, speaker) - _asides(texts, lexicon)) / total),
        },
    )


def _asked_words(reading: Reading, clause: Clause) -> str:
    """The clause from its first word that is no filler: 'So could you ...'."""
    at = clause.start
    while at < clause.end - 1 and (
        reading.tokens[at].kind == "p" or reading.lexicon.has("filler", reading.tokens[at].text)
    ):
        at += 1
    return reading.folded.text[reading.tokens[at].start : reading.tokens[clause.end - 1].end]


def asking_regions(view: TextView) -> tuple[Region, ...]:
    """Regions of the clauses that ask for something, and of the questions that may."""
    return (*view.regions, *text_signs(view).soft)


def _any(words: frozenset[str], lexicon: Lexicon, group: str) -> float:
    return float(not words.isdisjoint(lexicon.words.get(group, frozenset())))


def _count(texts: list[str], said: frozenset[str], words: frozenset[str]) -> int:
    return sum(texts.count(word) for word in said & words)


def _asides(texts: list[str], lexicon: Lexicon) -> int:
    """How often the text says 'I' only to say that something is known or thought: 'I know it is red'."""
    return sum(
        first == "i" and lexicon.has("aside_verb", second) for first, second in itertools.pairwise(texts)
    )


def own_places(reading: Reading, region: Region) -> Places:
    """What the region's own words say."""
    if "own" not in region.kept:
        region.kept["own"] = _places(reading, region.own)
    return region.kept["own"]


def region_places(reading: Reading, region: Region) -> Places:
    """What the region says, with what it points back to."""
    if "places" not in region.kept:
        own, where = own_places(reading, region).at, region.where
        region.kept["places"] = Places({**{key: where.get(key, -1) for key in region.keys}, **own})
    return region.kept["places"]


def clause_signs(reading: Reading, region: Region) -> ClauseSigns:
    """The signs of a region's clause."""
    if "signs" not in region.kept:
        region.kept["signs"] = _clause_signs(reading, region)
    return region.kept["signs"]


def _clause_signs(reading: Reading, region: Region) -> ClauseSigns:
    clause, lexicon = region.clause, reading.lexicon
    sentence = reading.sentences[clause.sentence]
    acts = tuple(hit for hit in clause.hits if not hit.nominal and not hit.negated)
    said = [token.text for token in reading.tokens[sentence.start : sentence.end]]
    texts = said[clause.start - sentence.start : clause.end - sentence.start]
    told = _told(reading)
    return ClauseSigns(
        own=own_places(reading, region),
        sentence=_places(reading, range(sentence.start, sentence.end)),
        near=Places(dict.fromkeys(context_keys(reading, region), -1)),
        acts=acts,
        known=any(hit.sure and not hit.inferred for hit in acts),
        denies=_denies(reading, clause, texts),
        numbers={
            "order": float(clause.mood is Mood.ORDER and not clause.weak and not clause.tentative),
            "wish": float(clause.mood is Mood.WISH and not clause.weak),
            "weak": float(clause.weak),
            "polite": float(not lexicon.words["please"].isdisjoint(said)),
            "verb_first": float(bool(clause.verbs) and clause.verbs[0] - clause.start <= 1),
            "own_words": min(15, len([i for i in region.own if told[i] is not None])) / 10,
            "soft": float(clause.mood is Mood.QUESTION),
            "to_you": float(not load("en").words["spoken_to"].isdisjoint(texts)),
        },
    )
