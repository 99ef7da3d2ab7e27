"""The conversation so far, read from the log: a process that was killed goes on where it stood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from partner.context import settled
from partner.tags import NOTHING, Tags, given, tags_of
from router.model import Message, Role
from store.model import Engram, EngramType, Klass, Relation

if TYPE_CHECKING:
    from partner import formation
    from store import Store

CONVERSATION_GAP = timedelta(hours=3)  # words older than this are memory, no longer the same talk
TELLING_GAP = timedelta(days=30)  # 'that was wrong' on the next morning still means the last thing said
SCAN = 240  # entries looked back; a turn writes a handful
PARTNER, OPERATOR = "partner", "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Newest last. `formed` are the engrams of the last operator turn that wrote any, newest first.

    `tags` tell of each turn what it settled (the operator's), or what it was made from (the partner's).
    """

    turns: tuple[Message, ...]
    tags: tuple[Tags, ...]
    utterances: tuple[Engram, ...]
    formed: tuple[Engram, ...]
    transcript_chars: int  # all that was ever said here, as an estimate of a full transcript

    def for_formation(self, limit: int = 4) -> formation.Context:
        from partner.formation import Context

        said = [turn.content for turn in self.turns if turn.role is Role.USER][-limit:]
        partner_said = next((t.content for t in reversed(self.turns) if t.role is Role.ASSISTANT), None)
        return Context(
            previous=tuple(said), formed=tuple(e.id for e in self.formed), partner_said=partner_said
        )


def read(store: Store, *, now: datetime, limit: int = 12) -> Conversation:
    """The last `limit` utterances of the talk that is going on, and what its last telling turn formed."""
    since, telling_since = now - CONVERSATION_GAP, now - TELLING_GAP
    said: list[Engram] = []
    newer: list[Engram] = []
    formed: list[Engram] = []
    settles: dict[str, Tags] = {}  # by the utterance; what rests on it comes after it in the log
    transcript = -1
    for engram in _backwards(store):
        if engram.type is EngramType.UTTERANCE and transcript < 0:
            transcript = int(engram.metadata.get("transcript_chars", len(engram.content)))
        for told in _rests_on(engram):
            settles[told] = settles.get(told, NOTHING) | tags_of(engram)
        over = engram.created_at < since or len(said) >= limit
        if over and (formed or engram.created_at < telling_since):
            if transcript >= 0:
                break
            continue
        if engram.type is EngramType.UTTERANCE and not engram.erased:
            if not over:
                said.append(engram)
            if not formed and engram.metadata.get("speaker") == OPERATOR:
                formed = [e for e in newer if engram.id in _rests_on(e)]
                newer = []
        elif engram.klass is not Klass.CONTROL and engram.type is not EngramType.TRACE and settled(engram):
            newer.append(engram)
    said.reverse()
    return Conversation(
        turns=tuple(_message(engram) for engram in said),
        tags=tuple(settles.get(engram.id, NOTHING) | given(engram.metadata) for engram in said),
        utterances=tuple(said),
        formed=tuple(formed),
        transcript_chars=max(transcript, 0),
    )


def _backwards(store: Store) -> Iterator[Engram]:
    yield from store.log(newest_first=True, limit=SCAN)


def _rests_on(engram: Engram) -> list[str]:
    return [link.target for link in engram.links if link.relation is Relation.DERIVED_FROM]


def _message(engram: Engram) -> Message:
    role = Role.ASSISTANT if engram.metadata.get("speaker") == PARTNER else Role.USER
    return Message(
        role=role,
        content=engram.content,
        engine=engram.metadata.get("engine"),
        partial=bool(engram.metadata.get("partial")),
    )
