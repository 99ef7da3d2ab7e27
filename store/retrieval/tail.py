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
from store.retrieval.traits import KLASS_CODE, Traits, kept, told_of

SOURCES = (KLASS_CODE[Klass.OBSERVATION], KLASS_CODE[Klass.KNOWLEDGE])  # what other engrams are formed from


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Vectors of n engrams in one immutable block, as the index and the tail both give them.

    `seqs` int64 [n] · `klasses` uint8 [n] (`KLASS_CODE`) · `sessions` uint32 [n] · `hubs` float32 [n] ·
    `pooled` float32 [n, dim] · `signs` uint64 [dim / 64, n], whether each number of `pooled` is above 0, bit
    by bit (no rows where they were not made: there every vector is compared in full) · `offsets` int64 [n+1]
    into `tokens` int8 [t, token_dim] and `token_ids` uint32 [t] · `ordered` int64 [n], the positions
    ascending, `by_seq` int64 [n], the row of each · `turns` uint64 [n], session and
    position in one number, sorted · `turn_rows` int64 [n], the row of each · `frequencies` int64
    [ids, 2], in how many engrams a token id occurs: of what was said or read (`SOURCES`), and of the rest.
    `sources` of the n are of those classes. Of a sealed block also what ranking reads of each engram
    (`traits.Traits`; no rows elsewhere): `ids` uint8 [n, 16] · `keys` uint64 [n] · `numbers` float64
    [n, len(traits.NUMBERS)], all NaN where an engram may not be answered from · `speakers` uint32 [n], 0
    for none, else a line of `names` uint8, UTF-8.
    """

    seqs: NDArray[np.int64]
    klasses: NDArray[np.uint8]
    sessions: NDArray[np.uint32]
    hubs: Float32
    pooled: Float32
    signs: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    tokens: NDArray[np.int8]
    token_ids: NDArray[np.uint32]
    ordered: NDArray[np.int64]
    by_seq: NDArray[np.int64]
    turns: NDArray[np.uint64]
    turn_rows: NDArray[np.int64]
    frequencies: NDArray[np.int64]
    sources: int
    ids: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    numbers: NDArray[np.float64]
    speakers: NDArray[np.uint32]
    names: NDArray[np.uint8]

    def __len__(self) -> int:
        return self.seqs.shape[0]

    @property
    def has_traits(self) -> bool:
        return self.keys.shape[0] == self.seqs.shape[0]

    def traits(self, rows: NDArray[np.int64]) -> list[Traits | None]:
        """What ranking reads of these rows; None where one may not be answered from."""
        return kept(self.ids[rows], self.keys[rows], self.numbers[rows], self.speakers[rows], self.names)


def order(seqs: NDArray[np.int64], sessions: NDArray[np.uint32]) -> dict[str, NDArray]:
    """The derived arrays `ordered`, `by_seq`, `turns` and `turn_rows` of a block."""
    by_seq = np.argsort(seqs, kind="stable").astype(np.int64)
    turns = turn_keys(sessions, seqs)
    rows = np.argsort(turns, kind="stable").astype(np.int64)
    return {
        "ordered": seqs[by_seq],
        "by_seq": by_seq,
        "turns": turns[rows],
        "turn_rows": rows,
    }


def sources_in(klasses: NDArray[np.uint8]) -> int:
    """How many are of the classes that other engrams are formed from."""
    return int(np.count_nonzero(np.isin(klasses, SOURCES)))


def signs_of(pooled: Float32) -> NDArray[np.uint64]:
    """The sign bits of vectors float32 [n, dim] as uint64 [ceil(dim / 64), n]: cosine by counting bits."""
    words = -(-pooled.shape[1] // 64)
    bits = np.zeros((pooled.shape[0], words * 64), np.bool_)
    bits[:, : pooled.shape[1]] = pooled > 0
    return np.ascontiguousarray(np.packbits(bits, axis=1).view("<u8").T)


def turn_keys(sessions: NDArray, seqs: NDArray) -> NDArray[np.uint64]:
    """Session in the high half, position in the low half; 0 (before every session) without a session."""
    keys = (sessions.astype(np.uint64) << np.uint64(32)) | (seqs.astype(np.uint64) & np.uint64(0xFFFFFFFF))
    return np.where(sessions == 0, np.uint64(0), keys)


class Tail:
    """An append-only block of vectors; one writer, any number of views."""

    def __init__(self) -> None:
        self._count = 0
        self._tokens_count = 0
        self._arrays: dict[str, NDArray] = {}
        self._view: View | None = None

    def __len__(self) -> int:
        return self._count

    def extend(self, rows: Iterable[tuple[int, Klass, StoredVector]]) -> None:
        """Append (seq, class, vectors). The first row fixes the dimensions."""
        for seq, klass, vector in rows:
            n = vector.tokens.shape[0]
            if not self._arrays:
                self._allocate(vector)
            self._grow(("seqs", "klasses", "sessions", "hubs", "pooled", "offsets"), self._count + 2)
            self._grow(("tokens", "token_ids"), self._tokens_count + n)
            self._put(seq, klass, vector)
            self._count, self._tokens_count = self._count + 1, self._tokens_count + n
            self._view = None

    def _put(self, seq: int, klass: Klass, vector: StoredVector) -> None:
        a, at, start = self._arrays, self._count, self._tokens_count
        end = start + vector.tokens.shape[0]
        a["seqs"][at], a["klasses"][at], a["pooled"][at] = seq, KLASS_CODE[klass], vector.pooled
        a["sessions"][at], a["hubs"][at], a["offsets"][at + 1] = vector.session, vector.hub, end
        a["tokens"][start:end] = vector.tokens
        a["token_ids"][start:end] = vector.token_ids
        if distinct := set(vector.token_ids.tolist()):
            self._grow(("frequencies",), max(distinct) + 1)
            self._arrays["frequencies"][list(distinct), int(KLASS_CODE[klass] not in SOURCES)] += 1

    def _allocate(self, first: StoredVector) -> None:
        self._arrays = {
            "seqs": np.zeros(64, np.int64),
            "klasses": np.zeros(64, np.uint8),
            "sessions": np.zeros(64, np.uint32),
            "hubs": np.zeros(64, np.float32),
            "pooled": np.zeros((64, first.pooled.shape[0]), np.float32),
            "offsets": np.zeros(64, np.int64),
            "tokens": np.zeros((2048, first.tokens.shape[1]), np.int8),
            "token_ids": np.zeros(2048, np.uint32),
            "frequencies": np.zeros((1024, 2), np.int64),
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
        if self._view is None:
            a, n, t = self._arrays, self._count, self._tokens_count
            self._view = View(
                **{name: a[name][:n] for name in ("seqs", "klasses", "sessions", "hubs", "pooled")},
                **{name: a[name][:t] for name in ("tokens", "token_ids")},
                signs=np.zeros((0, n), np.uint64),
                **order(a["seqs"][:n], a["sessions"][:n]),
                offsets=a["offsets"][: n + 1],
                frequencies=a["frequencies"].copy(),
                sources=sources_in(a["klasses"][:n]),
                **told_of([]),
            )
        return self._view
