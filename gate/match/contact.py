"""Whether an order touches what a rule is about, short of naming act and object: ground to ask, never to refuse.

The guards of mood come first; here only clauses that ask for something are looked at. What counts as
contact: a word of the rule's object, recipient or place anywhere in what the text says (not in what it
denies or quotes), or the rule's act on a thing that is not named or of the same broad kind.
"""

from __future__ import annotations

from gate.constraint import Constraint, Term
from gate.language.reading import ActHit, Mood, Reading
from gate.language.thesaurus import noun_class
from gate.match.acts import SURE, act_level, declines, records, tells_the_operator
from gate.match.region import Region, part_best
from gate.taxonomy import LOOKING

TOUCH = 0.45  # grade from which a word of the rule is touched
_PERSON = "18"
_KINDS = frozenset(("5", "6", "10", "13", "14", "15", "18", "20", "21", "27"))


def context_keys(reading: Reading) -> dict[str, float]:
    """Every key that the text says in earnest: not quoted, not denied, not in a question."""
    keys: dict[str, float] = {}
    for clause in reading.clauses:
        if clause.refrains or clause.mood is Mood.QUESTION or any(hit.negated for hit in clause.hits):
            continue
        for index in range(clause.start, clause.end):
            token = reading.tokens[index]
            if not token.quoted and index not in reading.verb_places:
                for key in token.keys:
                    keys.setdefault(key, 1.0)
    return keys


def touches(constraint: Constraint, region: Region, reading: Reading, context: dict[str, float]) -> bool:
    """Whether the clause of `region` may be about the rule: reason enough to ask."""
    clause = region.clause
    if clause.weak or clause.refrains or clause.mood is Mood.FRAGMENT or constraint.paths or constraint.hosts:
        return False
    if declines(constraint, clause) or tells_the_operator(constraint, region, reading):
        return False
    if records(region, reading) or _only_looks(constraint, region):
        return False
    groups = [group for group in (constraint.objects, constraint.recipients, constraint.places) if group]
    level, hit = act_level(constraint, region, reading)
    least = 1 if hit is not None else 2
    if any(
        _touched(term, region, reading, context, least) for group in groups for term in group if not term.soft
    ):
        return True
    return level == SURE and hit is not None and bool(constraint.objects) and _described(constraint, hit, region, reading)


def _touched(
    term: Term, region: Region, reading: Reading, context: dict[str, float], least: int
) -> bool:
    """At least so many telling words of the term are said, and no other stands where a missing one would."""
    if any(grade * context.get(key, 0.0) >= TOUCH for key, grade in term.whole.items()):
        return True
    telling = [part for part in term.parts if part.weight >= 1.0]
    grades = [part_best(part, context) for part in telling]
    if sum(grade >= TOUCH for grade, _ in grades) < min(least, len(telling)):
        return False
    missing = [part for part, (grade, _) in zip(telling, grades, strict=True) if grade < TOUCH]
    if any(part.exact for part in missing):
        return False
    if not missing or missing[-1] is telling[-1]:
        return True
    return not _other_kind(grades[-1][1], region, reading)


def _other_kind(head_key: str, region: Region, reading: Reading) -> bool:
    """The rule's head noun is said with another word before it: 'the south apse' for 'the north apse'."""
    index = region.where.get(head_key, -1)
    if index < 1:
        return False
    before = reading.tokens[index - 1]
    lexicon = reading.lexicon
    small = ("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "generic")
    return before.kind == "w" and not any(lexicon.has(group, before.text) for group in small)


def _only_looks(constraint: Constraint, region: Region) -> bool:
    verbs = [hit for hit in region.clause.hits if not hit.nominal]
    if constraint.acts.keys() & LOOKING or not verbs:
        return False
    return all(hit.act in LOOKING or hit.negated for hit in verbs)


def _described(constraint: Constraint, hit: ActHit, region: Region, reading: Reading) -> bool:
    """The act's own object is a pronoun, is not said, or is of the kind that the rule names."""
    lexicon, tokens = reading.lexicon, reading.tokens
    classes = {term.klass for term in constraint.objects if term.klass}
    nouns = []
    for index in range(hit.end, region.clause.end):
        token = tokens[index]
        if lexicon.has("preposition", token.text):
            break
        if token.kind == "w" and not lexicon.has("determiner", token.text) and not lexicon.has("filler", token.text):
            nouns.append(index)
    content = [i for i in nouns if not lexicon.has("pronoun", tokens[i].text)]
    if not content:
        return True
    head = tokens[content[-1]]
    if any(lexicon.has("generic", tokens[i].text) or lexicon.has("anyword", tokens[i].text) for i in content):
        return True
    if _PERSON in classes and content[-1] in region.names:
        return True
    kind = noun_class(head.text) if reading.language == "en" else None
    return kind in classes & _KINDS
