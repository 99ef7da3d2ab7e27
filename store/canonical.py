"""Canonical bytes of JSON values (RFC 8785), the bytes that are hashed and signed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import rfc8785

from store.errors import InvalidEngram

_MAX_INT = 2**53 - 1
_MAX_DEPTH = 64
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False).encode


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a plain JSON value.

    The standard library's encoder writes the same bytes whenever the keys are ASCII and no number needs
    ECMAScript's own formatting, and does so six times faster than a pure-Python canonicaliser; everything
    else takes the slow, general way (checked against each other by a property test).
    """
    if _common(value):
        return _encode(value).encode("utf-8")
    return rfc8785.dumps(value)


def parse(data: bytes) -> Any:
    """Read canonical JSON back; raises ValueError for what is not JSON.

    A float without a fraction is written as ECMAScript does, in digits alone up to 1e21; beyond 2**53 such
    a number is a float again, not an integer that JSON never held.
    """
    text = data.decode()
    try:  # `decode` looks for space around the value, which takes as long as a short value does
        value, end = _scan(text, 0)
    except StopIteration:
        value, end = None, -1
    return value if end == len(text) else _decoder.decode(text)


def _number(digits: str) -> int | float:
    value = int(digits)
    return value if abs(value) <= _MAX_INT else float(digits)


_decoder = json.JSONDecoder(parse_int=_number)
_scan: Callable[[str, int], tuple[Any, int]] = vars(_decoder)["scan_once"]


def _common(value: Any) -> bool:
    kind = type(value)
    if kind is str or value is None or kind is bool or kind is int:
        return True
    if kind is float:
        return not value.is_integer() and "e" not in repr(value)
    if kind is dict:
        return all(key.isascii() and _common(item) for key, item in value.items())
    return kind is list and all(map(_common, value))


def plain(value: Any, field: str = "metadata", depth: int = 0) -> Any:
    """Return `value` as dicts, lists and scalars; raise InvalidEngram where JSON cannot hold it exactly."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, field)
    if isinstance(value, int):
        if abs(value) > _MAX_INT:
            raise InvalidEngram(field, f"{value} is too large for a JSON number; give it as text")
        return int(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise InvalidEngram(field, f"{value!r} is not a JSON number")
        return float(value)
    if depth >= _MAX_DEPTH:
        raise InvalidEngram(field, f"nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return {_key(key, field): plain(item, field, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, field, depth + 1) for item in value]
    raise InvalidEngram(field, f"{type(value).__name__} is not a JSON value")


def _key(key: Any, field: str) -> str:
    if not isinstance(key, str):
        raise InvalidEngram(field, f"a JSON key is text, not {key!r}")
    return _text(key, field)


def _text(value: str, field: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidEngram(field, "not valid Unicode (a lone surrogate)") from error
    return str(value)
