"""The conversation so far, read from the log: a process that was killed goes on where it stood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from partner import inventory
from partner.context import settled
from partner.manners import asks, courtesy, said_back
from partner.tags import NOTHING, Tags, given, tags_of
from router.model import Message, Role
from store.model import Engram, EngramType, Klass, Relation

if TYPE_CHECKING:
    from partner import formation
    from store import Store

CONVERSATION_GAP = timedelta(hours=3)  # words older than this are memory, no longer the same talk
TELLING_GAP = timedelta(days=30)  # 'that was wrong' on the next morning still means the last thing said
SCAN = 240  # entries looked back; a turn writes a handful
RECALLED_LINES, RECALLED_CHARS = 200, 2_000  # what the arrow keys bring back in a new process
PARTNER, OPERATOR = "partner", "operator"
UNANSWERED = "(No engine answered this.)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Newest last. `formed` are the engrams of the last operator turn that wrote any, newest first.

    `turns` alternate between the operator and the partner: what memory alone answered is not in the log, so
    such a message is given a reply here, or left out (`_replied`). `tags` tell of each turn what it settled
    (the operator's), or what it was made from (the partner's). `utterances` are the log's own, all of them.
    """

    turns: tuple[Message, ...]
    tags: tuple[Tags, ...]
    utterances: tuple[Engram, ...]
    formed: tuple[Engram, ...]
    transcript_chars: int  # all that was ever said here, as an estimate of a full transcript

    def for_formation(self, limit: int = 4) -> formation.Context:
        from partner.formation import Context

        said = [e.content for e in self.utterances if not _by_partner(e)][-limit:]
        partner_said = next((e.content for e in reversed(self.utterances) if _by_partner(e)), None)
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
    turns = _replied(said, settling=settles.keys())
    return Conversation(
        turns=tuple(message for message, _ in turns),
        tags=tuple(
            settles.get(engram.id, NOTHING) | given(engram.metadata) if engram is not None else NOTHING
            for _, engram in turns
        ),
        utterances=tuple(said),
        formed=tuple(formed),
        transcript_chars=max(transcript, 0),
    )


def said_before(store: Store) -> Iterator[str]:
    """What the operator typed, newest first, for the line editor; secrets were replaced when it was kept, and
    what was erased is gone here, too. A pasted page is no line to come back to."""
    last = ""
    for engram in store.current(type=EngramType.UTTERANCE, limit=2 * RECALLED_LINES):
        whole = _whole(engram) == engram.id and len(engram.content) <= RECALLED_CHARS
        if whole and not _by_partner(engram) and engram.content != last:
            last = engram.content
            yield last


def _backwards(store: Store) -> Iterator[Engram]:
    yield from store.log(newest_first=True, limit=SCAN)


def _rests_on(engram: Engram) -> list[str]:
    return [link.target for link in engram.links if link.relation is Relation.DERIVED_FROM]


def _replied(said: Sequence[Engram], *, settling: Set[str]) -> list[tuple[Message, Engram | None]]:
    """Each turn with the engram it is made of; None for a reply that only stands in for one.

    A message that no engine answered was answered by memory, or not at all. Where it settled something the
    reply was that this is noted. Greetings, questions for a list and what a rule refused are left out: an
    engine makes nothing of them, and their answers are not for it (rules are in no context). Any other may
    still be wanted ('try again') and says that nobody answered.
    """
    answered = {_answers(engram) for engram in said if _by_partner(engram)}
    turns: list[tuple[Message, Engram | None]] = []
    for place, engram in enumerate(said):
        whole = _whole(engram)
        if _by_partner(engram) or whole in answered:
            turns.append((_message(engram), engram))
            continue
        text = engram.content
        if "verdict" in engram.metadata or courtesy(text) or inventory.asked(text) is not None:
            continue
        turns.append((_message(engram), engram))
        if place + 1 < len(said) and _whole(said[place + 1]) == whole:
            continue  # the reply comes behind the last piece
        told = not asks(text) and (whole in settling or engram.metadata.get("settled", 0.0) > 0)
        turns.append(
            (Message(role=Role.ASSISTANT, content=said_back("noted", text) if told else UNANSWERED), None)
        )
    return turns


def _by_partner(engram: Engram) -> bool:
    return engram.metadata.get("speaker") == PARTNER


def _answers(reply: Engram) -> str | None:
    return next((link.target for link in reply.links if link.relation is Relation.ANSWERS), None)


def _whole(engram: Engram) -> str:
    """The first piece of a message that is longer than one engram holds; the engram itself of any other."""
    parts = (link.target for link in engram.links if link.relation is Relation.PART_OF)
    return next(parts, engram.id)


def _message(engram: Engram) -> Message:
    role = Role.ASSISTANT if _by_partner(engram) else Role.USER
    return Message(
        role=role,
        content=engram.content,
        engine=engram.metadata.get("engine"),
        partial=bool(engram.metadata.get("partial")),
    )
