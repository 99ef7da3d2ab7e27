"""The second former: an engine that can answer under a schema proposes what a turn settles, after the reply.

Nothing of the turn hangs on it. What it says is checked word for word (`partner.formation.proposals`); what
cannot be used at all (prose, half a JSON object, an engine that failed) is said, kept as a trace beside the
turn and tried again after a later turn, three times at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, Any

from partner import inbox
from partner.events import Formed, Problem
from partner.formation import Proposals, propose
from partner.holds import StoreHolds
from router.errors import RouterError
from router.model import Capabilities, Failed, Message, Request, Role, Text
from store.model import Draft, Engram, EngramType, Link, Provenance, ProvenanceKind, Relation

if TYPE_CHECKING:
    from partner.policy import Policy
    from router import Router
    from store import Store

MAX_TRIES = 3
RETRIED_AT_ONCE = 2  # of earlier turns, after each turn
MAX_TOKENS, LEAST_TOKENS = 700, 160  # of an answer: in between, one for each character of the message
MAX_CHARS = 6_000  # a longer message is mostly pasted; an engine is not asked to read it a second time
FAILED = "proposals failed"


class Proposer:
    """Asks `engine` over kept utterances. `auto`: what passes holds at once, as an inference."""

    def __init__(
        self, *, store: Store, router: Router, policy: Policy, engine: str, auto: bool = False
    ) -> None:
        self._store = store
        self._router = router
        self._policy = policy
        self._engine = engine
        self._auto = auto

    def after_turn(self, utterance: Engram, at: datetime) -> Iterator[Formed | Problem]:
        """Propose over this turn, then over earlier ones where it failed."""
        yield from self._over(utterance, at, earlier=None)
        yield from self.again(at, limit=RETRIED_AT_ONCE, but=utterance.id)

    def again(self, at: datetime, *, limit: int = 100, but: str = "") -> Iterator[Formed | Problem]:
        """Try the turns again over which proposing failed."""
        waiting = self._store.current(type=EngramType.TRACE, newest_first=False)
        failed = [t for t in waiting if t.metadata.get("state") == FAILED and t.metadata.get("of") != but]
        for trace in [t for t in failed if int(t.metadata.get("tries", 1)) < MAX_TRIES][:limit]:
            yield from self._over(self._store.read(str(trace.metadata["of"])), at, earlier=trace)

    def _over(self, utterance: Engram, at: datetime, *, earlier: Engram | None) -> Iterator[Formed | Problem]:
        if utterance.erased or len(utterance.content) > MAX_CHARS:
            return
        said_at = utterance.created_at if earlier is not None else at
        try:
            made = propose(
                utterance.content,
                self._asker(at, tries=int(earlier.metadata.get("tries", 1)) if earlier is not None else 0),
                engine=self._engine,
                at=said_at,
                holds=StoreHolds(self._store),
            )
        except (RouterError, _NotAllowed) as error:
            made = Proposals(failure=str(error))
        if made.failure is not None:
            yield self._failed(utterance, made.failure, earlier)
            return
        if earlier is not None:
            self._store.retract(earlier.id, reason="tried again, and it worked")
        yield from inbox.keep(self._store, made.drafts, utterance=utterance, auto=self._auto)

    def _failed(self, utterance: Engram, failure: str, earlier: Engram | None) -> Problem:
        """Keep that it failed. The turn itself is kept already."""
        tries = int(earlier.metadata.get("tries", 1)) + 1 if earlier is not None else 1
        trace = Draft(
            type=EngramType.TRACE,
            content=f"{self._engine} proposed nothing that could be used: {failure}",
            provenance=Provenance(kind=ProvenanceKind.INFERENCE, source=self._engine),
            salience=0.0,
            links=(Link(relation=Relation.DERIVED_FROM, target=utterance.id),),
            metadata={"state": FAILED, "of": utterance.id, "tries": tries},
        )
        if earlier is None:
            self._store.write(trace)
        else:
            self._store.supersede(earlier.id, trace)
        after = "It is tried again after a later message." if tries < MAX_TRIES else "It is not tried again."
        return Problem(message=f"{trace.content}. What you said is kept. {after}")

    def _asker(self, at: datetime, *, tries: int) -> Callable[[str, str, Mapping[str, Any]], str]:
        def ask(instruction: str, message: str, schema: Mapping[str, Any]) -> str:
            request = Request(
                messages=(
                    Message(role=Role.SYSTEM, content=instruction),
                    Message(role=Role.USER, content=message),
                ),
                max_tokens=min(MAX_TOKENS, LEAST_TOKENS + len(message)),
                schema=schema,
                seed=tries or None,  # an answer that was no use must not come again out of the cache
            )
            return self._answer(request, at)

        return ask

    def _answer(self, request: Request, at: datetime) -> str:
        """The whole answer under the schema. Raises RouterError, or _NotAllowed where the gate or the
        engine's own capabilities stand against it."""
        denied: list[str] = []

        def allow(name: str, capabilities: Capabilities) -> bool:
            reason = self._against(name, capabilities, request, at)
            denied.extend([reason] if reason and name == self._engine else [])
            return not reason

        pieces: list[str] = []
        with closing(self._router.stream(request, pin=self._engine, only=True, allow=allow)) as stream:
            for event in stream:
                if isinstance(event, Text):
                    pieces.append(event.text)
                elif isinstance(event, Failed):
                    raise _NotAllowed(denied[0] if denied else event.message)
        return "".join(pieces)

    def _against(self, name: str, capabilities: Capabilities, request: Request, at: datetime) -> str:
        if not capabilities.schema:
            return f"{name} cannot answer under a schema"
        prompt = "\n".join(message.content for message in request.messages)
        verdict = self._policy.check_model(name, prompt, at, local=capabilities.local)
        return "" if verdict.allowed else f"a rule of yours does not allow asking {name} this"


class _NotAllowed(Exception):
    """No answer came; the message says why."""
