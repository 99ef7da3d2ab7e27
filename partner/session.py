"""One conversation: each message goes through the table of partner/turn.py, once, in order.

receive -> gate -> form -> gather -> route -> stream -> append. What is formed is on disk before the
engine is asked. A refusal asks no engine. Whatever cuts a reply short, what was said so far is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from gate.model import ActionRequest, Decision, Verdict
from partner import history, notes_reply, policy
from partner.context import Context, Embed, Limits, Parts, compile_for, gather
from partner.events import (
    Asked,
    EngineEvent,
    Formed,
    Gathered,
    Problem,
    Received,
    Refused,
    Replied,
    TurnEvent,
)
from partner.formation import Formed as Formation
from partner.formation import form
from partner.holds import StoreHolds
from partner.interrupts import Interrupts, NoInterrupts
from partner.policy import Policy
from partner.receive import receive
from partner.turn import EventKind, Machine, State
from partner.writing import apply_changes, keep_utterance
from router.errors import RouterError
from router.model import Capabilities, Engine, Failed, Request, Start, Switched, Text, Usage
from store.model import Engram

if TYPE_CHECKING:
    from router import Router
    from store import Store

NO_ENGINE = "none"
CHARS_PER_TOKEN = 4  # for the estimate of a transcript nobody sends


@dataclass(slots=True, kw_only=True)
class _Turn:
    """What one message has gathered on its way. Private to the session."""

    text: str
    at: datetime
    engine: str | None
    machine: Machine
    verdict: Verdict
    formation: Formation
    talk: history.Conversation
    utterance: Engram | None = None
    formed: list[Formed] = field(default_factory=list)
    context: Context | None = None
    denied: list[Verdict] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Reply:
    pieces: list[str] = field(default_factory=list)
    engine: str | None = None
    model: str | None = None
    cached: bool = False
    usage: Usage | None = None
    partial: bool = False
    problem: Problem | None = None


class Session:
    """The turn and its pieces. One at a time: a session is not shared between threads."""

    def __init__(
        self,
        *,
        store: Store,
        policy: Policy,
        router: Router | None,
        clock: Callable[[], datetime],
        limits: Limits,
        session_id: str,
        embed: Embed = lambda text: None,
        interrupts: Interrupts | None = None,
    ) -> None:
        self._store = store
        self._policy = policy
        self._router = router
        self._clock = clock
        self._limits = limits
        self._session_id = session_id
        self._embed = embed
        self._holds = StoreHolds(store)
        self.interrupts: Interrupts = interrupts or NoInterrupts()
        self.engine: str | None = None
        self.pending: _Turn | None = None
        self.last_context: Context | None = None
        self.last_formed: tuple[Formed, ...] = ()
        self.last_reply: Replied | None = None
        self.tokens_sent = 0
        self.transcript_tokens = 0

    # ---- receive, gate

    def turn(
        self, text: str, *, at: datetime | None = None, engine: str | None = None
    ) -> Iterator[TurnEvent]:
        """One message to its reply. Raises UsageError for what is not a message; store errors pass through.

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
        turn = _Turn(
            text=clean,
            at=at,
            engine=engine or self.engine,
            machine=machine,
            verdict=self._policy.check_text(clean, at),
            formation=form(clean, at=at, holds=self._holds, context=talk.for_formation()),
            talk=talk,
        )
        self._keep(turn)
        if turn.verdict.decision is Decision.REFUSE:
            machine.on(EventKind.REFUSED)
            yield from self._refuse(turn)
        elif turn.verdict.decision is Decision.ASK:
            machine.on(EventKind.ASKED)
            self.pending = turn
            yield Asked(verdict=turn.verdict, question=policy.question(turn.verdict))
        else:
            machine.on(EventKind.ALLOWED)
            yield from self._proceed(turn)

    def answer(self, *, applies: bool, record: bool = True) -> Iterator[TurnEvent]:
        """Settle what the gate asked: the rule applies (refused), or it does not (the turn goes on).

        The answer is written down, so the same question is not asked twice; not so with `record=False`,
        where nobody answered.
        """
        turn, self.pending = self.pending, None
        if turn is None:
            return
        if record:
            yield from self._policy.learn(turn.verdict, turn.text, applies=applies, at=turn.at)
        if applies:
            turn.machine.on(EventKind.CONFIRMED)
            yield from self._refuse(turn)
        else:
            turn.machine.on(EventKind.WAIVED)
            yield from self._proceed(turn)

    def _keep(self, turn: _Turn) -> None:
        """The words themselves, secrets replaced, before anything else is done with them."""
        words = turn.formation.utterance_text
        if not words.strip():
            return
        verdict = turn.verdict
        metadata: dict[str, object] = {"session": self._session_id, **self._transcript(turn.talk, words)}
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

    # ---- refuse, form

    def _refuse(self, turn: _Turn) -> Iterator[TurnEvent]:
        """Zero inference. What the message settles apart from the refused stretch is still formed."""
        spans = [turn.text[m.span[0] : m.span[1]] for m in turn.verdict.matches if m.span]
        kept = tuple(
            c
            for c in turn.formation.changes
            if c.draft is None or not _rests_on(c.draft.provenance.evidence, spans)
        )
        yield from self._form(turn, kept if spans else ())
        turn.machine.on(EventKind.KEPT)
        yield Refused(verdict=turn.verdict, message=policy.refusal(turn.verdict))

    def _form(self, turn: _Turn, changes: tuple) -> Iterator[TurnEvent]:
        for event in apply_changes(self._store, changes, utterance=turn.utterance, at=turn.at):
            if isinstance(event, Formed):
                turn.formed.append(event)
            yield event
        self.last_formed = tuple(turn.formed)
        if turn.formation.question:
            yield Problem(message=turn.formation.question)

    def _proceed(self, turn: _Turn) -> Iterator[TurnEvent]:
        yield from self._form(turn, turn.formation.changes)
        turn.machine.on(EventKind.FORMED)
        parts = self._gather(turn)
        turn.machine.on(EventKind.GATHERED)
        if self._router is None or turn.engine == NO_ENGINE:
            turn.machine.on(EventKind.NO_ENGINE)
            yield from self._from_notes(turn, parts)
            return
        reply = _Reply()
        try:
            yield from self._stream(turn, parts, reply)
        except GeneratorExit:
            reply.partial = True
            self._append(turn, reply)
            raise
        if reply.problem is not None:
            yield reply.problem
        if reply.problem is not None and not reply.pieces:
            yield from self._from_notes(turn, parts)
            return
        yield self._append(turn, reply)

    def _gather(self, turn: _Turn) -> Parts:
        skip = {event.engram.id for event in turn.formed}
        if turn.utterance is not None:
            skip.add(turn.utterance.id)
        return gather(
            self._store,
            turn.text,
            self._limits,
            embed=self._embed,
            cautions=turn.verdict.matches,
            skip=frozenset(skip),
        )

    # ---- route, stream

    def _stream(self, turn: _Turn, parts: Parts, reply: _Reply) -> Iterator[TurnEvent]:
        assert self._router is not None
        compiled: dict[str, Context] = {}

        def request_for(engine: Engine) -> Request:
            compiled[engine.name] = compile_for(
                parts,
                turn.formation.utterance_text or turn.text,
                turn.talk.turns,
                capabilities=engine.capabilities(),
                count=engine.count_tokens,
                limits=self._limits,
            )
            return compiled[engine.name].request

        def allow(name: str, capabilities: Capabilities) -> bool:
            verdict = self._check_model_call(turn, name, capabilities, compiled[name].request)
            if not verdict.allowed:
                turn.denied.append(verdict)
            return verdict.allowed

        try:
            with closing(self._router.stream(request_for, pin=turn.engine, allow=allow)) as stream:
                while True:
                    with self.interrupts.armed():
                        event = next(stream, None)
                    if event is None:
                        break
                    yield from self._on_engine(turn, reply, event, compiled)
        except KeyboardInterrupt:
            reply.partial = True
            turn.machine.on(EventKind.INTERRUPTED)
        except RouterError as error:
            self._on_failure(turn, reply, str(error))

    def _on_engine(
        self, turn: _Turn, reply: _Reply, event: object, compiled: dict[str, Context]
    ) -> Iterator[TurnEvent]:
        if isinstance(event, Start):
            reply.engine, reply.model, reply.cached = event.engine, event.model, event.cached
            turn.context = compiled.get(event.engine)
            turn.machine.on(EventKind.STARTED)
            yield from self._report(turn)
        elif isinstance(event, Text):
            reply.pieces.append(event.text)
        elif isinstance(event, Usage):
            reply.usage = event
        elif isinstance(event, Switched):
            reply.pieces.clear()
            turn.machine.on(EventKind.SWITCHED)
        elif isinstance(event, Failed):
            self._on_failure(turn, reply, event.message)
            return
        yield EngineEvent(event=event)  # type: ignore[arg-type]

    def _report(self, turn: _Turn) -> Iterator[TurnEvent]:
        context = turn.context
        if context is None:
            return
        if context.cut:
            yield Problem(message=context.cut)
        transcript = (turn.talk.transcript_chars + len(turn.text)) // CHARS_PER_TOKEN
        self.last_context = context
        self.tokens_sent += context.tokens
        self.transcript_tokens += transcript
        yield Gathered(
            engrams=context.engrams,
            notes=context.request.notes,
            tokens=context.tokens,
            transcript_tokens=transcript,
        )

    def _on_failure(self, turn: _Turn, reply: _Reply, message: str) -> None:
        refused = turn.denied[-1] if turn.denied and not reply.pieces else None
        if refused is not None:
            message = "No engine may be asked this.\n" + policy.refusal(refused)
        reply.partial = bool(reply.pieces)
        if turn.machine.state in (State.ROUTING, State.STREAMING):
            turn.machine.on(EventKind.FAILED)
        reply.problem = Problem(message=message, no_engine=refused is None, refused=refused)

    def _check_model_call(
        self, turn: _Turn, name: str, capabilities: Capabilities, request: Request
    ) -> Verdict:
        """A model call is an action like any other (DESIGN §5)."""
        locality = "local" if capabilities.local else "hosted"
        prompt = "\n".join([request.notes, *(message.content for message in request.messages)])
        action = ActionRequest(
            kind="model.call", args={"model": name, "locality": locality, "prompt": prompt}, at=turn.at
        )
        return self._policy.check_action(action, locality=locality)

    # ---- append

    def _append(self, turn: _Turn, reply: _Reply) -> Replied:
        text = "".join(reply.pieces)
        if turn.machine.state is State.STREAMING:
            turn.machine.on(EventKind.INTERRUPTED if reply.partial else EventKind.ENDED)
        engram = None
        used = [engram.id for engram in turn.context.engrams] if turn.context else []
        if text.strip():
            metadata: dict[str, object] = {
                "session": self._session_id,
                "engine": reply.engine,
                "model": reply.model,
                "context": used,
                **self._transcript(turn.talk, turn.text + text),
            }
            if reply.partial:
                metadata["partial"] = True
            engram = keep_utterance(
                self._store,
                text.replace("\x00", ""),
                speaker=history.PARTNER,
                metadata=metadata,
                source=reply.engine,
            )
        if used:
            self._store.reinforce(used, turn.at)
        return self._done(turn, Replied(text=text, engine=reply.engine, engram=engram, partial=reply.partial))

    def _from_notes(self, turn: _Turn, parts: Parts) -> Iterator[TurnEvent]:
        """The answer of memory alone. It is made of engrams kept already, so it is not kept again."""
        text, used = notes_reply.notes_reply(parts, formed=len(turn.formed), asks=notes_reply.asks(turn.text))
        if used:
            self._store.reinforce([engram.id for engram in used], turn.at)
        yield self._done(turn, Replied(text=text, engine=None, engram=None))

    def _done(self, turn: _Turn, replied: Replied) -> Replied:
        turn.machine.on(EventKind.APPENDED)
        self.last_reply = replied
        return replied

    def _transcript(self, talk: history.Conversation, added: str) -> dict[str, object]:
        return {"transcript_chars": talk.transcript_chars + len(added)}


def _rests_on(evidence: str | None, spans: list[str]) -> bool:
    return bool(evidence) and any(span in evidence or evidence in span for span in spans if span.strip())
