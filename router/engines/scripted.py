"""An engine that says what it was told to: for tests, demonstrations, and dry runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from router.errors import EngineFailed
from router.model import Capabilities, End, Event, Request, Start, Text, ToolCall, ToolDelta, Usage

Step = str | Event | ToolCall | EngineFailed
Script = Iterable[Step]


class ScriptedEngine:
    """Plays one script a request; the last one is repeated.

    A step is a piece of text, an event, or an EngineFailed that is raised there. A callable gets the request
    and returns the script. `requests` keeps what arrived.
    """

    def __init__(
        self,
        *scripts: Script | Callable[[Request], Script] | str,
        name: str = "scripted",
        model: str = "script",
        capabilities: Capabilities | None = None,
    ) -> None:
        self.name = name
        self.model = model
        self._scripts = scripts or ("I hear you.",)
        self._capabilities = capabilities or Capabilities(local=True, window=8192, tools=True, schema=True)
        self.requests: list[Request] = []
        self.closed = False

    def capabilities(self) -> Capabilities:
        return self._capabilities

    def count_tokens(self, text: str) -> int:
        """One token a word."""
        return len(text.split())

    def fingerprint(self) -> dict[str, Any]:
        scripts = [script if isinstance(script, str) else "" for script in self._scripts]
        return {"kind": "scripted", "model": self.model, "scripts": scripts}

    def stream(self, request: Request) -> Iterator[Event]:
        self.requests.append(request)
        script = self._scripts[min(len(self.requests), len(self._scripts)) - 1]
        steps = script(request) if callable(script) else [script] if isinstance(script, str) else script
        yield Start(engine=self.name, model=self.model)
        said, called, counted = 0, False, False
        for step in steps:
            match step:
                case EngineFailed():
                    raise step
                case str():
                    said += self.count_tokens(step)
                    yield Text(text=step)
                case ToolCall():
                    called = True
                    yield ToolDelta(call=step)
                case _:
                    called = called or isinstance(step, ToolDelta)
                    counted = counted or isinstance(step, Usage)
                    yield step
                    if isinstance(step, End):
                        return
        if not counted:
            tokens_in = sum(self.count_tokens(message.content) for message in request.messages)
            yield Usage(tokens_in=tokens_in + self.count_tokens(request.notes), tokens_out=said, cost_usd=0.0)
        yield End(reason="tool_calls" if called else "stop")

    def close(self) -> None:
        self.closed = True
