"""Ollama by its own interface: /api/chat takes the window (`num_ctx`), the OpenAI form ignores it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from router.engines import chat_api
from router.engines.openai_http import OpenAIHttpEngine
from router.errors import EngineFailed, FailureKind
from router.history import answer_tokens, compile_history
from router.model import End, Event, Reasoning, Request, Text, ToolCall, ToolDelta, Usage

if TYPE_CHECKING:
    import httpx


class OllamaEngine(OpenAIHttpEngine):
    """One model of an Ollama server, with `n_ctx` tokens of window."""

    PATH = "/api/chat"

    def __init__(
        self, base_url: str, model: str, *, name: str = "ollama", n_ctx: int = 8192, **rest: Any
    ) -> None:
        super().__init__(base_url, model, name=name, window=n_ctx, **rest)

    def _body(self, request: Request) -> dict[str, Any]:
        target = self._target()
        messages = compile_history(request, target)
        options: dict[str, Any] = {
            "num_ctx": target.window,
            "num_predict": answer_tokens(messages, request, target),
            "temperature": request.temperature,
        }
        if request.seed is not None:
            options["seed"] = request.seed
        if request.stop:
            options["stop"] = list(request.stop)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [_native(message) for message in messages],
            "stream": True,
            "options": {**options, **self._options, **request.extra},
        }
        if request.tools:
            body["tools"] = chat_api.payload(request, (), self.model)["tools"]
        if request.schema is not None:
            body["format"] = dict(request.schema)
        return body

    def _read(self, response: httpx.Response, reader: chat_api.ChunkReader, secret: str) -> Iterator[Event]:
        self._refuse(response, secret)
        lines = _Lines()
        yield from self._watched(response, lines.feed)
        yield from lines.feed(b"\n")  # the last one may come without its end

    def _finish(self, reader: chat_api.ChunkReader) -> Sequence[Event]:
        return ()  # the line with `done` carried the end


class _Lines:
    """Events of JSON objects, one a line, out of bytes cut anywhere."""

    def __init__(self) -> None:
        self._held = b""
        self._calls = 0
        self._done = False

    def feed(self, chunk: bytes) -> Iterator[Event]:
        self._held += chunk
        if len(self._held) > chat_api.MAX_LINE_CHARS:
            raise EngineFailed("the server sent a line without end", kind=FailureKind.PROTOCOL)
        *lines, self._held = self._held.split(b"\n")
        for line in filter(bytes.strip, lines):
            try:
                parsed = json.loads(line)
            except ValueError as error:
                raise EngineFailed(
                    "the server sent a line that is no JSON", kind=FailureKind.PROTOCOL
                ) from error
            if self._done or not isinstance(parsed, dict):
                continue  # a server that imitates Ollama was seen to end twice
            for event in _events(parsed, self._calls):
                self._calls += isinstance(event, ToolDelta)
                self._done = self._done or isinstance(event, End)
                yield event


def _events(line: Mapping[str, Any], calls: int) -> Iterator[Event]:
    if line.get("error"):
        raise EngineFailed(f"the server reported: {chat_api.redact(str(line['error']))}")
    message = line.get("message") or {}
    if message.get("thinking"):
        yield Reasoning(text=message["thinking"])
    if message.get("content"):
        yield Text(text=message["content"])
    for place, call in enumerate(message.get("tool_calls") or (), start=calls + 1):
        function = call.get("function") or {}
        arguments = json.dumps(function.get("arguments") or {}, ensure_ascii=False)
        yield ToolDelta(
            call=ToolCall(id=f"call{place:05d}", name=function.get("name", ""), arguments=arguments)
        )
        calls += 1
    if line.get("done"):
        counts = [int(line.get(key) or 0) for key in ("prompt_eval_count", "eval_count")]
        yield Usage(tokens_in=counts[0], tokens_out=counts[1], cost_usd=0.0)
        yield End(reason="tool_calls" if calls else str(line.get("done_reason") or "stop"))


def _native(message: Mapping[str, Any]) -> dict[str, Any]:
    """Ollama's form: images beside the text, arguments as an object, results by the tool's name."""
    content = message["content"]
    native: dict[str, Any] = {"role": message["role"], "content": content}
    if isinstance(content, list):
        native["content"] = "".join(part.get("text", "") for part in content)
        urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        native["images"] = [url.partition("base64,")[2] for url in urls]
    if message.get("tool_calls"):
        native["tool_calls"] = [
            {
                "function": {
                    "name": call["function"]["name"],
                    "arguments": json.loads(call["function"]["arguments"]),
                }
            }
            for call in message["tool_calls"]
        ]
    return native
