"""Vectors held in memory: those the published index doesn't cover yet, appended as they are put.

Arrays double when they are full and are never written below `count`, so a `View` taken before an append
stays valid beside it: readers hold what they have (E15).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.model import Klass
from store.retrieval.codec import StoredVector
from store.retrieval.ports import Float32

KLASS_CODE = {klass: code for code, klass in enumerate(Klass)}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Vectors of n engrams in one immutable block, as the index and the tail both give them.

    `seqs` int64 [n] · `klasses` uint8 [n] (`KLASS_CODE`) · `pooled` float32 [n, dim] · `offsets` int64 [n+1]
    into `tokens` int8 [t, token_dim] and `token_ids` uint32 [t].
    """

    seqs: NDArray[np.int64]
    klasses: NDArray[np.uint8]
    pooled: Float32
    offsets: NDArray[np.int64]
    tokens: NDArray[np.int8]
    token_ids: NDArray[np.uint32]

    def __len__(self) -> int:
        return self.seqs.shape[0]


class Tail:
    """An append-only block of vectors; one writer, any number of views."""

    def __init__(self) -> None:
        self._count = 0
        self._tokens_count = 0
        self._arrays: dict[str, NDArray] = {}

    def extend(self, rows: Iterable[tuple[int, Klass, StoredVector]]) -> None:
        """Append (seq, class, vectors). The first row fixes the dimensions."""
        for seq, klass, vector in rows:
            n = vector.tokens.shape[0]
            if not self._arrays:
                self._allocate(vector)
            self._grow(("seqs", "klasses", "pooled", "offsets"), self._count + 2)
            self._grow(("tokens", "token_ids"), self._tokens_count + n)
            at, start = self._count, self._tokens_count
            a = self._arrays
            a["seqs"][at], a["klasses"][at], a["pooled"][at] = seq, KLASS_CODE[klass], vector.pooled
            a["tokens"][start : start + n] = vector.tokens
            a["token_ids"][start : start + n] = vector.token_ids
            a["offsets"][at + 1] = start + n
            self._count, self._tokens_count = at + 1, start + n

    def _allocate(self, first: StoredVector) -> None:
        self._arrays = {
            "seqs": np.zeros(64, np.int64),
            "klasses": np.zeros(64, np.uint8),
            "pooled": np.zeros((64, first.pooled.shape[0]), np.float32),
            "offsets": np.zeros(64, np.int64),
            "tokens": np.zeros((2048, first.tokens.shape[1]), np.int8),
            "token_ids": np.zeros(2048, np.uint32),
        }

    def _grow(self, names: tuple[str, ...], needed: int) -> None:
        for name in names:
            old = self._arrays[name]
            if needed > old.shape[0]:
                new = np.zeros((max(needed, 2 * old.shape[0]), *old.shape[1:]), old.dtype)
                new[: old.shape[0]] = old
                self._arrays[name] = new

    def view(self) -> View | None:
        """What is there now, or None when nothing is."""
        if not self._count:
            return None
        a, n, t = self._arrays, self._count, self._tokens_count
        return View(
            seqs=a["seqs"][:n],
            klasses=a["klasses"][:n],
            pooled=a["pooled"][:n],
            offsets=a["offsets"][: n + 1],
            tokens=a["tokens"][:t],
            token_ids=a["token_ids"][:t],
        )
