"""Recorded permissions: whether one of them covers a request, by who gave it, until when and for what."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from datetime import datetime

from gate.constraint import CERTAIN, Constraint
from gate.language.normalise import fold_words
from gate.language.reading import Reading, read_cached
from gate.model import Approval, Facts
from gate.taxonomy import COVERED

_SMALL = ("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler")


def in_force(facts: Facts, at: datetime) -> Facts:
    """The facts without the approvals that have ended by `at`."""
    lasting = tuple(item for item in facts.approvals if item.until is None or at < item.until)
    return facts if len(lasting) == len(facts.approvals) else replace(facts, approvals=lasting)


def approval_for(constraint: Constraint, said: Set[str], facts: Facts) -> Approval | None:
    """The approval that lifts a rule for a request that says `said` (stems, keys and act ids), or None.

    The operator's own that says what the rule waits for; else one by whom the rule asks for, of at least two
    thirds of what its subject says and of what it says beyond the rule's own words ('about the quote'). A
    rule that names no approval gives way to the operator's own alone, and to one of all that it says.
    """
    if not facts.approvals:
        return None
    wanted = [unless for unless in constraint.unless if unless.kind == "approval"]
    mine = {fold_words(name) for name in facts.operator_names}
    for approval in facts.approvals:
        subject = read_cached(approval.subject, None)
        if fold_words(approval.by) in mine and _says_it_is_so(constraint, subject):
            return approval
        words = [keys for keys in _telling(subject, approval.by) if keys]
        own = _own_keys(constraint)
        special = [keys for keys in words if keys.isdisjoint(own)]  # 'about the quote': beyond the rule's own
        if not (
            _said(words, said, whole=not wanted) and (not special or _said(special, said, whole=not wanted))
        ):
            continue
        by = fold_words(approval.by)
        if wanted:
            if any(not u.terms or any(p.word in by for term in u.terms for p in term.parts) for u in wanted):
                return approval
        elif by in mine:
            return approval
    return None


def _says_it_is_so(constraint: Constraint, subject: Reading) -> bool:
    """'the staircase is done' for a rule until it is: what the rule waits for, as its refusal names it."""
    lexicon = subject.lexicon
    if any(lexicon.has("negator", token.text) for token in subject.tokens):
        return False
    keys = {key for token in subject.tokens for key in token.keys}
    return any(
        unless.kind == "condition"
        and unless.terms
        and not lexicon.has("lacking", unless.words.partition(" ")[0])
        and all(_named(part.keys, keys) for term in unless.terms for part in term.parts)
        for unless in constraint.unless
    )


def _named(graded: Mapping[str, float], keys: Set[str]) -> bool:
    return any(grade >= CERTAIN and key in keys for key, grade in graded.items())


def _said(words: list[frozenset[str]], said: Set[str], *, whole: bool) -> bool:
    """Whether a request says two thirds of the words, at least one; with `whole` every one."""
    named = sum(not keys.isdisjoint(said) for keys in words)
    return bool(words) and named >= (len(words) if whole else max(1, (2 * len(words) + 2) // 3))


def _own_keys(constraint: Constraint) -> set[str]:
    """What the rule itself speaks of: its acts and the words of its things, people and places."""
    terms = (*constraint.objects, *constraint.recipients, *constraint.places)
    keys = {
        key for term in terms for part in term.parts for key, grade in part.keys.items() if grade >= CERTAIN
    }
    return keys.union(*(COVERED.get(act, frozenset((act,))) for act in constraint.acts))


def _telling(subject: Reading, by: str) -> list[frozenset[str]]:
    """For each word of an approval's subject that says something: everything that may stand for it."""
    lexicon = subject.lexicon
    who = set(fold_words(by).split())
    acts = {
        at: hit.act for clause in subject.clauses for hit in clause.hits for at in range(hit.start, hit.end)
    }
    return [
        frozenset((token.stem, *token.keys, *(COVERED.get(acts[at], ()) if at in acts else ())))
        for at, token in enumerate(subject.tokens)
        if token.kind != "p" and token.text not in who and not lexicon.has_any(_SMALL, token.text)
    ]
