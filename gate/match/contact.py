"""What a clause may be about beyond its own words, and which of a rule's names a text says."""

from __future__ import annotations

from collections.abc import Mapping

from gate.constraint import Constraint, Term
from gate.language.interlingual import class_in
from gate.language.reading import ActHit, Mood, Reading
from gate.match.region import Region, around, part_best
from gate.taxonomy import FAMILY_OF, LOOKING, covers

REACH = 2  # sentences that a pronoun may point back over
LITTLE = 3  # content words up to which a clause leans on what was said before
ACTED = 2
TWO = 2  # words of a rule that make a text speak of it
PLAIN = 0.8  # grade from which a word counts as said plainly
TOUCH = 0.45  # grade from which a word of the rule is touched
PERSON = "18"
_SAYING_LITTLE = (
    *("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "please"),
    "generic_verb",
)
_KIND_NOT_SAID = (*("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "generic"),)
_KINDS = frozenset(
    ("5", "6", "10", "13", "20", "21", "27")
)  # animals, things, messages, food, plants, money, stuffs


def context_keys(reading: Reading, region: Region) -> dict[str, float]:
    """What the clause may be about: its own words, and those around it where it leans on them."""
    if region.context is not None:
        return region.context
    keys = region.context = dict(region.keys)
    clauses = around(region, reading)
    short = region.clause.end - region.clause.start < 3 and not region.anaphoric
    if short or not (region.anaphoric or _says_little(reading, region)):
        near = [c for c in clauses if c.sentence == region.clause.sentence]
    else:
        near = [c for c in clauses if 0 <= region.clause.sentence - c.sentence <= REACH]
    for clause in near:
        if clause.refrains or clause.mood is Mood.QUESTION or any(hit.negated for hit in clause.hits):
            continue
        if clause is not region.clause and clause.mood.asks and clause.hits:
            continue  # another order has its own object
        for index in range(clause.start, clause.end):
            token = reading.tokens[index]
            verbal = index in reading.verb_places and not token.text.endswith("ing")
            if not token.quoted and not verbal:
                for key in token.keys:
                    keys.setdefault(key, 1.0)
    return keys


def _says_little(reading: Reading, region: Region) -> bool:
    lexicon = reading.lexicon
    small, tokens = lexicon.unions[_SAYING_LITTLE], reading.tokens
    return sum(tokens[i].kind == "w" and tokens[i].text not in small for i in region.own) <= LITTLE


def names_said(constraint: Constraint, keys: Mapping[str, float]) -> bool:
    """Whether every slot that the rule fills with names alone has one of them among the keys."""
    for group in (constraint.objects, constraint.recipients, constraint.places):
        named = group and all(any(part.exact for part in term.parts) for term in group)
        if named and not any(_has_names(term, keys) for term in group):
            return False
    return True


def _has_names(term: Term, keys: Mapping[str, float]) -> bool:
    return all(not part.exact or not part.keys.keys().isdisjoint(keys) for part in term.parts)


def other_kind(head_key: str, region: Region, reading: Reading) -> bool:
    """The rule's head noun is said with another word before it: 'the south apse' for 'the north apse'."""
    index = region.where.get(head_key, -1)
    if index < 1:
        return False
    before = reading.tokens[index - 1]
    return before.kind == "w" and not reading.lexicon.has_any(_KIND_NOT_SAID, before.text)


def of_other(term: Term, at: int, reading: Reading) -> bool:
    """'the message from my mother' for 'students' messages': said of somebody or something else."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if at + 1 >= len(tokens) or not lexicon.has("said_of", tokens[at + 1].text):
        return False
    told = False
    for token in tokens[at + 2 : at + 7]:
        if token.kind != "w" or lexicon.has_any(("preposition", "conjunction", "auxiliary"), token.text):
            break
        if lexicon.has_any(("determiner", "generic", "pronoun", "anyword"), token.text):
            continue
        if any(part.keys.get(key, 0.0) >= TOUCH for part in term.parts for key in token.keys):
            return False
        told = True
    return told


def of_somebody_else(term: Term, region: Region, reading: Reading) -> bool:
    """'the number of the station', 'Ana's number' for 'my number': the thing is said, and whose it is."""
    tokens, lexicon = reading.tokens, reading.lexicon
    head = term.parts[-1] if reading.language == "en" else term.parts[0]
    at = region.where.get(part_best(head, region.keys)[1], -1)
    if at < 1 or at not in region.own:
        return False
    before = tokens[at - 1]
    if lexicon.has("mine_word", before.text):
        return False
    if before.possessive or (lexicon.has("possessive", before.text)):
        return True
    if at + 2 >= len(tokens) or not lexicon.has("of_genitive", tokens[at + 1].text):
        return False
    owner = tokens[at + 2 : at + 4]
    mine = any(lexicon.has("mine_word", token.text) for token in owner)
    return owner[0].kind == "w" and not mine and not any(lexicon.has("operator", t.text) for t in owner)


def only_looks(constraint: Constraint, region: Region) -> bool:
    """Whether the clause's verbs do no more than look, under a rule that is not on looking."""
    if "looks" not in region.kept:
        verbs = [hit for hit in region.clause.hits if not hit.nominal]
        region.kept["looks"] = bool(verbs) and all(hit.act in LOOKING or hit.negated for hit in verbs)
    return region.kept["looks"] and constraint.acts.keys().isdisjoint(LOOKING)


def described_elsewhere(constraint: Constraint, hit: ActHit, region: Region, reading: Reading) -> bool:
    """Other languages know the classes of fewer nouns: the act alone is ground to ask, unless its thing is
    known to be of another class; what is told can be anything."""
    if any(FAMILY_OF.get(act) in ("tell", "disclose") for act in constraint.acts):
        names = [i for i in region.names if i > hit.start]
        return bool(names) and any(
            term.klass == PERSON for term in (*constraint.objects, *constraint.recipients)
        )
    if not any(covers(forbidden, hit.act) for forbidden in constraint.acts):
        return False  # a rule on using covers much: only what it names is ground to ask
    classes = {term.klass for term in constraint.objects}
    head = direct_object(hit, region, reading)
    said = class_in(reading.tokens[head].text, reading.language) if head is not None else None
    return said is None or None in classes or not classes or said in classes


def direct_object(hit: ActHit, region: Region, reading: Reading) -> int | None:
    """The head of the noun phrase right after the verb."""
    lexicon, tokens = reading.lexicon, reading.tokens
    head = None
    for index in range(hit.start + 1, region.clause.end):
        token = tokens[index]
        if (
            token.kind != "w"
            or lexicon.has("preposition", token.text)
            or lexicon.has("conjunction", token.text)
        ):
            break
        if not lexicon.has_any(("determiner", "pronoun", "filler", "adverb"), token.text):
            head = index
    return head
