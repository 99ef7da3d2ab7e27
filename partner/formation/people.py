"""Nouns for people by what they do ('farrier', 'chief officer'), English."""

from __future__ import annotations

import re
from functools import cache

from partner.formation.data import load
from partner.formation.verbs import form_of
from partner.formation.words import listed

_ROLE = re.compile(
    r"(?i)^i(?:['’]m| am)(?: now| currently| still| actually| only| just)* (?:an? |the |your |our )?"
    r"(?P<role>(?:[\w-]+ ){0,3}?(?P<noun>[\w-]+))"
    r"(?= (?:of|at|on|for|in|with|and|by|now|here|from|since|who|to|these)\b|[.,;:!]|$)"
)
_QUALITIES = listed("""big heavy light fast slow quick good bad great poor early late deep hard soft keen
    avid regular
    real true natural born new old first last frequent careful cautious strong weak long short loud quiet
    high low slow
    social picky fussy messy terrible awful huge""")
_NOT_A_ROLE = re.compile(r"(?i)^(?:not|no|never|like|as|in|at|off|on|the same|one|so|too)\b")


@cache
def persons() -> frozenset[str]:
    """Every noun of the list, trades included."""
    return frozenset(load("persons-en")["persons"].split()) | frozenset(load("persons-en")["trades"].split())


@cache
def kin() -> frozenset[str]:
    """Relatives, friends and the like."""
    return frozenset(load("persons-en")["kin"].split())


@cache
def _no_trade() -> frozenset[str]:
    return frozenset(load("persons-en")["no_trade"].split())


def occupation(text: str) -> str:
    """What the operator says they are by trade or office, as written; '' when nothing of the kind is said."""
    found = _ROLE.match(text)
    if not found or _NOT_A_ROLE.match(found["role"]):
        return ""
    noun, before = found["noun"].lower(), found["role"].lower().split()[:-1]
    if noun in _no_trade():
        return ""
    return found["role"] if noun in persons() or (before and _does(noun, before[-1])) else ""


def _does(noun: str, of: str) -> bool:
    """'Piano tuner', 'dog walker': who does something to a thing, where the word before tells no quality."""
    bases = (noun[:-2], noun[:-1], noun[:-3])
    acts = noun.endswith(("er", "or")) and len(noun) > 4 and any(form_of(b) == "base" for b in bases)
    return acts and of not in _QUALITIES and not of.endswith(("ly", "ful", "ous", "ing", "ed", "est"))
