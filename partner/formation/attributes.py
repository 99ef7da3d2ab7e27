"""Whether two claims on one subject speak of the same attribute of it: only then can one replace the other.

'Paul moved to Lyon' says where Paul is, and takes nothing from 'Paul is allergic to nuts' and 'Paul has the
keys'.
"""

from __future__ import annotations

from functools import cache

from partner.formation.data import load
from partner.formation.frames import Frame
from partner.formation.people import kin, persons
from partner.formation.stems import stem
from partner.formation.words import listed

_ME = frozenset(("@i", "@we"))
_BE = frozenset(("be", ""))


@cache
def verbs_of(name: str) -> frozenset[str]:
    """A list of English verbs, by base form."""
    return listed(load("verbs-en")[name])


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
        return new.verb not in verbs_of("light") or bool(set(new.rest) & set(was.rest)) or _how_many(new, was)
    if _settled_at(new, was):
        return True
    return (new.changed or was.changed) and ours == theirs == "number"


def _how_many(new: Frame, was: Frame) -> bool:
    """'Right now I've got 7' and 'I've got 8 pupils now': the first says only how many."""
    return bool(new.numbers and was.numbers) and not was.rest


def _settled_at(new: Frame, was: Frame) -> bool:
    """'The boat is moored at pier 4' and 'the boat's at pier 9', 'she goes to the Montessori school' and
    'she changed
    to the village school': what changes is named alike, whatever verb tells it."""
    shared = set(new.rest) & set(was.rest)
    return new.verb in _BE and (new.changed or bool(new.numbers and was.numbers)) and bool(shared)


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
    if (f.place and f.verb in _BE) or f.verb in (verbs_of("placed") if _of_person(f) else verbs_of("put")):
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
    return frozenset(map(stem, persons() | kin()))
