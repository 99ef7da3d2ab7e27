"""No language engine: the reply is what the store contributed, as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from router.history import estimate_tokens
from router.model import Capabilities, End, Event, Request, Start, Text


def _plain(request: Request) -> str:
    if not request.notes.strip():
        return "No language engine is available, and nothing in memory bears on this."
    return f"No language engine is available. From memory:\n{request.notes.strip()}"


class NoneEngine:
    """Answers with `render(request)`; costs nothing, calls no model and cannot fail."""

    name = "none"
    model = "none"

    def __init__(self, render: Callable[[Request], str] = _plain) -> None:
        self._render = render

    def capabilities(self) -> Capabilities:
        return Capabilities(local=True, window=1_000_000, language=False)

    def count_tokens(self, text: str) -> int:
        return estimate_tokens(text)

    def stream(self, request: Request) -> Iterator[Event]:
        yield Start(engine=self.name, model=self.model)
        yield Text(text=self._render(request))
        yield End(reason="stop")

    def close(self) -> None:
        """Nothing is held."""
