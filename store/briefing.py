"""`reason_on`: a briefing for a reader that takes it in at once, not a hit list (CONFORMANCE S14, S15).

What holds with author and date, why, what it replaced; what is open; what contradicts; what is forbidden;
what was struck; what changed since a position. Parts compete for the budget in that order of need, and what
did not fit is counted, never silently dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from store.errors import BadRequest, NotFound
from store.ids import short
from store.model import Engram, EngramType, Klass, Relation
from store.records import Status

if TYPE_CHECKING:
    from store.reading import Reader

CHARS_PER_TOKEN = 4  # a planning figure; the partner counts with its engine's own tokenizer
_HELD = (Klass.DISPOSITION, Klass.CONCLUSION, Klass.KNOWLEDGE, Klass.OBSERVATION)
_RAW = {EngramType.UTTERANCE, EngramType.TRACE}
_POOL = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One engram as a briefing shows it. `replaced` are the direct predecessors, newest first."""

    engram: Engram
    status: Status
    replaced: tuple[Engram, ...] = ()
    supported_by: tuple[Engram, ...] = ()

    @property
    def line(self) -> str:
        """`- proposition (2026-03-06, author, provenance) [id]` and what it replaced, in one line."""
        e = self.engram
        text = "(erased)" if e.erased else " ".join(e.content.split())
        source = f", {e.provenance.kind}" + (f" {e.provenance.source}" if e.provenance.source else "")
        line = f"- {text} ({e.created_at.date().isoformat()}, {e.author}{source}) [{short(e.id)}]"
        if self.supported_by:
            line += " because: " + "; ".join(" ".join(s.content.split()) for s in self.supported_by)
        elif e.provenance.evidence and e.provenance.evidence.strip() != e.content.strip():
            line += f' from: "{" ".join(e.provenance.evidence.split())}"'
        for old in self.replaced:
            line += (
                f" replaces: {'(erased)' if old.erased else ' '.join(old.content.split())} [{short(old.id)}]"
            )
        return line

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
            lines += [_struck_line(i) if name in ("struck", "changed") else i.line for i in items]
            if left:
                lines.append(f"  and {left} more")
        if len(lines) == 1:
            lines.append("Nothing is known about this.")
        return "\n".join(lines)

    def json(self) -> dict[str, Any]:
        """A JSON object with the same sections."""
        out: dict[str, Any] = {"scope": self.scope, "position": self.position, "since": self.since}
        for name, _ in self.SECTIONS:
            out[name] = [item.json() for item in getattr(self, name)]
        return out | {"omitted": dict(self.omitted)}


def _struck_line(item: Item) -> str:
    why = f" [{item.status.why} at {item.status.since}]" if item.status.why else ""
    return item.line + why


def reason_on(store: Reader, scope: str | None, *, budget_tokens: int, since: int | None) -> Briefing:
    """Build the briefing on a topic (words), an engram (id), a class (its name), a time (ISO date) or all."""
    if budget_tokens < 0:
        raise BadRequest("a budget is not negative")
    found, struck, chosen = _in_scope(store, scope)
    # a proposal that waits for the operator's word is none of what holds (the partner's inbox)
    everything = [e for e in found if e.type not in _RAW and e.metadata.get("inbox") != "open"]
    parts: dict[str, Sequence[Engram]] = {
        "open": [e for e in _open(store, chosen, everything) if not _closed(e)],
        "holds": [e for e in everything if e.klass in _HELD],
        "contradictions": _contradictions(store, [*everything, *struck]),
        "forbidden": store.current(klass=Klass.PROHIBITION),
        "struck": struck,
        "changed": [] if since is None else [e for e in store.log(after=since) if e.type not in _RAW],
    }
    known = _Known(store, [engram for part in parts.values() for engram in part])
    left = budget_tokens * CHARS_PER_TOKEN
    kept: dict[str, tuple[Item, ...]] = {}
    omitted: dict[str, int] = {}
    for name in ("forbidden", "open", "contradictions", "holds", "struck", "changed"):
        items: list[Item] = []
        for engram in parts[name]:
            item = known.item(engram)
            cost = len(item.line) + 1
            if cost > left:
                omitted[name] = len(parts[name]) - len(items)
                break
            left -= cost
            items.append(item)
        kept[name] = tuple(items)
    return Briefing(scope=scope, position=store.head().seq, since=since, omitted=omitted, **kept)


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
        self._engrams = {e.id: e for e in store.read_all(list(dict.fromkeys(others)))}

    def item(self, engram: Engram) -> Item:
        status = self._statuses[engram.id]
        support = [self._engrams[i] for i in dict.fromkeys(self._support.get(engram.id, ()))]
        return Item(
            engram=engram,
            status=status,
            replaced=tuple(self._engrams[i] for i in reversed(status.supersedes)),
            supported_by=tuple(e for e in support if e.type not in _RAW),
        )


def _in_scope(store: Reader, scope: str | None) -> tuple[list[Engram], list[Engram], bool]:
    """(what holds, what no longer holds, whether the scope narrows what is open)."""
    if scope is None or not scope.strip():
        return store.current(limit=_POOL * 5), [], False
    for reader in (_by_class, _by_time, _by_engram):
        found = reader(store, scope.strip())
        if found is not None:
            return (*found, True)
    hits = store.search(scope, classes=[*_HELD, Klass.OBJECTIVE], limit=_POOL, history=True)
    return (*_split(store, store.chains([hit.engram.id for hit in hits])), True)


def _split(store: Reader, engrams: Sequence[Engram]) -> tuple[list[Engram], list[Engram]]:
    shown = [e for e in engrams if e.klass is not Klass.CONTROL and e.type not in _RAW]
    statuses = store.statuses([engram.id for engram in shown])
    return (
        [e for e in shown if statuses[e.id].holds],
        [e for e in shown if not statuses[e.id].holds],
    )


def _by_class(store: Reader, scope: str) -> tuple[list[Engram], list[Engram]] | None:
    if scope.lower() not in set(Klass):
        return None
    return store.current(klass=Klass(scope.lower()), limit=_POOL * 5), []


def _by_time(store: Reader, scope: str) -> tuple[list[Engram], list[Engram]] | None:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", scope):
        return None
    try:
        when = datetime.fromisoformat(scope)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=store.identity.created_at.tzinfo)
    return store.as_of(when, limit=_POOL * 5), []


def _by_engram(store: Reader, scope: str) -> tuple[list[Engram], list[Engram]] | None:
    if not re.fullmatch(r"[#\[]*[0-9a-fA-F-]{4,36}\]*", scope) or not re.search(r"\d", scope):
        return None
    try:
        members = store.history(scope)
    except NotFound:
        return None
    ids = [member.id for member in members]
    near = {end for edge in store.edges_of(ids) for end in (edge.src, edge.dst)}
    return _split(store, store.read_all(sorted(near | set(ids))))


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
