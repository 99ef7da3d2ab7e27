"""`reason_on`: a briefing for a reader that takes it in at once, not a hit list (CONFORMANCE S14, S15).

What holds with author and date, why, what it replaced; what is open; what contradicts; what is forbidden;
what was struck; what changed since a position. Parts compete for the budget in that order of need, and what
did not fit is counted, never silently dropped.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from store.errors import BadRequest, NotFound
from store.fold import LINK_SOURCE
from store.ids import short
from store.model import Engram, EngramType, Klass, Relation
from store.records import Status
from store.retrieval.text import index_terms

if TYPE_CHECKING:
    from store.reading import Reader

CHARS_PER_TOKEN = 4  # a planning figure; the partner counts with its engine's own tokenizer
_HELD = (Klass.DISPOSITION, Klass.CONCLUSION, Klass.KNOWLEDGE, Klass.OBSERVATION)
_RAW = {EngramType.UTTERANCE, EngramType.TRACE}
_POOL = 40
_FAR = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One engram as a briefing shows it. `replaced` are the direct predecessors, newest first; `about` is
    what a link, a retraction or an erasure speaks of; `retraction` is what ended it, with the reason.
    """

    engram: Engram
    status: Status
    replaced: tuple[Engram, ...] = ()
    supported_by: tuple[Engram, ...] = ()
    about: tuple[Engram, ...] = ()
    retraction: Engram | None = None

    @property
    def line(self) -> str:
        """`- proposition (2026-03-06, author, provenance) [id]` and what it replaced, in one line.

        Where the author has the name of the kind of provenance, it is said once.
        """
        e = self.engram
        rests_on = f"{e.provenance.kind} {e.provenance.source or ''}".strip()
        who = rests_on if e.author == e.provenance.kind else f"{e.author}, {rests_on}"
        line = f"- {self._says} ({e.created_at.date().isoformat()}, {who}) [{short(e.id)}]"
        if self.supported_by:
            line += " because: " + "; ".join(map(_said, self.supported_by))
        elif e.provenance.evidence and e.provenance.evidence.strip() != e.content.strip():
            line += f' from: "{" ".join(e.provenance.evidence.split())}"'
        for old in self.replaced:
            line += f" replaces: {_named(old)}"
        return line

    @property
    def _says(self) -> str:
        """The proposition; of an entry about entries, what it does to which."""
        e = self.engram
        match e.type, self.about:
            case EngramType.RETRACTION, (target,):
                return f"retracted: {_named(target)}: {_said(e)}"
            case EngramType.ERASURE, (target,):
                return f"erased: [{short(target.id)}]: {_said(e)}"
            case EngramType.LINK, (source, target):
                return f"linked: {_named(source)} {e.links[0].relation} {_named(target)}"
        return _said(e)

    @property
    def ending(self) -> str:
        """` [superseded at 9 by [...]]`, why and since when it no longer holds; nothing while it does."""
        status = self.status
        if not status.why:
            return ""
        text = f"{status.why} at {status.since}"
        if status.superseded_by and status.why == "superseded":
            text += " by " + " and ".join(map(short, status.superseded_by))
        if status.contended:
            text += ", contended"
        if self.retraction is not None and not self.retraction.erased:
            text += f": {_said(self.retraction)}"
        return f" [{text}]"

    @property
    def rivals(self) -> str:
        """` against [...]`: which engrams contradict it."""
        return " against " + " and ".join(f"[{short(i)}]" for i in self.status.contradicts)

    def json(self) -> dict[str, Any]:
        e = self.engram
        return {
            "id": e.id,
            "seq": e.seq,
            "type": e.type.value,
            "class": e.klass.value,
            "content": e.content,
            "author": e.author,
            "created_at": e.created_at.isoformat(),
            "provenance": e.provenance.kind.value,
            "source": e.provenance.source,
            "evidence": e.provenance.evidence,
            "holds": self.status.holds,
            "why_ended": self.status.why,
            "superseded_by": list(self.status.superseded_by),
            "contradicts": list(self.status.contradicts),
            "replaced": [{"id": old.id, "content": old.content} for old in self.replaced],
            "supported_by": [{"id": s.id, "content": s.content} for s in self.supported_by],
            "about": [{"id": a.id, "content": a.content} for a in self.about],
            "contended": self.status.contended,
            "retracted_because": self.retraction.content if self.retraction is not None else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """Sections of items; `omitted` counts what the budget left out of each section."""

    scope: str | None
    position: int
    since: int | None
    holds: tuple[Item, ...] = ()
    open: tuple[Item, ...] = ()
    forbidden: tuple[Item, ...] = ()
    contradictions: tuple[Item, ...] = ()
    struck: tuple[Item, ...] = ()
    changed: tuple[Item, ...] = ()
    omitted: dict[str, int] = field(default_factory=dict)

    SECTIONS = (
        ("holds", "What holds"),
        ("open", "What is open"),
        ("contradictions", "What contradicts"),
        ("forbidden", "What is forbidden"),
        ("struck", "What no longer holds"),
        ("changed", "What changed"),
    )

    def text(self) -> str:
        """Plain text, a heading a section and a line an item."""
        lines = [f"Briefing{f' on {self.scope}' if self.scope else ''} at position {self.position}"]
        for name, title in self.SECTIONS:
            items: tuple[Item, ...] = getattr(self, name)
            left = self.omitted.get(name, 0)
            if not items and not left:
                continue
            lines += ["", title + (f" since {self.since}" if name == "changed" else "")]
            lines += [_line(name, item) for item in items]
            if left:
                lines.append(f"  and {left} more" if items else f"  {left} that did not fit")
        told = ("holds", "open", "contradictions", "struck", "changed")
        if not any(getattr(self, name) or self.omitted.get(name) for name in told) and not (
            self.forbidden and self.scope == Klass.PROHIBITION
        ):
            lines.insert(1, "Nothing is known about this.")
        return "\n".join(lines)

    def json(self) -> dict[str, Any]:
        """A JSON object with the same sections."""
        out: dict[str, Any] = {"scope": self.scope, "position": self.position, "since": self.since}
        for name, _ in self.SECTIONS:
            out[name] = [item.json() for item in getattr(self, name)]
        return out | {"omitted": dict(self.omitted)}


def _said(engram: Engram) -> str:
    return "(erased)" if engram.erased else " ".join(engram.content.split())


def _named(engram: Engram) -> str:
    return f"{_said(engram)} [{short(engram.id)}]"


def _line(section: str, item: Item) -> str:
    return item.line + (item.rivals if section == "contradictions" else "") + item.ending


@dataclass(slots=True)
class _Scope:
    """What a briefing is on: what holds (or held), what no longer does, the most useful first."""

    holds: Sequence[Engram]
    struck: Sequence[Engram] = ()
    forbidden: Sequence[Engram] | None = None  # None: the rules in force now
    narrows: bool = True  # whether what is open is only what is within it


def reason_on(store: Reader, scope: str | None, *, budget_tokens: int, since: int | None) -> Briefing:
    """Build the briefing on a topic (words), an engram (id), a class (its name), a time (ISO date) or all."""
    if budget_tokens < 0:
        raise BadRequest("a budget is not negative")
    found = _in_scope(store, scope)
    # a proposal that waits for the operator's word is none of what holds (the partner's inbox)
    everything = [e for e in found.holds if e.type not in _RAW and e.metadata.get("inbox") != "open"]
    parts: dict[str, Sequence[Engram]] = {
        "open": [e for e in _open(store, found.narrows, everything) if not _closed(e)],
        "holds": [e for e in everything if e.klass in _HELD],
        "contradictions": _contradictions(store, [*everything, *found.struck]),
        "forbidden": found.forbidden or (),
        "struck": found.struck,
        "changed": [] if since is None else [e for e in store.log(after=since) if e.type not in _RAW],
    }
    known = _Known(store, [engram for part in parts.values() for engram in part])
    kept, omitted = _fitting({name: map(known.item, part) for name, part in parts.items()}, budget_tokens)
    return Briefing(scope=scope, position=store.head().seq, since=since, omitted=omitted, **kept)


def _fitting(
    parts: Mapping[str, Iterable[Item]], budget_tokens: int
) -> tuple[dict[str, tuple[Item, ...]], dict[str, int]]:
    """What the budget has room for, and how many of each part it has not.

    Rules come first, since nothing may hide them, but take half at most until the rest has had its turn: ten
    thousand rules would be all that a briefing says. What changed is next, where that was asked for.
    """
    waiting = {name: deque(items) for name, items in parts.items()}
    kept: dict[str, list[Item]] = {name: [] for name in parts}
    left = budget_tokens * CHARS_PER_TOKEN

    def take(name: str, most: int) -> None:
        nonlocal left
        queue = waiting[name]
        while queue and (cost := len(_line(name, queue[0])) + 1) <= min(left, most):
            kept[name].append(queue.popleft())
            left, most = left - cost, most - cost

    others = any(items for name, items in waiting.items() if name != "forbidden")
    take("forbidden", left // 2 if others else left)
    for name in ("open", "changed", "contradictions", "holds", "struck", "forbidden"):
        take(name, left)
    return {n: tuple(items) for n, items in kept.items()}, {n: len(q) for n, q in waiting.items() if q}


class _Known:
    """What items need of the store, read at once for all of them."""

    def __init__(self, store: Reader, engrams: Sequence[Engram]) -> None:
        ids = list(dict.fromkeys(engram.id for engram in engrams))
        self._statuses = store.statuses(ids)
        wanted = set(ids)
        self._support: dict[str, list[str]] = {}
        for edge in store.edges_of(ids):
            if edge.relation is Relation.DERIVED_FROM and edge.src in wanted:
                self._support.setdefault(edge.src, []).append(edge.dst)
            elif edge.relation is Relation.EVIDENCE_FOR and edge.dst in wanted:
                self._support.setdefault(edge.dst, []).append(edge.src)
        others = [i for status in self._statuses.values() for i in status.supersedes]
        others += [i for found in self._support.values() for i in found]
        others += [s.retracted_by for s in self._statuses.values() if s.retracted_by is not None]
        others += [i for engram in engrams for i in _spoken_of(engram)]
        self._engrams = {e.id: e for e in store.read_all(list(dict.fromkeys(others)))}

    def item(self, engram: Engram) -> Item:
        status = self._statuses[engram.id]
        support = [self._engrams[i] for i in dict.fromkeys(self._support.get(engram.id, ()))]
        return Item(
            engram=engram,
            status=status,
            replaced=tuple(self._engrams[i] for i in reversed(status.supersedes)),
            supported_by=tuple(e for e in support if e.type not in _RAW),
            about=tuple(self._engrams[i] for i in _spoken_of(engram)),
            retraction=self._engrams[status.retracted_by] if status.retracted_by is not None else None,
        )


def _spoken_of(engram: Engram) -> list[str]:
    """Ids of what a control entry is about: of a link, where it starts and where it ends."""
    if engram.klass is not Klass.CONTROL:
        return []
    source = engram.metadata.get(LINK_SOURCE) if engram.type is EngramType.LINK else None
    return [*([str(source)] if source else []), *(link.target for link in engram.links)]


def _in_scope(store: Reader, scope: str | None) -> _Scope:
    rules = store.current(klass=Klass.PROHIBITION)
    if scope is None or not scope.strip():
        return _Scope(store.current(limit=_POOL * 5), (), rules, narrows=False)
    for reader in (_by_class, _by_time, _by_engram):
        found = reader(store, scope.strip())
        if found is not None:
            found.forbidden = rules if found.forbidden is None else found.forbidden
            return found
    hits = store.search(scope, classes=[*_HELD, Klass.OBJECTIVE], limit=_POOL, history=True)
    ranks = _ranks_of_chains(store, [hit.engram.id for hit in hits])
    members = sorted(store.read_all(list(ranks)), key=lambda engram: ranks[engram.id])
    words = set(index_terms(scope).split())
    rules.sort(key=lambda rule: words.isdisjoint(index_terms(rule.content).split()))  # those on it first
    return _split(store, members, rules)


def _ranks_of_chains(store: Reader, ids: Sequence[str]) -> dict[str, int]:
    """Every member of the chains of these engrams, with the best place that one of its chain has in `ids`."""
    ranks: dict[str, int] = {}
    front = {engram_id: place for place, engram_id in enumerate(ids)}
    while front:
        ranks |= front
        nearer: dict[str, int] = {}
        for edge in store.edges_of(list(front)):
            if edge.relation is not Relation.SUPERSEDES:
                continue
            for one, other in ((edge.src, edge.dst), (edge.dst, edge.src)):
                if one in front and front[one] < min(ranks.get(other, _FAR), nearer.get(other, _FAR)):
                    nearer[other] = front[one]
        front = nearer
    return ranks


def _split(store: Reader, engrams: Sequence[Engram], rules: Sequence[Engram] | None = None) -> _Scope:
    """Of engrams in the order of their use: those that hold; the others, the latest ending first."""
    shown = [e for e in engrams if e.klass is not Klass.CONTROL and e.type not in _RAW]
    statuses = store.statuses([engram.id for engram in shown])
    struck = [e for e in shown if not statuses[e.id].holds]
    struck.sort(key=lambda e: statuses[e.id].since or 0, reverse=True)
    return _Scope([e for e in shown if statuses[e.id].holds], struck, rules)


def _by_class(store: Reader, scope: str) -> _Scope | None:
    if scope.lower() not in set(Klass):
        return None
    return _Scope(store.current(klass=Klass(scope.lower()), limit=_POOL * 5))


def _by_time(store: Reader, scope: str) -> _Scope | None:
    """What held at that time, as known now; what has ended since says so."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", scope):
        return None
    try:
        when = datetime.fromisoformat(scope)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=store.identity.created_at.tzinfo)
    rules = store.as_of(when, klass=Klass.PROHIBITION)
    return _Scope(store.as_of(when, limit=_POOL * 5), (), rules)


def _by_engram(store: Reader, scope: str) -> _Scope | None:
    if not re.fullmatch(r"[#\[]*[0-9a-fA-F-]{4,36}\]*", scope) or not re.search(r"\d", scope):
        return None
    try:
        members = store.history(scope)
    except NotFound:
        return None
    ids = [member.id for member in members]
    near = {end for edge in store.edges_of(ids) for end in (edge.src, edge.dst)}
    # its own chain first, then what it is linked with
    return _split(store, [*reversed(members), *store.read_all(sorted(near - set(ids)))])


def _open(store: Reader, narrowed: bool, found: Sequence[Engram]) -> list[Engram]:
    if narrowed:
        return [engram for engram in found if engram.klass is Klass.OBJECTIVE]
    return store.current(klass=Klass.OBJECTIVE)


def _closed(engram: Engram) -> bool:
    return engram.metadata.get("status") in ("reached", "dropped", "done", "closed", "answered")


def _contradictions(store: Reader, engrams: Sequence[Engram]) -> list[Engram]:
    """The engrams in contradiction, siblings next to each other."""
    statuses = store.statuses([engram.id for engram in engrams])
    ordered: dict[str, None] = {}
    for engram in engrams:
        rivals = statuses[engram.id].contradicts
        if rivals:
            ordered |= dict.fromkeys((engram.id, *rivals))
    return [engram for engram in store.read_all(list(ordered)) if not engram.erased]


__all__ = ["Briefing", "Item", "reason_on"]
