"""What the tests of tool calls share: engines that call, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable

from partner.events import Replied, ToolUsed, TurnEvent
from partner.operations import Partner
from router.engines.scripted import ScriptedEngine
from router.model import Role, ToolCall

Opener = Callable[..., Partner]


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(id=f"id-{name}", name=name, arguments=json.dumps(arguments))


def calling(*calls: ToolCall, then: str = "Done.", **options: object) -> ScriptedEngine:
    """An engine that makes these calls in one answer, and then says something."""
    return ScriptedEngine([*calls], then, **options)  # type: ignore[arg-type]


def used(events: list[TurnEvent]) -> list[tuple[str, str]]:
    return [(event.tool, event.outcome) for event in events if isinstance(event, ToolUsed)]


def reply_in(events: list[TurnEvent]) -> Replied:
    return next(event for event in events if isinstance(event, Replied))


def result_given(engine: ScriptedEngine) -> str:
    """What the engine was told of its last call."""
    return next(m.content for m in reversed(engine.requests[-1].messages) if m.role is Role.TOOL)
