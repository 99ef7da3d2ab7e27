"""One figure changed and the rest left as it was, word by word and in any language.

'The rent is 650 now' says nothing of the heating in 'the rent is 625 plus 80 for heating', nor 'Abgabe ist
jetzt am 19. März' of the 4.200 words that the order has. Where all that the new claim says stands in the old
one but for its figures (a date, an hour, a day, a number), the old one is said again with them in place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from partner.formation.data import load
from partner.formation.grammar import DETERMINERS, PREPOSITIONS, finite
from partner.formation.languages import cues_for
from partner.formation.values import KINDS, WORKED_OUT, kind_of, kinds_in
from partner.formation.verbs import AUXILIARIES, COPULA
from partner.formation.words import Word, listed, words

MAX_WORDS = 40  # a longer claim is prose, in which no figure has one place
_COMPATIBLE = {"day": ("day", "date"), "date": ("date", "day"), "time": ("time",), "number": ("number",)}


def kept(new: str, old: str) -> str:
    """The old claim with the figures that the new one changes; '' where that is not certain, or where the new
    one leaves nothing out."""
    if _silent(old):
        return ""
    light = cues_for(new).stop | _moving() | DETERMINERS | PREPOSITIONS | AUXILIARIES | COPULA
    new = WORKED_OUT.sub("", new)
    now, was = _said(new), _said(old)
    left_out = {t.low for t in was if not t.number} - {t.low for t in now} - light - _verbs(was, old)
    if len(now) < 2 or len(was) > MAX_WORDS or not left_out:
        return ""
    return _when(new, old, now, was, light) or _in_line(new, old, now, was, light)


def _verbs(was: Sequence[Word], old: str) -> frozenset[str]:
    """The verb of a claim, which is no part of what it tells besides its figure."""
    known = cues_for(old).parting
    found = finite(was) if known is None else None
    return frozenset((was[found.verb].low,)) if found else known.verbs if known else frozenset()


def _when(new: str, old: str, now: Sequence[Word], was: Sequence[Word], light: frozenset[str]) -> str:
    """The one date, day or hour of the new claim in the place of the only one of the old."""
    ours = kinds_in(new)
    kind = next(iter(ours), "")
    if len(ours) != 1 or kind == "number" or len(ours[kind]) != 1:
        return ""
    figure = ours[kind][0]
    told = {t.low for t in now} - light - {t.low for t in words(figure)}
    if not told or not told <= {t.low for t in was}:
        return ""
    shown = WORKED_OUT.sub(lambda m: "~" * len(m[0]), old)
    found = [m for name in _COMPATIBLE[kind] for m in _pattern(name).finditer(shown)]
    if len(found) != 1:
        return ""
    start, end = found[0].span()
    return old[:start] + figure + WORKED_OUT.sub("", old[end:], count=int(old[end : end + 2] == " ("))


def _in_line(new: str, old: str, now: Sequence[Word], was: Sequence[Word], light: frozenset[str]) -> str:
    """The figures of the new claim in the places where the old one, read word by word, has others."""
    places: list[tuple[Sequence[Word], Sequence[Word]]] = []
    same = 0
    for op, a, b, c, d in SequenceMatcher(
        None, [t.low for t in was], [t.low for t in now], autojunk=False
    ).get_opcodes():
        if op == "equal":
            same += sum(t.low not in light and not t.number for t in was[a:b])
        elif op == "replace" and any(t.number or kind_of(t.low) for t in now[c:d]):
            places.append((was[a:b], now[c:d]))
        elif op != "delete" and any(t.low not in light for t in now[c:d]):
            return ""
    if not same:
        return ""
    changed = old
    for place in reversed(places):
        changed = changed and _with(changed, new, *place, light)
    return changed if places else ""


def _said(text: str) -> list[Word]:
    """The words but for those that only tell of a change ('now')."""
    return [t for t in words(text) if t.low not in _now()]


def _with(old: str, new: str, was: Sequence[Word], now: Sequence[Word], light: frozenset[str]) -> str:
    while now and now[0].low in light and not now[0].number:
        now = now[1:]
    if not now:
        return ""
    value = new[now[0].start : now[-1].end]
    start, end = was[0].start, was[-1].end
    segment = WORKED_OUT.sub(lambda m: "~" * len(m[0]), old[start:end])
    kind = kind_of(value)
    if not kind or sum(map(len, kinds_in(value).values())) != 1 or _unit(value, kind):
        return ""
    found = [m for name in _COMPATIBLE[kind] for m in _pattern(name).finditer(segment)]
    if kind == "number":
        taken = [m.span() for name in ("time", "date") for m in _pattern(name).finditer(segment)]
        found = [m for m in found if not any(s <= m.start() < e for s, e in taken)]
    first = min(found, key=lambda m: m.start(), default=None)
    if first is None or (len(found) > 1 and not _opens(segment[: first.start()], light)):
        return ""
    after = old[start + first.end() :]
    if kind == "number" and passing(re.split(r"[,;]", after, maxsplit=1)[0]):
        return ""  # 'weighs 4 kg at birth'
    if ":" in after and not re.search(r"\d:\d", after):
        return ""  # '5 people: Ana, Ben, ...'
    return old[: start + first.start()] + value + WORKED_OUT.sub("", after, count=int(after[:2] == " ("))


def _unit(value: str, kind: str) -> bool:
    """Whether the value says more than its figure."""
    return _pattern(kind).sub("", value, count=1).strip(" .") != ""


def _opens(before: str, light: frozenset[str]) -> bool:
    return all(t.low in light for t in words(before))


def _silent(old: str) -> bool:
    return re.search(r"\d", old) is None and kind_of(old) == ""


def passing(text: str) -> bool:
    """Whether a figure is told as of a time."""
    return _PASSING.search(text) is not None


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return dict(KINDS)[kind]


# A figure of that time, which another figure is not said to be of.
_PASSING = re.compile(
    r"(?i)\b(?:as of|since|at birth|last|this|yesterday|today|so far|in (?:19|20)\d\d|seit|stand|"
    r"bei der geburt|desde|al nacer|depuis|à la naissance)\b|\(\d{4}-\d\d-\d\d\)"
)


@cache
def _now() -> frozenset[str]:
    return listed(load("revision")["now_words"])


@cache
def _moving() -> frozenset[str]:
    return listed(load("revision")["moving"])
