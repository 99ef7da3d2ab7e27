"""Orders that end or undo what a rule forbids to begin: 'take the posters down' where none may be printed."""

from __future__ import annotations

from functools import cache

from gate.constraint import Constraint
from gate.language.lexicon import load
from gate.language.reading import Clause, Mood, Reading
from gate.match.region import Region
from gate.taxonomy import FAMILIES, covers

KEPT_HERE = "not here"  # the words of a rule that keeps a thing where it is: its acts are listed, each one
REACH = 3  # clauses before an order that may tell what was done
_ENDING = frozenset(("delete", "remove", "discard", "cancel", "reject", "give_back", "stop"))
# What an order can only end once it was begun: of a thing sold or lent, taking it away says nothing.
_BEGUN = frozenset(
    act for family in ("make", "disclose", "acquire", "plan", "operate") for act in FAMILIES[family]
) | {"store", "upload", "push", "plant", "feed", "build", "invite", "hire", "admit", "approve", "post"}
_TAKING = frozenset(FAMILIES["remove"]) | {"remove", "move", "cut", "change", "cancel", "stop", "touch"}


def ends_it(constraint: Constraint, clause: Clause, reading: Reading) -> bool:
    """Whether the clause's verb takes away or stops what the rule forbids to bring about. English alone."""
    if reading.language != "en" or not constraint.acts or clause.mood is Mood.FRAGMENT:
        return False
    if _takes_back(constraint, clause, reading):
        return True
    if not any(hit.act in _ENDING for hit in clause.hits):
        return False
    verbs = [hit for hit in clause.hits if not hit.nominal and not hit.negated and hit.sure]
    if not verbs:
        return False
    first = min(hit.start for hit in verbs)
    leading = {hit.act for hit in verbs if hit.start == first}
    if leading.isdisjoint(_ENDING) or not _TAKING.isdisjoint(constraint.acts):
        return constraint.verbs == KEPT_HERE and any(hit.act == "give_back" for hit in verbs)
    if any(covers(forbidden, act) for forbidden in constraint.acts for act in leading - _ENDING):
        return False
    return _BEGUN.issuperset(constraint.acts) or len(constraint.acts) > len(_BEGUN) // 2


@cache
def _opposites() -> dict[str, frozenset[str]]:
    """Stem of a verb -> the stems of its opposites."""
    found: dict[str, frozenset[str]] = {}
    for pair in load("en").patterns["opposites"]:
        for said, other in (pair, pair[::-1]):
            stems = found.get(_base(said), frozenset())
            found[_base(said)] = stems | {_base(other)}
    return found


def _base(verb: str) -> str:
    return load("en").base(verb)


def _takes_back(constraint: Constraint, clause: Clause, reading: Reading) -> bool:
    """'Lower the bridge' for a rule on raising it: the first verb is the opposite of the rule's only one."""
    said = reading.tokens[clause.verbs[0]].stem if clause.verbs else ""
    opposite = _opposites().get(said)
    return opposite is not None and " " not in constraint.verbs and _base(constraint.verbs) in opposite


def told_done(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """Whether a statement right before the clause tells that what the rule forbids was done."""
    clauses = reading.clauses
    for clause in clauses[max(0, region.position - REACH) : region.position]:
        if clause.mood is not Mood.STATEMENT or region.clause.sentence - clause.sentence > 1:
            continue
        if any(
            reading.lexicon.has("to_come", token.text) for token in reading.tokens[clause.start : clause.end]
        ):
            continue  # 'it would fit nicely'
        if any(
            not hit.negated and any(covers(act, hit.act) for act in constraint.acts) for hit in clause.hits
        ):
            return True
    return False
