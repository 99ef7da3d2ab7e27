"""Getting a reply from an engine: the context compiled for it, the model call judged, the stream followed.

A model call is an action like any other (DESIGN §5): it passes the gate with the engine's locality and the
whole prompt before a byte is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gate.model import Verdict
from partner import policy
from partner.asking import Asking, Requests
from partner.borne_out import bears_on, doubt
from partner.context import Context, Limits
from partner.events import EngineEvent, Gathered, Notice, Problem, ToolUsed, TurnEvent
from partner.interrupts import Interrupts
from partner.settings import NO_ENGINE
from partner.tags import NOTHING, Tags
from partner.turn import EventKind, Machine, State
from router.errors import RouterError
from router.model import (
    Attachment,
    Capabilities,
    End,
    Event,
    Failed,
    Message,
    Reasoning,
    Request,
    Role,
    Start,
    Switched,
    Text,
    ToolCall,
    ToolDelta,
    Usage,
)

if TYPE_CHECKING:
    from partner.policy import Policy
    from partner.tools.toolbox import Occasion, Toolbox
    from router import Router


@dataclass(slots=True, kw_only=True)
class Reply:
    """What has come back so far. `partial` when it was cut short, `problem` when it failed.

    `before` is what was said ahead of tool calls, `calls` are those that wait, `used` how earlier ones ended.
    `held` are the events of an answer that is judged before it is shown; `withheld`: it is not given, and the
    notes answer.
    """

    pieces: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    used: list[dict[str, Any]] = field(default_factory=list)
    added_tokens: int = 0  # of calls and results, beyond the context
    thoughts: list[str] = field(default_factory=list)  # kept with the reply, never sent again
    signed: str = ""  # what the engine wants back with its calls
    switches: list[str] = field(default_factory=list)
    tags: Tags = NOTHING  # of all that the answering engine was given
    engine: str | None = None
    model: str | None = None
    cached: bool = False
    usage: Usage | None = None
    context: Context | None = None
    partial: bool = False
    problem: Problem | None = None
    held: list[TurnEvent] | None = None
    withheld: bool = False

    @property
    def text(self) -> str:
        return "\n".join(part for part in (*self.before, "".join(self.pieces)) if part.strip())


class Speaker:
    """Follows one stream at a time and moves the turn's machine along."""

    def __init__(
        self,
        router: Router,
        policy: Policy,
        limits: Limits,
        interrupts: Callable[[], Interrupts],
        toolbox: Toolbox | None = None,
    ) -> None:
        self._router = router
        self._toolbox = toolbox
        self._policy = policy
        self._limits = limits
        self._interrupts = interrupts

    def capabilities(self, name: str) -> Capabilities | None:
        """What an engine can do; None where it cannot be had: it says what is wrong when it is asked."""
        try:
            return self._router.capabilities(name)
        except RouterError:
            return None

    def speak(self, asking: Asking, machine: Machine, reply: Reply) -> Iterator[TurnEvent]:
        """Stream into `reply`. Ends normally whatever the engine does; see `reply.partial`, `.problem`."""
        denied: list[Verdict] = []
        rounds = 0
        requests = Requests(asking, self._router, self._limits, self._toolbox)
        try:
            while True:
                reply.calls.clear()
                yield from self._streamed(requests, asking, machine, reply, denied)
                if reply.problem is not None or not reply.calls:
                    break
                if self._toolbox is None or rounds >= self._toolbox.rounds:
                    self._fail(_kept_calling(rounds), machine, reply, no_engine=False)
                    break
                rounds += 1
                yield from self._called(requests, asking, machine, reply)
                requests.offering = rounds < self._toolbox.rounds
        except KeyboardInterrupt:
            reply.partial = True
            machine.on(EventKind.INTERRUPTED)
        except RouterError as error:
            self._fail(str(error), machine, reply)
        if reply.problem is not None and denied and not reply.text:
            reason = f"No engine may be asked this.\n{policy.refusal(denied[-1])}"
            reply.problem = Problem(message=reason, refused=denied[-1])
        elif notice := self._other_engine(requests, asking, reply):
            yield notice
        notice = self._doubted(requests, asking, reply)
        if notice and reply.held is not None and not reply.partial and reply.problem is None:
            reply.withheld = True
            machine.on(EventKind.ENDED)
        else:
            yield from reply.held or ()
        if notice:
            yield notice

    def choice(self, asking: Asking) -> str:
        """Which engine would be asked, and why not the others, a line each; none is asked."""
        requests = Requests(asking, self._router, self._limits, self._toolbox)
        denied: list[Verdict] = []
        plan = self._router.plan(requests, pin=asking.pin, allow=self._allow(requests, asking, denied))
        rules = {policy.refusal(verdict) for verdict in denied}
        return "\n".join([plan.explain(), *sorted(rules)])

    def _allow(
        self, requests: Requests, asking: Asking, denied: list[Verdict]
    ) -> Callable[[str, Capabilities], bool]:
        """The gate's word on asking an engine, for the router; refusals are collected."""

        def allow(name: str, capabilities: Capabilities) -> bool:
            if not capabilities.language:
                return True
            verdict = self._judged(asking, name, capabilities, requests(name))
            if not verdict.allowed:
                denied.append(verdict)
            return verdict.allowed

        return allow

    def _streamed(
        self, requests: Requests, asking: Asking, machine: Machine, reply: Reply, denied: list[Verdict]
    ) -> Iterator[TurnEvent]:
        """One answer of the router, tool calls collected. Leaves `reply.problem` where nothing came of it."""
        broken_off = ""
        allow = self._allow(requests, asking, denied)
        with closing(self._router.stream(requests, pin=asking.pin, only=asking.only, allow=allow)) as stream:
            while True:
                with self._interrupts().armed():
                    event = next(stream, None)
                if event is None:
                    return
                if isinstance(event, Switched):
                    reply.switches.append(f"{event.engine}: {event.reason}")
                    broken_off = event.superseded
                if isinstance(event, Start) and event.engine == NO_ENGINE:
                    # the router's last resort; the turn itself answers from memory, with what it gathered
                    reasons = reply.switches or self._skipped(requests, asking)
                    reply.pieces = [broken_off] if broken_off.strip() else []
                    self._fail(". ".join(reasons), machine, reply)
                    return
                yield from self._follow(event, requests, asking, machine, reply)

    def _called(
        self, requests: Requests, asking: Asking, machine: Machine, reply: Reply
    ) -> Iterator[TurnEvent]:
        """Have the calls of an answer dealt with; the next request carries the results back."""
        assert self._toolbox is not None
        machine.on(EventKind.CALLED)
        engine = reply.engine or ""
        capabilities = self._router.capabilities(engine)
        occasion = _occasion(asking, engine, local=capabilities.local, interrupts=self._interrupts)
        said = "".join(reply.pieces)
        calls = tuple(reply.calls)
        # a quarter of the window for all results together: the question must stay in sight
        room = max(capabilities.window // len(calls), 200)
        results: list[Message] = []
        tags = NOTHING
        for event in self._toolbox.answer(calls, occasion):
            if isinstance(event, Message):
                results.append(replace(event, content=_shortened(event.content, room)))
                continue
            if isinstance(event, ToolUsed):
                reply.used.append(_mark(event))
                tags |= event.tags
            yield event
        asked = Message(
            role=Role.ASSISTANT, content=said, tool_calls=calls, engine=engine, signed=reply.signed
        )
        reply.added_tokens += sum(
            self._router.count_tokens(engine, message.content) for message in (asked, *results)
        )
        reply.before.append(said)
        reply.pieces.clear()
        machine.on(EventKind.OBSERVED)
        requests.add((asked, *results), tags)

    def _skipped(self, requests: Requests, asking: Asking) -> list[str]:
        plan = self._router.plan(requests, pin=asking.pin)
        return [f"{skip.name}: {skip.reason}" for skip in plan.skipped]

    def _doubted(self, requests: Requests, asking: Asking, reply: Reply) -> Notice | None:
        """That a small model's answer is not borne out by what it was given, and what its notes say."""
        if not reply.context or not reply.text or not (request := self._small(requests, reply)):
            return None
        files = [part for message in request.messages for part in message.attachments if not part.is_image]
        given = [request.notes, *(message.content for message in request.messages)]
        given += [part.data.decode("utf-8", "replace") for part in files]
        against = doubt(reply.text, request.notes, asking.text, "\n".join(given))
        if not against:
            return None
        if reply.held is not None:
            return Notice(message=f"What {reply.engine} made of it is left out: {against}.")
        known = request.notes.removeprefix("- ")
        return Notice(message=f"Don't rely on {reply.engine} here: {against}. What I know: {known}")

    def _small(self, requests: Requests, reply: Reply) -> Request | None:
        """What the answering engine was sent with notes, where it is one of the kind that makes things up."""
        able = self.capabilities(reply.engine or "")
        request = requests(reply.engine or "") if able and able.notes_in_user else None
        return request if request and request.notes else None

    def _holds(self, requests: Requests, asking: Asking, reply: Reply) -> bool:
        """Whether an answer is judged before it is shown: where the notes could answer instead."""
        known = asking.parts.near or asking.parts.earlier
        if not known or asking.only or asking.attachments or not (request := self._small(requests, reply)):
            return False
        return bears_on(request.notes, asking.text)

    def _other_engine(self, requests: Requests, asking: Asking, reply: Reply) -> Notice | None:
        """That another engine than the wanted one answered, and why."""
        wanted = next(iter(asking.order), None)
        if reply.engine is None or reply.problem is not None or reply.engine == wanted or reply.cached:
            return None
        left_out = [line for line in self._skipped(requests, asking) if line.startswith(f"{wanted}: ")]
        # a failure may be why it is left out by now; then it is told once, as it was
        tried = any(line.startswith(f"{wanted}: ") for line in reply.switches)
        reasons = [*([] if tried else left_out), *reply.switches]
        why = f" ({'; '.join(reasons)})" if reasons else ""
        return Notice(message=f"{reply.engine} answered instead of {wanted}{why}.", switched=True)

    def _judged(self, asking: Asking, name: str, capabilities: Capabilities, request: Request) -> Verdict:
        parts = [request.notes, *(message.content for message in request.messages)]
        parts += [part.data.decode("utf-8", "replace") for part in asking.attachments if not part.is_image]
        return self._policy.check_model(
            name,
            "\n".join(parts),
            asking.at,
            local=capabilities.local,
            attachments=[part.name for part in asking.attachments],
        )

    def _follow(
        self, event: Event, requests: Requests, asking: Asking, machine: Machine, reply: Reply
    ) -> Iterator[TurnEvent]:
        if isinstance(event, Start):
            reply.engine, reply.model, reply.cached = event.engine, event.model, event.cached
            reply.context = requests.shown(event.engine)
            reply.tags |= requests(event.engine).tags if reply.context else NOTHING
            reply.held = [] if self._holds(requests, asking, reply) else None
            machine.on(EventKind.STARTED)
            yield from _told(reply, asking)
            if asking.attachments and not event.cached and not self._router.capabilities(event.engine).local:
                yield Notice(message=_leaves(asking.attachments, event.engine))
        elif isinstance(event, Text):
            reply.pieces.append(event.text)
        elif isinstance(event, Reasoning):
            reply.thoughts.append(event.text)
            reply.signed = event.signed or reply.signed
        elif isinstance(event, ToolDelta):
            reply.calls.append(event.call)
        elif isinstance(event, Usage):
            reply.usage = event
        elif isinstance(event, Switched):
            reply.held = None
            reply.pieces.clear()
            reply.calls.clear()
            reply.thoughts.clear()
            reply.signed = ""
            machine.on(EventKind.SWITCHED)
        elif isinstance(event, End) and (cut := self._cut(event, reply)):
            yield Notice(message=cut)
        elif isinstance(event, Failed):
            self._fail(event.message, machine, reply)
        if reply.held is None:
            yield EngineEvent(event=event)
        else:
            reply.held.append(EngineEvent(event=event))

    def _cut(self, event: End, reply: Reply) -> str:
        """What the operator is told of an answer that did not end by itself."""
        if event.reason == "content_filter":
            return f"{reply.engine} stopped here: its provider filters what it says."
        able = self.capabilities(reply.engine or "")
        if event.reason == "length" and not (able and able.notes_in_user):
            return f"{reply.engine} stopped here: this is as long as an answer may be (context.reply_tokens)."
        return ""

    @staticmethod
    def _fail(message: str, machine: Machine, reply: Reply, *, no_engine: bool = True) -> None:
        reply.partial = bool(reply.text)
        if machine.state in (State.ROUTING, State.STREAMING):
            machine.on(EventKind.FAILED)
        if not message.partition(" ")[0].endswith(":"):  # the name of an engine stays as it is written
            message = message[:1].upper() + message[1:]
        reply.problem = Problem(message=message, no_engine=no_engine)


def _told(reply: Reply, asking: Asking) -> Iterator[TurnEvent]:
    context = reply.context
    if context is None:
        return
    if context.cut:
        yield Problem(message=context.cut)
    yield Gathered(
        engrams=context.engrams,
        notes=context.request.notes,
        tokens=context.tokens + reply.added_tokens,
        transcript_tokens=asking.transcript_tokens + reply.added_tokens,
    )


def _occasion(asking: Asking, engine: str, *, local: bool, interrupts: Callable[[], Interrupts]) -> Occasion:
    from partner.tools.toolbox import Occasion

    return Occasion(
        at=asking.at,
        engine=engine,
        local=local,
        utterance=asking.utterance,
        armed=lambda: interrupts().armed(),
    )


def _shortened(text: str, room: int) -> str:
    return text if len(text) <= room else text[:room] + f"\n[{len(text) - room:,} more characters]"


def _mark(used: ToolUsed) -> dict[str, Any]:
    """What the reply keeps of a call: which, how it ended, and which verdict it ran under."""
    mark: dict[str, Any] = {"tool": used.tool, "outcome": used.outcome}
    if used.verdict is not None:
        mark["request_hash"] = used.verdict.request_hash
    if used.engram is not None:
        mark["result"] = used.engram.id
    return mark


def _kept_calling(rounds: int) -> str:
    if not rounds:
        return "the engine asked for tools, and none is turned on"
    return f"the engine kept calling tools and was stopped after {rounds} rounds"


def _leaves(attachments: Sequence[Attachment], engine: str) -> str:
    names = ", ".join(f"{part.name} ({len(part.data):,} bytes)" for part in attachments)
    return f"{names} leaves this machine: it goes to {engine}."
