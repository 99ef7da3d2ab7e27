"""Reading the arguments of an action: what is missing or of the wrong type is the caller's fault.

Every reader takes its arguments through these functions, so that a malformed action is a `BadAction`
that names the field, never a crash and never a silently smaller action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.errors import BadAction

MAX_TEXT = 4_000_000  # characters of one argument; longer is refused unread
MAX_NAME = 16_384  # of a path, a payee, a list of recipients: four times what file systems allow
MAX_ITEMS = 2000  # of one list


def text(args: Mapping[str, Any], name: str, limit: int = MAX_TEXT) -> str:
    """The string argument `name`, which is required.

    Errors: BadAction when it is missing, not a string, too long, or holds a NUL (no program can be
    handed one, so what would run is not what stands there).
    """
    value = args.get(name)
    if value is None:
        raise BadAction(name, "is required and must be a string")
    if not isinstance(value, str):
        raise BadAction(name, f"must be a string, not {type(value).__name__}")
    if len(value) > limit:
        raise BadAction(name, f"is longer than {limit} characters")
    if "\0" in value:
        raise BadAction(name, "holds a NUL character")
    return value


def optional_text(args: Mapping[str, Any], name: str) -> str:
    """The string argument `name`, or "" when it is absent or null."""
    return "" if args.get(name) is None else text(args, name)


def texts(args: Mapping[str, Any], *names: str, limit: int = MAX_TEXT) -> tuple[str, ...]:
    """The strings of several arguments, each a string, a list of strings, or absent."""
    found: list[str] = []
    for name in names:
        value = args.get(name)
        if value is None:
            continue
        if isinstance(value, str):
            found.append(text(args, name, limit))
        elif isinstance(value, list | tuple):
            if len(value) > MAX_ITEMS:
                raise BadAction(name, f"holds more than {MAX_ITEMS} items")
            for item in value:
                if not isinstance(item, str):
                    raise BadAction(name, f"must hold strings only, not {type(item).__name__}")
                found.append(text({name: item}, name, limit))
        else:
            raise BadAction(name, f"must be a string or a list of strings, not {type(value).__name__}")
    return tuple(found)


def mapping(args: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object argument `name`, or an empty one when it is absent or null."""
    value = args.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadAction(name, f"must be an object, not {type(value).__name__}")
    return value


def first_of(args: Mapping[str, Any], *names: str) -> str:
    """The name among `names` that the caller used; the first one when none is there."""
    return next((name for name in names if args.get(name) is not None), names[0])
