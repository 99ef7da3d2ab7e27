"""How surely a clause is about what a rule names: things first, then to whom and where."""

from __future__ import annotations

from gate.constraint import CERTAIN, LIKELY, Constraint, Term
from gate.language.reading import Mood, Reading
from gate.language.thesaurus import PERSON, noun_class
from gate.match.acts import MANY, MAYBE, NO, SURE
from gate.match.contact import of_other, of_somebody_else, other_kind
from gate.match.instances import (
    acted_on_other,
    beside_it,
    by_channel,
    goes_to_them,
    headless,
    misspelled,
    named_kind,
    of_people,
)
from gate.match.modifier import describes, pictured
from gate.match.region import (
    ANAPHOR_GRADE,
    MISSING_NAME,
    Region,
    around,
    part_best,
    part_grade,
    term_grade,
    told_around,
    whole_grade,
)

HEAD = 0.9  # grade from which a head noun alone stands for its phrase


def object_level(constraint: Constraint, region: Region, reading: Reading) -> int:
    """How surely the region is about what the rule names: things first, then to whom and where."""
    groups = [group for group in (constraint.objects, constraint.recipients, constraint.places) if group]
    if constraint.paths or constraint.hosts:
        return _structured_level(constraint, region, reading)
    if not groups:
        return SURE
    grades = [_best(group, region, reading) for group in groups]
    if reading.language != "en" and any(grade < CERTAIN for grade in grades[1:]):
        told = told_around(reading, region)  # 'Es gibt Sturmwarnung, aber verleih ...'
        grades[1:] = [
            max(grade, max(whole_grade(term, told) for term in group))
            for grade, group in zip(grades[1:], groups[1:], strict=True)
        ]
    if grades[0] < CERTAIN and _done_as_verb(constraint, region, reading):
        grades[0] = 1.0
    if grades[0] < LIKELY:
        if any(grade > ANAPHOR_GRADE for grade in grades[1:]):
            return MAYBE
        if on_people_at_times(constraint) and _is_named(region, reading):
            return MAYBE
        return MAYBE if groups[0] is constraint.places and _told_beside(groups[0], region, reading) else NO
    level = SURE if grades[0] >= CERTAIN or _head_alone(groups[0], region, reading) else MAYBE
    if groups[0] is constraint.objects and acted_on_other(groups[0], region, reading):
        level = MAYBE
    if groups[0] is constraint.objects and beside_it(constraint, region, reading):
        level = MAYBE
    if level == SURE and pictured(constraint, groups[0], region, reading):
        level = MAYBE
    unnamed = [group for group, grade in zip(groups[1:], grades[1:], strict=True) if grade < CERTAIN]
    if not all(_meant_unnamed(group, constraint, region, reading) for group in unnamed):
        level = MAYBE
    return level


def _meant_unnamed(group: tuple[Term, ...], constraint: Constraint, region: Region, reading: Reading) -> bool:
    """Whether to whom or where the rule says is meant, though the clause does not say it."""
    if by_channel(group, region, reading):
        return True
    if group is not constraint.recipients:
        return False
    return _goes_to_a_name(constraint, region, reading) or goes_to_them(constraint, region, reading)


def on_people_at_times(constraint: Constraint) -> bool:
    """Whether a rule is on doing something at some time to a kind of people, and on no thing: 'no calls to
    customers after six', 'never text employees on Sundays'. Somebody named may be one of them."""
    if not constraint.windows or constraint.language != "en" or len(constraint.acts) > MANY:
        return False
    if bool(constraint.objects) == bool(constraint.recipients) or constraint.places:
        return False
    return all(
        term.klass == PERSON and not any(part.exact for part in term.parts)
        for term in (*constraint.objects, *constraint.recipients)
    )


def _told_beside(terms: tuple[Term, ...], region: Region, reading: Reading) -> bool:
    """'Merge the branch, CI is red' for a rule on merging on red: a state that the rest of the sentence
    tells. English alone: elsewhere what is told counts anyway."""
    if reading.language != "en":
        return False
    said = {
        key: 1.0
        for clause in around(region, reading)
        if clause.sentence == region.clause.sentence and clause.mood is Mood.STATEMENT
        and not any(reading.lexicon.has("negator", t.text) for t in reading.tokens[clause.start : clause.end])
        for token in reading.tokens[clause.start : clause.end]
        for key in token.keys
    }  # fmt: skip
    return any(whole_grade(term, said) >= CERTAIN for term in terms)


def _done_as_verb(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Dig another metre' for a rule on digging: the clause's verb is the thing that the rule names."""
    for at in region.clause.verbs:
        stem = reading.tokens[at].stem
        if f"do:{stem}" not in constraint.acts:
            continue
        said = {**region.keys, stem: 1.0}
        if any(min(part_grade(part, said) for part in term.parts) >= CERTAIN for term in constraint.objects):
            return True
    return False


def _head_alone(terms: tuple[Term, ...], region: Region, reading: Reading) -> bool:
    """'the review' for 'online reviews': the head as it is called, with nothing to tell it apart."""
    if reading.language != "en":
        return False
    for term in terms:
        head = term.parts[-1] if len(term.parts) == 2 and not any(part.exact for part in term.parts) else None
        if head is None or head.weight < 1.0:
            continue
        grade, key = part_best(head, region.keys)
        at = region.where.get(key, -1)
        if at < 0 or head.keys.get(reading.tokens[at].stem, 0.0) < HEAD:
            continue  # of the same kind only: 'reports' are no 'papers'
        if describes(at, term, region, reading):
            continue  # 'the computer course' for 'the booking computer'
        told_apart = other_kind(key, region, reading) or of_other(term, at, reading)
        if grade >= HEAD and region.keys.get(key) == 1.0 and not told_apart:
            return True
    return False


def _goes_to_a_name(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """The rule names a kind of people, the text somebody by name and no other kind: they are meant."""
    if reading.language != "en" or any(part.exact for term in constraint.recipients for part in term.parts):
        return False
    if not any(of_people(term, reading) for term in constraint.recipients):
        return False
    about = {key for term in constraint.objects for part in term.parts for key in part.keys}
    return _is_named(region, reading, frozenset(about))


def _is_named(region: Region, reading: Reading, about: frozenset[str] = frozenset()) -> bool:
    """Whether the clause names somebody, and no kind of people beside."""
    if reading.language != "en":
        return False
    named = [i for i in region.names if i != region.clause.start]
    kinds = [
        i for i in region.own
        if reading.tokens[i].kind == "w" and i not in region.names and i not in reading.verb_places
        and about.isdisjoint(reading.tokens[i].keys)
        and noun_class(reading.tokens[i].text) == PERSON
    ]  # fmt: skip
    return bool(named) and not kinds


def _structured_level(constraint: Constraint, region: Region, reading: Reading) -> int:
    """A rule on a path or a host, against the paths and hosts that the text names."""
    named = [reading.tokens[i].text for i in region.own if reading.tokens[i].kind == "x"]
    for text in named:
        inside = any(
            text == path or text.startswith(path.rstrip("/") + "/") for path in constraint.paths
        ) or any(
            text == host or text.endswith(("." + host, "@" + host)) or f"//{host}" in text
            for host in constraint.hosts
        )
        if inside != (constraint.outside or constraint.mode == "only"):
            return SURE
    return NO


def _best(terms: tuple[Term, ...], region: Region, reading: Reading) -> float:
    return max(_term(term, region, reading) for term in terms)


def _term(term: Term, region: Region, reading: Reading) -> float:
    if not term.soft:
        grade = term_grade(term, region, reading)
        if term.mine and grade >= CERTAIN and of_somebody_else(term, region, reading):
            return MISSING_NAME
        if grade >= CERTAIN and _private_one(term, region, reading):
            return MISSING_NAME
        if not 0.0 < grade < CERTAIN:
            return grade  # named as it is, or not at all
        return max(
            grade,
            named_kind(term, region, reading),
            headless(term, region, reading),
            misspelled(term, region, reading),
        )
    return 0.0 if _says_private(region, reading) else 1.0


def _says_private(region: Region, reading: Reading) -> bool:
    private = reading.lexicon.words.get("private", frozenset())
    return any(reading.tokens[i].text in private for i in region.own)


def _private_one(term: Term, region: Region, reading: Reading) -> bool:
    """'my private calendar' for 'my work calendar'."""
    lexicon = reading.lexicon
    if len(term.parts) == 1 or reading.language != "en":
        return False
    working = any(lexicon.has("soft", part.word) for part in term.parts[:-1])
    said = any(lexicon.has("soft", reading.tokens[i].text) for i in region.own)
    return working and not said and _says_private(region, reading)
