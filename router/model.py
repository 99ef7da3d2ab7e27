"""What the router passes around: requests for language, the events of an answer, what an engine can do.

Neutral of any engine: history is kept in these terms and compiled for the target each turn (DESIGN §8).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


def _empty() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    id: str
    name: str
    arguments: str  # JSON text, as the engine produced it
    signed: str = ""  # JSON text that the engine wants back with it; no other engine is sent it


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """Bytes that go with a message: an image, or a file's content. Made by router.files.read."""

    media_type: str  # "image/png", "text/plain"
    data: bytes
    name: str = ""

    @property
    def is_image(self) -> bool:
        return self.media_type.startswith("image/")

    def data_url(self) -> str:
        """RFC 2397, as vision models take it."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode('ascii')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    engine: str | None = None  # which engine wrote it; never sent
    signed: str = (
        ""  # JSON list of that engine's signed thoughts; sent back to it with its calls, to no other
    )
    partial: bool = False  # an interrupted answer
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    name: str
    description: str
    parameters: Mapping[str, Any]  # JSON Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked of an engine. Every field that can change the answer enters the cache key.

    `notes` is what the store contributed, apart from the messages, so that each engine's prompt
    shape can put it where that engine reads it. `temperature` 0 means deterministic.
    """

    messages: tuple[Message, ...]
    notes: str = ""
    max_tokens: int = 512
    temperature: float = 0.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    tools: tuple[ToolSpec, ...] = ()
    tags: frozenset[str] = frozenset()  # classes, types and tags of what is in the context (privacy rules)
    extra: Mapping[str, Any] = field(default_factory=_empty)


# ---- events: Start, then any number of Text/Reasoning/ToolDelta/Usage, then exactly one End or Failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    engine: str
    model: str
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoning:
    """What the engine thought. `signed` is JSON that it wants back when it goes on after tool calls."""

    text: str
    signed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDelta:
    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the engine counted them; `cost_usd` None means unknown, not free."""

    tokens_in: int
    tokens_out: int
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Switched:
    """The engine failed; `to` took over. `superseded` is the partial text that no longer counts."""

    engine: str
    to: str
    reason: str
    superseded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    reason: str  # "stop", "length", "tool_calls"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The answer could not be finished by any engine; `message` is for the operator.

    `no_engine` is True when none could even be asked: nothing configured, missing, or ruled out.
    """

    message: str
    no_engine: bool = False


Event = Start | Text | Reasoning | ToolDelta | Usage | Switched | End | Failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    local: bool  # nothing leaves the machine
    window: int  # tokens of context
    tools: bool = False
    schema: bool = False
    vision: bool = False
    notes_in_user: bool = False  # small models read the notes only right before the question
    languages: tuple[str, ...] = ()  # ISO 639-1 codes of those it writes; empty: whatever it is asked in
    language: bool = True  # False: `none`, which is no inference and not in the ledger


@runtime_checkable
class Engine(Protocol):
    """One way to get language. `stream` may be closed at any time (GeneratorExit cancels the work).

    Raises router.errors.EngineFailed from `stream` where it cannot answer; events end with `End`.
    An engine that also has `fingerprint()` (see Fingerprinted) can be cached, one with `prepare()` can
    be warmed.
    """

    name: str
    model: str

    def capabilities(self) -> Capabilities: ...

    def count_tokens(self, text: str) -> int: ...

    def stream(self, request: Request) -> Iterator[Event]: ...

    def close(self) -> None: ...


@runtime_checkable
class Fingerprinted(Protocol):
    """An engine that can name all of its own that may change an answer: endpoint, model, file hashes."""

    def fingerprint(self) -> Mapping[str, Any]: ...


@runtime_checkable
class Preparable(Protocol):
    """An engine that takes time to be ready; `prepare` starts that and returns at once."""

    def prepare(self) -> None: ...
