"""Getting a reply from an engine: the context compiled for it, the model call judged, the stream followed.

A model call is an action like any other (DESIGN §5): it passes the gate with the engine's locality and the
whole prompt before a byte is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from gate.model import ActionRequest, Verdict
from partner import policy
from partner.context import Context, Limits, Parts, compile_for
from partner.events import EngineEvent, Gathered, Problem, TurnEvent
from partner.interrupts import Interrupts
from partner.settings import NO_ENGINE
from partner.turn import EventKind, Machine, State
from router.errors import RouterError
from router.model import Capabilities, Event, Failed, Message, Request, Start, Switched, Text, Usage

if TYPE_CHECKING:
    from partner.policy import Policy
    from router import Router


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What one reply is asked for. `order` are the engines to compile for, the wanted one first."""

    text: str
    at: datetime
    parts: Parts
    turns: Sequence[Message]
    pin: str | None
    order: Sequence[str]
    transcript_tokens: int


@dataclass(slots=True, kw_only=True)
class Reply:
    """What has come back so far. `partial` when it was cut short, `problem` when it failed."""

    pieces: list[str] = field(default_factory=list)
    engine: str | None = None
    model: str | None = None
    cached: bool = False
    usage: Usage | None = None
    context: Context | None = None
    partial: bool = False
    problem: Problem | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class Speaker:
    """Follows one stream at a time and moves the turn's machine along."""

    def __init__(
        self,
        router: Router,
        policy: Policy,
        limits: Limits,
        interrupts: Callable[[], Interrupts],
    ) -> None:
        self._router = router
        self._policy = policy
        self._limits = limits
        self._interrupts = interrupts

    def is_small(self, name: str) -> bool:
        """Whether an engine is of the kind that reads notes only right before a question."""
        try:
            return self._router.capabilities(name).notes_in_user
        except RouterError:
            return False  # it will say what is wrong when it is asked

    def speak(self, asking: Asking, machine: Machine, reply: Reply) -> Iterator[TurnEvent]:
        """Stream into `reply`. Ends normally whatever the engine does; see `reply.partial`, `.problem`."""
        denied: list[Verdict] = []
        reasons: list[str] = []
        broken_off = ""
        try:
            request = self._compiled(asking, reply)

            def allow(name: str, capabilities: Capabilities) -> bool:
                if not capabilities.language:
                    return True
                verdict = self._judged(asking, name, capabilities, request)
                if not verdict.allowed:
                    denied.append(verdict)
                return verdict.allowed

            with closing(self._router.stream(request, pin=asking.pin, allow=allow)) as stream:
                while True:
                    with self._interrupts().armed():
                        event = next(stream, None)
                    if isinstance(event, Switched):
                        reasons.append(f"{event.engine}: {event.reason}")
                        broken_off = event.superseded
                    if isinstance(event, Start) and event.engine == NO_ENGINE:
                        # the router's last resort; the turn itself answers from memory, with what it gathered
                        reasons = reasons or self._skipped(request, asking)
                        reply.pieces = [broken_off] if broken_off.strip() else []
                        self._fail(". ".join(reasons), machine, reply)
                        break
                    if event is None:
                        break
                    yield from self._follow(event, asking, machine, reply)
        except KeyboardInterrupt:
            reply.partial = True
            machine.on(EventKind.INTERRUPTED)
        except RouterError as error:
            self._fail(str(error), machine, reply)
        if reply.problem is not None and denied and not reply.pieces:
            reason = f"No engine may be asked this.\n{policy.refusal(denied[-1])}"
            reply.problem = Problem(message=reason, refused=denied[-1])

    def _compiled(self, asking: Asking, reply: Reply) -> Request:
        """The request, fitted to the first engine that can be had; the router refits it for others."""
        failure: RouterError | None = None
        for name in asking.order:
            try:
                with self._interrupts().armed():
                    reply.context = compile_for(
                        asking.parts,
                        asking.text,
                        asking.turns,
                        capabilities=self._router.capabilities(name),
                        count=lambda text, name=name: self._router.count_tokens(name, text),
                        limits=self._limits,
                    )
                return reply.context.request
            except RouterError as error:
                failure = failure or error
        raise failure or RouterError("no engine is configured")

    def _skipped(self, request: Request, asking: Asking) -> list[str]:
        plan = self._router.plan(request, pin=asking.pin)
        return [f"{skip.name}: {skip.reason}" for skip in plan.skipped]

    def _judged(self, asking: Asking, name: str, capabilities: Capabilities, request: Request) -> Verdict:
        locality = "local" if capabilities.local else "hosted"
        prompt = "\n".join([request.notes, *(message.content for message in request.messages)])
        action = ActionRequest(
            kind="model.call", args={"model": name, "locality": locality, "prompt": prompt}, at=asking.at
        )
        return self._policy.check_action(action, locality=locality)

    def _follow(self, event: Event, asking: Asking, machine: Machine, reply: Reply) -> Iterator[TurnEvent]:
        if isinstance(event, Start):
            reply.engine, reply.model, reply.cached = event.engine, event.model, event.cached
            machine.on(EventKind.STARTED)
            yield from _told(reply, asking)
        elif isinstance(event, Text):
            reply.pieces.append(event.text)
        elif isinstance(event, Usage):
            reply.usage = event
        elif isinstance(event, Switched):
            reply.pieces.clear()
            machine.on(EventKind.SWITCHED)
        elif isinstance(event, Failed):
            self._fail(event.message, machine, reply)
        yield EngineEvent(event=event)

    @staticmethod
    def _fail(message: str, machine: Machine, reply: Reply) -> None:
        reply.partial = bool(reply.pieces)
        if machine.state in (State.ROUTING, State.STREAMING):
            machine.on(EventKind.FAILED)
        message = message[:1].upper() + message[1:]
        reply.problem = Problem(message=message, no_engine=True)


def _told(reply: Reply, asking: Asking) -> Iterator[TurnEvent]:
    context = reply.context
    if context is None:
        return
    if context.cut:
        yield Problem(message=context.cut)
    yield Gathered(
        engrams=context.engrams,
        notes=context.request.notes,
        tokens=context.tokens,
        transcript_tokens=asking.transcript_tokens,
    )
