"""A call of an engine, from its arguments to its result: understood, judged, confirmed, run, observed."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gate.model import ActionRequest, Verdict
from partner import policy as wording
from partner.events import Clarify, Formed, ToolRunning, ToolUsed, TurnEvent
from partner.formation import form_tool_result
from partner.formation.redaction import redact
from partner.history import PARTNER
from partner.holds import StoreHolds
from partner.tags import NOTHING, Tags
from partner.tools.executor import execute
from partner.tools.model import (
    Bounds,
    Malformed,
    Outcome,
    Place,
    Remembered,
    Tool,
    ToolFailed,
    ToolTimedOut,
)
from partner.writing import apply_changes
from router.model import Message, Role, ToolCall, ToolSpec
from store.model import EngramType, Klass

if TYPE_CHECKING:
    from partner.policy import Policy
    from store import Store
    from store.model import Engram

WISH_CHARS = 4_000
CONTENT_CHARS = 1_000  # of what would be written, shown to the operator
SOURCE_CHARS = 200
OBSERVED: Tags = frozenset({str(Klass.OBSERVATION), str(EngramType.OBSERVATION)})
MAX_CALLS = 8  # of one answer; what is beyond is not run


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the operator is asked to allow: which engine wants it, and what it would do."""

    engine: str
    tool: str
    says: str


Confirm = Callable[[Wish], "bool | None"]  # None: nobody answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Of which turn a call is part. `local` tells whether its engine runs on this machine."""

    at: datetime
    engine: str
    local: bool
    utterance: Engram | None
    armed: Callable[[], AbstractContextManager[None]]  # inside it Ctrl-C may break in


class Toolbox:
    """The tools that the operator turned on. `confirm` is None where nobody can be asked."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        store: Store,
        policy: Policy,
        place: Place,
        bounds: Bounds,
        rounds: int,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._store = store
        self._policy = policy
        self._place = place
        self._bounds = bounds
        self.rounds = rounds
        self.confirm: Confirm | None = None

    def specs(self) -> tuple[ToolSpec, ...]:
        """What engines are told; empty where nothing is turned on."""
        return tuple(tool.spec() for tool in self._tools.values())

    def answer(self, calls: Sequence[ToolCall], occasion: Occasion) -> Iterator[TurnEvent | Message]:
        """Deal with the calls of one answer: events as things happen, and a message of result for each call.

        KeyboardInterrupt passes, with whatever ran ended.
        """
        for number, call in enumerate(calls):
            if number >= MAX_CALLS:
                yield from self._ended(
                    call, Outcome.TOO_MANY, f"not run: more than {MAX_CALLS} calls in one answer"
                )
            else:
                yield from self._one(call, occasion)

    # ---- one call

    def _one(self, call: ToolCall, occasion: Occasion) -> Iterator[TurnEvent | Message]:
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            yield from self._ended(call, Outcome.UNKNOWN, f"there is no such tool; there are: {known}")
            return
        try:
            kind, arguments = tool.action(tool.arguments(call.arguments), self._place)
        except (Malformed, ValueError) as error:
            yield from self._ended(call, Outcome.MALFORMED, str(error))
            return
        action = ActionRequest(kind=kind, args=arguments, at=occasion.at)
        verdict = self._policy.check_action(action)
        if not verdict.allowed:  # a question counts as a refusal here: what runs must be allowed outright
            yield from self._ended(call, Outcome.REFUSED, wording.refusal(verdict), verdict=verdict)
            return
        wish = Wish(engine=occasion.engine, tool=tool.name, says=_told(kind, arguments))
        if len(wish.says) > WISH_CHARS:  # nobody can say yes to what cannot be shown whole
            yield from self._ended(call, Outcome.MALFORMED, f"longer than {WISH_CHARS:,} characters")
            return
        denied = self._denied(tool, wish, occasion)
        if denied is not None:
            yield from self._ended(call, denied, _DENIALS[denied], verdict=verdict)
            return
        yield ToolRunning(tool=tool.name, says=wish.says)
        yield from self._run(call, tool, action, verdict, occasion)

    def _denied(self, tool: Tool, wish: Wish, occasion: Occasion) -> Outcome | None:
        """Why the operator does not let it run. What is only read goes to an engine elsewhere with a yes."""
        if not tool.confirm and not (tool.reads and not occasion.local):
            return None
        said = self.confirm(wish) if self.confirm is not None else None
        if said is None:
            return Outcome.UNANSWERED
        return None if said else Outcome.DECLINED

    def _run(
        self, call: ToolCall, tool: Tool, action: ActionRequest, verdict: Verdict, occasion: Occasion
    ) -> Iterator[TurnEvent | Message]:
        outcome, engram = Outcome.RAN, None
        try:
            with occasion.armed():
                output = execute(tool, action, verdict, self._place, self._bounds)
        except ToolTimedOut as error:
            outcome, output = Outcome.TIMED_OUT, str(error)
        except ToolFailed as error:
            outcome, output = Outcome.FAILED, str(error)
        whole = redact(output.replace("\x00", "\N{REPLACEMENT CHARACTER}")).text
        text = _cut(whole, self._bounds.output_chars)
        kept = tool.name not in _OWN_MEMORY and not self._store.read_only
        if outcome is Outcome.RAN and text.strip() and kept:
            for event in self._observed(tool, action, verdict, text, output, occasion):
                engram = engram or (event.engram if isinstance(event, Formed) else None)
                yield event
        tags = (
            output.tags if isinstance(output, Remembered) else OBSERVED if outcome is Outcome.RAN else NOTHING
        )
        yield from self._ended(call, outcome, text, verdict=verdict, engram=engram, tags=tags)

    def _observed(
        self,
        tool: Tool,
        action: ActionRequest,
        verdict: Verdict,
        text: str,
        output: str,
        occasion: Occasion,
    ) -> Iterator[Formed | Clarify]:
        """Keep the result, with the authority of an executed action, before any engine sees it."""
        source = f"{tool.name} {_told(action.kind, action.args)}"[:SOURCE_CHARS]
        formed = form_tool_result(source, text, occasion.at, StoreHolds(self._store))
        marks = {
            "tool": tool.name,
            "request_hash": verdict.request_hash,
            "output_sha256": hashlib.sha256(output.encode("utf-8", "replace")).hexdigest(),
        }
        changes = [
            change
            if change.draft is None
            else replace(change, draft=replace(change.draft, metadata={**change.draft.metadata, **marks}))
            for change in formed.changes
        ]
        with self._store.transaction():
            events = list(
                apply_changes(
                    self._store, changes, utterance=occasion.utterance, at=occasion.at, author=PARTNER
                )
            )
        yield from events

    def _ended(
        self,
        call: ToolCall,
        outcome: Outcome,
        text: str,
        *,
        verdict: Verdict | None = None,
        engram: Engram | None = None,
        tags: Tags = NOTHING,
    ) -> Iterator[TurnEvent | Message]:
        yield ToolUsed(
            tool=safe(call.name)[:80],
            outcome=outcome.value,
            says=text,
            verdict=verdict,
            engram=engram,
            tags=tags,
        )
        said = text if outcome is Outcome.RAN else f"[{outcome.value}] {text}"
        yield Message(role=Role.TOOL, content=said or "(no output)", tool_call_id=call.id)


_OWN_MEMORY = ("recall", "remember")  # what they give is in the store already
_DENIALS = {
    Outcome.DECLINED: "the operator said no",
    Outcome.UNANSWERED: "this needs the operator's yes, and nobody is there to give it",
}


def _told(kind: str, arguments: Mapping[str, Any]) -> str:
    """An action in one line for the operator: its kind and all that decides what it does."""
    main = next((str(arguments[key]) for key in ("command", "url", "path") if key in arguments), "")
    told = main or json.dumps(dict(arguments), ensure_ascii=False, default=str)
    if arguments.get("real_path", main) != main:
        told += f" (which is {arguments['real_path']})"
    if content := str(arguments.get("content", "")):
        told += f" <- {len(content):,} characters: {content[:CONTENT_CHARS]}"
    return safe(f"{kind}: {told}")


def safe(text: str) -> str:
    """`text` without what moves a cursor, hides or reorders it: a wish must look like what it is."""
    return "".join(
        ch if ch == " " or unicodedata.category(ch)[0] not in "CZ" else f"\\u{ord(ch):04x}" for ch in text
    )


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return text[:limit] + f"\n[{len(text) - limit:,} more characters]"
