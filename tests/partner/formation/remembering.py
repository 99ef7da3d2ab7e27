"""A memory in a list: forming and applying, with nothing but formation and the engram model under test."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from partner.formation import (
    Change,
    ChangeKind,
    Context,
    Formed,
    MemoryHolds,
    form,
    form_document,
    form_tool_result,
)
from store.model import Draft, Engram, Klass, Relation

START = datetime.fromisoformat("2026-03-04T10:00:00+01:00")  # a Wednesday


class Memory:
    """Engrams in order; `says` forms one turn and applies what it settles."""

    def __init__(self) -> None:
        self.log: list[Engram] = []
        self.ended: dict[str, datetime] = {}
        self.now = START
        self._said: list[str] = []
        self._formed: tuple[str, ...] = ()
        self._partner_said: str | None = None

    def says(self, text: str, at: str | datetime | None = None) -> Formed:
        self._tick(at)
        context = Context(
            previous=tuple(self._said[-4:]), formed=self._formed, partner_said=self._partner_said
        )
        formed = form(text, at=self.now, holds=self.holds(), context=context)
        self._formed = self._apply(formed.changes) or self._formed
        self._said.append(formed.utterance_text)
        return formed

    def partner_says(self, text: str) -> None:
        self._partner_said = text

    def tool(self, name: str, result: str, at: str | None = None) -> Formed:
        self._tick(at)
        formed = form_tool_result(name, result, self.now, self.holds())
        self._apply(formed.changes)
        return formed

    def document(self, name: str, text: str, at: str | None = None) -> Formed:
        self._tick(at)
        formed = form_document(text, name, self.now, self.holds())
        self._apply(formed.changes)
        return formed

    def holds(self) -> MemoryHolds:
        return MemoryHolds(self.current())

    def current(self, klass: Klass | None = None) -> list[Engram]:
        return [e for e in self.log if e.id not in self.ended and klass in (None, e.klass)]

    def contents(self, klass: Klass | None = None) -> list[str]:
        return [e.content for e in self.current(klass)]

    def as_of(self, when: datetime) -> list[Engram]:
        return [e for e in self.log if e.created_at <= when and not self.ended.get(e.id, when + DAY) <= when]

    def _tick(self, at: str | datetime | None) -> None:
        step = self.now + timedelta(seconds=1)
        self.now = step if at is None else datetime.fromisoformat(at) if isinstance(at, str) else at

    def _apply(self, changes: Sequence[Change]) -> tuple[str, ...]:
        written = [self._write(c.draft) for c in changes if c.draft is not None]
        for change in changes:
            if change.kind in (ChangeKind.SUPERSEDE, ChangeKind.RETRACT):
                self.ended.update(dict.fromkeys(change.targets, self.now))
        return tuple(e.id for e in reversed(written))

    def _write(self, draft: Draft) -> Engram:
        seq = len(self.log) + 1
        engram = Engram(
            id=str(uuid.UUID(int=seq, version=4)),
            seq=seq,
            type=draft.type,
            content=draft.content,
            author="operator",
            provenance=draft.provenance,
            created_at=self.now,
            salience=draft.salience,
            tier=draft.tier,
            valid_from=draft.valid_from,
            links=draft.links,
            metadata=draft.metadata,
        )
        self.log.append(engram)
        for link in draft.links:
            if link.relation is Relation.SUPERSEDES:
                self.ended[link.target] = self.now
        return engram


DAY = timedelta(days=1)


def heard(*turns: str) -> Memory:
    """A memory after these turns of the operator."""
    memory = Memory()
    for turn in turns:
        memory.says(turn)
    return memory


def held(*turns: str) -> list[str]:
    """What holds after these turns, in words."""
    return [e.content for e in heard(*turns).holds().all()]
