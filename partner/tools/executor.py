"""The one place where an action runs: only with an allowing verdict, and only the bytes that were judged."""

from __future__ import annotations

from gate.model import ActionRequest, Verdict, request_hash
from partner.tools.model import Bounds, Place, Tool


class Unjudged(Exception):
    """An action without an allowing verdict of its own: a fault in this program, and nothing ran."""


def execute(tool: Tool, action: ActionRequest, verdict: Verdict, place: Place, bounds: Bounds) -> str:
    """Run `action`, which `verdict` must allow and be bound to; gives its output.

    The tool is given the action's arguments alone: whatever the engine wrote beside them is not there.

    Raises:
        Unjudged: the verdict refuses, asks, or belongs to another action.
        ToolFailed, ToolTimedOut: it ran and did not do it.
    """
    if not verdict.allowed:
        raise Unjudged(f"the verdict on this {action.kind} is {verdict.decision}")
    if verdict.request_hash != request_hash(action):
        raise Unjudged(f"the verdict is bound to another request than this {action.kind}")
    return tool.run(action.args, place, bounds)
