"""Nouns for people by what they do ('farrier', 'chief officer'), English."""

from __future__ import annotations

import re
from functools import cache

from partner.formation.data import load
from partner.formation.words import listed

_ROLE = re.compile(
    r"(?i)^i(?:['’]m| am)(?: now| currently| still| actually| only| just)* (?:an? |the |your |our )?"
    r"(?P<role>(?:[\w-]+ ){0,3}?(?P<noun>[\w-]+))"
    r"(?= (?:of|at|on|for|in|with|and|by|now|here|from|since|who|to|these)\b|[.,;:!]|$)"
)
# What one is to somebody, or for the moment, is no trade.
_NO_TRADE = listed("""sister brother mother father loser winner lover believer beginner sleeper eater drinker
    smoker owner member later better other former sufferer starter hater foreigner customer user
    early outsider insider stranger survivor quitter""")
_NOT_A_ROLE = re.compile(r"(?i)^(?:not|no|never|like|as|in|at|off|on|the same|one|so|too)\b")


@cache
def persons() -> frozenset[str]:
    """Every noun of the list."""
    return frozenset(load("persons-en")["persons"].split())


def occupation(text: str) -> str:
    """What the operator says they are by trade or office, as written; '' when nothing of the kind is said."""
    found = _ROLE.match(text)
    if not found or _NOT_A_ROLE.match(found["role"]):
        return ""
    noun = found["noun"].lower()
    return found["role"] if noun in persons() and noun not in _NO_TRADE else ""
