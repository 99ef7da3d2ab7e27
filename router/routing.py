"""The router: chooses an engine, streams its answer, and goes on with another one when it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import cast

from router.breaker import Breakers
from router.cache import Cache
from router.errors import BadRequest, EngineFailed, FailureKind, ModelMissing, RouterError, UnknownEngine
from router.fingerprint import fingerprint
from router.ledger import OK, Ledger, LedgerUnavailable
from router.model import (
    Capabilities,
    End,
    Engine,
    Event,
    Failed,
    Message,
    Preparable,
    Reasoning,
    Request,
    Role,
    Start,
    Switched,
    Text,
    ToolDelta,
    Usage,
)
from router.selection import Asked, Candidate, Plan, Rules, choose, request_for

CANCELLED = "cancelled"
Allow = Callable[[str, Capabilities], bool]
TEST_PROMPT = "Say hello."
Stream = Generator[Event, None, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStatus:
    """An engine as `partner engines` lists it; `problem` is empty when it may be asked now."""

    name: str
    model: str
    local: bool
    window: int
    tools: bool
    problem: str
    latency_ms: float | None


@dataclass(slots=True)
class _Answer:
    """What one attempt has given so far."""

    engine: Engine
    started: float
    events: list[Event] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    first_token_ms: float | None = None
    usage: Usage | None = None
    ended: bool = False
    said: bool = False


class _BeingProbed(EngineFailed):
    """Nothing was sent: not a failure of the engine, and no attempt."""


class Router:
    """Streams answers. Thread-safe; engines are built on first use and closed with the router.

    Events of `stream`: for every engine tried its own Start and what it says; Switched when one failed and
    another takes over (its `superseded` is the partial text that no longer counts, empty when nothing was
    shown); then exactly one End, or Failed when no engine is left.
    """

    def __init__(
        self,
        engines: Mapping[str, Engine | Callable[[], Engine]],
        *,
        order: Sequence[str],
        ledger: Ledger,
        cache: Cache | None = None,
        rules: Rules | None = None,
        prices: Mapping[str, float] | None = None,
        unavailable: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        for name in order:
            if name not in engines:
                raise UnknownEngine(name, tuple(engines))
        self._sources = dict(engines)
        self._order = [*order, *(name for name in engines if name not in order)]
        self._ledger = ledger
        self._cache = cache
        self.rules = rules or Rules()
        self._prices = dict(prices or {})
        self._unavailable = dict(unavailable or {})
        self._clock = clock
        self._breakers = Breakers(clock)
        self._engines: dict[str, Engine] = {}
        self._building = threading.Lock()
        self.ledger_error = ""

    # ---- the answer

    def stream(
        self, asked: Asked, *, pin: str | None = None, only: bool = False, allow: Allow | None = None
    ) -> Stream:
        """Answer a request; closing the iterator cancels the engine's work and keeps it in the ledger.

        `asked` is the request, or makes it for the engine of a name: one with a smaller window, or another
        way of reading notes, is asked in its own way when it takes over. `pin` names the engine to ask first,
        with `only` the one and no other: its failure is the answer's.

        Raises:
            UnknownEngine: `pin` names none of the engines.
            BadRequest: the request itself cannot be written down or sent.
        """
        plan = self.plan(asked, pin=pin, allow=allow)
        names = [name for name in plan.names if name == pin] if only and pin is not None else plan.names
        problems = [
            f"{skip.name}: {skip.reason}" for skip in plan.skipped if not only or pin in (None, skip.name)
        ]
        failed: tuple[str, EngineFailed, str] | None = None
        for name in names:
            if failed is not None:
                was, error, partial = failed
                yield Switched(engine=was, to=name, reason=str(error), superseded=partial)
            answer = None
            try:
                engine = self._engine(name)
                answer = _Answer(engine, self._clock())
                yield from self._attempt(request_for(asked, name), answer)
                return
            except EngineFailed as error:
                partial = "".join(answer.text) if answer else ""
                failed = (name, error, partial)
                problems.append(f"{name}: {error}")
        yield Failed(message="no engine could answer. " + "; ".join(problems), no_engine=failed is None)

    def plan(self, asked: Asked, *, pin: str | None = None, allow: Allow | None = None) -> Plan:
        """The order in which engines would be tried, and why; calls none of them."""
        if pin is not None and pin not in self._sources:
            raise UnknownEngine(pin, tuple(self._sources))
        budgeted = self.rules.day_budget_usd is not None or self.rules.month_budget_usd is not None
        return choose(
            asked,
            [self._candidate(name) for name in self._order],
            self.rules,
            pin=pin,
            allow=allow,
            spent_day_usd=self._ledger.spent() if budgeted else 0.0,
            spent_month_usd=self._ledger.spent(month=True) if budgeted else 0.0,
        )

    def why(self, text: str, *, pin: str | None = None) -> str:
        """Which engine would answer `text` alone, and why the others would not, in words."""
        request = Request(messages=(Message(role=Role.USER, content=text),))
        return self.plan(request, pin=pin).explain()

    # ---- the engines

    def engines(self) -> list[EngineStatus]:
        """Every configured engine, in order."""
        statuses = []
        for name in self._order:
            candidate = self._candidate(name)
            capabilities = candidate.capabilities
            statuses.append(
                EngineStatus(
                    name=name,
                    model=self._engines[name].model if name in self._engines else "",
                    local=capabilities.local if capabilities else True,
                    window=capabilities.window if capabilities else 0,
                    tools=capabilities.tools if capabilities else False,
                    problem=candidate.unusable or candidate.open_reason or self._lacking(name),
                    latency_ms=self._ledger.latency_ms(name),
                )
            )
        return statuses

    def count_tokens(self, name: str, text: str) -> int:
        """Tokens of `text` by the engine's own count."""
        return self._engine(name).count_tokens(text)

    def capabilities(self, name: str) -> Capabilities:
        """What an engine can do.

        Raises:
            UnknownEngine, EngineFailed: there is none of that name, or it cannot be built.
        """
        return self._engine(name).capabilities()

    def prepare(self, name: str | None = None) -> None:
        """Let an engine (None: the first) start loading; returns at once. A problem shows when asked."""
        try:
            engine = self._engine(name or self._order[0])
            if isinstance(engine, Preparable):
                engine.prepare()
        except (EngineFailed, ModelMissing):
            return

    def test(self, name: str, *, allow: Allow | None = None) -> Event:
        """Ask one engine for one word, past breakers and cache: its End, or Failed with what is wrong."""
        request = Request(messages=(Message(role=Role.USER, content=TEST_PROMPT),), max_tokens=16)
        try:
            engine = self._engine(name)
            if allow is not None and not allow(name, engine.capabilities()):
                return Failed(message="asking it is not allowed")
            answer = _Answer(engine, self._clock())
            return list(self._attempt(request, answer, cached=False))[-1]
        except EngineFailed as error:
            return Failed(message=str(error))

    def reset(self, name: str | None = None) -> None:
        """The configuration of an engine (or all) changed: its breaker is closed."""
        self._breakers.reset(None if name is None else self._health_key(name))

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()
        if self._cache is not None:
            self._cache.close()

    def _engine(self, name: str) -> Engine:
        with self._building:
            if name in self._engines:
                return self._engines[name]
            source = self._sources.get(name)
            if source is None:
                raise UnknownEngine(name, tuple(self._sources))
            if isinstance(source, Engine):
                engine = source
            else:
                try:
                    engine = cast(Callable[[], Engine], source)()
                except RouterError as error:
                    raise EngineFailed(str(error), kind=FailureKind.UNUSABLE) from error
            self._engines[name] = engine
            return engine

    def _candidate(self, name: str) -> Candidate:
        if name in self._unavailable:
            return Candidate(name=name, capabilities=None, unusable=self._unavailable[name])
        try:
            capabilities = self._engine(name).capabilities()
        except EngineFailed as error:
            return Candidate(name=name, capabilities=None, unusable=str(error))
        key = self._health_key(name)
        wants_latency = self.rules.prefer == "latency"
        return Candidate(
            name=name,
            capabilities=capabilities,
            open_reason=self._breakers.closed_reason(key),
            last_resort=self._breakers.last_resort(key),
            latency_ms=self._ledger.latency_ms(name) if wants_latency else None,
            price_usd=self._price(name) if self.rules.prefer == "cost" else None,
        )

    def _price(self, name: str) -> float | None:
        """As configured, otherwise as the ledger knows it."""
        return self._prices[name] if name in self._prices else self._ledger.price_usd(name)

    def _lacking(self, name: str) -> str:
        """What an engine misses of its configuration, where it can tell without being asked."""
        lacking = getattr(self._engines.get(name), "lacking", None)
        return lacking() if lacking is not None else ""

    def _health_key(self, name: str) -> str:
        """Endpoint, model and key, where the engine tells them: two names for one endpoint share health."""
        return getattr(self._engines.get(name), "endpoint", "") or name

    # ---- one attempt

    def _attempt(self, request: Request, answer: _Answer, *, cached: bool = True) -> Stream:
        engine = answer.engine
        key = self._key(request, engine) if cached and self._cache is not None else None
        stored = self._cache.get(key) if key and self._cache else None
        if stored is not None:
            self._record(answer, stored, OK, cached=True)
            yield from stored
            return
        health = self._health_key(engine.name)
        if not self._breakers.enter(health):
            raise _BeingProbed(f"{engine.name} is being tried by another request")
        try:
            with closing(self._guarded(request, engine)) as events:
                for event in events:
                    self._note(answer, event)
                    yield event
            self._check(answer)
        except EngineFailed as error:
            self._breakers.failure(health, error)
            self._record(answer, answer.events, str(error.kind), detail=str(error))
            raise
        except BaseException:
            self._breakers.cancelled(health)
            self._record(answer, answer.events, CANCELLED)
            raise
        self._breakers.success(health)
        self._record(answer, answer.events, OK)
        if key and self._cache is not None:
            self._cache.put(key, request, answer.events, keep_sampled=self.rules.keep_sampled)

    def _guarded(self, request: Request, engine: Engine) -> Stream:
        """The engine's events; what it raises is told as EngineFailed, except the caller's own mistakes."""
        try:
            yield from engine.stream(request)
        except (EngineFailed, BadRequest):
            raise
        except ModelMissing as error:
            raise EngineFailed(str(error), kind=FailureKind.UNUSABLE) from error
        except Exception as error:
            raise EngineFailed(
                f"{engine.name} failed in an unexpected way: {type(error).__name__}",
                kind=FailureKind.PROTOCOL,
            ) from error

    def _note(self, answer: _Answer, event: Event) -> None:
        answer.events.append(event)
        if isinstance(event, Text | Reasoning | ToolDelta) and answer.first_token_ms is None:
            answer.first_token_ms = (self._clock() - answer.started) * 1000
        if isinstance(event, Text):
            answer.text.append(event.text)
            answer.said = answer.said or bool(event.text.strip())
        elif isinstance(event, ToolDelta):
            answer.said = True
        elif isinstance(event, Usage):
            answer.usage = event
        elif isinstance(event, End):
            answer.ended = True

    @staticmethod
    def _check(answer: _Answer) -> None:
        if not answer.ended:
            raise EngineFailed("the answer broke off without an end", kind=FailureKind.PROTOCOL)
        if not answer.said:
            raise EngineFailed("the answer was empty", kind=FailureKind.PROTOCOL)

    def _key(self, request: Request, engine: Engine) -> str | None:
        # not isinstance: of a protocol that takes as long as the key itself
        own_fingerprint = getattr(engine, "fingerprint", None)
        if own_fingerprint is None:
            return None
        try:
            own = own_fingerprint()
        except (ModelMissing, EngineFailed):
            return None  # it will fail when asked, with a better message
        return fingerprint(request, own)

    def _record(
        self,
        answer: _Answer,
        events: Sequence[Event],
        outcome: str,
        *,
        cached: bool = False,
        detail: str = "",
    ) -> None:
        engine = answer.engine
        capabilities = engine.capabilities()
        if not capabilities.language:
            return
        usage = next((event for event in events if isinstance(event, Usage)), None)
        try:
            self._ledger.record(
                engine=engine.name,
                model=next((event.model for event in events if isinstance(event, Start)), engine.model),
                local=capabilities.local,
                outcome=outcome,
                ms=(self._clock() - answer.started) * 1000,
                cached=cached,
                detail=detail,
                tokens_in=usage.tokens_in if usage else None,
                tokens_out=usage.tokens_out if usage else None,
                cost_usd=usage.cost_usd if usage else (0.0 if capabilities.local else None),
                first_token_ms=answer.first_token_ms,
            )
        except LedgerUnavailable as error:
            self.ledger_error = str(error)  # shown by `partner doctor`; the answer matters more
