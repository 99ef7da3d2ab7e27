"""Whether a rule's noun only describes another thing: 'the sample sentence' is no sample."""

from __future__ import annotations

from gate.constraint import CERTAIN, Constraint, Term
from gate.language.reading import Reading
from gate.language.thesaurus import FOOD, PLANT, SUBSTANCE, noun_class
from gate.match.acts import MANY
from gate.match.region import Region, part_best, term_grade
from gate.taxonomy import FAMILY_OF

_TOPICS = frozenset(
    ("tell", "disclose", "urge", "inspect")
)  # what is told of a thing's part is told of the thing


def only_modifies(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """Whether every object of the rule that the region names stands before another noun that it describes."""
    if reading.language != "en" or not constraint.objects or not constraint.acts:
        return False
    if len(constraint.acts) <= MANY and _is_on_telling(constraint):
        return False
    named = [term for term in constraint.objects if term_grade(term, region, reading) >= CERTAIN]
    return bool(named) and all(_describes(term, region, reading) for term in named)


def _is_on_telling(constraint: Constraint) -> bool:
    """Whether a rule is on telling or looking; what is opened is the thing itself."""
    return any(FAMILY_OF.get(act) in _TOPICS and act != "open" for act in constraint.acts)


def _describes(term: Term, region: Region, reading: Reading) -> bool:
    if term.soft:
        return False
    return describes(region.where.get(part_best(term.parts[-1], region.keys)[1], -1), term, region, reading)


def describes(at: int, term: Term, region: Region, reading: Reading) -> bool:
    """Whether the word at `at`, which names a term, only says which kind of another thing is meant."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if at < 0 or at + 1 >= region.clause.end or at not in region.own or tokens[at].possessive:
        return False
    follow = tokens[at + 1]
    if follow.kind != "w" or at + 1 in reading.verb_places:
        return False
    groups = (
        "preposition",
        "conjunction",
        "determiner",
        "pronoun",
        "auxiliary",
        "filler",
        "generic",
        "adverb",
        "time_follow",
        "minutes_past",
        "place_adverb",
        "ignorable",
    )
    if lexicon.has_any(groups, follow.text) or follow.text.endswith("ly"):
        return False
    if any(key in part.keys for part in term.parts for key in follow.keys):
        return False
    if lexicon.has("record_noun", follow.text):
        return True  # 'the hive records'
    if any(hit.nominal and hit.start == at + 1 for hit in region.clause.hits):
        return False  # 'a tattoo appointment': the thing that is to be done to it
    kind = noun_class(follow.text)
    last = term.parts[-1].word
    made_of = {noun_class(last), noun_class(last.removesuffix("s"))} & {FOOD, PLANT, SUBSTANCE}
    if made_of and (kind == FOOD or lexicon.has("dish", follow.text)):
        return False  # 'hazelnut bars': what they are made of is in them
    return kind is not None and lexicon.verbs.get(follow.stem) != "V"


def pictured(constraint: Constraint, terms: tuple[Term, ...], region: Region, reading: Reading) -> bool:
    """'Open the map of the north run', 'find a film about the Amazon': what is named is only what a map, a
    picture or a list shows or tells of, under a rule that is on no telling. English alone."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if reading.language != "en":
        return False
    if "pictures" not in region.kept:
        region.kept["pictures"] = any(
            lexicon.has("picturing", tokens[at].text) for at in region.where.values()
        )
    if not region.kept["pictures"] or _is_on_telling(constraint):
        return False
    found = False
    for term in terms:
        if term.soft or term_grade(term, region, reading) < CERTAIN:
            continue
        at = min(
            (
                place
                for part in term.parts
                if (place := region.where.get(part_best(part, region.keys)[1], -1)) >= 0
            ),
            default=-1,
        )
        before = at - 1
        while before > 0 and lexicon.has_any(("determiner", "possessive"), tokens[before].text):
            before -= 1
        shown = (
            at > 1
            and lexicon.has("shown_of", tokens[before].text)
            and lexicon.has("picturing", tokens[before - 1].text)
        )
        if not shown:
            return False
        found = True
    return found
