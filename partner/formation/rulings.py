"""One rule beside another: rules add up, and one takes another's place only where it says so."""

from __future__ import annotations

import re
from functools import cache

from partner.formation.data import load


def adjusts(new: str, old: str) -> bool:
    """Whether a rule is an earlier one again with another limit ('Never spend more than 300' after '... more
    than 500').

    A figure that no word of a limit stands before is a name ('host 10.0.0.1', 'room 7'): another rule.
    """
    limits, open_new, open_old = _limits(), _fold(new), _fold(old)
    if open_new == open_old or not limits.search(open_new):
        return False
    return limits.sub(r"\g<limit> #", open_new) == limits.sub(r"\g<limit> #", open_old)


def mends(sentence: str) -> bool:
    """Whether the words say that an earlier rule was wrong ('Actually, never ...', '... instead'); that
    something holds from now on says nothing of another."""
    return _mending().search(sentence) is not None


@cache
def _mending() -> re.Pattern[str]:
    data = load("revision")
    sure, light = (data[name].replace("\n", "") for name in ("sure", "light"))
    tails = "|".join(data["instead"].split("\n"))
    joined = r"(?:(?:but|and|so|oh|aber|und|pero|mais),? )*"
    return re.compile(rf"(?i)^{joined}(?:(?:{sure})\b[,:.!]? |(?:{light})[,:.!] )|\b(?:{tails})\b")


@cache
def _limits() -> re.Pattern[str]:
    data = load("revision")
    said, counted = "|".join(data["limits"].split("\n")), "|".join(data["hours"].split())
    return re.compile(
        rf"\b(?P<limit>{said}) (?:[^\W\d]{{1,4}} )?"
        rf"[€$£¥]?(?:\d[\d.,:]*|(?:{counted})\b) ?(?:am|pm|h|%|uhr|[€$£¥k])?"
    )


def _fold(text: str) -> str:
    """Lower case without the words that say that it is so from now on."""
    fillers = "|".join(load("revision")["from_now_on"].split("\n"))
    return " ".join(re.sub(rf"\b(?:{fillers})\b|[.!;]+$|,(?!\d)", " ", text.lower()).split())
