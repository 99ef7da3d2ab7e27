"""Words as stems: what makes two wordings comparable."""

from __future__ import annotations

from functools import lru_cache

import snowballstemmer

from partner.formation.grammar import PREPOSITIONS
from partner.formation.verbs import form_of, lemma
from partner.formation.words import Word, listed

_STEMMER = snowballstemmer.stemmer("english")
LIGHT = listed("be have get do take make give its 's will go")
NEGATIONS = listed("""not no never n't don't doesn't isn't aren't won't can't cannot mustn't wasn't weren't
hasn't haven't didn't shouldn't nicht kein keine keinen niemals
    nie nunca pas jamais nobody none neither""")
_TITLES = listed("mr mrs ms dr prof")
ALIASES: dict[str, str] = {
    word: group
    for group, members in {
        "handle": "handle manage oversee cover administer supervise responsible responsibility charge care "
        "after organise organize",
        "call": "call name rename",
        "lead": "lead head chair captain",
        "cost": "cost price charge fee",
        "live": "live reside home dwell",
        "start": "start begin commence kickoff",
        "end": "end finish close shut stop",
        "buy": "buy purchase source",
        "happen": "happen occur",
        "move": "move shift postpone reschedule push",
        "expire": "expire lapse",
        "euro": "eur €",
        "dollar": "usd buck",
        "pound": "gbp quid",
        "fly": "fly drive travel ride",
        "prefer": "prefer like rather want favour favor love",
    }.items()
    for word in members.split()
}


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Stem of a word; figures and names in capitals stay as they are."""
    if word.isdigit() or not word.isascii() or any(c.isdigit() for c in word):
        return word
    return _STEMMER.stemWord(word.removesuffix("'s").removesuffix("'"))


def content_stem(token: Word, stop: frozenset[str], *, topic: bool = False) -> str:
    low = token.low
    if low in _TITLES and token.capital:
        return ""  # 'Dr. Weiss' and 'Dr. Anand' have nothing in common
    if token.capital and token.start and not token.number and low != "i":
        stop = frozenset()  # a name may look like a function word: Go, May, Will
    if token.number:
        return low if topic else ""
    if (
        low in stop
        or low in PREPOSITIONS
        or low in NEGATIONS
        or (len(low) == 1 and low.isascii() and not token.capital)
    ):
        return ""
    base = lemma(low) if form_of(low) in ("s", "past", "ing") and not token.capital else low
    if base in stop:
        return ""
    return ALIASES.get(base, stem(base)) if base not in LIGHT else ""
