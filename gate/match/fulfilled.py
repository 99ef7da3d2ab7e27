"""Exceptions that a text meets in its own words: what is provided for, who is meant by pronoun or name."""

from __future__ import annotations

from gate.constraint import CERTAIN, LIKELY, Term, Unless
from gate.language.reading import Clause, Mood, Reading
from gate.language.thesaurus import GROUP, PERSON, noun_class
from gate.match.region import Region, part_grade, region_of, term_grade

_UNDONE = frozenset(
    ("reject", "cancel", "refrain", "remove", "delete", "discard", "stop", "leave", "give_back", "postpone")
)


def provided(unless: Unless, reading: Reading, region: Region) -> bool:
    """'Put on ear protection and run it', 'run it with ear protection on' for a rule on running it without:
    the order itself, or one before it in the sentence, sees to what has to be there."""
    for position in range(region.position + 1):
        clause = reading.clauses[position]
        if clause.sentence != region.clause.sentence or not clause.mood.asks or clause.refrains:
            continue
        tokens, lexicon = reading.tokens[clause.start : clause.end], reading.lexicon
        if any(lexicon.has_any(("negator", "taking_out"), token.text) for token in tokens):
            continue
        if any(hit.negated or hit.act in _UNDONE for hit in clause.hits if not hit.nominal and hit.sure):
            continue
        apart = position != region.position
        if reading.language != "en" and not apart:
            continue
        if (
            apart
            and reading.language == "en"
            and not any(lexicon.has("providing", reading.tokens[at].text) for at in clause.verbs)
        ):
            continue
        if not apart and not any(lexicon.has("having", token.text) for token in tokens):
            continue
        said = region_of(reading, position, verbs_too=True) if apart else region
        enough = CERTAIN if reading.language == "en" else LIKELY  # elsewhere it is never more than likely
        if all(term_grade(term, said, reading) >= enough for term in unless.terms):
            return True
    return False


def said_to_be(unless: Unless, reading: Reading, region: Region) -> bool:
    """'Email Carol the results, she's the one who was tested': a statement says of whom it goes to that
    they are the very ones who are free. English alone."""
    if reading.language != "en":
        return False
    for position, clause in enumerate(reading.clauses):
        near = 0 <= abs(clause.sentence - region.clause.sentence) <= 1
        if not near or clause.mood is not Mood.STATEMENT or not _of_them(clause, reading):
            continue
        said = region_of(reading, position, verbs_too=True)
        if any(reading.lexicon.has("negator", reading.tokens[at].text) for at in said.own):
            continue
        keys = {key: 1.0 for at in said.own for key in reading.tokens[at].keys}
        for term in unless.terms:
            telling = [part for part in term.parts if not reading.lexicon.has("anyone", part.word)]
            if telling and all(part_grade(part, keys) >= CERTAIN for part in telling):
                return True
    return False


def _of_them(clause: Clause, reading: Reading) -> bool:
    """Whether a statement is about somebody by a pronoun: 'she's ...', 'they are ...'."""
    first = reading.tokens[clause.start].text
    return first.partition("'")[0] in reading.lexicon.words["who_it_is"]


def pointed_at(unless: Unless, reading: Reading, region: Region) -> bool:
    """'Gunnar is here, have him reset it': the one who may is said right before, and asked by a pronoun."""
    tokens, clause, lexicon = reading.tokens, region.clause, reading.lexicon
    if reading.language != "en" or not region.position or clause.start + 2 >= clause.end:
        return False
    asked, whom = tokens[clause.start], tokens[clause.start + 1]
    if not lexicon.has("delegate", asked.text) or not lexicon.has("whom", whom.text):
        return False
    if lexicon.has("operator", whom.text):
        return False
    before = reading.clauses[region.position - 1]
    if before.mood is not Mood.STATEMENT or region.clause.sentence - before.sentence > 1:
        return False
    said = reading.tokens[before.start : before.end]
    if any(lexicon.has("negator", token.text) for token in said):
        return False
    keys = {key: 1.0 for token in said for key in token.keys}
    others = [
        at
        for at in range(before.start + 1, before.end)
        if reading.is_upper(tokens[at])
        and not any(
            key in part.keys for term in unless.terms for part in term.parts for key in tokens[at].keys
        )
    ]
    named = any(all(part_grade(part, keys) >= CERTAIN for part in term.parts) for term in unless.terms)
    return named and not others


def said_of_somebody(unless: Unless, said: Region, reading: Reading) -> bool:
    """'She's been a member since 2019' for 'unless the borrower is a member': a statement says of somebody,
    by a pronoun or a name, what has to be so of one who is only called by a part they play. English alone."""
    clause = said.clause
    if reading.language != "en" or clause.mood is not Mood.STATEMENT or len(unless.terms) != 1:
        return False
    parts = unless.terms[0].parts
    first = parts[0]
    if len(parts) < 2 or first.exact or noun_class(first.word) != PERSON:
        return False
    named = reading.is_upper(reading.tokens[clause.start]) and clause.start in said.names
    if not (named or (_of_them(clause, reading) and not reading.tokens[clause.start].text.startswith("it"))):
        return False
    return all(part_grade(part, said.keys) >= CERTAIN for part in parts[1:])


def asked_for_by(unless: Unless, reading: Reading, region: Region) -> bool:
    """'Wiebke wants to sail it on Sunday, enter her': the one who may is said to want it, and the order is
    done to them by a pronoun. English alone."""
    tokens, lexicon, clause = reading.tokens, reading.lexicon, region.clause
    if reading.language != "en" or not region.position:
        return False
    before = reading.clauses[region.position - 1]
    pointing = any(lexicon.has("them", tokens[at].text) for at in range(clause.start, clause.end))
    if not pointing or before.mood not in (Mood.STATEMENT, Mood.WISH) or before.sentence != clause.sentence:
        return False
    said = dict.fromkeys(tokens[before.start].keys, 1.0)
    denied = any(lexicon.has("negator", token.text) for token in tokens[before.start : before.end])
    named = any(all(part_grade(part, said) >= CERTAIN for part in term.parts) for term in unless.terms)
    return named and not denied


def names_one_of(term: Term, clause: Clause, reading: Reading) -> bool:
    """'Mr and Mrs Aldous agreed' for 'the couple': whose word it needs is a kind of people, and somebody is
    named who may be one."""
    if reading.language != "en" or term.klass not in (PERSON, GROUP) or any(p.exact for p in term.parts):
        return False
    tokens, lexicon = reading.tokens, reading.lexicon
    return any(
        lexicon.has("title", tokens[at - 1].text) and reading.is_upper(tokens[at])
        for at in range(clause.start + 1, clause.end)
    )


def tells_what_was(clause: Clause, reading: Reading, stems: frozenset[str]) -> bool:
    """'Mr and Mrs Aldous agreed by mail': a past of one of these verbs, in what was read as no sentence."""
    if reading.language != "en":
        return False
    return any(
        token.stem in stems and token.text != token.stem and token.text.endswith("ed")
        for token in reading.tokens[clause.start + 1 : clause.end]
    )
