"""Embeddings inside the worker: token vectors by llama.cpp, mean and length here.

Pooling is done here and not by the library, so that one pass of the model gives the sentence's vector and
the token vectors that late interaction reranks with.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from router.llama.frames import Frame
from router.llama.pace import Pace

CONTEXT_TOKENS = 512
WINDOW_TOKENS = 256  # what all-MiniLM-L6-v2 was trained on; longer texts are read in windows
# llama.cpp computes attention over everything in a batch at once, so large batches are slower. Measured on
# one core with 256 passages of 38 tokens, passages/s with and without flash attention: batches of 128 tokens
# 54 and 41, of 256 49 and 34, of 512 (the library's own) 45 and 23. With weights in f32 or q8_0 it is slower.
BATCH_TOKENS = 128
BATCH_TEXTS = 4
SHORT_TOKENS = 32  # up to here a second thread may cost more in waiting for each other than it computes
# Rounds that a thread looks for the others before it sleeps: to be woken costs more than most steps of a
# short text take. The library's default is 300 times as many, which starves whoever shares the cores.
SPIN_ROUNDS = "1000"


class EmbeddingModel:
    """An encoder (BERT family). A text longer than the window is read in windows, never cut."""

    def __init__(self, spec: Frame) -> None:
        os.environ.setdefault("GOMP_SPINCOUNT", SPIN_ROUNDS)  # read when the library is loaded
        import llama_cpp

        self._lib = llama_cpp
        self._llm = llama_cpp.Llama(
            spec["path"],
            embedding=True,
            pooling_type=llama_cpp.LLAMA_POOLING_TYPE_NONE,
            n_ctx=CONTEXT_TOKENS,
            n_batch=CONTEXT_TOKENS,
            n_ubatch=CONTEXT_TOKENS,
            n_threads=spec["n_threads"],
            n_threads_batch=spec["n_threads"],
            flash_attn=True,
            verbose=False,
        )
        self._threads = spec["n_threads"]
        self._pace = Pace(min(2, self._threads))
        if self._llm.metadata.get("general.architecture", "") not in ("bert", "nomic-bert", "jina-bert-v2"):
            raise ValueError("it is a language model, not an embedding model")
        self._dim = self._llm.n_embd()
        trained = int(llama_cpp.llama_model_n_ctx_train(self._llm.model))
        self._window = min(WINDOW_TOKENS, trained)
        self._batch = llama_cpp.llama_batch_init(CONTEXT_TOKENS, 0, 1)

    def facts(self) -> dict[str, Any]:
        """Dimension, and window in tokens."""
        return {"dim": self._dim, "window": self._window, "name": self._llm.metadata.get("general.name", "")}

    def handle(self, request: Frame, *, emit: Any, cancelled: Callable[[], bool]) -> None:
        """Answer `embed` with bytes: pooled f32 [n, dim]; `per_token` adds tokens f32 [sum, dim], ids i32.

        `lengths` counts each text's tokens without the model's own marks.
        """
        if request["op"] != "embed":
            raise ValueError(f"an embedding model cannot do {request['op']!r}")
        tokens = [self._llm.tokenize(text.encode("utf-8", "replace")) for text in request["texts"]]
        windows = [(text, ids) for text, whole in enumerate(tokens) for ids in self._windows(whole)]
        rows: list[np.ndarray] = [np.empty(0)] * len(windows)
        for group in _groups([ids for _, ids in windows]):
            if cancelled():
                emit("done", reason="cancelled")
                return
            encoded = self._encode([windows[index][1] for index in group])
            for index, vectors in zip(group, encoded, strict=True):
                rows[index] = vectors
        pooled = np.zeros((len(tokens), self._dim), dtype=np.float32)
        inner: list[list[np.ndarray]] = [[] for _ in tokens]
        for (text, _), vectors in zip(windows, rows, strict=True):
            pooled[text] += vectors.sum(axis=0)
            inner[text].append(vectors[1:-1])
        lengths = [sum(len(part) for part in parts) for parts in inner]
        data = _unit(pooled).tobytes()
        if request.get("per_token"):
            flat = [part for parts in inner for part in parts]
            vectors = np.concatenate(flat) if flat else np.zeros((0, self._dim), dtype=np.float32)
            ids = [token for whole in tokens for token in whole[1:-1]]
            data += _unit(vectors).tobytes() + np.array(ids, dtype=np.int32).tobytes()
        emit("vectors", binary=data, dim=self._dim, lengths=lengths)

    def _windows(self, ids: list[int]) -> list[list[int]]:
        """The marks around at most `window` - 2 tokens each."""
        inner, size = ids[1:-1], self._window - 2
        return [
            [ids[0], *inner[start : start + size], ids[-1]] for start in range(0, max(1, len(inner)), size)
        ]

    def _encode(self, group: list[list[int]]) -> list[np.ndarray]:
        """Token vectors f32 [tokens, dim] of each sequence, from one call of the library."""
        batch, row = self._batch, 0
        for sequence, ids in enumerate(group):
            for position, token in enumerate(ids):
                batch.token[row] = token
                batch.pos[row] = position
                batch.n_seq_id[row] = 1
                batch.seq_id[row][0] = sequence
                batch.logits[row] = 1
                row += 1
        batch.n_tokens = row
        short = row <= SHORT_TOKENS
        threads = self._pace.threads() if short else self._threads
        self._lib.llama_set_n_threads(self._llm.ctx, threads, threads)
        begin = time.perf_counter()
        status = self._lib.llama_encode(self._llm.ctx, batch)
        if short:
            self._pace.took(threads, row, time.perf_counter() - begin)
        if status != 0:
            raise RuntimeError(f"llama.cpp could not encode the batch (status {status})")
        pointer = self._lib.llama_get_embeddings(self._llm.ctx)
        address = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float))
        rows = np.ctypeslib.as_array(address, shape=(row, self._dim)).copy()
        return np.split(rows, np.cumsum([len(ids) for ids in group])[:-1])


def _groups(sequences: list[list[int]]) -> list[list[int]]:
    """Indices in batches, sequences of like length together."""
    groups: list[list[int]] = []
    size = 0
    for index in sorted(range(len(sequences)), key=lambda i: len(sequences[i])):
        length = len(sequences[index])
        if not groups or len(groups[-1]) == BATCH_TEXTS or size + length > BATCH_TOKENS:
            groups.append([])
            size = 0
        groups[-1].append(index)
        size += length
    return groups


def _unit(rows: np.ndarray) -> np.ndarray:
    """Rows of length 1, float32; a zero row stays one."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms > 0, norms, 1.0)).astype(np.float32)
