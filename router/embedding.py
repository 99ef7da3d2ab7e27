"""Sentence and token vectors by llama.cpp, in a worker process of their own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from router.errors import ModelMissing
from router.llama.frames import Frame
from router.llama.process import Worker
from router.models import file_sha256

LOAD_S = 60.0
EMBED_S = 600.0
CHUNK_TEXTS = 256  # one frame to the worker; bounds its memory


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenVectors:
    """One text after one pass of the encoder.

    `pooled` float32 [dim] is the mean over all tokens; `tokens` float32 [n, dim], one row a token without the
    model's own [CLS] and [SEP]; all rows have length 1. `token_ids` int32 [n] are numbers in the vocabulary.
    """

    pooled: np.ndarray
    tokens: np.ndarray
    token_ids: np.ndarray


class LlamaEmbedder:
    """Embeds texts with a GGUF encoder. Thread-safe; the worker starts with the first use or `prepare`.

    `model` names the vectors' origin: file name and the first twelve digits of its SHA-256, so vectors of
    two models never mix. A text longer than the model's window is read in windows, never cut.
    """

    def __init__(self, model_path: Path, *, n_threads: int | None = None) -> None:
        self.path = model_path
        self._threads = n_threads or max(1, os.cpu_count() or 2)
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._model: str | None = None

    @property
    def model(self) -> str:
        """Fingerprint of the embedding model; reads the file once."""
        if self._model is None:
            if not self.path.is_file():
                raise ModelMissing(self.path.name)
            self._model = f"{self.path.stem}@{file_sha256(self.path)[:12]}"
        return self._model

    @property
    def dim(self) -> int:
        """Length of a vector; loads the model where it is not yet."""
        with self._lock:
            return self._ready().facts(LOAD_S)["dim"]

    def prepare(self) -> None:
        """Start loading and return at once."""
        with self._lock:
            self._ready()

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Mean-pooled vectors, float32 [n, dim], each of length 1.

        Raises:
            ModelMissing: the file is not there.
            EngineFailed: the worker died or the file is no embedding model.
        """
        rows = [self._sent(texts[at : at + CHUNK_TEXTS], per_token=False)()[0] for at in _steps(texts)]
        return np.concatenate(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Sentence and token vectors of every text from one pass, in order, for late interaction (MaxSim)."""
        return [one for at in _steps(texts) for one in self._begun(texts[at : at + CHUNK_TEXTS])()]

    def begin(self, text: str) -> Callable[[], TokenVectors]:
        """Hand one text to the worker and return at once; the answer is waited for where it is called for.

        Both raise what `embed` raises.
        """
        answer = self._begun([text])
        return lambda: answer()[0]

    def close(self) -> None:
        """End the worker; a later use starts it again."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def _begun(self, texts: Sequence[str]) -> Callable[[], list[TokenVectors]]:
        answer = self._sent(texts, per_token=True)

        def vectors() -> list[TokenVectors]:
            pooled, tokens, ids, lengths = answer()
            edges = np.cumsum(lengths)[:-1]
            parts = zip(pooled, np.split(tokens, edges), np.split(ids, edges), strict=True)
            return [TokenVectors(pooled=one, tokens=rows, token_ids=numbers) for one, rows, numbers in parts]

        return vectors

    def _sent(
        self, texts: Sequence[str], *, per_token: bool
    ) -> Callable[[], tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]]:
        """The request, sent; what it gives reads the answer: pooled f32 [n, dim], tokens f32 [sum(lengths),
        dim], token ids i32 [sum(lengths)], lengths. The worker answers in the order of the requests."""
        with self._lock:
            worker = self._ready()
        call = worker.call({"op": "embed", "texts": list(texts), "per_token": per_token})

        def answer() -> tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]:
            try:
                with self._lock:
                    worker.facts(LOAD_S)  # one that cannot load says why
                frame, binary = call.next(EMBED_S)
            finally:
                call.close()
            return _vectors(frame, binary or b"", per_token=per_token)

        return answer

    def _ready(self) -> Worker:
        if self._worker is None or not self._worker.alive:
            if not self.path.is_file():
                raise ModelMissing(self.path.name)
            load = {"kind": "embed", "path": str(self.path), "n_threads": self._threads}
            worker = Worker(self.path.stem, load)
            worker.start()
            self._worker = worker
        return self._worker


def _vectors(
    frame: Frame, data: bytes, *, per_token: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]:
    """The arrays of an answer, as views of its bytes."""
    dim, lengths = frame["dim"], frame["lengths"]
    pooled = np.frombuffer(data, dtype=np.float32, count=len(lengths) * dim).reshape(-1, dim)
    total = sum(lengths) if per_token else 0
    tokens = np.frombuffer(data, dtype=np.float32, count=total * dim, offset=pooled.nbytes)
    ids = np.frombuffer(data, dtype=np.int32, count=total, offset=pooled.nbytes + tokens.nbytes)
    return pooled, tokens.reshape(-1, dim), ids, lengths


def _steps(texts: Sequence[str]) -> range:
    return range(0, len(texts), CHUNK_TEXTS)
