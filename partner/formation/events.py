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
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, combinations

from partner.formation.classify import HAPPENED, Kind
from partner.formation.data import expand, load
from partner.formation.model import HoldsView
from partner.formation.phrases import living, phrase, same
from partner.formation.plain import plain
from partner.formation.stems import stem
from partner.formation.topics import content_words, spoken_words
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
    """`named`: a thing may be called by its make alone; `whole`: two claims are the same only in all they say
    (debts); `alive`: of people and animals."""

    told: tuple[re.Pattern[str], ...]
    held: tuple[re.Pattern[str], ...]
    named: bool
    whole: bool
    alive: bool


@dataclass(frozen=True, slots=True)
class _Fit:
    """`vague`: only a pronoun tells that it is this claim; `of`: what the claim is known by."""

    vague: bool
    of: frozenset[str]


def ended_by(text: str, holds: HoldsView) -> list[Engram]:
    """The claims of the operator that the event told by `text` ends; [] where it tells of none, or where more
    than one could be meant."""
    events = _told(text)
    if not events:
        return []
    fitting = [
        (engram, fit)
        for engram in _candidates(text, holds)
        if (fit := _ends(text, events, engram)) is not None
    ]
    sure = [(engram, fit) for engram, fit in fitting if not fit.vague]
    if sure:
        alike = _all().search(text) is not None or _one_of_them([fit.of for _, fit in sure])
        return [engram for engram, _ in sure] if alike else []
    return [engram for engram, _ in sorted(fitting, key=lambda f: -f[0].seq)[:1]]


def _one_of_them(known_by: list[frozenset[str]]) -> bool:
    """Whether all speak of the same: 'Sam paid me back' does not tell which of two debts."""
    return all(a <= b or b <= a for a, b in combinations(known_by, 2))


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


def _ends(text: str, events: tuple[tuple[int, dict[str, str]], ...], engram: Engram) -> _Fit | None:
    """How the claim is ended by one of the events; None where by none."""
    claim = _bare(engram.content)
    recurs = _recurs().search(claim) is not None
    figures = set(_figures(_first(text)))
    if figures and (theirs := set(_figures(claim))) and not figures <= theirs:
        return None
    around = frozenset(stem(t.low) for t in words(claim))
    for at, parts in events:
        kind = _kinds()[at]
        if recurs and not kind.alive:  # who died visits nobody on Sundays any more
            continue
        for pattern in kind.held:
            match = pattern.fullmatch(claim)
            if match is None:
                continue
            fit = _fits(parts, _parts(match), kind, around)
            if fit is not None:
                return replace(fit, of=content_words(claim)) if kind.whole else fit
    return None


def _fits(
    event: Mapping[str, str], claim: Mapping[str, str], kind: _Kind, around: frozenset[str]
) -> _Fit | None:
    vague, known_by = False, frozenset[str]()
    if "cause" in event and not content_words(event["cause"]) <= content_words(claim.get("cause", "")):
        return None  # 'paid me back for the petrol' is another debt than that for the tent
    for part in event.keys() & claim.keys() - {"cause"}:
        if part == "act":
            if lemma(event[part].lower()) != lemma(claim[part].lower()):
                return None
            continue
        if _pronoun(event[part]) or _pronoun(claim[part]):
            vague = True
            continue
        mine, theirs = phrase(event[part]), phrase(claim[part])
        if mine is None or theirs is None:
            if mine or theirs or part not in _PERSONAL:
                return None
            continue  # the operator, by whatever pronoun
        if _SEVERAL.search(claim[part]) and not _SEVERAL.search(event[part]):
            return None
        if kind.alive and not living(theirs):
            return None
        if not same(mine, theirs, around, named=kind.named):
            return None
        known_by |= theirs.stems
    return _Fit(vague, known_by) if known_by or vague else None


def _pronoun(said: str) -> bool:
    return all(t.low in _set("vague") for t in words(said.replace("’", "'")))


def _first(text: str) -> str:
    """The sentence up to a comma: what comes after it only adds to what happened."""
    return _bare(text).partition(", ")[0]


def _told(text: str) -> tuple[tuple[int, dict[str, str]], ...]:
    if len(words(text)) > MAX_WORDS:
        return ()
    said = _bare(text)
    return () if _partly().search(said) or ":" in said else _events(said) or _events(_first(text))


@lru_cache(maxsize=256)
def _events(said: str) -> tuple[tuple[int, dict[str, str]], ...]:
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


@lru_cache(maxsize=2048)
def _bare(text: str) -> str:
    """Without words of time and what ends the sentence."""
    text = _passing().sub("", plain(text)).strip(" .!,;")
    return re.sub(r"\s+", " ", text)


@cache
def _set(name: str) -> frozenset[str]:
    return listed(load("events")[name])


@cache
def _all() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{_flat(load('events')['all'])})\b")


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
            named=bool(kind.get("named")),
            whole=bool(kind.get("whole")),
            alive=bool(kind.get("alive")),
        )
        for kind in data["kind"]
    )
