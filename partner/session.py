"""One conversation: each message goes through the table of partner/turn.py, once, in order.

receive -> gate -> form -> gather -> route -> stream -> append. What is formed is on disk before the
engine is asked. A refusal asks no engine. Whatever cuts a reply short, what was said so far is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from gate.model import Decision, Verdict
from partner import history, notes_reply, policy, writing
from partner.asking import Asking
from partner.context import Context, Limits, Parts, gather
from partner.events import Asked, Clarify, Formed, Gathered, Problem, Received, Refused, Replied, TurnEvent
from partner.formation import Change, form
from partner.formation import Formed as Formation
from partner.formation.redaction import redact
from partner.holds import StoreHolds
from partner.interrupts import Interrupts, NoInterrupts
from partner.names import kept_out, only_read
from partner.policy import Policy
from partner.receive import receive
from partner.settings import NO_ENGINE
from partner.speaking import Reply, Speaker
from partner.tags import all_of, tags_of_draft
from partner.turn import EventKind, Machine, State
from partner.writing import apply_changes, drafts_of, keep_utterance, rests_on, said_again, settled_share
from store.errors import StoreError
from store.model import Engram

if TYPE_CHECKING:
    from partner.proposing import Proposer
    from partner.tools.toolbox import Toolbox
    from router import Router
    from router.model import Attachment
    from store import Store

REASONING_CHARS = 20_000  # of what an engine thought; kept beside its reply, never sent again
CHARS_PER_TOKEN = 4  # for the estimate of a transcript that nobody sends


@dataclass(slots=True)
class _Turn:
    """What one message has gathered on its way. Private to the session."""

    text: str
    at: datetime
    engine: str | None
    machine: Machine
    verdict: Verdict
    formation: Formation
    talk: history.Conversation
    attachments: tuple[Attachment, ...] = ()
    utterance: Engram | None = None
    formed: list[Formed] = field(default_factory=list)


class Session:
    """The turn and its pieces. One at a time: a session is not shared between threads."""

    def __init__(
        self,
        *,
        store: Store,
        policy: Policy,
        router: Router | None,
        order: Sequence[str],
        clock: Callable[[], datetime],
        limits: Limits,
        session_id: str,
        interrupts: Interrupts | None = None,
        toolbox: Toolbox | None = None,
        proposer: Proposer | None = None,
    ) -> None:
        self.toolbox = toolbox
        self._store = store
        self._proposer = proposer
        self._policy = policy
        self._order = order
        self._clock = clock
        self._limits = limits
        self._session_id = session_id
        self._holds = StoreHolds(store)
        self._speaker = None
        if router is not None:
            self._speaker = Speaker(router, policy, limits, lambda: self.interrupts, toolbox)
        self.interrupts: Interrupts = interrupts or NoInterrupts()
        self.engine: str | None = None
        self.only = False  # no other engine may answer in the place of `engine`
        self.pending: _Turn | None = None
        self._keeps = not store.read_only  # else nothing is written, and the first turn says so
        self._told = self._keeps
        self.last_context: Context | None = None
        self.last_verdict: Verdict | None = None  # of the last message, where it was not simply allowed
        self.written: list[tuple[Formed, ...]] = []  # what each message wrote, newest last
        self.last_reply: Replied | None = None
        self.tokens_sent = 0
        self.transcript_tokens = 0

    # ---- receive, gate

    def turn(
        self,
        text: str,
        *,
        at: datetime | None = None,
        engine: str | None = None,
        attachments: Sequence[Attachment] = (),
    ) -> Iterator[TurnEvent]:
        """One message to its reply. Raises UsageError for what is no message; store errors pass through.
        `attachments` go to the engine with it and are not kept; which they were is.

        After `Asked` the turn rests until `answer`; a new message instead counts as 'the rule applies'.
        """
        if self.pending is not None:
            yield from self.answer(applies=True, record=False)
        clean, warning = receive(text)
        at = at or self._clock()
        talk = history.read(self._store, now=self._clock())
        machine = Machine()
        machine.on(EventKind.RECEIVED)
        yield Received(text=clean, warning=warning)
        verdict = self._policy.check_text(clean, at)
        self.last_verdict = None if verdict.decision is Decision.ALLOW else verdict
        for line in self._policy.idle_news():
            yield Problem(message=line)
        if not self._told:
            self._told = True
            yield Problem(message=only_read(self._store.location))
        formation, told = self._formed_from(clean, at, talk)
        yield from (Problem(message=line) for line in (told,) if line)
        turn = _Turn(clean, at, engine or self.engine, machine, verdict, formation, talk, tuple(attachments))
        match writing.decided(self._store, verdict, formation.changes):
            case Decision.REFUSE:
                machine.on(EventKind.REFUSED)
                yield from self._refuse(turn)
            case Decision.ASK:
                machine.on(EventKind.ASKED)
                self._keep(turn)
                self.pending = turn
                yield Asked(verdict=turn.verdict, question=policy.question(turn.verdict))
            case Decision.ALLOW:
                machine.on(EventKind.ALLOWED)
                yield from self._proceed(turn)
                yield from self._propose(turn)

    def answer(self, *, applies: bool, record: bool = True) -> Iterator[TurnEvent]:
        """Settle what the gate asked: the rule applies (refused), or it does not (the turn goes on).

        The answer is written down, so the same question is not asked twice; not so with `record=False`,
        where nobody answered.
        """
        turn, self.pending = self.pending, None
        if turn is None:
            return
        if record and self._keeps:
            learned = tuple(self._policy.learn(turn.verdict, turn.text, applies=applies, at=turn.at))
            self.written.append(learned)
            yield from learned
        if applies:
            turn.machine.on(EventKind.CONFIRMED)
            yield from self._refuse(turn)
        else:
            turn.machine.on(EventKind.WAIVED)
            yield from self._proceed(turn)
            yield from self._propose(turn)

    # ---- refuse, keep, form

    def _formed_from(self, text: str, at: datetime, talk: history.Conversation) -> tuple[Formation, str]:
        """What the words settle, and what is to be told of it. A fault in the former loses nothing."""
        try:
            formed = form(text, at=at, holds=self._holds, context=talk.for_formation())
            return formed, kept_out(formed.secrets) if self._keeps else ""
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - the words must be kept whatever the former makes of them
            told = f"What this settles could not be worked out ({error}); the words are kept as said."
            return Formation(utterance_text=redact(text).text), told

    def _refuse(self, turn: _Turn) -> Iterator[TurnEvent]:
        """Zero inference. What the message settles apart from the refused stretch is still formed."""
        refused = [turn.text[m.span[0] : m.span[1]] for m in turn.verdict.matches if m.span]
        kept = [c for c in turn.formation.changes if refused and not rests_on(c, refused)]
        yield from self._form(turn, kept)
        turn.machine.on(EventKind.KEPT)
        yield Refused(verdict=turn.verdict, message=policy.refusal(turn.verdict, turn.text))

    def _form(self, turn: _Turn, changes: Sequence[Change]) -> Iterator[TurnEvent]:
        """Keep the words and write what they settle; all of it is on disk when the first event is given."""
        if not self._keeps:
            return
        with self._store.transaction():
            if turn.utterance is None:
                self._keep(turn)
            events = list(apply_changes(self._store, changes, utterance=turn.utterance, at=turn.at))
        turn.formed = [event for event in events if isinstance(event, Formed)]
        if turn.formed:
            self.written.append(tuple(turn.formed))
        yield from events
        if turn.formation.question:
            yield Clarify(question=turn.formation.question)

    def _keep(self, turn: _Turn) -> None:
        """The words themselves, secrets replaced."""
        words = turn.formation.utterance_text
        if not words.strip() or not self._keeps:
            return
        verdict = turn.verdict
        metadata: dict[str, object] = self._mark(turn.talk, words)
        metadata["settled"] = settled_share(turn.formation, words)
        if repeated := said_again(self._store, turn.formation):
            metadata["tags"] = sorted(repeated)
        if turn.attachments:
            metadata["attachments"] = [
                {"name": part.name, "bytes": len(part.data), "sha256": hashlib.sha256(part.data).hexdigest()}
                for part in turn.attachments
            ]
        if verdict.decision is not Decision.ALLOW:
            metadata["verdict"] = {
                "decision": str(verdict.decision),
                "rules": sorted({match.engram_id for match in verdict.matches}),
                "request_hash": verdict.request_hash,
                "head": verdict.head,
            }
        turn.utterance = keep_utterance(
            self._store, words, speaker=history.OPERATOR, metadata=metadata, source=self._session_id
        )

    def _mark(self, talk: history.Conversation, said: str, before: str = "") -> dict[str, object]:
        """What every utterance carries: its conversation, and how long the whole transcript is by now."""
        return {
            "session": self._session_id,
            "transcript_chars": talk.transcript_chars + len(before) + len(said),
        }

    # ---- gather, route, stream

    def _proceed(self, turn: _Turn) -> Iterator[TurnEvent]:
        yield from self._form(turn, turn.formation.changes)
        turn.machine.on(EventKind.FORMED)
        parts = self._gather(turn)
        turn.machine.on(EventKind.GATHERED)
        if self._speaker is None or turn.engine == NO_ENGINE or self._memory_answers(turn, parts):
            turn.machine.on(EventKind.NO_ENGINE)
            yield self._from_notes(turn, parts)
            return
        reply = Reply()
        try:
            yield from self._spoken(turn, parts, reply)
        except GeneratorExit:  # whoever listened has left; what was said so far is kept all the same
            reply.partial = True
            self._append(turn, reply)
            raise
        if reply.problem is not None:
            yield reply.problem
        if reply.withheld or (reply.problem is not None and not reply.text.strip()):
            yield self._from_notes(turn, parts)
        else:
            yield self._append(turn, reply)

    def _propose(self, turn: _Turn) -> Iterator[TurnEvent]:
        """What an engine makes of the turn, once the reply is kept; Ctrl-C leaves it at that."""
        if self._proposer is None or turn.utterance is None:
            return
        made: list[Formed] = []
        events = self._proposer.after_turn(turn.utterance, turn.at)
        try:
            while (event := self._next(events)) is not None:
                made += [event] if isinstance(event, Formed) else []
                yield event
        except KeyboardInterrupt:
            yield Problem(message="Stopped; what was proposed so far waits in the inbox.")
        if made:
            self.written.append((*(self.written.pop() if turn.formed else ()), *made))

    def _next(self, events: Iterator[Formed | Problem]) -> Formed | Problem | None:
        with self.interrupts.armed():
            return next(events, None)

    def _memory_answers(self, turn: _Turn, parts: Parts) -> bool:
        if turn.attachments or self._speaker is None:
            return False
        able = self._speaker.capabilities(turn.engine or next(iter(self._order), NO_ENGINE))
        return notes_reply.enough(turn.text, parts, _settled(turn), engine=able)

    def _gather(self, turn: _Turn) -> Parts:
        own = [event.engram for event in turn.formed]
        skip = {engram.id for engram in own}
        if turn.utterance is not None:
            skip.add(turn.utterance.id)
        return gather(
            self._store,
            turn.text,
            self._limits,
            cautions=turn.verdict.matches,
            skip=frozenset(skip),
            just_formed=own,
        )

    def engine_choice(self, text: str, at: datetime) -> str:
        """Which engine this message would go to, with all that would go along, and why not the others.
        Asks none and writes nothing."""
        clean, _ = receive(text)
        verdict = self._policy.check_text(clean, at)
        if verdict.decision is not Decision.ALLOW:
            asks = verdict.decision is Decision.ASK
            return f"No engine yet. {policy.question(verdict)}" if asks else policy.refusal(verdict)
        if self._speaker is None or self.engine == NO_ENGINE:
            return "No engine is in use: memory answers."
        talk = history.read(self._store, now=self._clock())
        formation, _ = self._formed_from(clean, at, talk)
        turn = _Turn(clean, at, self.engine, Machine(), verdict, formation, talk)
        told = said_again(self._store, formation).union(*map(tags_of_draft, drafts_of(formation)))
        return self._speaker.choice(replace(self._asking(turn, self._gather(turn)), told=told))

    def _asking(self, turn: _Turn, parts: Parts) -> Asking:
        pinned = [turn.engine] if turn.engine else []
        told = [engram for event in turn.formed for engram in (event.engram, event.old) if engram is not None]
        return Asking(
            text=turn.formation.utterance_text or turn.text,
            at=turn.at,
            parts=parts,
            turns=turn.talk.turns,
            told=all_of(told),
            turn_tags=turn.talk.tags,
            pin=turn.engine,
            order=pinned or self._order,
            transcript_tokens=(turn.talk.transcript_chars + len(turn.text)) // CHARS_PER_TOKEN,
            only=self.only and turn.engine is not None,
            attachments=turn.attachments,
            utterance=turn.utterance,
        )

    def _spoken(self, turn: _Turn, parts: Parts, reply: Reply) -> Iterator[TurnEvent]:
        assert self._speaker is not None
        for event in self._speaker.speak(self._asking(turn, parts), turn.machine, reply):
            if isinstance(event, Gathered):
                self.last_context = reply.context
                self.tokens_sent += event.tokens
                self.transcript_tokens += event.transcript_tokens
            yield event

    # ---- append

    def _append(self, turn: _Turn, reply: Reply) -> Replied:
        if turn.machine.state in (State.ROUTING, State.STREAMING, State.CALLING):
            turn.machine.on(EventKind.INTERRUPTED if reply.partial else EventKind.ENDED)
        text = reply.text.replace("\x00", "")
        used = [engram.id for engram in reply.context.engrams] if reply.context else []
        engram = None
        if text.strip() and self._keeps:
            metadata = self._mark(turn.talk, text, turn.text)
            metadata |= {"engine": reply.engine, "model": reply.model, "context": used}
            if reply.tags:
                metadata["tags"] = sorted(reply.tags)
            if reply.used:
                metadata["calls"] = reply.used
            if thought := redact("".join(reply.thoughts)).text:
                metadata["reasoning"] = thought[:REASONING_CHARS]
            if reply.partial:
                metadata["partial"] = True
            engram = keep_utterance(
                self._store,
                text,
                speaker=history.PARTNER,
                metadata=metadata,
                source=reply.engine,
                answers=turn.utterance,
            )
        if used and self._keeps:
            self._store.reinforce(used, turn.at)
        return self._done(
            turn,
            Replied(text=text, engine=reply.engine, engram=engram, partial=reply.partial, usage=reply.usage),
        )

    def _from_notes(self, turn: _Turn, parts: Parts) -> Replied:
        """The answer of memory alone. It is made of engrams kept already, so it is not kept again."""
        attached = self._speaker is not None and turn.engine != NO_ENGINE
        text, used = notes_reply.notes_reply(self._store, turn.text, parts, _settled(turn), attached=attached)
        if used and self._keeps:
            self._store.reinforce([engram.id for engram in used], turn.at)
        return self._done(turn, Replied(text=text, engine=None, engram=None))

    def _done(self, turn: _Turn, replied: Replied) -> Replied:
        turn.machine.on(EventKind.APPENDED)
        self.last_reply = replied
        return replied


def _settled(turn: _Turn) -> notes_reply.Settled:
    formation = turn.formation
    return notes_reply.Settled(turn.formed, settled_share(formation, turn.text), bool(formation.question))
