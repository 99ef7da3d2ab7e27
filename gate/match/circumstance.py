"""Whether the circumstance under which a rule holds is said to be past, or not so at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from gate.constraint import LIKELY, Constraint, Part
from gate.language.lexicon import load
from gate.language.normalise import fold_words
from gate.language.reading import Clause, Mood, Reading


@cache
def _ended(language: str) -> re.Pattern[str] | None:
    source = load(language).patterns.get("ended")
    return re.compile(source) if source else None


def is_over(named: Iterable[Part], rule: Constraint, reading: Reading) -> bool:
    """Whether every statement that names one of the parts says that it is over, or denies what the rule
    affirms and affirms what it denies ('who hasn't passed theory': 'he passed it in May')."""
    qualifiers = rule.qualifiers
    parts = list(named)
    denied = any(term.denied for term in qualifiers)
    if denied:  # 'he sits his theory next week' does not say that he passed it
        parts = [part for term in qualifiers for part in term.parts]
    enough = all if denied else any
    telling = [
        clause
        for clause in reading.clauses
        if clause.mood is Mood.STATEMENT and enough(_says(part, clause, reading) for part in parts)
    ]
    unable = load(rule.language).words.get("unable", frozenset())
    able = denied and not unable.isdisjoint(fold_words(rule.sentence).split())
    return bool(telling) and all(_ends(clause, denied, able, reading) for clause in telling)


def _says(part: Part, clause: Clause, reading: Reading) -> bool:
    tokens = reading.tokens[clause.start : clause.end]
    return any(part.keys.get(key, 0.0) >= LIKELY for token in tokens for key in token.keys)


def _ends(clause: Clause, denied: bool, able: bool, reading: Reading) -> bool:
    """`able`: the rule is on those who can't, so that somebody can says enough ('she can swim')."""
    lexicon = reading.lexicon
    words = [token.text for token in reading.tokens[clause.start : clause.end] if not token.quoted]
    negated = any(lexicon.has("negator", word) for word in words)
    coming = [word for word in words if lexicon.has("to_come", word) or word.endswith("'ll")]
    if denied and any(not (able and lexicon.has("able", word)) for word in coming):
        return False  # 'we'll check them afterwards'
    if negated or denied:
        return negated != denied
    over = _ended(reading.language)
    return bool(over) and over.search(reading.words(clause)) is not None
