"""Whom a personal pronoun may mean among those that a clause mentions (English): never the operator, nor one
who only treats the person spoken of. Words: `configs/formation/persons-en.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from partner.formation.data import load
from partner.formation.mentions import PERSONAL, Mention, named_as
from partner.formation.words import listed, words

_OWN_NAME = re.compile(
    r"(?:^|[,;:.] |\b[Aa]nd )(?:[Hh]i,? |[Hh]ello,? |[Hh]ey,? )?"
    r"(?:[Mm]y (?:full |first |last )?name(?:['’]s| is)|[Cc]all me|[Ii](?:['’]m| am)(?: called)?) "
    r"(?P<name>[A-ZÄÖÜÉ][\w'’-]+(?: [A-ZÄÖÜÉ][\w'’-]+)*)(?![\w'’-]|['’]s\b)(?!,? (?:who|that)\b)"
)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    data = load("persons-en")
    return (
        re.compile(rf"(?i)\b{data['healers']}\b"),
        re.compile("|".join(f"(?:{p})" for p in data["patients"]), re.IGNORECASE),
        re.compile(data["couples"], re.IGNORECASE),
    )


def without_operator(clause: str, found: Sequence[Mention]) -> Sequence[Mention]:
    """The mentions of a clause without the name that the operator gives as their own."""
    own = _OWN_NAME.search(clause)
    return [m for m in found if m.text != own["name"]] if own else found


def not_healers(found: Sequence[Mention], said: str) -> list[Mention]:
    """Who could have it said of them: 'takes 5 mg' is not said of the doctor."""
    healer, patient, _ = _patterns()
    return [m for m in found if not healer.search(m.text)] if patient.match(said.strip()) else list(found)


def second_of_couple(clause: str, found: Sequence[Mention]) -> str:
    """'Isla is going out with Kofi, he's a paramedic': who is new is told of."""
    pair = _patterns()[2].search(clause)
    if pair is None:
        return ""
    behind = [m for m in found if clause.find(m.text, pair.end()) >= 0]
    return behind[0].text if len(behind) == 1 and len(found) > 1 else ""


def rivals(clause: str, found: Sequence[Mention], pronoun: str) -> bool:
    """Whether a personal pronoun may mean any of several: of two names the one in front is no surer."""
    if pronoun not in PERSONAL or len(found) < 2 or any(PERSONAL[pronoun].search(m.text) for m in found):
        return False
    return len({m.text for m in found if named_as(m.text) and (m.free or _with(clause, m.text))}) > 1


_WITH = listed("with by for about to against than and")  # behind 'from' or 'at' stands where, not who


def _with(clause: str, name: str) -> bool:
    before = words(clause[: clause.find(name)])[-1:]
    return bool(before) and before[0].low in _WITH
