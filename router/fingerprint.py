"""The key of a request: SHA-256 over canonical JSON of everything that can change the answer.

FINGERPRINT.md states the form; a second implementation could be written from it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from enum import Enum
from operator import attrgetter
from typing import Any

from router.errors import BadRequest
from router.model import Attachment, Message, Request, ToolCall, ToolSpec

SCHEME = "r1"
_DECLARED = (Request, Message, ToolCall, ToolSpec, Attachment)
# names once a class, at import: a field added to a class is in the key without anyone remembering it
_FIELDS: dict[str, tuple[str, ...]] = {
    declared.__name__: tuple(field.name for field in dataclasses.fields(declared)) for declared in _DECLARED
}
# the values alone, in the order of the names: half the time of an object with its keys sorted
_VALUES = {declared: attrgetter(*_FIELDS[declared.__name__]) for declared in _DECLARED}


def fingerprint(request: Request, engine: Mapping[str, Any]) -> str:
    """`r1:` and 64 hex digits. `engine` is what Engine.fingerprint() says of itself.

    Raises:
        BadRequest: a value in the request has no canonical form (a set of mixed types, NaN, an object).
    """
    if isinstance(request.temperature, int):
        request = dataclasses.replace(request, temperature=float(request.temperature))
    body = {"engine": engine, "fields": _FIELDS, "request": request, "scheme": SCHEME}
    try:
        text = _written(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRequest(f"the request holds a value that cannot be written down: {error}") from error
    return f"{SCHEME}:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def _plain(value: Any) -> Any:
    """The JSON form of what json does not know; the type stays visible, so that two never look alike."""
    values = _VALUES.get(type(value))
    if values is not None:
        return (type(value).__name__, *values(value))
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset | set):
        return {"set": sorted(value)}
    if isinstance(value, bytes | bytearray | memoryview):
        return {"sha256": hashlib.sha256(value).hexdigest(), "bytes": len(value)}
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} has no canonical form")


# made once: to make it takes as long as to write a short request
_written = json.JSONEncoder(
    default=_plain,
    sort_keys=True,
    ensure_ascii=True,
    allow_nan=False,
    check_circular=False,  # a circle runs into RecursionError, which is caught as well
    separators=(",", ":"),
).encode
