"""What lifts a rule: an approval that the request states or the facts record, those who are exempt."""

from __future__ import annotations

from gate.constraint import CERTAIN, LIKELY, Constraint, Term, Unless
from gate.language.calendar import month_numbers
from gate.language.reading import Clause, Mood, Reading
from gate.language.tokens import Token
from gate.match.fulfilled import (
    asked_for_by,
    names_one_of,
    pointed_at,
    provided,
    said_of_somebody,
    said_to_be,
    tells_what_was,
)
from gate.match.region import Region, around, part_grade, region_of, term_grade, told_around, whole_grade
from gate.model import Facts, Truth


def lifted(
    constraint: Constraint, reading: Reading, region: Region, facts: Facts, recipients_named: bool
) -> Truth:
    """TRUE when an exception of the rule is met, UNKNOWN when it may be, FALSE when none is."""
    verdict = Truth.FALSE
    for unless in constraint.unless:
        one = _one(unless, constraint, reading, region, facts, recipients_named)
        if one is Truth.TRUE:
            return one
        if one is Truth.UNKNOWN:
            verdict = one
    return verdict


def _one(
    unless: Unless,
    constraint: Constraint,
    reading: Reading,
    region: Region,
    facts: Facts,
    recipients_named: bool,
) -> Truth:
    if unless.kind == "approval":
        return _approved(unless, reading, region)
    if unless.kind == "condition":
        return _condition(unless, reading, region)
    if unless.kind == "actor":
        return _actor(unless, reading, region)
    if unless.kind == "object":
        return _among(unless, reading, region)
    return _exempt(unless, reading, region, facts)


def _approved(unless: Unless, reading: Reading, region: Region) -> Truth:
    """Somebody's word, stated as given: in its own clause or beside the order ('with Ana's approval')."""
    stems = reading.lexicon.stems.get("approval", frozenset())
    met = Truth.UNKNOWN if _by_the_operator(unless) else Truth.TRUE
    for clause in around(region, reading):
        if clause is region.clause:
            if _beside(unless, reading, clause, stems):
                return met
            continue
        if _states(clause, reading, stems) and _names_all(unless.terms, reading, clause):
            return met
    return Truth.FALSE


def _still_to_come(reading: Reading, token: Token) -> bool:
    """'will', 'tomorrow', 'he'll': what is so only later; 'since May' is a month."""
    word = token.text
    if reading.lexicon.has("future", word):
        return not (reading.is_upper(token) and word in month_numbers(reading.language))
    return reading.language == "en" and word.endswith("'ll")


def _by_the_operator(unless: Unless) -> bool:
    """'without my approval': the operator's own word is a fact on record; a request only claims it."""
    return not unless.terms and bool({"my", "our", "me", "us", "i"} & set(unless.words.split()))


def _names_all(terms: tuple[Term, ...], reading: Reading, clause: Clause) -> bool:
    """Whether a clause names who has to approve (or, by a pronoun, the clause before does)."""
    if not terms:
        return True
    position = reading.clauses.index(clause)
    keys: dict[str, float] = {}
    for near in reading.clauses[max(0, position - 1) : position + 1]:
        for token in reading.tokens[near.start : near.end]:
            keys.update(dict.fromkeys(token.keys, 1.0))
    return any(
        all(part.weight < 1 or part_grade(part, keys) >= CERTAIN or part.word == "dr" for part in term.parts)
        or names_one_of(term, clause, reading)
        for term in terms
    )


def _states(clause: Clause, reading: Reading, stems: frozenset[str]) -> bool:
    """A statement, not of the future and not denied, with a word of approval."""
    lexicon = reading.lexicon
    if clause.mood in (Mood.ORDER, Mood.QUESTION) or (
        clause.mood is Mood.FRAGMENT and not tells_what_was(clause, reading, stems)
    ):
        return False
    tokens = reading.tokens[clause.start : clause.end]
    if lexicon.has("negator", clause.link) or (
        lexicon.has("condition", clause.link) and clause.link != "since"
    ):
        return False
    found = False
    for token in tokens:
        if lexicon.has("negator", token.text) or _still_to_come(reading, token):
            return False
        found = found or token.stem in stems
    return found


def _beside(unless: Unless, reading: Reading, clause: Clause, stems: frozenset[str]) -> bool:
    lexicon = reading.lexicon
    tokens = reading.tokens
    for index in range(clause.start, clause.end):
        if tokens[index].stem not in stems:
            continue
        beside = tokens[max(clause.start, index - 5) : index + 3]
        if any(lexicon.has("negator", token.text) or _still_to_come(reading, token) for token in beside):
            continue
        given = any(lexicon.has("given", token.text) for token in beside)
        if given and _names_all(unless.terms, reading, clause):
            return True
    return False


def _condition(unless: Unless, reading: Reading, region: Region) -> Truth:
    """'before the report is filed': met when a statement says it is so; 'without X': met by 'with X'."""
    if not unless.terms:
        return Truth.FALSE
    lexicon = reading.lexicon
    if lexicon.has("lacking", unless.words.partition(" ")[0]) and provided(unless, reading, region):
        return Truth.TRUE if reading.language == "en" else Truth.UNKNOWN
    found = Truth.FALSE
    for position, clause in enumerate(reading.clauses):
        tokens = reading.tokens[clause.start : _told_by(unless, clause, reading)]
        if clause.mood is Mood.QUESTION or any(
            lexicon.has("negator", token.text) or _still_to_come(reading, token) for token in tokens
        ):
            continue
        if clause.link == unless.words.partition(" ")[0]:
            continue  # 'discard it before the report is filed': told as not so yet
        if clause is region.clause and not any(lexicon.has("given", token.text) for token in tokens):
            continue
        apart = clause.mood.asks and clause is not region.clause
        if apart and (reading.language == "en" or not lexicon.has("taking_out", unless.words.split()[0])):
            continue
        near = region_of(reading, position, verbs_too=True)
        if all(term_grade(term, near, reading) >= CERTAIN for term in unless.terms):
            return Truth.UNKNOWN if apart or clause.mood in (Mood.RELATIVE, Mood.CONTENT) else Truth.TRUE
        if said_of_somebody(unless, near, reading):
            found = Truth.UNKNOWN  # who is meant is only likely
    return found


def _told_by(unless: Unless, clause: Clause, reading: Reading) -> int:
    """Where a clause has said what has to be so: 'Yvonne is present', whatever follows ('until noon')."""
    if reading.language != "en" or clause.mood is not Mood.STATEMENT:
        return clause.end
    parts = [part for term in unless.terms for part in term.parts]
    named = [
        at
        for at in range(clause.start, clause.end)
        if any(key in part.keys for part in parts for key in reading.tokens[at].keys)
    ]
    follow = max(named, default=clause.end) + 1
    if follow >= clause.end or not reading.lexicon.has("lasting", reading.tokens[follow].text):
        return clause.end
    return follow


def _actor(unless: Unless, reading: Reading, region: Region) -> Truth:
    """Who may do it is asked to do it ('Ask Marta to ...'), or does it of their own."""
    lexicon = reading.lexicon
    tokens = reading.tokens
    clause = region.clause
    parts = [part for term in unless.terms for part in term.parts]
    named = [
        i
        for i in range(clause.start, clause.end)
        if any(part_grade(part, dict.fromkeys(tokens[i].keys, 1.0)) >= CERTAIN for part in parts)
    ]
    if not named:
        if pointed_at(unless, reading, region):
            return Truth.TRUE
        return Truth.UNKNOWN if asked_for_by(unless, reading, region) else Truth.FALSE
    first = min(named)
    before = tokens[clause.start : first]
    if any(token.stem in lexicon.stems.get("delegate", frozenset()) for token in before):
        return Truth.TRUE
    return Truth.TRUE if not before and clause.mood is not Mood.ORDER else Truth.FALSE


def _among(unless: Unless, reading: Reading, region: Region) -> Truth:
    """An only-rule's own object: named, it is met; not named at all, nobody knows."""
    lexicon = reading.lexicon
    said = dict(region.keys)
    for clause in around(region, reading):
        if not clause.mood.asks and clause.mood is not Mood.QUESTION:
            for token in reading.tokens[clause.start : clause.end]:
                said.update(dict.fromkeys(token.keys, 1.0))
    best = max((_all_parts(term, said) for term in unless.terms), default=0.0)
    denied = any(
        lexicon.has("negator", token.text) or token.text in ("non", "un")
        for clause in around(region, reading)
        if not clause.mood.asks or clause is region.clause
        for token in reading.tokens[clause.start : clause.end]
    )
    if best >= LIKELY and not denied:
        return Truth.TRUE
    named = any(
        lexicon.has("place_prep", reading.tokens[i].text) or lexicon.has("to_prep", reading.tokens[i].text)
        for i in region.own
    ) or bool(region.names)
    return Truth.FALSE if named else Truth.UNKNOWN


def _all_parts(term: Term, keys: dict[str, float]) -> float:
    """The grade of the least named part: whoever is exempt must be all that the rule says."""
    whole = max((grade * keys.get(key, 0.0) for key, grade in term.whole.items()), default=0.0)
    return max(whole, min((part_grade(part, keys) for part in term.parts), default=0.0))


def _exempt(unless: Unless, reading: Reading, region: Region, facts: Facts) -> Truth:
    """Those who are free of the rule are the ones it goes to."""
    words = unless.words.split()
    lexicon = reading.lexicon
    if any(lexicon.has("operator", word) for word in words):
        mine = frozenset(name.casefold() for name in facts.operator_names)
        to_me = any(
            lexicon.has("operator", reading.tokens[i].text) or reading.tokens[i].text in mine
            for i in region.own
        )
        others = [i for i in region.names if i != region.clause.start]
        return Truth.TRUE if to_me and not others else Truth.FALSE
    best = max((term_grade(term, region, reading) for term in unless.terms), default=0.0)
    if best >= CERTAIN or said_to_be(unless, reading, region):
        return Truth.TRUE
    if reading.language != "en" and region.anaphoric:  # 'Die Feuerwehr fragt, verleih ihr ...'
        told = told_around(reading, region)
        if any(whole_grade(term, told) >= CERTAIN for term in unless.terms):
            return Truth.TRUE
    place = any(part.exact for term in unless.terms for part in term.parts) and lexicon.has(
        "outside", words[0]
    )
    return Truth.UNKNOWN if place and region.names else Truth.FALSE
