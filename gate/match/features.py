"""What there is to see between a rule and a clause that asks for something, as numbers.

Nothing here decides. Every number is a count, a share or a grade from words that are said: what the clause is
(an order, a wish, a polite question), how much of the rule's gist it names and how well, whether its act is
the rule's, and what speaks against it. gate/match/asking.py weighs them; SEMANTICS.md names each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from gate.compile.gist import SMALL
from gate.constraint import Constraint, Part
from gate.language.lexicon import Lexicon, load
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.tokens import Token
from gate.match.acts import SURE, declines
from gate.match.contact import context_keys
from gate.match.region import Region, region_of
from gate.match.view import TextView
from gate.taxonomy import covers, near

PLAIN, TOUCH, ALIGNED = 0.8, 0.45, 0.75  # grades: said plainly, touched, the same word for all purposes
FEATURES = (
    *("order", "wish", "weak", "polite", "verb_first", "to_you"),
    *("act", "act_sure", "object", "act_object", "act_gist", "covered", "family", "declines", "undoes"),
    *("other_act_gist", "order_gist", "region_gist", "region_plain", "own_most", "own_touched", "near_gist"),
    *("near_most", "text_most", "name_unsaid", "own_name", "sentence_plain", "denied_gist", "denied_word"),
    *("other_kind", "same_kind", "time_met", "limit_passed", "value_named"),
    *(
        "text_refrains",
        "text_undoes",
        "text_records",
        "text_past",
        "text_chat",
        "text_chat_share",
        "text_mine",
    ),
    *("text_questions", "own_words", "soft", "act_alone"),
)
_UNDOING = frozenset(
    ("cancel", "delete", "remove", "refund", "give_back", "reject", "repair", "stop", "change", "discard")
) | {"refrain"}
_FIRST = frozenset(("i", "my", "me", "i'm", "i've", "i'd", "i'll", "mine"))
_SECOND = frozenset(("you", "your"))


@dataclass(frozen=True, slots=True)
class Places:
    """Keys of some words of a text, each with the token that says it (-1: said elsewhere)."""

    at: Mapping[str, int]

    def best(self, part: Part) -> tuple[float, int]:
        """How well a part is named, and where."""
        grade, place = 0.0, -1
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


@dataclass(frozen=True, slots=True)
class TextSigns:
    """What a text as a whole shows; worked out once for all rules."""

    soft: tuple[Region, ...]  # questions that may be polite orders: never more than a question back
    said: Places
    denied: Places
    keys: Mapping[str, float]  # of every word, whatever it is said for
    recorded: frozenset[str]
    numbers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ClauseSigns:
    """What a clause shows, whatever the rule."""

    own: Places
    region: Places
    sentence: Places
    near: Places
    acts: tuple[ActHit, ...]
    known: bool  # one of its verbs has an act for sure
    denies: bool
    numbers: Mapping[str, float]


@cache
def _small(language: str) -> frozenset[str]:
    words = load(language).words
    return frozenset().union(*(words.get(group, frozenset()) for group in SMALL))


@cache
def _soft(language: str) -> re.Pattern[str] | None:
    source = load(language).patterns.get("soft")
    return re.compile(source) if source else None


def _telling(reading: Reading, token: Token) -> bool:
    if token.quoted or (token.kind == "p" and token.text.isascii()):
        return False
    return token.kind != "w" or token.text not in _small(reading.language)


def _places(reading: Reading, indices: Iterable[int]) -> Places:
    found: dict[str, int] = {}
    for index in indices:
        token = reading.tokens[index]
        if _telling(reading, token):
            for key in token.keys:
                found.setdefault(key, index)
    return Places(found)


def _denies(reading: Reading, clause: Clause) -> bool:
    lexicon = reading.lexicon
    return any(hit.negated for hit in clause.hits) or any(
        lexicon.has("negator", token.text) or lexicon.has("taking_out", token.text)
        for token in reading.tokens[clause.start : clause.end]
    )


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
    denied = [clause for clause in clauses if clause.refrains or _denies(reading, clause)]
    words = frozenset(token.text for token in tokens)
    total = max(1, sum(token.kind == "w" for token in tokens))
    chat = _count(tokens, lexicon.words.get("chat", frozenset()))
    return TextSigns(
        soft=tuple(region_of(reading, position) for position in soft),
        said=_places(reading, (i for c in clauses if not c.refrains for i in range(c.start, c.end))),
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
            "text_mine": min(1.0, 8 * _count(tokens, _FIRST) / total),
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


def _count(tokens: Iterable[Token], words: frozenset[str]) -> int:
    return sum(token.text in words for token in tokens)


def clause_signs(reading: Reading, region: Region) -> ClauseSigns:
    """The signs of a region's clause."""
    if "signs" not in region.kept:
        region.kept["signs"] = _clause_signs(reading, region)
    return region.kept["signs"]


def _clause_signs(reading: Reading, region: Region) -> ClauseSigns:
    clause, lexicon = region.clause, reading.lexicon
    sentence = reading.sentences[clause.sentence]
    own = _places(reading, region.own)
    acts = tuple(hit for hit in clause.hits if not hit.nominal and not hit.negated)
    texts = {token.text for token in reading.tokens[clause.start : clause.end]}
    return ClauseSigns(
        own=own,
        region=Places({**{key: region.where.get(key, -1) for key in region.keys}, **own.at}),
        sentence=_places(reading, range(sentence.start, sentence.end)),
        near=Places(dict.fromkeys(context_keys(reading, region), -1)),
        acts=acts,
        known=any(hit.sure and not hit.inferred for hit in acts),
        denies=_denies(reading, clause),
        numbers={
            "order": float(clause.mood is Mood.ORDER and not clause.weak and not clause.tentative),
            "wish": float(clause.mood is Mood.WISH and not clause.weak),
            "weak": float(clause.weak),
            "polite": float(
                any(lexicon.has("please", t.text) for t in reading.tokens[sentence.start : sentence.end])
            ),
            "verb_first": float(bool(clause.verbs) and clause.verbs[0] - clause.start <= 1),
            "own_words": min(15, sum(_telling(reading, reading.tokens[i]) for i in region.own)) / 10,
            "soft": float(clause.mood is Mood.QUESTION),
            "to_you": float(not texts.isdisjoint(_SECOND)),
        },
    )


@dataclass(frozen=True, slots=True)
class Settled:
    """What the matcher worked out for a rule and a clause: levels 0 to 2, and what the slots say."""

    act: int
    about: int
    time_met: bool
    limit_passed: bool
    value_named: bool  # the text itself names the time or the value


@dataclass(frozen=True, slots=True)
class _Share:
    """How much of a gist is said somewhere."""

    soft: float  # grades by weight
    most: float  # the best grade of a word that tells something
    plain: float  # words said plainly, in thirds, three at most
    touched: float  # words touched, in quarters, four at most
    name_said: bool
    name_unsaid: bool


_NO_GIST = _Share(0.5, 0.5, 0.5, 0.5, False, False)


def _share(gist: tuple[Part, ...], places: Places) -> _Share:
    things = [part for part in gist if part.weight > 0.0]
    if not things:
        return _NO_GIST
    grades = [places.best(part)[0] for part in things]
    names = [grade for part, grade in zip(things, grades, strict=True) if part.exact]
    return _Share(
        soft=sum(part.weight * grade for part, grade in zip(things, grades, strict=True))
        / sum(part.weight for part in things),
        most=max(grade * min(1.0, part.weight + 0.1) for part, grade in zip(things, grades, strict=True)),
        plain=min(3, sum(grade >= PLAIN for grade in grades)) / 3,
        touched=min(4, sum(grade >= TOUCH for grade in grades)) / 4,
        name_said=bool(names) and max(names) >= 0.9,
        name_unsaid=bool(names) and max(names) < 0.9,
    )


def features(constraint: Constraint, view: TextView, region: Region, settled: Settled) -> dict[str, float]:
    """Every feature of FEATURES for one rule and one clause."""
    reading, text = view.reading, text_signs(view)
    signs, gist = clause_signs(reading, region), constraint.gist
    own, whole = _share(gist, signs.own), _share(gist, signs.region)
    around, everywhere = _share(gist, signs.near), _share(gist, text.said)
    family = any(near(act, hit.act) for hit in signs.acts for act in constraint.acts)
    covered = max(
        (1.0 if hit.sure else 0.6 for hit in signs.acts if any(covers(a, hit.act) for a in constraint.acts)),
        default=0.0,
    )
    other = float(signs.known and not covered and not family)
    undoes = any(hit.act in _UNDOING for hit in signs.acts) and not constraint.acts.keys() & _UNDOING
    other_kind, same_kind = _kinds(gist, reading, text)
    act, about = settled.act / 2, settled.about / 2
    return {
        **text.numbers,
        **signs.numbers,
        "act_alone": float(max(whole.touched, everywhere.touched) == 0.0),
        "act": act,
        "act_sure": float(settled.act == SURE),
        "object": about,
        "act_object": act * about,
        "act_gist": act * whole.soft,
        "covered": covered,
        "family": float(family),
        "declines": float(declines(constraint, region.clause)),
        "undoes": float(undoes),
        "other_act_gist": other * whole.soft,
        "order_gist": signs.numbers["order"] * whole.soft,
        "region_gist": whole.soft,
        "region_plain": whole.plain,
        "own_most": own.most,
        "own_touched": own.touched,
        "near_gist": around.soft,
        "near_most": around.most,
        "text_most": everywhere.most,
        "name_unsaid": float(everywhere.name_unsaid),
        "own_name": float(own.name_said),
        "sentence_plain": _share(gist, signs.sentence).plain,
        "denied_gist": float(signs.denies) * whole.soft,
        "denied_word": max((text.denied.best(part)[0] for part in gist), default=0.0),
        "other_kind": float(other_kind) * (1.0 - own.soft),
        "same_kind": float(same_kind),
        "time_met": float(settled.time_met),
        "limit_passed": float(settled.limit_passed),
        "value_named": float(settled.value_named),
        "text_records": float(bool(text.recorded - {part.word for part in gist})),
    }


def _kinds(gist: tuple[Part, ...], reading: Reading, text: TextSigns) -> tuple[bool, bool]:
    """Whether a word of the rule stands behind a word that is none of it, and behind one that is."""
    lexicon = reading.lexicon
    other = same = False
    for part in gist:
        grade, at = text.said.best(part) if part.weight else (0.0, -1)
        if grade < ALIGNED or at < 1:
            continue
        before = reading.tokens[at - 1]
        if (
            before.kind != "w"
            or before.text in _small(reading.language)
            or lexicon.has("generic", before.text)
        ):
            continue
        if any(one.keys.get(key, 0.0) >= TOUCH for one in gist for key in before.keys):
            same = True
        elif not before.quoted and at - 1 not in reading.verb_places:
            other = True
    return other, same


def likenesses(constraint: Constraint, view: TextView, region: Region) -> list[tuple[str, str, float]]:
    """Which words of the request are near to which of the rule, the nearest first: (said, rule's, grade)."""
    reading = view.reading
    found = []
    for part in constraint.gist:
        for places in (clause_signs(reading, region).region, text_signs(view).said):
            grade, at = places.best(part)
            if grade >= TOUCH and at >= 0:
                found.append((reading.tokens[at].text, part.word, grade))
                break
    return sorted(dict.fromkeys(found), key=lambda one: -one[2])
