"""'Timo has his lesson on Tuesdays' speaks of Timo's lesson: of the thing, when it is, not of all he has."""

from __future__ import annotations

from collections.abc import Sequence

from partner.formation.calendar_words import WEEKDAYS
from partner.formation.words import Word, listed

_HAVE = listed("have has had 've")
_OWN = listed("his her their its my our a an")
_WHEN = listed("on at every each")
_ME = listed("i we")


def held(subject: Sequence[Word], rest: Sequence[Word]) -> tuple[Sequence[Word], Sequence[Word]] | None:
    """(whose thing, when) of a clause that says when somebody has something; None for any other."""
    if rest[0].low not in _HAVE or len(rest) < 5 or rest[1].low not in _OWN:
        return None
    at = next((i for i, t in enumerate(rest[2:], 2) if t.low in _WHEN), -1)
    if (
        at < 3
        or at + 1 >= len(rest)
        or not (rest[at + 1].number or rest[at + 1].low.removesuffix("s") in WEEKDAYS)
    ):
        return None
    whose = () if subject[-1].low in _ME else subject
    return [*whose, *rest[2:at]], rest[at:]
