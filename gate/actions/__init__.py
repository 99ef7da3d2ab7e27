"""Structured actions as frames: one module a kind, imported when such an action is read.

    read_action(request, facts) -> tuple[Frame, ...]

A frame says what the action does, never what its content talks about: a memo, a body or a quoted command
does nothing. What cannot be determined is named in `Frame.unknown`. See paths, hosts, money and addresses
for what a place, a host, an amount and a recipient mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from gate.errors import BadAction
from gate.model import ActionRequest, Facts, Frame

__all__ = ["KINDS", "read_action"]

# kind -> (module, function); the heavy grammars behind them load with the first action of their kind
KINDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "shell": ("shell_command", "read"),
        "file.read": ("files", "read"),
        "file.write": ("files", "write"),
        "file.delete": ("files", "delete"),
        "http": ("web", "read"),
        "sql": ("sql", "read"),
        "email.send": ("mail", "read"),
        "payment": ("payment", "read"),
        "model.call": ("model_call", "read"),
        "mcp.tool": ("tool_call", "read_tool"),
        "agent.call": ("tool_call", "read_agent"),
    }
)


def read_action(request: ActionRequest, facts: Facts) -> tuple[Frame, ...]:
    """The frames of an action, in the order of its effects.

    Errors: BadAction when the kind is not one of KINDS or its arguments do not fit the kind's schema.
    """
    found = KINDS.get(request.kind)
    if found is None:
        raise BadAction("kind", f"{request.kind!r} is not one of {', '.join(KINDS)}")
    if not isinstance(request.args, Mapping):
        raise BadAction("args", f"must be an object, not {type(request.args).__name__}")
    module, name = found
    return getattr(import_module(f"gate.actions.{module}"), name)(request.args, facts)
