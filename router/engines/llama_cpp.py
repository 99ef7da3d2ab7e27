"""The embedded engine: a GGUF model run by llama.cpp in a worker process of its own."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from router.errors import EngineFailed, FailureKind, ModelMissing
from router.history import Target, compile_history, estimate_tokens, examples
from router.llama import toolcalls
from router.llama.pool import MemoryPool
from router.llama.process import Worker
from router.model import Capabilities, End, Event, Request, Start, Usage
from router.models import file_sha256

LOAD_S = 120.0
FIRST_TOKEN_S = 120.0
BETWEEN_TOKENS_S = 30.0
BUSY_S = 300.0
COUNT_S = 60.0
MEMO_TEXTS = 4096
SMALL_FILE_BYTES = 500 * 1000**2  # half a billion parameters at eight bits
_OVERHEAD_BYTES = 150 * 1024**2  # interpreter, libraries, compute buffers


class LlamaCppEngine:
    """One model, one worker, one answer at a time; a second caller waits until the first stream is closed.

    The worker is started by the first use or by `prepare`, and again after it died or the file changed.
    `system_role` False folds the system message into the user's, for templates that refuse it.
    `notes_in_user` True gives it one note right before the question and no history, False all of both; None
    decides by the size of the file: below SMALL_FILE_BYTES it is a small model's.
    """

    def __init__(
        self,
        model_path: Path,
        *,
        name: str = "llama_cpp",
        n_ctx: int = 2048,
        n_threads: int | None = None,
        lora_path: Path | None = None,
        template: str | None = None,
        notes_in_user: bool | None = None,
        languages: Sequence[str] = (),
        system_role: bool = True,
        sampling: Mapping[str, float] | None = None,
        pool: MemoryPool | None = None,
    ) -> None:
        self.name = name
        self.model = model_path.stem
        self._path = model_path
        self._lora = lora_path
        self._template = template
        self._n_ctx = n_ctx
        self._n_threads = n_threads or max(1, (os.cpu_count() or 2))
        self._one_note = notes_in_user
        self._languages = tuple(languages)
        self._system_role = system_role
        self._sampling = dict(sampling or {})
        self._pool = pool or MemoryPool()
        self._owner = threading.Lock()  # held while an answer is streamed
        self._life = threading.Lock()  # held while the worker is started or stopped
        self._worker: Worker | None = None
        self._loaded_files: tuple[object, ...] = ()
        self._counts: dict[bytes, int] = {}
        self._hashes: dict[tuple[object, ...], str] = {}

    # ---- the protocol

    def capabilities(self) -> Capabilities:
        return Capabilities(
            local=True,
            window=self._n_ctx,
            tools=True,
            schema=True,
            notes_in_user=self._notes_in_user,
            languages=self._languages,
        )

    def prepare(self) -> None:
        """Start loading, and reading what every answer begins with; returns at once.

        Raises:
            ModelMissing: the file is not there.
        """
        worker = self._ensure()
        if self._notes_in_user and not worker.ready:
            # answered after the loading; nobody waits for it, and the first question starts where it ends
            shown = [{"role": str(message.role), "content": message.content} for message in examples()]
            worker.call({"op": "warm", "messages": shown})

    def count_tokens(self, text: str) -> int:
        """Tokens by the model's own tokenizer; a careful estimate while it loads or answers. Never waits."""
        known = self._counts.get(_memo_key(text))
        if known is not None:
            return known
        worker = self._worker
        if worker is None or not worker.ready or not self._owner.acquire(blocking=False):
            return estimate_tokens(text)
        try:
            return self._count_all(worker, [text])[0]
        except EngineFailed:
            return estimate_tokens(text)
        finally:
            self._owner.release()

    def fingerprint(self) -> dict[str, Any]:
        """The bytes of model and adapter, and every setting that changes the answer."""
        return {
            "kind": "llama_cpp",
            "library": _library(),
            "model": self._sha256(self._path),
            "lora": self._sha256(self._lora) if self._lora else None,
            "template": self._template,
            "n_ctx": self._n_ctx,
            "sampling": self._sampling,
            "notes_in_user": self._notes_in_user,
            "system_role": self._system_role,
        }

    def stream(self, request: Request) -> Iterator[Event]:
        """Answer; closing the iterator stops the worker at its next token.

        Raises:
                EngineFailed: the model cannot be used, the worker died, or it stalled.
        """
        if not self._owner.acquire(timeout=BUSY_S):
            raise EngineFailed(f"{self.model} is answering someone else", kind=FailureKind.TIMEOUT)
        try:
            yield from self._answer(request)
        finally:
            self._owner.release()

    def close(self) -> None:
        """End the worker and give its memory back; the next use starts it again."""
        with self._life:
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.stop()
                self._pool.release(self.name)

    # ---- the worker

    @property
    def _notes_in_user(self) -> bool:
        if self._one_note is None:
            try:
                self._one_note = self._path.stat().st_size < SMALL_FILE_BYTES
            except OSError:
                return True  # it will be missed when it is asked
        return self._one_note

    @property
    def worker(self) -> Worker | None:
        """The running worker, for those who watch it."""
        return self._worker

    def work(self) -> dict[str, Any]:
        """What the worker did, counted in tokens (router.llama.owner.Work); waits for a running answer's end.

        Raises:
            EngineFailed: there is no worker, or it died.
        """
        if self._worker is None:
            raise EngineFailed(f"{self.model} is not loaded", kind=FailureKind.UNUSABLE)
        return self._worker.call({"op": "work"}).next(BUSY_S)[0]

    def _ensure(self) -> Worker:
        files = (_identity(self._path), _identity(self._lora) if self._lora else None)
        with self._life:
            worker = self._worker
            if worker is not None and worker.alive and files == self._loaded_files:
                self._pool.touch(self.name)
                return worker
            if worker is not None:
                worker.stop()
            size = self._path.stat().st_size + _OVERHEAD_BYTES
            self._pool.admit(self.name, size, self._evict)
            worker = Worker(self.model, self._load_frame())
            worker.start()
            self._worker, self._loaded_files = worker, files
            return worker

    def _load_frame(self) -> dict[str, Any]:
        return {
            "kind": "chat",
            "path": str(self._path),
            "n_ctx": self._n_ctx,
            "n_threads": self._n_threads,
            "lora": str(self._lora) if self._lora else None,
            "template": self._template,
        }

    def _evict(self) -> bool:
        if not self._owner.acquire(blocking=False):
            return False
        try:
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.stop()
            return True
        finally:
            self._owner.release()

    def _ready(self) -> Worker:
        worker = self._ensure()
        try:
            worker.facts(LOAD_S)
        except EngineFailed:
            self.close()  # a worker that could not load has left; the next call tries afresh
            raise
        return worker

    def _count_all(self, worker: Worker, texts: Sequence[str]) -> list[int]:
        """Token counts by the worker, one round trip for all that are not known; the owner lock is held."""
        unknown = list({text for text in texts if _memo_key(text) not in self._counts})
        if unknown:
            call = worker.call({"op": "count", "texts": unknown})
            try:
                counts = call.next(COUNT_S)[0]["counts"]
            finally:
                call.close()
            if len(self._counts) + len(unknown) > MEMO_TEXTS:
                self._counts.clear()
            self._counts |= zip(map(_memo_key, unknown), counts, strict=True)
        return [self._counts[_memo_key(text)] for text in texts]

    def _compiled(self, request: Request, worker: Worker) -> list[dict[str, Any]]:
        # all at once first, so that compiling finds them known
        self._count_all(worker, [message.content for message in request.messages])
        target = Target(
            window=worker.facts(LOAD_S)["window"],
            count=lambda text: self._count_all(worker, [text])[0],
            system=self._system_role,
            alternate=True,
            notes_in_user=self._notes_in_user,
        )
        return toolcalls.told(compile_history(request, target), request.tools)

    def _answer(self, request: Request) -> Iterator[Event]:
        yield Start(engine=self.name, model=self.model)
        worker = self._ready()
        call = worker.call(self._chat_frame(request, self._compiled(request, worker)))
        calls = toolcalls.Parser(enabled=bool(request.tools))
        timeout_s = FIRST_TOKEN_S
        try:
            while True:
                frame, _ = call.next(timeout_s)
                if frame["event"] == "reading":  # of the prompt; the time for the first token starts anew
                    continue
                timeout_s = BETWEEN_TOKENS_S
                if frame["event"] == "done":
                    break
                yield from calls.feed(frame["text"])
        finally:
            call.close()
        yield from calls.flush()
        yield Usage(tokens_in=frame["tokens_in"], tokens_out=frame["tokens_out"], cost_usd=0.0)
        yield End(reason="tool_calls" if calls.made else frame["reason"])

    def _chat_frame(self, request: Request, messages: list[dict[str, Any]]) -> dict[str, Any]:
        numbers = {key: value for key, value in request.extra.items() if isinstance(value, int | float)}
        sampling = {**self._sampling, **numbers}
        return {
            "op": "chat",
            "messages": messages,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            "stop": list(request.stop),
            "schema": dict(request.schema) if request.schema is not None else None,
            "grammar": request.extra.get("grammar"),
            "sampling": sampling,
            "day": request.extra.get("day"),
        }

    def _sha256(self, path: Path) -> str:
        """Hash of a file's bytes, remembered by its identity: ctime is in it, which nobody can set back."""
        identity = _identity(path)
        if identity not in self._hashes:
            self._hashes = {identity: file_sha256(path)} | dict(list(self._hashes.items())[-3:])
        return self._hashes[identity]


@functools.cache
def _library() -> str:
    """Of the binding; to look it up opens files, which takes longer than an answer from the cache."""
    return importlib.metadata.version("llama-cpp-python")


def _memo_key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _identity(path: Path) -> tuple[object, ...]:
    with contextlib.suppress(FileNotFoundError):
        status = path.stat()
        return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    raise ModelMissing(path.name)
