"""Hosted providers through litellm, which knows their dialects. It is imported with the first answer.

litellm's own retries, router, cache and price download are all off: retries are the router's, its cache key
leaves out what changes an answer, and its price list is the one that was installed.
"""

from __future__ import annotations

import os
import queue
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from router.engines import chat_api
from router.engines.openai_http import is_loopback, key_mark, missing_variable, sever
from router.errors import EngineFailed, FailureKind
from router.history import Target, answer_tokens, compile_history, estimate_tokens
from router.model import Capabilities, Event, Request, Start

CONNECT_S = 10.0
FIRST_TOKEN_S = 60.0
BETWEEN_TOKENS_S = 30.0
_KINDS = {
    "AuthenticationError": FailureKind.AUTH,
    "PermissionDeniedError": FailureKind.AUTH,
    "RateLimitError": FailureKind.RATE,
    "ContextWindowExceededError": FailureKind.OVERFLOW,
    "BadRequestError": FailureKind.REFUSED,
    "UnprocessableEntityError": FailureKind.REFUSED,
    "ContentPolicyViolationError": FailureKind.REFUSED,
    "NotFoundError": FailureKind.UNUSABLE,
    "Timeout": FailureKind.TIMEOUT,
    "APIConnectionError": FailureKind.CONNECT,
    "MidStreamFallbackError": FailureKind.PROTOCOL,
    "JSONDecodeError": FailureKind.PROTOCOL,
}
# litellm's wrapping around the provider's own sentence
_WRAPPING = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Exception|Timeout)(?:: | - ))+")


class HostedEngine:
    """One provider's model by litellm's name for it ("anthropic/...", "gemini/...", "openai/...").

    `api_key` gives the key when it is needed; it is in no error and no log. `api_base` only for providers
    reached at another address than their own. Costs are litellm's where it knows the model, or unknown.
    """

    def __init__(
        self,
        model: str,
        *,
        name: str = "hosted",
        api_key: Callable[[], str] | str = "",
        key_name: str = "",
        api_base: str | None = None,
        window: int = 128_000,
        vision: bool = False,
        prices: tuple[float, float] | None = None,
        options: Mapping[str, Any] | None = None,
        connect_s: float = CONNECT_S,
        first_token_s: float = FIRST_TOKEN_S,
        between_tokens_s: float = BETWEEN_TOKENS_S,
    ) -> None:
        self.name = name
        self.model = model
        self._api_key = api_key
        self._key_name = key_name
        self._api_base = api_base
        host = urlsplit(api_base).hostname if api_base else None
        self._capabilities = Capabilities(
            local=bool(host and is_loopback(host)), window=window, tools=True, schema=True, vision=vision
        )
        self._prices = prices
        self._options = dict(options or {})
        self._connect_s = connect_s
        self._first_token_s = first_token_s
        self._between_tokens_s = between_tokens_s

    @property
    def endpoint(self) -> str:
        """What health is kept for: address, model, and which key (not the key)."""
        return f"{self._api_base or 'litellm'} {self.model} {key_mark(self._api_key, self._key_name)}"

    def capabilities(self) -> Capabilities:
        return self._capabilities

    def count_tokens(self, text: str) -> int:
        """An estimate on the careful side: providers count for themselves."""
        return estimate_tokens(text)

    def lacking(self) -> str:
        """Which variable that should hold its key is not set; empty where nothing is known to be missing."""
        return missing_variable(self._api_key, self._key_name)

    def fingerprint(self) -> dict[str, Any]:
        return {
            "kind": "hosted",
            "model": self.model,
            "api_base": self._api_base,
            "options": self._options,
            "window": self._capabilities.window,
            "vision": self._capabilities.vision,
        }

    def stream(self, request: Request) -> Iterator[Event]:
        """Answer; closing the iterator abandons the provider's stream.

        Raises:
            EngineFailed: whatever litellm raised, in our terms.
        """
        secret = self._api_key() if callable(self._api_key) else self._api_key
        arguments = self._arguments(request, secret)
        _litellm()  # seconds the first time: not to be taken out of the time for the first token
        reader = chat_api.ChunkReader(prices=self._prices, local=self._capabilities.local, secret=secret)
        yield Start(engine=self.name, model=self.model)
        timeout_s = self._first_token_s
        pump = _Pump(arguments)
        try:
            while True:
                chunk = pump.next(timeout_s, secret)
                if chunk is None:
                    break
                for event in reader.chunk(chunk):
                    timeout_s = self._between_tokens_s
                    yield event
        finally:
            pump.abandon()
        if reader.cost_usd is None and self._prices is None and not self._capabilities.local:
            reader.cost_usd = self._known_cost(reader)
        yield from reader.finish()

    def prepare(self) -> None:
        """Import litellm in the background: it takes seconds."""
        threading.Thread(target=_litellm, name="import litellm", daemon=True).start()

    def close(self) -> None:
        """Nothing is held between requests."""

    def _arguments(self, request: Request, secret: str) -> dict[str, Any]:
        import httpx

        target = Target(
            window=self._capabilities.window,
            count=self.count_tokens,
            vision=self._capabilities.vision,
            engine=self.name,
        )
        messages = compile_history(request, target)
        body = chat_api.payload(request, messages, self.model)
        body["max_tokens"] = answer_tokens(messages, request, target)
        body |= {**self._options, **request.extra}
        # litellm takes the first of these numbers alone for the providers that know no other
        timeout = httpx.Timeout(self._first_token_s, connect=self._connect_s)
        body |= {"max_retries": 0, "num_retries": 0, "drop_params": True, "timeout": timeout}
        body |= {"api_key": secret or None, "api_base": self._api_base}
        return {key: value for key, value in body.items() if value is not None}

    def _known_cost(self, reader: chat_api.ChunkReader) -> float | None:
        if reader.usage is None:
            return None
        try:
            cost_in, cost_out = _litellm().cost_per_token(
                model=self.model, prompt_tokens=reader.usage[0], completion_tokens=reader.usage[1]
            )
        except Exception:  # noqa: BLE001  a model that its price list does not know: unknown, not free
            return None
        return float(cost_in + cost_out) or None


class _Pump:
    """Drains litellm's blocking iterator in a thread, because it has no deadline between chunks."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self._arguments = dict(arguments)
        self._queue: queue.SimpleQueue[Mapping[str, Any] | BaseException | None] = queue.SimpleQueue()
        self._abandoned = False
        self._stream: Any = None
        threading.Thread(target=self._run, name="hosted stream", daemon=True).start()

    def next(self, timeout_s: float, secret: str) -> Mapping[str, Any] | None:
        """The next chunk, None at the end."""
        try:
            item = self._queue.get(timeout=timeout_s)
        except queue.Empty:
            raise EngineFailed(
                f"the provider said nothing for {timeout_s:g} s", kind=FailureKind.TIMEOUT
            ) from None
        if isinstance(item, BaseException):
            raise _translated(item, secret) from None  # the original may carry the key
        return item

    def abandon(self) -> None:
        """Nothing more is wanted: the provider is hung up on, so that it stops, and stops charging."""
        self._abandoned = True
        _hang_up(self._stream)

    def _run(self) -> None:
        try:
            self._stream = _litellm().completion(**self._arguments)
            for chunk in self._stream:
                if self._abandoned:
                    return
                self._queue.put(chunk.model_dump())
            self._queue.put(None)
        except BaseException as error:  # noqa: BLE001  handed to the thread that waits, translated there
            self._queue.put(error)


def _hang_up(stream: Any) -> None:
    """Shut the connection under litellm's iterator, which cannot be closed from outside while it waits."""
    import httpx

    # OpenAI's client and litellm's own iterators each keep the response, under another name
    for value in getattr(getattr(stream, "completion_stream", None), "__dict__", {}).values():
        if isinstance(value, httpx.Response):
            sever(value)


def _litellm() -> Any:
    # before the import: otherwise litellm fetches its price list over the network
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "True")
    import litellm

    litellm.suppress_debug_info = True
    chat_api.hush("LiteLLM", "LiteLLM Router", "openai", "httpx", "httpcore")
    return litellm


def _translated(error: BaseException, secret: str) -> EngineFailed:
    names = [klass.__name__ for klass in type(error).__mro__]
    kind = next((_KINDS[name] for name in names if name in _KINDS), None)
    status = getattr(error, "status_code", None)
    if kind is None:
        kind = chat_api.failure(status, "", {}).kind if isinstance(status, int) else FailureKind.PROTOCOL
    response = getattr(error, "response", None)
    headers = {
        str(key).lower(): str(value) for key, value in (getattr(response, "headers", None) or {}).items()
    }
    message = chat_api.redact(_sentence(error), secret)[: chat_api.MAX_ERROR_CHARS]
    if kind is FailureKind.REFUSED and chat_api.is_overflow(message):
        kind = FailureKind.OVERFLOW
    return EngineFailed(
        f"the provider failed: {message}", kind=kind, retry_after_s=chat_api.retry_after_s(headers)
    )


def _sentence(error: BaseException) -> str:
    first = (str(error).strip().splitlines() or [""])[0].partition(" Original exception:")[0]
    return _WRAPPING.sub("", first) or type(error).__name__
