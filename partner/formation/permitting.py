"""Permissions said to the partner: 'You can ring dad whenever you like' ends 'Don't ring dad before 11'."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from gate.compile import compile_prohibition
from gate.constraint import Constraint
from gate.errors import CompileQuestion
from partner.formation.data import load
from partner.formation.topics import content_words


def permits(text: str) -> bool:
    """Whether a clause permits the partner something for good."""
    return _ban(text) != ""


def permitted(permission: str, rule: str) -> bool:
    """Whether a permission says of the very act and things of a rule that it may be done: said as a ban, the
    gate compiles it to the same. A wider rule, or one on other things, is left alone."""
    ban = _ban(permission)
    if not ban or content_words(permission).isdisjoint(content_words(rule)):
        return False
    new, old = _compiled(ban), _compiled(rule)
    if new is None or old is None or old.mode != new.mode or not set(new.acts) & set(old.acts):
        return False
    return _things(new) == _things(old) != frozenset()


def permitted_act(text: str) -> str:
    """What a message permits the partner ('You can order the lamp from Temu, nothing else though': 'order the
    lamp from temu'), '' where it permits nothing."""
    for sentence in re.split(r"[.!?;\n]+", text):
        for opens, _ in _frames():
            if match := opens.match(sentence.strip()):
                act = sentence.strip()[match.end() :].partition(",")[0].strip()
                return "" if re.match(r"(?:not\b|['’]t\b)", act) else act
    return ""


def _ban(text: str) -> str:
    """The permission's act as a ban, '' where it is no permission for good."""
    low = text.strip().rstrip(".!").replace("’", "'")
    for opens, ban in _frames():
        match = opens.match(low)
        if match is None:
            continue
        act = _marks().sub(" ", low[match.end() :])
        if act == low[match.end() :] and not _marks().search(match[0]):
            return ""
        return "" if _bounded().search(act) else ban.format(act=" ".join(act.split()).strip(" ,"))
    return ""


def _things(constraint: Constraint) -> frozenset[str]:
    """The words of all that a ban is about, without titles: 'bei Frau Yilmaz' and 'Frau Yilmaz' are one."""
    terms = (*constraint.objects, *constraint.recipients, *constraint.places)
    named = {part.word for term in terms for part in term.parts}
    literal = {*constraint.paths, *constraint.hosts, *constraint.domains}
    return frozenset(named | literal) - frozenset(load("revision")["titles"].split())


@lru_cache(maxsize=512)
def _compiled(sentence: str) -> Constraint | None:
    try:
        return compile_prohibition("", sentence)
    except CompileQuestion:
        return None


@cache
def _frames() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(rf"(?i)^{frame['opens']}\b"), frame["ban"]) for frame in load("permission")["frame"]
    )


@cache
def _bounded() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<!\w)(?:{load('permission')['bounded']})(?!\w)")


@cache
def _marks() -> re.Pattern[str]:
    data = load("permission")
    marks = data["marks"].replace("\n", "")
    return re.compile(rf"(?i)\b(?:{data['around']} )?(?:{marks})\b(?: {data['around']})?")
