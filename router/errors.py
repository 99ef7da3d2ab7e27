"""Errors of the router, each saying who erred.

RouterError
├── BadRequest            the caller's: nothing was sent
│   ├── UnknownEngine     no engine of that name (`.name`, `.known`)
│   ├── BadConfig         an engine's configuration is wrong (`.field`)
│   └── BadSchema         a JSON Schema or grammar that no engine may be given
├── ModelMissing          the surroundings': a model file is not there (`.name`); says which command mends it
└── EngineFailed          theirs: the engine could not answer (`.kind`, `.retry_after_s`)
"""

from __future__ import annotations

from enum import StrEnum


class FailureKind(StrEnum):
    """What went wrong at an engine; the breaker and the operator's message depend on it."""

    CONNECT = "connect"  # nobody answered
    TIMEOUT = "timeout"  # no first token, or a stall within the stream
    AUTH = "auth"  # 401, 402, 403: opens the breaker until the configuration changes
    RATE = "rate"  # 429, usually with Retry-After
    OVERFLOW = "overflow"  # the request does not fit the window: no fault of the endpoint
    REFUSED = "refused"  # 400 and friends: this request only
    SERVER = "server"  # 5xx, or an error event in the stream
    PROTOCOL = "protocol"  # an answer that is not an answer: HTML, bad JSON, no choices, cut off
    CRASHED = "crashed"  # the worker or command died
    UNUSABLE = "unusable"  # a corrupt file, a base model without template, a missing program


class RouterError(Exception):
    """Root of the tree; `str()` is a sentence for the operator and carries no secret."""


class BadRequest(RouterError):
    pass


class UnknownEngine(BadRequest):
    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no engine named {name!r}; configured: {', '.join(known) or 'none'}")
        self.name = name
        self.known = known


class BadConfig(BadRequest):
    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


class BadSchema(BadRequest):
    pass


class ModelMissing(RouterError):
    def __init__(self, name: str, hint: str = "run: partner models pull") -> None:
        super().__init__(f"the model {name} is not here; {hint}")
        self.name = name


class EngineFailed(RouterError):
    """`retry_after_s` is what the engine asked for, in seconds from now; None when it asked for nothing."""

    def __init__(
        self, reason: str, *, kind: FailureKind = FailureKind.SERVER, retry_after_s: float | None = None
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.retry_after_s = retry_after_s
