"""The stored form of an engram's vectors: one opaque blob, little-endian, format `EV2`.

    4 bytes   b"EV2\0"
    u32 dim · u32 token_dim · u32 n · u32 session · f32 hub
    f16 [dim]             pooled vector, L2-normalised before rounding
    i8  [n, token_dim]    token vectors, L2-normalised, times 127
    u32 [n]               token ids in the model's vocabulary

`session` numbers the session an utterance belongs to (0: none), so neighbours are found in the index alone;
`hub` is how near the text lies to questions in general (`store.retrieval.bank`). About 130 bytes a token and
2 a pooled dimension: 5 kB for a sentence or two.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.errors import StoreDamaged
from store.retrieval.ports import Float32, TokenEmbedding
from store.retrieval.projection import reduce_tokens

_HEAD = struct.Struct("<4sIIIIf")
_MAGIC = b"EV2\0"
MAX_TOKENS = 8_192  # of one engram in full; beyond, a token's occurrences share one vector


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVector:
    """`pooled` float16 [dim]; `tokens` int8 [n, token_dim], unit vectors * 127; `token_ids` uint32 [n]."""

    session: int
    hub: float
    pooled: NDArray[np.float16]
    tokens: NDArray[np.int8]
    token_ids: NDArray[np.uint32]


def session_number(session: str | None) -> int:
    """A session's id as 1..2^32-1, 0 for none. Two that share one look like neighbours."""
    if session is None:
        return 0
    return int.from_bytes(hashlib.sha256(session.encode()).digest()[:4], "big") or 1


def encode(embedding: TokenEmbedding, *, session: str | None = None, hub: float = 0.0) -> bytes:
    """Project, quantise and pack one text's vectors."""
    rows, ids = reduce_tokens(np.asarray(embedding.tokens, np.float32)), np.asarray(embedding.token_ids)
    if ids.shape[0] > MAX_TOKENS:
        rows, ids = _merged(rows, ids)
    vector = StoredVector(
        session=session_number(session),
        hub=hub,
        pooled=np.asarray(embedding.pooled).astype("<f2"),
        tokens=quantise(rows),
        token_ids=ids.astype("<u4"),
    )
    return packed(vector)


def packed(vector: StoredVector) -> bytes:
    """The blob that `decode` reads."""
    n, token_dim = vector.tokens.shape
    head = _HEAD.pack(_MAGIC, vector.pooled.shape[0], token_dim, n, vector.session, vector.hub)
    return head + vector.pooled.tobytes() + vector.tokens.tobytes() + vector.token_ids.tobytes()


def _merged(rows: Float32, ids: NDArray[np.integer]) -> tuple[Float32, NDArray[np.integer]]:
    """One row a distinct token, the mean of its occurrences at length 1: nothing of a long text is cut."""
    distinct, owner = np.unique(ids, return_inverse=True)
    sums = np.zeros((distinct.shape[0], rows.shape[1]), np.float32)
    np.add.at(sums, owner, rows)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0), distinct


@dataclass(frozen=True, slots=True)
class Joined:
    """The vectors of a text that was embedded in pieces."""

    pooled: Float32
    tokens: Float32
    token_ids: NDArray[np.integer]


def joined(parts: Sequence[TokenEmbedding]) -> TokenEmbedding:
    """One text's pieces as one: tokens one after the other, pooled vectors averaged by length."""
    shares = [max(1, part.tokens.shape[0]) for part in parts]
    pooled = np.average([part.pooled for part in parts], axis=0, weights=shares)
    norm = float(np.linalg.norm(pooled))
    return Joined(
        pooled=(pooled / norm if norm > 0 else pooled).astype(np.float32),
        tokens=np.concatenate([part.tokens for part in parts]),
        token_ids=np.concatenate([part.token_ids for part in parts]),
    )


def quantise(unit: Float32) -> NDArray[np.int8]:
    """Unit vectors float32 [n, d] as int8, 127 for 1.0."""
    return np.rint(unit * 127.0).astype(np.int8)


def decode(blob: bytes) -> StoredVector:
    """Views into `blob` (nothing is copied).

    Raises:
        StoreDamaged: the blob is not of this format or was cut.
    """
    if len(blob) < _HEAD.size:
        raise StoreDamaged("a stored vector is cut off")
    magic, dim, token_dim, n, session, hub = _HEAD.unpack_from(blob)
    if magic != _MAGIC or len(blob) != _HEAD.size + 2 * dim + n * (token_dim + 4):
        raise StoreDamaged("a stored vector has another format or length than it says")
    at = _HEAD.size
    pooled = np.frombuffer(blob, "<f2", dim, at)
    tokens = np.frombuffer(blob, np.int8, n * token_dim, at + 2 * dim).reshape(n, token_dim)
    ids = np.frombuffer(blob, "<u4", n, at + 2 * dim + n * token_dim)
    return StoredVector(session=session, hub=hub, pooled=pooled, tokens=tokens, token_ids=ids)
