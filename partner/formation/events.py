"""What happened ends what held: 'Sam paid me back' ends 'Sam owes me 40', 'got the van back' ends 'the van is
at the garage'.

An event and a claim belong together by their kind (`configs/formation/events.toml`) and by whom and what
both speak of: every part that both name has to be the same, and one of them must be more than the operator.
An event that tells of a part only, or of another figure, ends nothing, and nothing ends what is done again
and again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from partner.formation.classify import HAPPENED, Kind
from partner.formation.data import expand, load
from partner.formation.model import HoldsView
from partner.formation.plain import plain
from partner.formation.stems import stem
from partner.formation.topics import spoken_words
from partner.formation.verbs import lemma
from partner.formation.words import listed, words
from store.model import Authority, Engram, EngramType, Klass

MAX_WORDS = 16  # a longer sentence tells more than that something happened
RECENT = 12  # an event that says 'he' or 'it' ends one of the latest claims
_PERSONAL = ("who", "to")
_SEVERAL = re.compile(r"(?i)\b(?:and|or|und|oder|y|et|ou)\b")
_FIGURE = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class _Kind:
    told: tuple[re.Pattern[str], ...]
    held: tuple[re.Pattern[str], ...]
    head: bool


def ended_by(text: str, holds: HoldsView) -> list[Engram]:
    """The claims of the operator that the event told by `text` ends; [] where it tells of none."""
    events = _told(text)
    if not events:
        return []
    fitting = [
        (engram, vague)
        for engram in _candidates(text, holds)
        if (vague := _ends(text, events, engram)) is not None
    ]
    sure = [engram for engram, vague in fitting if not vague]
    return sure or [engram for engram, _ in sorted(fitting, key=lambda f: -f[0].seq)[:1]]


def happened(text: str, holds: HoldsView) -> Kind | None:
    """What a sentence is that would settle nothing by itself, but ends something that holds."""
    return HAPPENED if ended_by(text, holds) else None


def _candidates(text: str, holds: HoldsView) -> list[Engram]:
    spoken = spoken_words(text)
    found = chain(holds.about(spoken) if spoken else (), holds.recent(RECENT))
    return [
        e
        for e in {e.id: e for e in found}.values()
        if e.provenance.authority is Authority.OPERATOR
        and e.klass in (Klass.CONCLUSION, Klass.DISPOSITION)
        and e.type is not EngramType.DIRECTIVE
    ]


def _ends(text: str, events: tuple[tuple[int, dict[str, str]], ...], engram: Engram) -> bool | None:
    """None where no event ends the claim; else whether only a pronoun tells that it is this one."""
    claim = _bare(engram.content)
    if _recurs().search(claim):
        return None
    figures = set(_figures(text))
    if figures and (theirs := set(_figures(engram.content))) and not figures <= theirs:
        return None
    for at, parts in events:
        kind = _kinds()[at]
        for pattern in kind.held:
            match = pattern.fullmatch(claim)
            if match is None:
                continue
            fits = _fits(parts, _parts(match), head=kind.head)
            if fits is not None:
                return fits
    return None


def _fits(event: Mapping[str, str], claim: Mapping[str, str], *, head: bool) -> bool | None:
    vague, named = False, False
    for part in event.keys() & claim.keys():
        if part == "act":
            if lemma(event[part].lower()) != lemma(claim[part].lower()):
                return None
            continue
        mine, theirs = _means(event[part]), _means(claim[part])
        if mine is None or theirs is None:
            vague = True
            continue
        if part in _PERSONAL and (not mine or not theirs):  # the operator, by whatever pronoun
            if mine or theirs:
                return None
            continue
        if not mine or not theirs or not (mine <= theirs or theirs <= mine):
            return None
        if _SEVERAL.search(claim[part]) and not _SEVERAL.search(event[part]):
            return None
        if head and not _same_head(event[part], claim[part]):
            return None
        named = True
    if not named and not vague:
        return None
    return vague


def _same_head(event: str, claim: str) -> bool:
    mine, theirs = words(event), words(claim)
    named = any(t.capital for t in mine) or (len(mine) == 1 and len(theirs) == 1)
    return named or stem(mine[-1].low) == stem(theirs[-1].low)


def _told(text: str) -> tuple[tuple[int, dict[str, str]], ...]:
    return _events(_bare(text)) if len(words(text)) <= MAX_WORDS else ()


@lru_cache(maxsize=256)
def _events(said: str) -> tuple[tuple[int, dict[str, str]], ...]:
    if _partly().search(said) or ":" in said:
        return ()
    low = said.lower()
    near = {i for literal, where in _literals().items() if literal in low for i in where}
    patterns = [(at, pattern) for at, kind in enumerate(_kinds()) for pattern in kind.told]
    return tuple(
        (at, _parts(match))
        for i, (at, pattern) in enumerate(patterns)
        if i in near and (match := pattern.fullmatch(said))
    )


@cache
def _literals() -> dict[str, list[int]]:
    """Words that stand in what a pattern of an event matches -> the patterns (by their place): most sentences
    have none of them, and need not be tried 130 times ('' is in all)."""
    found: dict[str, list[int]] = {}
    sources = [source for kind in load("events")["kind"] for source in kind["told"]]
    for i, source in enumerate(sources):
        bared = re.sub(r"\{\{\w+\}\}|\(\?P<\w+>|\\.|\w\?", " ", source)
        literals = set(re.findall(r"[^\W\d_]{3,}", bared)) - _set("common")
        for literal in literals if literals and "(?P<act>" not in source else {""}:
            found.setdefault(literal, []).append(i)
    return found


def _parts(match: re.Match[str]) -> dict[str, str]:
    return {name: said.strip() for name, said in match.groupdict().items() if said and said.strip()}


def _figures(text: str) -> Iterator[str]:
    return (m[0].rstrip(".,") for m in _FIGURE.finditer(plain(text)))


@lru_cache(maxsize=512)
def _means(said: str) -> frozenset[str] | None:
    """The stems a phrase is known by: empty for the operator, None for a pronoun."""
    tokens = [t.low for t in words(said.replace("’", "'").removesuffix("'s"))]
    if all(low in _set("operator") for low in tokens):
        return frozenset()
    if all(low in _set("vague") for low in tokens):
        return None
    return frozenset(stem(low) for low in tokens if low not in _set("light"))


@lru_cache(maxsize=2048)
def _bare(text: str) -> str:
    """Without words of time and what ends the sentence."""
    text = _passing().sub("", plain(text)).strip(" .!,;")
    return re.sub(r"\s+", " ", text)


@cache
def _set(name: str) -> frozenset[str]:
    return listed(load("events")[name])


@cache
def _partly() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{_flat(load('events')['partly'])})\b|n['’]t\b")


@cache
def _recurs() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{_flat(load('events')['recurs'])})\b")


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?:(?<=\s)|^)(?:{_flat(load('events')['passing'])}),?(?=\s|[.!,;]|$)")


def _flat(pattern: str) -> str:
    return re.sub(r"\s*\n\s*", "", pattern)


@cache
def _kinds() -> tuple[_Kind, ...]:
    data = load("events")
    fragments = data["fragments"]
    return tuple(
        _Kind(
            told=tuple(re.compile("(?i)" + expand(p, fragments)) for p in kind["told"]),
            held=tuple(re.compile("(?i)" + expand(p, fragments)) for p in kind["held"]),
            head=bool(kind.get("head")),
        )
        for kind in data["kind"]
    )
