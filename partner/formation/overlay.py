"""What would hold after the claims formed so far in this turn: later sentences are compared with earlier
ones too."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from partner.formation.model import Change, ChangeKind, HoldsView
from partner.formation.topics import content_words
from partner.formation.values import WORKED_OUT
from store.model import Draft, Engram, Klass

_TURN = uuid.UUID("6f0c2a52-6a51-5d1e-9a55-5d1f3a6b7c10")  # temporary ids: version 5, which no log gives
_FAR = 1 << 60  # positions of claims not yet written: after everything in the log
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Entry:
    change: Change
    engram: Engram | None


class Overlay:
    """A `HoldsView` over `holds` that also sees the turn's own claims. Ids of those are temporary."""

    def __init__(self, holds: HoldsView) -> None:
        self._holds = holds
        self._entries: list[_Entry] = []
        self._gone: set[str] = set()
        self._count = 0

    def add(self, change: Change) -> None:
        """Take in a change. One that replaces a claim of this same turn takes its place: that one is never
        written."""
        own = {e.engram.id: e for e in self._entries if e.engram is not None}
        inner = [t for t in change.targets if t in own]
        targets = [t for t in change.targets if t not in own]
        if change.kind is ChangeKind.SAME and inner:
            return
        for target in inner:
            entry = own[target]
            self._entries.remove(entry)
            targets += [t for t in entry.change.targets if t not in targets]
        if change.kind is ChangeKind.RETRACT and not targets:
            return
        self._gone.update(targets if change.kind is not ChangeKind.SAME else ())
        self._entries.append(self._entry(change, tuple(targets)))

    def _entry(self, change: Change, targets: tuple[str, ...]) -> _Entry:
        kind = change.kind
        if kind in (ChangeKind.NEW, ChangeKind.SUPERSEDE):
            kind = ChangeKind.SUPERSEDE if targets else ChangeKind.NEW
        kept = Change(kind=kind, draft=change.draft, targets=targets, note=change.note)
        return _Entry(kept, self._engram(change.draft) if change.draft is not None else None)

    def _engram(self, draft: Draft) -> Engram:
        self._count += 1
        return Engram(
            id=str(uuid.uuid5(_TURN, str(self._count))),
            seq=_FAR + self._count,
            type=draft.type,
            content=draft.content,
            author="this turn",
            provenance=draft.provenance,
            created_at=_EPOCH,
            salience=draft.salience,
            tier=draft.tier,
            links=(),
            metadata=draft.metadata,
        )

    def changes(self) -> tuple[Change, ...]:
        return tuple(e.change for e in self._entries)

    def pending(self) -> int:
        """How many claims this turn has formed so far."""
        return sum(e.engram is not None for e in self._entries)

    def own(self) -> list[Engram]:
        """The claims of this turn so far, newest first, with their temporary ids."""
        return self._mine()

    def formed_after(self, count: int) -> set[str]:
        """Ids of the claims that this turn has formed after its first `count`."""
        own = [e.engram.id for e in self._entries if e.engram is not None]
        return set(own[count:])

    def superseded_any(self) -> bool:
        return any(e.change.kind is ChangeKind.SUPERSEDE for e in self._entries)

    def drop_last(self) -> None:
        """Take the last claim of this turn back before it is written; what it replaced holds on."""
        for entry in reversed(self._entries):
            if entry.engram is not None:
                self._entries.remove(entry)
                self._gone.difference_update(entry.change.targets)
                return

    def drop_saying(self, sentence: str) -> None:
        """Take back this turn's claim with these words: a fuller one, joined with the next sentence,
        comes."""
        for entry in self._entries:
            if (
                entry.engram is not None
                and entry.change.kind is ChangeKind.NEW
                and WORKED_OUT.sub("", entry.engram.content).rstrip(".") == sentence.rstrip(".")
            ):
                self._entries.remove(entry)
                return

    def by_key(self, subject: str, attribute: str) -> Sequence[Engram]:
        mine = [
            e
            for e in self._mine()
            if e.metadata.get("subject") == subject and e.metadata.get("attribute") == attribute
        ]
        return [*mine, *self._alive(self._holds.by_key(subject, attribute))]

    def about(self, words: Sequence[str], limit: int = 30) -> Sequence[Engram]:
        wanted = content_words(" ".join(words)) | frozenset(words)
        mine = [e for e in self._mine() if wanted & content_words(e.content)]
        return [*mine, *self._alive(self._holds.about(words, limit))]

    def recent(self, limit: int = 20, klass: Klass | None = None) -> Sequence[Engram]:
        mine = [e for e in self._mine() if klass is None or e.klass is klass]
        return [*mine, *self._alive(self._holds.recent(limit, klass))]

    def _mine(self) -> list[Engram]:
        return [e.engram for e in reversed(self._entries) if e.engram is not None]

    def _alive(self, engrams: Sequence[Engram]) -> list[Engram]:
        return [e for e in engrams if e.id not in self._gone]
