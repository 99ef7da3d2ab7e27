"""Embeddings inside the worker: token vectors by llama.cpp, mean and length here.

Pooling is done here and not by the library, so that one loaded model gives sentence vectors and the token
vectors that late interaction reranks with.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from router.llama.frames import Frame

BATCH_TOKENS = 512


class EmbeddingModel:
    """An encoder (BERT family); every text is cut at the model's window."""

    def __init__(self, spec: Frame) -> None:
        import llama_cpp

        self._lib = llama_cpp
        self._llm = llama_cpp.Llama(
            spec["path"],
            embedding=True,
            pooling_type=llama_cpp.LLAMA_POOLING_TYPE_NONE,
            n_ctx=BATCH_TOKENS,
            n_batch=BATCH_TOKENS,
            n_ubatch=BATCH_TOKENS,
            n_threads=spec["n_threads"],
            n_threads_batch=spec["n_threads"],
            verbose=False,
        )
        if self._llm.metadata.get("general.architecture", "") not in ("bert", "nomic-bert", "jina-bert-v2"):
            raise ValueError("it is a language model, not an embedding model")
        self._dim = self._llm.n_embd()
        self._window = min(BATCH_TOKENS, int(llama_cpp.llama_model_n_ctx_train(self._llm.model)))
        self._batch = llama_cpp.llama_batch_init(BATCH_TOKENS, 0, 1)

    def facts(self) -> dict[str, Any]:
        """Dimension and window in tokens."""
        return {"dim": self._dim, "window": self._window, "name": self._llm.metadata.get("general.name", "")}

    def handle(self, request: Frame, *, emit: Any, cancelled: Callable[[], bool]) -> None:
        """Answer `embed`: vectors f32 [n, dim], or token vectors f32 [sum(lengths), dim]."""
        if request["op"] != "embed":
            raise ValueError(f"an embedding model cannot do {request['op']!r}")
        tokens = [self._llm.tokenize(text.encode("utf-8", "replace")) for text in request["texts"]]
        cut = sum(len(ids) > self._window for ids in tokens)
        # the closing separator belongs to every input the model was trained on: keep it when cutting
        tokens = [ids if len(ids) <= self._window else [*ids[: self._window - 1], ids[-1]] for ids in tokens]
        per_token = request.get("per_token", False)
        out: list[np.ndarray | None] = [None] * len(tokens)
        for group in self._groups(tokens):
            if cancelled():
                emit("done", reason="cancelled")
                return
            for index, vectors in zip(group, self._encode([tokens[i] for i in group]), strict=True):
                out[index] = vectors if per_token else vectors.mean(axis=0, keepdims=True)
        rows = np.concatenate([part for part in out if part is not None] or [np.zeros((0, self._dim))])
        rows = rows.astype(np.float32)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(norms > 0, norms, 1.0)
        emit("vectors", binary=rows.tobytes(), dim=self._dim, cut=cut, lengths=[len(ids) for ids in tokens])

    @staticmethod
    def _groups(tokens: list[list[int]]) -> list[list[int]]:
        """Indices in groups that fit one batch, texts of like length together (attention is quadratic)."""
        groups: list[list[int]] = []
        size = BATCH_TOKENS + 1
        for index in sorted(range(len(tokens)), key=lambda i: len(tokens[i])):
            if size + len(tokens[index]) > BATCH_TOKENS:
                groups.append([])
                size = 0
            groups[-1].append(index)
            size += len(tokens[index])
        return groups

    def _encode(self, group: list[list[int]]) -> list[np.ndarray]:
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
        status = self._lib.llama_decode(self._llm.ctx, batch)
        if status != 0:
            raise RuntimeError(f"llama.cpp could not encode the batch (status {status})")
        pointer = self._lib.llama_get_embeddings(self._llm.ctx)
        address = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float))
        rows = np.ctypeslib.as_array(address, shape=(row, self._dim)).copy()
        return np.split(rows, np.cumsum([len(ids) for ids in group])[:-1])
