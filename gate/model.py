"""What the gate reads and what it answers: requests, facts, frames, verdicts.

Everything here is a value. The gate holds no clock, opens no file and asks no model: what it needs
of the world comes in as `Facts` (DESIGN §5).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import rfc8785


class Decision(StrEnum):
    REFUSE = "refuse"
    ASK = "ask"
    ALLOW = "allow"


class Truth(StrEnum):
    """Three-valued answer of a predicate; on an action UNKNOWN refuses, on text it asks."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


def _empty() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRequest:
    """What somebody asks for in words. `at` is aware; relative days are read against it."""

    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """A structured action. `kind`: shell, file.read, file.write, file.delete, http, sql, email.send,
    payment, model.call, mcp.tool, agent.call. `args` is JSON; its schema per kind is in SEMANTICS.md."""

    kind: str
    args: Mapping[str, Any]
    at: datetime


Request = TextRequest | ActionRequest


AT_SITE = "at_site"  # label of a frame that stands for what a site may do with what it is sent

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
_SIMPLE = (str, int, bool, type(None))  # integers beyond the bounds of RFC 8785 are written out before


def request_hash(request: Request) -> str:
    """`g1:` + SHA-256 of the request's canonical JSON (RFC 8785): what a verdict is bound to."""
    body: dict[str, Any] = {"at": request.at.isoformat(), "format": "request/1"}
    if isinstance(request, TextRequest):
        body["text"] = request.text
        return "g1:" + hashlib.sha256(_ENCODER.encode(body).encode()).hexdigest()
    body |= {"kind": request.kind, "args": _plain(request.args)}
    return "g1:" + hashlib.sha256(_canonical(body)).hexdigest()


def _canonical(body: dict[str, Any]) -> bytes:
    """RFC 8785 bytes. Of what has no floats and only ASCII keys, the faster encoder writes the same."""
    if _is_simple(body):
        return _ENCODER.encode(body).encode()
    return rfc8785.dumps(body)


def _is_simple(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        return all(type(key) is str and key.isascii() and _is_simple(item) for key, item in value.items())
    if kind is list:
        return all(map(_is_simple, value))
    return kind in _SIMPLE


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53 - 1:
        return {"int": str(value)}  # RFC 8785 numbers are IEEE doubles
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A recorded permission: `by` allowed what `subject` describes, for requests before `until`."""

    id: str
    by: str
    subject: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the caller found out about the world before asking; a missing fact stays None or absent.

    `real_paths` maps a path as written (made absolute, lexically normalised) to the path it resolves to.
    `locality` is that of the engine a model call would reach: "local" or "hosted".
    `operator_names` are words that mean the operator ("me" in 'anyone but me').
    `timezone` is the operator's IANA zone; without it the request's own offset is used.
    """

    approvals: tuple[Approval, ...] = ()
    cwd: str | None = None
    home: str | None = None
    real_paths: Mapping[str, str] = field(default_factory=_empty)
    locality: str | None = None
    operator_names: tuple[str, ...] = ()
    timezone: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An exact value with its unit: an ISO 4217 code, '%', 'degC', 'h', 'recipients' ..., or None."""

    value: Decimal
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One thing a request would do, in the terms that constraints are written in.

    Actions make certain frames (`certain=True`) from their grammar; text makes them from its words.
    `act` is an id of the closed taxonomy (gate/taxonomy.py). `objects` are canonical noun keys, most
    specific first. `paths` are absolute and lexically normalised, `hosts` lower-case ASCII.
    `labels` are exact properties a rule can name (sql: "table:postings", "database:ledger",
    "no_where"; git: "branch:main"; model.call: "label:client").
    `unknown` names what could not be determined ("path", "host", "command", "statement", "amount",
    ...): a constraint that depends on such a slot is UNKNOWN, never false.
    `span` is the stretch of the text, or `argv` the words of the command, that the frame came from.
    """

    act: str
    objects: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    amounts: tuple[Amount, ...] = ()
    count: int | None = None
    labels: frozenset[str] = frozenset()
    locality: str | None = None
    when: datetime | None = None  # when it would take effect, if not at the request's own time
    certain: bool = True
    unknown: frozenset[str] = frozenset()
    text: str = ""  # the words this frame rests on (a memo, a body, a clause)
    span: tuple[int, int] | None = None
    argv: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One prohibition that a request touched: which, how surely, on what, and what would lift it."""

    engram_id: str
    sentence: str
    truth: Truth
    act: str
    span: tuple[int, int] | None = None
    matched: str = ""
    bindings: Mapping[str, str] = field(default_factory=_empty)
    missing: tuple[str, ...] = ()
    lifted_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The gate's answer, with everything needed to check it again. `inference_calls` is always 0."""

    decision: Decision
    request_hash: str
    head: str
    matches: tuple[Match, ...] = ()
    facts_used: tuple[str, ...] = ()
    facts_missing: tuple[str, ...] = ()
    normaliser_version: str = ""
    compiler_version: str = ""
    lexicon_version: str = ""
    micros: float = 0.0
    inference_calls: int = 0
    note: str = ""

    @property
    def allowed(self) -> bool:
        return self.decision is Decision.ALLOW
