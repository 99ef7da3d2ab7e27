"""Pronouns get the words they stand for where that is certain, so that a claim can be read alone (English).

Certain is: the nearest clause that mentions anything has exactly one phrase that agrees, or one that stands
free while the others hang on prepositions. Otherwise nothing is put in a pronoun's place: the clause is read
together with the sentence before it, or stays as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from partner.formation.chatter import ties
from partner.formation.grammar import DETERMINERS, finite, imperative
from partner.formation.meant import not_healers, rivals, second_of_couple, without_operator
from partner.formation.mentions import PERSONAL, PLURAL, Mention, mentions, named_as
from partner.formation.verbs import AUXILIARIES, COPULA, form_of, lemma
from partner.formation.words import listed, words

_PRONOUN = re.compile(
    r"(?i)^(?P<p>he|she|it|they|this|that|these|those|his|her|its|their)\b(?P<c>['’](?:s|re|"
    r"ll|ve|d))?(?=\s|[,;])"
)
_CLEFT = re.compile(r"(?i)it(?:['’]s| is| was) [^,;]{2,40} (?:who|that) \w")
_OBJECT = re.compile(
    r"(?i)\b(?P<p>it|them|him|her|this|that|those|these)\b(?=[\s.!,;]*$|\s+(?:to|in|on|at|for|"
    r"from|with|by|out|off|up|down|away|before|after|until|unless|without|into|near|under|"
    r"over|again|anywhere|alone|open|unattended|outside|inside|directly|ever|yourself|twice|"
    r"first|last|now|instead|too|please|today|tomorrow|any|anymore|and|or|but|if|when|"
    r"because)\b)"
)
_VAGUE = re.compile(
    r"(?i)\b(?:thing|things|something|someone|somebody|anything|one|ones|point|issue|problem|"
    r"condition|question|matter|request|wish|way|reason|news|idea|stuff|lot|bit)s?$"
)


# What things in the plural do; 'they charge 140' and 'they want it back' speak of people.
_OF_THINGS = listed("""be have cost need come go stand lie hang weigh hold last fit run arrive start begin end
    open close contain belong look measure carry smell taste sell live grow work leave stay take fill
    include expire mean show make break fall rise meet matter""")
_SPEAKS = re.compile(r"(?i)\b(?:about|tell|told|tells|ask|asked|asks|remind\w*|call\w*|wr[io]te|wrote)\b")
MAX_CLAUSES_BACK = 6
MAX_WORDS_OF_A_CRY = 3  # 'Thanks!' between them parts no pronoun from its thing


@dataclass(slots=True)
class Antecedents:
    """What the clauses so far mention, newest last; `sentence` is the last one read of this turn."""

    clauses: list[tuple[Sequence[Mention], bool, bool, str]] = field(default_factory=list)
    sentence: str = ""

    def read(self, clause: str, *, sentence: bool = True) -> None:
        """Take in what a clause mentions, its pronouns resolved already.

        With `sentence` off that is all: nothing that follows is joined to that sentence.
        """
        found = without_operator(clause, mentions(clause))
        if found or len(words(clause)) > MAX_WORDS_OF_A_CRY:
            self.clauses.append((found, _SPEAKS.search(clause) is not None, _acts(clause), clause))
            del self.clauses[:-MAX_CLAUSES_BACK]
        if sentence:
            self.sentence = clause

    def pick(self, pronoun: str, said: str = "") -> str:
        """The phrase that a pronoun stands for, or '' where that is not certain; `said` follows it."""
        for found, spoken, act, clause in reversed(self.clauses):
            agreeing = not_healers([m for m in found if m.agrees(pronoun)], said)
            if pronoun in PERSONAL and (second := second_of_couple(clause, agreeing)):
                return second
            if rivals(clause, agreeing, pronoun):
                return ""
            if pronoun not in PLURAL and pronoun not in PERSONAL:
                agreeing = [m for m in agreeing if not m.person()] or agreeing
                if act or not agreeing or not any(m.free or m.subject for m in agreeing):
                    return ""
            if agreeing:
                return _certain(agreeing, spoken=spoken)
            if pronoun in PLURAL and any(m.rivals() for m in found):
                return ""
        return ""


def _acts(clause: str) -> bool:
    """Whether a clause tells of doing something, which 'it' may stand for ('trying to cut down is hard')."""
    tokens = words(clause)
    return any(
        (form_of(b.low) == "ing" and a.low not in COPULA | DETERMINERS)
        or (a.low == "to" and form_of(b.low) == "base" and not b.capital)
        for a, b in pairwise(tokens)
    ) or (bool(tokens) and form_of(tokens[0].low) == "ing")


def _certain(agreeing: list[Mention], *, spoken: bool) -> str:
    if len({m.text for m in agreeing}) == 1:
        return agreeing[0].text
    joint = [m for m in agreeing if " and " in m.text]
    if len(joint) == 1 and all(m.text in joint[0].text for m in agreeing):
        return joint[0].text
    free = [m for m in agreeing if m.free]
    return free[0].text if len(free) == 1 and not spoken else ""


def resolve(clause: str, known: Antecedents) -> tuple[str, bool]:
    """The clause with its leading or object pronoun replaced; and whether it needs the sentence before it
    to be understood."""
    text = clause
    head = _PRONOUN.match(text)
    if head and _CLEFT.match(text):
        head = None  # 'it's Priya who is off on Mondays'
    if head and head["p"].lower() in _POINTERS and not _points(text[head.end() :], head["c"]):
        head = None  # 'that mindset' names its thing itself
    if head and not re.match(
        r"(?i)(?:it|this|that)(?:['’]s| is| was| will be)? (?:(?:so|very|really|such an?|quite|just) )*"
        r"(?:\w+ (?:to (?:be|have|get|see|look|take|know|think|feel|hear|make|do|go|keep|find|watch|escape|"
        r"share|say|live|come|spend)\b|being\b|how\b)|decided|settled|agreed|final|"
        r"official|important|forbidden|clear|time|not allowed|allowed|possible|prohibited|enough|"
        r"true|(?:important|necessary|good|best|better|easy|hard|possible|likely|nice|great) "
        r"(?:to|that)\b)",
        text,
    ):
        pronoun = head["p"].lower()
        asked = "it" if pronoun in ("this", "that") else pronoun
        phrase = known.pick(asked, _contraction(head["c"] or "", text[head.end() :]) + text[head.end() :])
        if phrase and pronoun in PLURAL and not _may_do(phrase, text[head.end() :]):
            phrase = ""
        if phrase and _VAGUE.search(phrase):
            return text, True
        if phrase and not known.sentence and pronoun not in PERSONAL and not ties(text):
            return text, False  # a remark that opens a turn may well be about what the partner said
        if phrase:
            possessive = pronoun in ("his", "its", "their") or (
                pronoun == "her" and not _verb_follows(text, head.end())
            )
            name = _possessive(_the(phrase)) if possessive else _the(phrase)
            text = _upper(name) + _contraction(head["c"] or "", text[head.end() :]) + text[head.end() :]
        elif pronoun not in ("this", "that"):
            return text, bool(known.sentence) and ties(text)
    return _objects(text, known, skip=head is not None), False


def _points(after: str, contracted: str | None) -> bool:
    """Whether 'this' and its like stand alone before a verb."""
    tokens = words(after[:40])
    return bool(contracted) or (
        bool(tokens) and (tokens[0].low in AUXILIARIES or form_of(tokens[0].low) in ("s", "base", "past"))
    )


_POINTERS = frozenset(("this", "that", "these", "those"))


def _may_do(phrase: str, said: str) -> bool:
    """Whether what is told of 'them' can be told of that phrase: things do little of their own accord."""
    if Mention(phrase, subject=True, free=True, several=True).person() or named_as(phrase):
        return True
    tokens = [t for t in words(said)[:4] if form_of(t.low) or t.low in AUXILIARIES]
    verb = next((t.low for t in tokens if t.low not in AUXILIARIES), "")
    return any(t.low in COPULA for t in tokens) or lemma(verb) in _OF_THINGS


def _the(phrase: str) -> str:
    """Spoken of again, 'a kiln' is 'the kiln' and 'two sons' are 'the two sons'."""
    again = re.sub(r"(?i)^an? (?=\w)", "the ", phrase)
    first = again.split(" ")[0].lower()
    counted = first in _COUNTED or (first not in DETERMINERS and not again[:1].isupper() and again != first)
    return f"the {again}" if counted or (again.islower() and " " not in again) else again


_COUNTED = listed("two three four five six seven eight nine ten several many few")


def _objects(text: str, known: Antecedents, *, skip: bool) -> str:
    match = _OBJECT.search(text, 1)
    if not match:
        return text
    pronoun = match["p"].lower()
    if pronoun in _POINTERS:
        return text  # 'never do that': an act as often as a thing
    if not (skip and pronoun == "it") and _own(text, match.start(), pronoun):
        return text
    if not known.sentence and not skip and not imperative(text):
        return text
    phrase = known.pick(pronoun)
    if not phrase or _VAGUE.search(phrase):
        return text
    return text[: match.start()] + _lower(_the(phrase)) + text[match.end() :]


def _own(text: str, at: int, pronoun: str) -> bool:
    """The clause itself names what the pronoun may stand for ('The pump fails when it is cold')."""
    own = mentions(text[:at])
    return finite(words(text)) is not None and any(m.agrees(pronoun) for m in own)


def _verb_follows(text: str, at: int) -> bool:
    tokens = words(text[at : at + 40])
    return bool(tokens) and (tokens[0].low in AUXILIARIES or form_of(tokens[0].low) == "s")


def _possessive(phrase: str) -> str:
    return phrase + ("'" if phrase.endswith("s") else "'s")


def _contraction(mark: str, after: str) -> str:
    """'it's been' and 'he's earned them' have another verb in them than 'it's locked'."""
    if mark[1:].lower() == "s" and (_HAS.match(after) or _has_object(after)):
        return " has"
    full = {"s": " is", "re": " are", "ll": " will", "ve": " have", "d": " would"}
    return full.get(mark[1:].lower(), "") if mark else ""


_HAS = re.compile(
    r" (?:\w+ly |just |already |now |also )?(?:been|got|had|become|taken|gone|come|grown|fallen|quit|"
    r"(?:moved|switched|changed|returned|retired) (?:to|from|into|back|jobs|schools))\b"
)
_NAMES = listed("call name title dub elect appoint nickname")
_OBJECTS = DETERMINERS - listed("all both two three four five six seven eight nine ten") | listed(
    "it them him me us"
)


def _has_object(after: str) -> bool:
    """A participle with an object of its own is no passive: 'she's made a cake', not 'it's made of oak'."""
    tokens = [t for t in words(after[:60]) if not t.low.endswith("ly")][:2]
    if len(tokens) < 2 or form_of(tokens[0].low) != "past" or lemma(tokens[0].low) in _NAMES:
        return False
    return tokens[1].low in _OBJECTS


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    """A phrase taken from the start of a sentence loses its capital unless it is a name."""
    first = text.split(" ")[0]
    return text[:1].lower() + text[1:] if first.lower() in DETERMINERS else text
