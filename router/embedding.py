"""Sentence and token vectors by llama.cpp, in a worker process of their own."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from router.errors import ModelMissing
from router.llama.process import Worker
from router.models import file_sha256

LOAD_S = 60.0
EMBED_S = 600.0
CHUNK_TEXTS = 256  # one frame to the worker; bounds its memory


class LlamaEmbedder:
    """Embeds texts with a GGUF encoder. Thread-safe; the worker starts with the first use or `prepare`.

    `model` names the vectors' origin: file name and the first twelve digits of its SHA-256, so vectors of
    two models never mix. Texts longer than the model's window are cut there; `cut` counts them.
    """

    def __init__(self, model_path: Path, *, n_threads: int | None = None) -> None:
        self._path = model_path
        self._threads = n_threads or max(1, os.cpu_count() or 2)
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._model: str | None = None
        self.cut = 0

    @property
    def model(self) -> str:
        """Fingerprint of the embedding model; reads the file once."""
        if self._model is None:
            if not self._path.is_file():
                raise ModelMissing(self._path.name)
            self._model = f"{self._path.stem}@{file_sha256(self._path)[:12]}"
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
        rows = [self._call(texts[at : at + CHUNK_TEXTS], per_token=False)[0] for at in _steps(texts)]
        return np.concatenate(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)

    def embed_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Token vectors for late interaction (MaxSim): one float32 [tokens, dim] a text, rows of length 1.

        First and last row are the model's own [CLS] and [SEP].
        """
        out: list[np.ndarray] = []
        for at in _steps(texts):
            rows, lengths = self._call(texts[at : at + CHUNK_TEXTS], per_token=True)
            out += np.split(rows, np.cumsum(lengths)[:-1])
        return out

    def close(self) -> None:
        """End the worker; a later use starts it again."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def _call(self, texts: Sequence[str], *, per_token: bool) -> tuple[np.ndarray, list[int]]:
        with self._lock:
            worker = self._ready()
            worker.facts(LOAD_S)
            call = worker.call({"op": "embed", "texts": list(texts), "per_token": per_token})
            try:
                frame, binary = call.next(EMBED_S)
            finally:
                call.close()
        self.cut += frame["cut"]
        rows = np.frombuffer(binary or b"", dtype=np.float32).reshape(-1, frame["dim"])
        return rows, frame["lengths"]

    def _ready(self) -> Worker:
        if self._worker is None or not self._worker.alive:
            if not self._path.is_file():
                raise ModelMissing(self._path.name)
            load = {"kind": "embed", "path": str(self._path), "n_threads": self._threads}
            worker = Worker(self._path.stem, load)
            worker.start()
            self._worker = worker
        return self._worker


def _steps(texts: Sequence[str]) -> range:
    return range(0, len(texts), CHUNK_TEXTS)
