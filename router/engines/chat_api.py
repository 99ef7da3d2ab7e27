"""The chat-completions form that servers and providers share: request out, chunks in.

Nothing here touches a socket; openai_http and hosted both stand on it.
"""

from __future__ import annotations

import codecs
import email.utils
import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from router.errors import EngineFailed, FailureKind
from router.model import End, Event, Reasoning, Request, Text, ToolCall, ToolDelta, Usage

MAX_ERROR_CHARS = 300
MAX_LINE_CHARS = 4 * 1024 * 1024
_SECRET = re.compile(r"\b(?:sk|pk|key|tok|gsk|xai|AIza)[-_]?[A-Za-z0-9*_\-]{8,}")
_KINDS = {
    400: FailureKind.REFUSED,
    401: FailureKind.AUTH,
    402: FailureKind.AUTH,
    403: FailureKind.AUTH,
    404: FailureKind.UNUSABLE,
    408: FailureKind.TIMEOUT,
    413: FailureKind.OVERFLOW,
    422: FailureKind.REFUSED,
    429: FailureKind.RATE,
}
_OVERFLOW_WORDS = ("context length", "context_length", "maximum context", "context window", "too many tokens")


def payload(
    request: Request, messages: Sequence[Mapping[str, Any]], model: str, *, schema_form: str = "json_schema"
) -> dict[str, Any]:
    """The body of a streaming request.

    `schema_form`: "json_schema" is OpenAI's; "json_object" is what llama-cpp-python's server honours.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.seed is not None:
        body["seed"] = request.seed
    if request.stop:
        body["stop"] = list(request.stop)
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    if request.schema is not None:
        schema = dict(request.schema)
        if schema_form == "json_object":
            body["response_format"] = {"type": "json_object", "schema": schema}
        else:
            named = {"name": "answer", "schema": schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def failure(
    status: int, body: str, headers: Mapping[str, str], *, secret: str = "", label: str = "the server"
) -> EngineFailed:
    """What an HTTP status that is not 200 means."""
    kind = _KINDS.get(status, FailureKind.SERVER if status >= 500 else FailureKind.REFUSED)
    # before it is cut: a key at the cut would be half a key, which nothing recognises
    message = error_message(redact(body, secret))
    if kind is FailureKind.REFUSED and is_overflow(message):
        kind = FailureKind.OVERFLOW
    if 300 <= status < 400:
        kind, message = FailureKind.PROTOCOL, "it redirects elsewhere"
    told = f"{label} answered {status}" + (f": {message}" if message else "")
    return EngineFailed(told, kind=kind, retry_after_s=retry_after_s(headers))


def is_overflow(message: str) -> bool:
    """Whether a refusal says that the request is longer than the model's window."""
    return any(words in message.lower() for words in _OVERFLOW_WORDS)


def error_message(body: str) -> str:
    """The sentence in an error body; empty for a web page or nothing."""
    try:
        parsed = json.loads(body)
    except ValueError:
        return "" if "<" in body[:200] else body.strip()[:MAX_ERROR_CHARS]
    found = parsed.get("error", parsed) if isinstance(parsed, dict) else parsed
    if isinstance(found, dict):
        found = found.get("message") or found.get("detail") or found.get("code") or ""
    return str(found)[:MAX_ERROR_CHARS]


def redact(text: str, secret: str = "") -> str:
    """`text` without the key and without what looks like one: providers echo keys in errors."""
    if secret:
        text = text.replace(secret, "[key]")
    return _SECRET.sub("[key]", text)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, of `Retry-After-Ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).

    A date is compared with the response's own Date header, so that skewed clocks do not matter.
    """
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value) / scale
        if value and name == "retry-after":
            try:
                until = email.utils.parsedate_to_datetime(value)
                now = email.utils.parsedate_to_datetime(headers.get("date", ""))
                return max(0.0, (until - now).total_seconds())
            except (ValueError, TypeError):
                return None
    return None


def hush(*libraries: str) -> None:
    """Keep what libraries log of requests and answers to themselves: it holds keys, or what echoes them."""
    for name in libraries:
        logger = logging.getLogger(name)
        if logger.level < logging.WARNING:
            logger.setLevel(logging.WARNING)


class SseDecoder:
    """Server-sent events out of bytes cut anywhere; gives each event's data."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes, *, final: bool = False) -> Iterator[str]:
        self._held += self._decoder.decode(chunk, final)
        if len(self._held) > MAX_LINE_CHARS:
            raise EngineFailed("the server sent a line without end", kind=FailureKind.PROTOCOL)
        lines = self._held.split("\n")
        self._held = lines.pop()
        if final:
            lines += [self._held, ""]
        for line in lines:
            line = line.rstrip("\r")
            if line.startswith("data:"):
                self._data.append(line[5:].removeprefix(" "))
            elif not line and self._data:
                data, self._data = "\n".join(self._data), []
                yield data


@dataclass(slots=True)
class _PartialCall:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    signed: dict[str, Any] = field(default_factory=dict)


class ChunkReader:
    """Chunks of a streamed completion into events; keeps what only the end can tell.

    `finish` must be called once the stream is over: it gives tool calls, usage and End, or raises.
    """

    def __init__(self, *, prices: tuple[float, float] | None, local: bool, secret: str = "") -> None:
        self._prices = prices
        self._local = local
        self._secret = secret
        self._calls: dict[int, _PartialCall] = {}
        self._thoughts: list[dict[str, Any]] = []
        self.usage: tuple[int, int] | None = None
        self._reason = ""
        self._done = False
        self.cost_usd: float | None = None

    def data(self, text: str) -> list[Event]:
        """One event's data, as it came over the wire."""
        if text.strip() == "[DONE]":
            self._done = True
            return []
        try:
            chunk = json.loads(text)
        except ValueError as error:
            raise EngineFailed(
                "the server sent a chunk that is no JSON", kind=FailureKind.PROTOCOL
            ) from error
        if not isinstance(chunk, dict):
            raise EngineFailed("the server sent a chunk that is no object", kind=FailureKind.PROTOCOL)
        try:
            return self.chunk(chunk)
        except (AttributeError, TypeError, ValueError) as error:  # a list for an object, a word for a number
            raise EngineFailed(
                "the server sent a chunk that is not in OpenAI's form", kind=FailureKind.PROTOCOL
            ) from error

    def chunk(self, chunk: Mapping[str, Any]) -> list[Event]:
        """One parsed chunk."""
        if chunk.get("error"):
            self._raise(chunk["error"])
        if isinstance(usage := chunk.get("usage"), Mapping):
            self.usage = (int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))
        out: list[Event] = []
        for choice in chunk.get("choices") or ():
            if choice.get("index", 0) != 0:
                continue
            delta = choice.get("delta") or choice.get("message") or {}
            thought = delta.get("reasoning_content") or delta.get("reasoning")
            if isinstance(thought, str) and thought:
                out.append(Reasoning(text=thought))
            for block in delta.get("thinking_blocks") or ():
                self._thought(block)
            if isinstance(content := delta.get("content"), str) and content:
                out.append(Text(text=content))
            for part in delta.get("tool_calls") or ():
                self._call(part)
            if choice.get("finish_reason"):
                self._reason = str(choice["finish_reason"])
        return out

    def finish(self) -> list[Event]:
        """The events that end the answer.

        Raises:
            EngineFailed: the stream ended without saying that it is the end.
        """
        if not (self._reason or self._done):
            raise EngineFailed("the answer broke off without an end", kind=FailureKind.PROTOCOL)
        out: list[Event] = []
        if any(block.get("signature") or block.get("data") for block in self._thoughts):
            out.append(Reasoning(text="", signed=json.dumps(self._thoughts)))
        for place, (_, call) in enumerate(sorted(self._calls.items()), start=1):
            arguments = "".join(call.arguments) or "{}"
            signed = json.dumps(call.signed) if call.signed else ""
            made = ToolCall(
                id=call.id or f"call{place:05d}", name=call.name, arguments=arguments, signed=signed
            )
            out.append(ToolDelta(call=made))
        if self.usage is not None:
            tokens_in, tokens_out = self.usage
            out.append(Usage(tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=self._cost()))
        out.append(End(reason="tool_calls" if self._calls else self._reason or "stop"))
        return out

    def _call(self, part: Mapping[str, Any]) -> None:
        index = part.get("index")
        call = self._calls.setdefault(len(self._calls) if index is None else int(index), _PartialCall())
        function = part.get("function") or {}
        call.id = part.get("id") or call.id
        call.name += function.get("name") or ""
        call.arguments.append(function.get("arguments") or "")
        call.signed |= part.get("provider_specific_fields") or {}

    def _thought(self, block: Mapping[str, Any]) -> None:
        """Join the pieces of a thought until its signature comes; a redacted one comes whole."""
        last = self._thoughts[-1] if self._thoughts else None
        if block.get("type") != "thinking" or last is None or last.get("signature") or "data" in last:
            self._thoughts.append({key: value for key, value in block.items() if value is not None})
            return
        last["thinking"] = (last.get("thinking") or "") + (block.get("thinking") or "")
        if block.get("signature"):
            last["signature"] = block["signature"]

    def _cost(self) -> float | None:
        if self.cost_usd is not None or self.usage is None:
            return self.cost_usd
        if self._local:
            return 0.0
        if self._prices is None:
            return None
        return (self.usage[0] * self._prices[0] + self.usage[1] * self._prices[1]) / 1_000_000

    def _raise(self, error: Any) -> None:
        detail = error if isinstance(error, Mapping) else {"message": str(error)}
        code = str(detail.get("code") or "")
        kind = _KINDS.get(int(code), FailureKind.SERVER) if code.isdigit() else FailureKind.SERVER
        message = redact(str(detail.get("message") or code or "no reason given"), self._secret)
        raise EngineFailed(f"the server reported: {message[:MAX_ERROR_CHARS]}", kind=kind)
