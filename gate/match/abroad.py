"""Orders in other languages than English that name another thing in the place of a rule's."""

from __future__ import annotations

from collections.abc import Iterable

from gate.constraint import Constraint, Part
from gate.language.interlingual import class_in
from gate.language.reading import Reading
from gate.match.contact import TOUCH, direct_object
from gate.match.region import Region
from gate.taxonomy import covers


def other_thing(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Ajusta los sillines de las bicis' for a rule on their brakes: the rule's act is done to a thing that
    is known and near to nothing of the rule. What is in something ('un carton de reblochon') may be it."""
    if not constraint.objects or constraint.language != reading.language:
        return False
    if max(region.own, default=0) >= region.clause.end:
        return False  # 'un profilo che dice che ha 17 anni': what hangs on it says more
    tokens, lexicon = reading.tokens, reading.lexicon
    things = [part for term in constraint.objects for part in term.parts if part.weight >= 1.0]
    if _touched(things, region.keys):
        return False
    parts = [part for part in constraint.gist if part.weight > 0.0]
    for hit in region.clause.hits:
        if hit.nominal or hit.negated or not hit.sure or not _covered(constraint, hit.act):
            continue
        head = direct_object(hit, region, reading)
        if head is None or class_in(tokens[head].text, reading.language) is None:
            continue
        if _touched(parts, tokens[head].keys):
            continue
        follow = head + 1
        if follow >= region.clause.end or not lexicon.has("of_genitive", tokens[follow].text):
            return True
        owner = follow + 1
        while owner < region.clause.end and lexicon.has("determiner", tokens[owner].text):
            owner += 1
        if owner >= region.clause.end:
            return False
        named = lexicon.has("title", tokens[owner].text) or owner in region.names
        return named or _touched(parts, tokens[owner].keys)
    return False


def _covered(constraint: Constraint, act: str) -> bool:
    return any(covers(forbidden, act) for forbidden in constraint.acts)


def _touched(parts: Iterable[Part], keys: Iterable[str]) -> bool:
    said = list(keys)
    return any(part.keys.get(key, 0.0) >= TOUCH for part in parts for key in said)
