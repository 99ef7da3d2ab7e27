"""Whether two claims on one subject speak of the same attribute of it: only then can one replace the other.

'Paul moved to Lyon' says where Paul is, and takes nothing from 'Paul is allergic to nuts' and 'Paul has the
keys'.
"""

from __future__ import annotations

from functools import cache

from partner.formation.frames import Frame
from partner.formation.people import persons
from partner.formation.stems import stem
from partner.formation.words import listed

_ME = frozenset(("@i", "@we"))
_BE = frozenset(("be", ""))
_PLACED = listed("live stay move")
_PUT = _PLACED | listed("sit stand hang lie park meet happen keep store base sleep camp moor")  # of things
_LIGHT_VERBS = listed("have get do take make give go want need prefer")
_KIN = listed(
    "brother sister mother father son daughter wife husband uncle aunt cousin friend neighbour neighbor boss"
)


def same_attribute(new: Frame, was: Frame) -> bool:
    """A label is the attribute itself; where no verb was found there is nothing to tell them apart by."""
    if new.labelled or was.labelled or not (new.verb or was.verb):
        return True
    ours, theirs = _kind(new), _kind(was)
    if ours == theirs == "place":
        return True
    if new.verb in _BE and was.verb in _BE:
        return _same_value(new, was, ours, theirs)
    if new.verb == was.verb:
        return new.verb not in _LIGHT_VERBS or bool(set(new.rest) & set(was.rest))
    return (new.changed or was.changed) and ours == theirs == "number"


def _same_value(new: Frame, was: Frame, ours: str, theirs: str) -> bool:
    if ours != theirs and not ((new.changed or was.changed) and {ours, theirs} <= _VALUES):
        return False
    if ours == "quality" and _of_person(new):
        return bool(set(new.rest) & set(was.rest))
    return True


_VALUES = frozenset(("quality", "noun", "name"))


def _kind(f: Frame) -> str:
    """What a claim gives: a figure, a place, a name, a thing or a quality."""
    if f.numbers:
        return "number"
    if (f.place and f.verb in _BE) or f.verb in (_PLACED if _of_person(f) else _PUT):
        return "place"
    if f.verb not in _BE:
        return f.verb
    if f.rest and f.names >= frozenset(f.rest):
        return "name"
    return "noun" if f.article else "quality"


def _of_person(f: Frame) -> bool:
    return bool(f.topic & f.names) or f.head in _people() or bool(f.topic & _ME)


@cache
def _people() -> frozenset[str]:
    return frozenset(map(stem, persons() | _KIN))
