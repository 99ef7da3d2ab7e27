"""A question in, the text of the answer out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from router import Event, Message, Request, Role, Text


def ask(text: str, **fields: Any) -> Request:
    return Request(messages=(Message(role=Role.USER, content=text),), **fields)


def text_of(events: Iterable[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))
