"""What a tool is, what a call of it asks for, and how that can end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from router.model import ToolSpec

MAX_ARGUMENT_CHARS = 200_000


class Outcome(StrEnum):
    """How a call ended. Only RAN and FAILED ran at all; TIMED_OUT was stopped on its way."""

    RAN = "ran"
    FAILED = "failed"  # it ran and could not do what it was asked to
    TIMED_OUT = "timed out"
    REFUSED = "refused"  # by a rule of the operator
    DECLINED = "declined"  # the operator said no
    UNANSWERED = "unanswered"  # it needs a yes, and nobody was there to give it
    UNKNOWN = "unknown tool"
    MALFORMED = "malformed"  # its arguments are no call
    TOO_MANY = "too many"  # beyond what one answer may call


class Malformed(Exception):
    """Arguments that do not fit the tool; the message is for the engine and the operator."""


class ToolFailed(Exception):
    """The tool ran and could not do it, in words."""


class ToolTimedOut(Exception):
    """It did not end in time and was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One argument. Text or a whole number: what a small model gets right."""

    name: str
    says: str
    type: Literal["string", "integer"] = "string"
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where tools run: the folder of the conversation, and folders that no tool may look into."""

    cwd: str
    home: str
    closed: tuple[str, ...] = ()  # real paths
    offline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How long a call may take and how much of its output is kept, in seconds and characters."""

    timeout_s: float = 30.0
    output_chars: int = 8_000


class Remembered(str):
    """A tool's output that was made of engrams, and what privacy rules know those by."""

    tags: frozenset[str] = frozenset()


Action = tuple[str, Mapping[str, Any]]  # a kind of the gate and its arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: how its arguments become an action of the gate, and how that action is run.

    `run` is given the action's arguments and nothing else, so that what runs is what was judged. `confirm`
    is True where it changes something or leaves the machine. `reads` marks what would carry a file's
    content to the engine that asked. Raises ToolFailed and ToolTimedOut.
    """

    name: str
    says: str
    params: tuple[Param, ...]
    action: Callable[[Mapping[str, Any], Place], Action]
    run: Callable[[Mapping[str, Any], Place, Bounds], str]
    confirm: bool = False
    reads: bool = False

    def spec(self) -> ToolSpec:
        """What the engine is told of it."""
        properties = {param.name: {"type": param.type, "description": param.says} for param in self.params}
        required = [param.name for param in self.params if param.required]
        schema = {"type": "object", "properties": properties, "required": required}
        return ToolSpec(name=self.name, description=self.says, parameters=schema)

    def arguments(self, text: str) -> dict[str, Any]:
        """The arguments of a call, checked.

        Raises:
            Malformed: they are no JSON object, one is missing, of the wrong type, or not known.
        """
        if len(text) > MAX_ARGUMENT_CHARS:
            raise Malformed(f"the arguments are longer than {MAX_ARGUMENT_CHARS:,} characters")
        try:
            given = json.loads(text or "{}")
        except (ValueError, RecursionError):
            raise Malformed("the arguments are no JSON") from None
        if not isinstance(given, dict):
            raise Malformed("the arguments are no JSON object")
        known = {param.name: param for param in self.params}
        if strange := sorted(set(given) - set(known)):
            raise Malformed(f"there is no argument {', '.join(strange)}; known: {', '.join(known) or 'none'}")
        for param in self.params:
            if given.get(param.name) is None:
                if param.required:
                    raise Malformed(f"the argument {param.name} is missing")
                given.pop(param.name, None)
                continue
            wanted = str if param.type == "string" else int
            if not isinstance(given[param.name], wanted) or isinstance(given[param.name], bool):
                raise Malformed(f"the argument {param.name} is no {param.type}")
        return given
