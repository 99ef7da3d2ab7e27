"""Acts that a clause does without saying their verb: by where it puts a thing, what it asks for it, or as an
item of a list."""

from __future__ import annotations

from gate.constraint import CERTAIN, Constraint
from gate.language.numbers import CURRENCIES
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.thesaurus import verb_class
from gate.match.region import Region, part_best
from gate.taxonomy import FAMILY_OF

SEVERAL = 8  # a rule on more acts is on no verb of its own
_PUTTING = frozenset(("insert", "store", "write", "create", "show", "push", "copy", "move"))
_ONLINE = ("=social_media", "=website")
_HANDING = frozenset(("give", "lend", "hand_out"))
_SOLD = frozenset(("sell", "rent"))
# Acts that a plan, an order or a list brings about for what stands in it.
_LISTED = frozenset(
    ("schedule", "book", "insert", "store", "enrol", "assign", "order", "buy", "create", "write", "use",
     "give", "mention", "publish", "send", "admit")
)  # fmt: skip
# WordNet's classes of verbs that change, move, make or take something (lexnames(5WN)): what a verb of
# perceiving, thinking, feeling, saying or being does leaves the thing as it was.
_EFFECTIVE = frozenset(("29", "30", "33", "34", "35", "36", "38", "40"))


_TELLS = frozenset(("tell", "disclose", "make"))  # families
_PARTING = frozenset(("lend", "give", "rent", "hand_out", "sell"))  # of which the other side takes


def puts_in_place(constraint: Constraint, hit: ActHit, region: Region, reading: Reading) -> bool:
    """'Add the picture to our homepage': to put a thing where a rule says it is not to be published, or
    where all can see it."""
    if "publish" not in constraint.acts or hit.negated or hit.nominal or not hit.sure:
        return False
    if hit.act in _PUTTING and any(
        part_best(part, region.keys)[0] >= CERTAIN for term in constraint.places for part in term.parts[-1:]
    ):
        return True
    return (hit.act in _PUTTING or _gets(hit, reading)) and _online(region, reading)


def _gets(hit: ActHit, reading: Reading) -> bool:
    return reading.lexicon.has("generic_verb", reading.tokens[hit.start].text)


def _online(region: Region, reading: Reading) -> bool:
    """'on our website', 'up on Instagram': a place that everybody reads."""
    if "online" not in region.kept:
        region.kept["online"] = _says_online(region, reading)
    return region.kept["online"]


def _says_online(region: Region, reading: Reading) -> bool:
    tokens, lexicon = reading.tokens, reading.lexicon
    for index in region.own:
        if not any(key in _ONLINE for key in tokens[index].keys):
            continue
        before = index - 1
        while before > region.clause.start and (
            lexicon.has_any(("determiner", "generic"), tokens[before].text) or tokens[before].possessive
        ):
            before -= 1
        if lexicon.has("brought_online", tokens[before].text):
            return True
    return False


def sells(constraint: Constraint, hit: ActHit, clause: Clause, reading: Reading) -> bool:
    """'let him have the lambs for 70 each': what is handed over at a price is sold, or rented out."""
    if hit.act not in _HANDING or hit.negated or hit.nominal or not hit.sure:
        return False
    return not _SOLD.isdisjoint(constraint.acts) and _priced(clause, reading)


def _priced(clause: Clause, reading: Reading) -> bool:
    lexicon, tokens = reading.lexicon, reading.tokens
    for at in range(clause.start, clause.end):
        text = tokens[at].text
        if any(unit in CURRENCIES for rest, unit in lexicon.units.get(text, ()) if not rest):
            return True
        after = tokens[at + 1] if at + 1 < clause.end else None
        amount = after is not None and (after.kind == "n" or after.text in lexicon.numbers)
        follow = tokens[at + 2] if amount and at + 2 < clause.end else None
        ends = follow is None or follow.kind == "p" or lexicon.has("each", follow.text)
        if lexicon.has("price_prep", text) and amount and ends:
            return True
    return False


def listed(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Catering for Tuesday: 90 lunches, 300 plastic cups': an item of what is planned or ordered."""
    clause, lexicon = region.clause, reading.lexicon
    if clause.mood is not Mood.FRAGMENT or reading.language != "en" or _LISTED.isdisjoint(constraint.acts):
        return False
    if not constraint.has_things:
        return False  # nothing of the rule is in the list
    head, at = clause, region.position
    while at and reading.clauses[at - 1].sentence == clause.sentence and head.link != ":":
        at -= 1
        head = reading.clauses[at]
    if head.link != ":" or not at or reading.clauses[at - 1].sentence != clause.sentence:
        return False
    opening = reading.clauses[at - 1]
    words = {token.text for token in reading.tokens[opening.start : opening.end]}
    said = {token.text for token in reading.tokens[clause.start : clause.end]}
    told = lexicon.words["past_time"] | lexicon.words["question"] | lexicon.words["negator"]
    if opening.mood is not Mood.FRAGMENT or not words.isdisjoint(told):
        return False
    return said.isdisjoint(lexicon.words["negator"] | lexicon.words["taking_out"])


def does_its_noun(constraint: Constraint, clause: Clause, reading: Reading) -> bool:
    """'Take them out for a walk' for a rule on walking them: the noun of a verb that no act covers."""
    lexicon, tokens = reading.lexicon, reading.tokens
    if clause.mood is not Mood.ORDER or not clause.verbs or len(constraint.acts) > SEVERAL:
        return False
    if tokens[clause.verbs[0]].stem not in lexicon.stems.get("light", frozenset()):
        return False
    own = {act[3:] for act in constraint.acts if act.startswith("do:")}
    if not own or any(hit.negated for hit in clause.hits):
        return False
    return any(
        tokens[at].stem in own and lexicon.has("a_doing", tokens[at - 1].text)
        for at in range(clause.start + 1, clause.end)
        if at not in clause.verbs
    )


def does_something(clause: Clause, reading: Reading) -> bool:
    """Whether a plain order's verb, of which no act is known, is one that changes or moves something."""
    if clause.mood is not Mood.ORDER or clause.weak or clause.tentative or not clause.verbs:
        return False
    if reading.language != "en":
        return False
    text = reading.tokens[clause.verbs[0]].text
    return verb_class(reading.lexicon.irregular.get(text, text)) in _EFFECTIVE


def allowed_by_word(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Tell Matteo he can take the van' for a rule on lending it to him: who is told that they may do it is
    let do it."""
    clause, lexicon, tokens = region.clause, reading.lexicon, reading.tokens
    if clause.mood is not Mood.ORDER or clause.tentative or clause.weak:
        return False
    if "may" not in region.kept:
        region.kept["may"] = next((at for at in region.own if lexicon.has("may_word", tokens[at].text)), -1)
    may = region.kept["may"]
    if may < 0:
        return False
    verbs = [hit for hit in clause.hits if not hit.nominal and not hit.negated]
    telling = [hit for hit in verbs if FAMILY_OF.get(hit.act) in _TELLS]
    if not telling or telling[0].start > may:
        return False
    if any(lexicon.has_any(("negator", "question", "condition"), tokens[at].text) for at in region.own):
        return False
    first = may + 1 if reading.language != "de" else clause.start + 1
    stems = {tokens[at].stem for at in region.own if at >= first and at not in reading.verb_places}
    stems |= {tokens[at].stem for at in region.own if at > may}
    if any(f"do:{stem}" in constraint.acts for stem in stems):
        return True
    done = {p.meaning for stem in stems for p in lexicon.acts.get(stem, ()) if not p.rest}
    handed = not constraint.acts.keys().isdisjoint(_PARTING)
    return (handed and not stems.isdisjoint(lexicon.stems.get("taking", frozenset()))) or any(
        act in constraint.acts for act in done
    )
