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
_MESSAGES = 1 + _FIELDS["Request"].index("messages")  # behind the name of the class


def fingerprint(request: Request, engine: Mapping[str, Any]) -> str:
    """`r1:` and 64 hex digits. `engine` is what Engine.fingerprint() says of itself.

    Raises:
        BadRequest: a value in the request has no canonical form (a set of mixed types, NaN, an object).
    """
    if isinstance(request.temperature, int):
        request = dataclasses.replace(request, temperature=float(request.temperature))
    try:
        own, asked = _written(engine), _written(request)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRequest(f"the request holds a value that cannot be written down: {error}") from error
    text = f'{{"engine":{own},"fields":{_FIELDS_WRITTEN},"request":{asked},"scheme":"{SCHEME}"}}'
    return f"{SCHEME}:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def _plain(value: Any) -> Any:
    """The JSON form of what json does not know; the type stays visible, so that two never look alike."""
    kind = type(value)
    values = _VALUES.get(kind)
    if values is not None:
        plain = (kind.__name__, *values(value))
        # a long history at once: a call back from the encoder for each message costs more than its text
        return _with_messages_plain(plain) if kind is Request else plain
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset | set):
        return {"set": sorted(value)}
    if isinstance(value, bytes | bytearray | memoryview):
        return {"sha256": hashlib.sha256(value).hexdigest(), "bytes": len(value)}
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} has no canonical form")


def _with_messages_plain(request: tuple[Any, ...]) -> tuple[Any, ...]:
    values = _VALUES[Message]
    messages = [("Message", *values(one)) if type(one) is Message else one for one in request[_MESSAGES]]
    return (*request[:_MESSAGES], messages, *request[_MESSAGES + 1 :])


# made once: to make it takes as long as to write a short request
_written = json.JSONEncoder(
    default=_plain,
    sort_keys=True,
    ensure_ascii=True,
    allow_nan=False,
    check_circular=False,  # a circle runs into RecursionError, which is caught as well
    separators=(",", ":"),
).encode
_FIELDS_WRITTEN = _written(_FIELDS)  # the same for every request
