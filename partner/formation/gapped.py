"""A verb said once for several ('Timo comes on Tuesdays, Aïcha on Wednesdays'): a claim of each.

Gapping, as grammars call it (English). Every further part has to be parallel to the first, else nothing is
parted: a claim that speaks of several would otherwise be replaced whole when one of them changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from partner.formation.calendar_words import WEEKDAYS
from partner.formation.clause import Clause
from partner.formation.grammar import DETERMINERS, PREPOSITIONS, SUBORDINATORS, finite
from partner.formation.sentences import mask
from partner.formation.verbs import form_of, lemma
from partner.formation.words import Word, listed, words

_BETWEEN = re.compile(r",\s+(?:and\s+)?|\s+and\s+")
_ME = listed("i we")
_WHEN_WHERE = listed("on at in from by")
_HIS = listed("his her its their")
_MANY = {"has": "have", "is": "are", "was": "were", "does": "do", "'s": "are"}
MAX_SUBJECT = 4
# 'My mum's birthday is 9 Feb, dad's is 3 Oct': the thing is said once.
_SAME_OF = re.compile(
    r"(?i)^(?P<first>[\w '’-]{1,40}?['’]s (?P<n>[a-z][a-z -]{2,30}?) (?P<be>is|are|was|were) [^,;]{1,40}?)"
    r"(?:,| and|, and) (?P<b>(?:my |our |the )?\w+['’]s) (?:is|are|was|were) (?P<w>[^,;]{1,40})$"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """The first part: its subject, its verb, what stands after it, and the text of all."""

    text: str
    subject: Sequence[Word]
    verb: Word
    after: Sequence[Word]


def gapped(clause: Clause) -> list[Clause]:
    """The claims of a sentence whose verb is said once, or an empty list where it is no such sentence."""
    same = _SAME_OF.match(clause.text)
    if same:
        second = f"{same['b']} {same['n']} {same['be']} {same['w']}"
        return [replace(clause, text=same["first"]), replace(clause, text=second)]
    parts = _BETWEEN.split(mask(clause.text))
    if len(parts) < 2 or '"' in clause.text:
        return []
    texts, at = [], 0
    for part in parts:
        at = clause.text.index(part, at) if part in clause.text[at:] else -1
        if at < 0:
            return []
        texts.append(clause.text[at : at + len(part)].strip())
        at += len(part)
    first = _first(texts[0])
    if first is None:
        return []
    said = [_filled(first, text.rstrip(".!")) for text in texts[1:]]
    return [replace(clause, text=t) for t in (texts[0], *said)] if all(said) else []


def _first(text: str) -> _Said | None:
    tokens = words(text)
    found = finite(tokens)
    if found is None or tokens[0].low in SUBORDINATORS or found.verb + 1 >= len(tokens):
        return None
    return _Said(text, tokens[found.subject : found.verb], tokens[found.verb], tokens[found.verb + 1 :])


def _filled(first: _Said, part: str) -> str:
    """What a part says, with the verb in its place; '' where it is not parallel to the first."""
    tokens = words(part)
    if not tokens or finite(tokens) is not None or tokens[0].low in PREPOSITIONS | SUBORDINATORS:
        return ""
    if tokens[0].low.removesuffix("s") in WEEKDAYS:
        return ""  # 'on Tuesdays and Fridays from 9 to 11'
    cut = next((i for i, t in enumerate(tokens) if i and _opens_value(t)), 0)
    if not 0 < cut <= MAX_SUBJECT or _acts(tokens[:cut]):
        return ""
    anchor = _anchor(first.after, tokens[cut])
    if anchor < 0:
        return ""
    between = first.after[:anchor]
    mine = _shape(first.subject)
    counted = first.after[0].number or first.after[0].low in DETERMINERS
    if mine == "me" and counted and _shape(tokens) == "bare" and not tokens[0].number:
        return ""  # 'I ordered 40 tubes, delivery next Tuesday'
    if any(t.low not in PREPOSITIONS for t in between) and (mine == "me" or _shape(tokens) == "bare"):
        whole = [first.verb, *(between[:1] if between[0].low in PREPOSITIONS else ())]
        return f"{_span(first.text, [*first.subject, *whole])} {part}" if mine != "bare" else ""
    if mine == "me" or (
        not _opens_sentence(first.subject) and (mine == "bare") != (_shape(tokens) == "bare")
    ):
        return ""
    subject, value = part[: tokens[cut - 1].end], part[tokens[cut].start :]
    verb = _agreeing(first.verb.text, tokens[:cut])
    told = " ".join("a" if t.low in _HIS else t.text for t in between)
    return " ".join(p for p in (subject, verb, told, value) if p)


def _acts(tokens: Sequence[Word]) -> bool:
    """'and inspire others', 'and reading': verbs of the first part's subject, no subjects of their own."""
    named = tokens[0].capital or tokens[0].low in DETERMINERS
    return any(form_of(t.low) == "ing" for t in tokens) or (not named and form_of(tokens[0].low) != "")


def _opens_value(word: Word) -> bool:
    named = word.low in WEEKDAYS
    return word.low in PREPOSITIONS - {"of"} or word.number or named or word.low in DETERMINERS


def _anchor(after: Sequence[Word], opener: Word) -> int:
    """Where the value that the opener's is parallel to begins in the first part; -1 where there is none."""
    if opener.low in PREPOSITIONS:
        alike = _WHEN_WHERE if opener.low in _WHEN_WHERE else {opener.low}
        same = next((i for i, t in enumerate(after) if t.low == opener.low), -1)
        return same if same >= 0 else next((i for i, t in enumerate(after) if t.low in alike), -1)
    if opener.low in DETERMINERS:
        return 0 if after[0].low in DETERMINERS else -1
    return next((i for i, t in enumerate(after) if t.number or t.low in WEEKDAYS), -1)


def _shape(tokens: Sequence[Word]) -> str:
    """'me', 'named' (a name, or a noun with its determiner) or 'bare'."""
    if len(tokens) == 1 and tokens[0].low in _ME:
        return "me"
    return "named" if tokens[0].capital or tokens[0].low in DETERMINERS else "bare"


def _opens_sentence(subject: Sequence[Word]) -> bool:
    """A first word's capital tells nothing: 'Flour costs 3 euros, sugar 2'."""
    return len(subject) == 1 and subject[0].start == 0


def _span(text: str, tokens: Sequence[Word]) -> str:
    return text[tokens[0].start : tokens[-1].end]


def _agreeing(verb: str, subject: Sequence[Word]) -> str:
    """'has' of the twins is 'have'."""
    last = subject[-1].low
    several = subject[0].low in DETERMINERS and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    if not several:
        return verb
    low = verb.lower()
    return _MANY.get(low) or (lemma(low) if form_of(low) == "s" else verb)
