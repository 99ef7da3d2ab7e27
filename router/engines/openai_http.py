"""Any server that speaks OpenAI's chat completions: llama-server, vLLM, LM Studio, llama-cpp-python, more."""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from router import watchdog
from router.engines import chat_api
from router.errors import BadConfig, EngineFailed, FailureKind
from router.history import Target, answer_tokens, compile_history, estimate_tokens
from router.model import Capabilities, Event, Request, Start

if TYPE_CHECKING:
    import httpx

CONNECT_S = 5.0
FIRST_TOKEN_S = 60.0
BETWEEN_TOKENS_S = 30.0
MAX_ERROR_BYTES = 64 * 1024


class OpenAIHttpEngine:
    """One model at one endpoint. Connections are kept; nothing is retried here, the router does that.

    `api_key` is the key or gives it when first needed; `key_name` tells one from another. `prices` are US
    dollars a million tokens, in and out. `options` are merged into the request's body last; a value of None
    takes a field out.
    """

    PATH = "/chat/completions"

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        name: str = "openai_http",
        api_key: str | Callable[[], str] = "",
        key_name: str = "",
        window: int = 8192,
        tools: bool = True,
        schema: bool = True,
        vision: bool = False,
        notes_in_user: bool = False,
        schema_form: str = "json_schema",
        prices: tuple[float, float] | None = None,
        options: Mapping[str, Any] | None = None,
        connect_s: float = CONNECT_S,
        first_token_s: float = FIRST_TOKEN_S,
        between_tokens_s: float = BETWEEN_TOKENS_S,
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadConfig("base_url", f"{base_url!r} is no http or https address")
        self.name = name
        self.model = model
        self._url = base_url.rstrip("/") + self.PATH
        self._local = is_loopback(parts.hostname)
        self._api_key = api_key
        self._key_name = key_name
        self._capabilities = Capabilities(
            local=self._local,
            window=window,
            tools=tools,
            schema=schema,
            vision=vision,
            notes_in_user=notes_in_user,
        )
        self._schema_form = schema_form
        self._prices = prices
        self._options = dict(options or {})
        self._first_token_s = first_token_s
        self._between_tokens_s = between_tokens_s
        self._connect_s = connect_s
        self._client: httpx.Client | None = None
        self._lock = threading.Lock()

    @property
    def endpoint(self) -> str:
        """What health is kept for: address, model, and which key (not the key)."""
        return f"{self._url} {self.model} {key_mark(self._api_key, self._key_name)}"

    def capabilities(self) -> Capabilities:
        return self._capabilities

    def count_tokens(self, text: str) -> int:
        """An estimate on the careful side: the server's tokenizer is not known."""
        return estimate_tokens(text)

    def lacking(self) -> str:
        """Which variable that should hold its key is not set; empty where nothing is known to be missing."""
        return missing_variable(self._api_key, self._key_name)

    def fingerprint(self) -> dict[str, Any]:
        """Address, model and options; what the server does behind its name is its own affair."""
        return {
            "kind": "openai_http",
            "url": self._url,
            "model": self.model,
            "options": self._options,
            "schema_form": self._schema_form,
            "window": self._capabilities.window,
            "tools": self._capabilities.tools,
            "vision": self._capabilities.vision,
            "notes_in_user": self._capabilities.notes_in_user,
        }

    def stream(self, request: Request) -> Iterator[Event]:
        """Answer; closing the iterator closes the connection, which is how servers learn of it.

        Raises:
            EngineFailed: with the kind of failure, and what the server asked to wait.
        """
        import httpx

        body = self._body(request)
        secret = self._secret()
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        reader = chat_api.ChunkReader(prices=self._prices, local=self._local, secret=secret)
        yield Start(engine=self.name, model=self.model)
        try:
            with self._http().stream("POST", self._url, json=body, headers=headers) as response:
                yield from self._read(response, reader, secret)
        except httpx.ConnectTimeout as error:
            raise EngineFailed(
                f"{self._url} could not be reached in time", kind=FailureKind.CONNECT
            ) from error
        except httpx.TimeoutException as error:
            raise EngineFailed(
                f"no answer began within {self._first_token_s:g} s", kind=FailureKind.TIMEOUT
            ) from error
        except httpx.ConnectError as error:
            raise EngineFailed(f"nobody answers at {self._url}", kind=FailureKind.CONNECT) from error
        except httpx.RequestError as error:
            raise EngineFailed("the connection broke", kind=FailureKind.PROTOCOL) from error
        yield from self._finish(reader)

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _read(self, response: httpx.Response, reader: chat_api.ChunkReader, secret: str) -> Iterator[Event]:
        kind = self._refuse(response, secret)
        if "event-stream" not in kind and "json" in kind:  # not streamed, although it was asked to be
            body: list[bytes] = []
            yield from self._watched(response, lambda chunk: body.append(chunk) or ())
            yield from reader.data(b"".join(body).decode("utf-8", "replace"))
            return
        decoder = chat_api.SseDecoder()

        def events(chunk: bytes, *, final: bool = False) -> Iterator[Event]:
            for data in decoder.feed(chunk, final=final):
                yield from reader.data(data)

        yield from self._watched(response, events)
        yield from events(b"", final=True)

    def _watched(
        self, response: httpx.Response, events: Callable[[bytes], Iterable[Event]]
    ) -> Iterator[Event]:
        """What `events` makes of each chunk; a stream that gives none for too long is severed.

        Raises:
            EngineFailed: (timeout) it was.
        """
        import httpx

        with watchdog.SHARED.watch(self._first_token_s, lambda: sever(response)) as guard:
            try:
                for chunk in response.iter_raw() if _plain(response) else response.iter_bytes():
                    for event in events(chunk):
                        guard.extend(self._between_tokens_s)
                        yield event
            except httpx.ReadTimeout as error:
                raise _stalled() from error
            except httpx.RequestError:
                if not guard.fired:
                    raise
            if guard.fired:
                raise _stalled()

    def _refuse(self, response: httpx.Response, secret: str) -> str:
        """The content type of an answer that may be read; raises for what is none."""
        if response.status_code != 200:
            raise chat_api.failure(
                response.status_code, _head(response), response.headers, secret=secret, label=self.name
            )
        kind = response.headers.get("content-type", "")
        if "html" in kind:
            raise EngineFailed("a web page came instead of an answer", kind=FailureKind.PROTOCOL)
        return kind

    def _finish(self, reader: chat_api.ChunkReader) -> Sequence[Event]:
        return reader.finish()

    def _target(self) -> Target:
        capabilities = self._capabilities
        return Target(
            window=capabilities.window,
            count=self.count_tokens,
            tools=capabilities.tools,
            notes_in_user=capabilities.notes_in_user,
            vision=capabilities.vision,
        )

    def _body(self, request: Request) -> dict[str, Any]:
        target = self._target()
        messages = compile_history(request, target)
        body = chat_api.payload(request, messages, self.model, schema_form=self._schema_form)
        body["max_tokens"] = answer_tokens(messages, request, target)
        body |= {**self._options, **request.extra}
        return {key: value for key, value in body.items() if value is not None}

    def _secret(self) -> str:
        return self._api_key() if callable(self._api_key) else self._api_key

    def _http(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                chat_api.hush("httpx", "httpcore")
                timeout = httpx.Timeout(self._first_token_s, connect=self._connect_s)
                # a proxy from the environment must not carry off what is meant for this machine
                # without TLS no certificates are needed, and loading them takes 20 ms
                secure = self._url.startswith("https:")
                self._client = httpx.Client(timeout=timeout, trust_env=not self._local, verify=secure)
            return self._client


def key_mark(api_key: str | Callable[[], str], name: str) -> str:
    """Tells keys apart without telling them: the name a key goes by, or eight digits of its hash."""
    return name or hashlib.sha256((api_key if isinstance(api_key, str) else "").encode()).hexdigest()[:8]


def missing_variable(api_key: str | Callable[[], str], name: str) -> str:
    """What is wrong with a key that a variable should hold; a keyring is not opened only to look."""
    if not name.startswith("env:") or isinstance(api_key, str):
        return ""
    try:
        api_key()
    except EngineFailed as error:
        return str(error)
    return ""


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine by its spelling; a name is not looked up."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _plain(response: httpx.Response) -> bool:
    return response.headers.get("content-encoding", "identity") == "identity"


def _head(response: httpx.Response) -> str:
    """The beginning of an error's body."""
    collected = b""
    for chunk in response.iter_bytes():
        collected += chunk
        if len(collected) >= MAX_ERROR_BYTES:
            break
    return collected.decode("utf-8", "replace")


def sever(response: httpx.Response) -> None:
    """Wake a reader that is blocked on the socket."""
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    with contextlib.suppress(OSError):
        if connection is not None:
            connection.shutdown(socket.SHUT_RDWR)


def _stalled() -> EngineFailed:
    """Bytes stopped coming, or none of them were text."""
    return EngineFailed("the answer stalled", kind=FailureKind.TIMEOUT)
