"""A command-line engine, such as one that a subscription pays for: prompt on stdin, answer on stdout."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any

from router.errors import BadConfig, EngineFailed, FailureKind
from router.history import Target, compile_history, estimate_tokens
from router.llama.text import StopWatcher, Utf8Joiner
from router.model import Capabilities, End, Event, Request, Start, Text, Usage

READ_BYTES = 4096
STDERR_CHARS = 400
WAIT_S = 10.0


class CommandEngine:
    """Runs `argv` once a request, in an empty folder and a session of its own.

    `argv` may hold {model} and {max_tokens}; the whole conversation goes to stdin as text. `output` is
    "text", or "json_lines" where each line is an object with `text` (also `delta` or `content`) or `usage`.
    The program's own tools are to be switched off in `argv`: it is asked for words, and anything it did on
    its own would pass no gate.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        name: str = "command",
        model: str = "",
        output: str = "text",
        local: bool = False,
        window: int = 32_768,
        timeout_s: float = 120.0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if not argv:
            raise BadConfig("argv", "a command engine needs a program to run")
        if output not in ("text", "json_lines"):
            raise BadConfig("output", f"{output!r} is neither text nor json_lines")
        self.name = name
        self.model = model or os.path.basename(argv[0])
        self._argv = tuple(argv)
        self._output = output
        self._local = local
        self._window = window
        self._timeout_s = timeout_s
        self._environment = dict(environment or {})

    def capabilities(self) -> Capabilities:
        return Capabilities(local=self._local, window=self._window)

    def count_tokens(self, text: str) -> int:
        """An estimate on the careful side: the program's tokenizer is not known."""
        return estimate_tokens(text)

    def stream(self, request: Request) -> Iterator[Event]:
        """Answer; closing the iterator kills the program and what it started.

        Raises:
            EngineFailed: the program is missing, fails, or says nothing for the timeout.
        """
        target = Target(window=self._window, count=self.count_tokens, tools=False, alternate=True)
        prompt = _transcript(compile_history(request, target))
        yield Start(engine=self.name, model=self.model)
        words = [
            word.replace("{model}", self.model).replace("{max_tokens}", str(request.max_tokens))
            for word in self._argv
        ]
        if shutil.which(words[0]) is None:
            raise EngineFailed(f"the program {words[0]} is not installed", kind=FailureKind.UNUSABLE)
        with (
            tempfile.TemporaryDirectory(prefix="partner-command-") as folder,
            _running(words, folder, self._environment) as process,
        ):
            yield from self._converse(process, prompt, request)

    def close(self) -> None:
        """Nothing is held between requests."""

    def _converse(self, process: subprocess.Popen[bytes], prompt: str, request: Request) -> Iterator[Event]:
        chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        errors: list[bytes] = []
        _started(lambda: _write(process.stdin, prompt.encode("utf-8", "replace")))
        _started(lambda: _pump(process.stdout, chunks.put))
        complaints = _started(lambda: _pump(process.stderr, errors.append))
        stops, said, usage = StopWatcher(request.stop), "", None
        reader = _JsonLines() if self._output == "json_lines" else _PlainText()
        while not stops.hit:
            try:
                chunk = chunks.get(timeout=self._timeout_s)
            except queue.Empty:
                raise EngineFailed(
                    f"{self.model} said nothing for {self._timeout_s:g} s", kind=FailureKind.TIMEOUT
                ) from None
            piece, counted = reader.feed(chunk)
            usage = counted or usage
            text = stops.feed(piece) if chunk else stops.flush(piece)
            said += text
            if text:
                yield Text(text=text)
            if not chunk:
                break
        if not stops.hit and (status := _status(process)) != 0:
            complaints.join(WAIT_S)
            tail = b"".join(errors).decode("utf-8", "replace").strip()[-STDERR_CHARS:]
            raise EngineFailed(
                f"{self.model} ended with status {status}" + (f": {tail}" if tail else ""),
                kind=FailureKind.CRASHED,
            )
        yield usage or Usage(tokens_in=self.count_tokens(prompt), tokens_out=self.count_tokens(said))
        yield End(reason="stop")


def _started(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def _status(process: subprocess.Popen[bytes]) -> int:
    """The exit status of a program that has closed its output; 0 where it lingers all the same."""
    try:
        return process.wait(WAIT_S)
    except subprocess.TimeoutExpired:
        return 0  # it has said what it had to say; what runs on is killed with its folder


class _PlainText:
    def __init__(self) -> None:
        self._joiner = Utf8Joiner()

    def feed(self, chunk: bytes) -> tuple[str, Usage | None]:
        return (self._joiner.feed(chunk) if chunk else self._joiner.flush()), None


class _JsonLines:
    def __init__(self) -> None:
        self._held = b""

    def feed(self, chunk: bytes) -> tuple[str, Usage | None]:
        self._held += chunk
        lines = self._held.split(b"\n")
        self._held = lines.pop() if chunk else b""
        text, usage = "", None
        for line in filter(bytes.strip, lines):
            try:
                parsed = json.loads(line)
            except ValueError as error:
                raise EngineFailed(
                    "the program wrote a line that is no JSON", kind=FailureKind.PROTOCOL
                ) from error
            if not isinstance(parsed, dict):
                continue
            if parsed.get("error"):
                raise EngineFailed(f"the program reported: {str(parsed['error'])[:STDERR_CHARS]}")
            found = next((parsed[key] for key in ("text", "delta", "content") if key in parsed), "")
            text += found if isinstance(found, str) else ""
            usage = _usage(parsed.get("usage")) or usage
        return text, usage


def _usage(reported: Any) -> Usage | None:
    if not isinstance(reported, dict):
        return None
    tokens = [reported.get(key, 0) for key in ("tokens_in", "tokens_out")]
    cost = reported.get("cost_usd")
    return Usage(
        tokens_in=int(tokens[0]),
        tokens_out=int(tokens[1]),
        cost_usd=float(cost) if cost is not None else None,
    )


def _transcript(messages: Sequence[Mapping[str, Any]]) -> str:
    """The conversation as text; a single question stands alone."""
    system = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    rest = [message for message in messages if message["role"] != "system"]
    if len(rest) == 1:
        return "\n\n".join(part for part in (system, rest[0]["content"]) if part)
    names = {"user": "Operator", "assistant": "Partner"}
    turns = "\n\n".join(f"{names[message['role']]}: {message['content']}" for message in rest)
    return "\n\n".join(part for part in (system, turns, "Partner:") if part)


@contextlib.contextmanager
def _running(
    words: Sequence[str], folder: str, environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            words,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=folder,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    except OSError as error:
        raise EngineFailed(
            f"{words[0]} could not be started: {error.strerror}", kind=FailureKind.UNUSABLE
        ) from error
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the program's own children, too
        process.wait()


def _write(stream: IO[bytes] | None, data: bytes) -> None:
    # a program may answer without reading everything; its status tells whether that was a failure
    assert stream is not None
    with contextlib.suppress(OSError):
        stream.write(data)
    with contextlib.suppress(OSError):
        stream.close()


def _pump(stream: IO[bytes] | None, put: Any) -> None:
    """Chunks as they come; an empty one at the end. Closes the stream: no other thread may while it reads."""
    assert stream is not None
    with stream, contextlib.suppress(OSError):
        while chunk := os.read(stream.fileno(), READ_BYTES):
            put(chunk)
    put(b"")
