"""Token vectors made smaller: a fixed orthogonal projection to 128 dimensions, one byte each.

The projection is random but derived: signs from SHA-256 of a fixed seed, made orthonormal, rounded to a grid
far coarser than any difference between machines' arithmetic. So nothing has to be shipped, whatever the
model's width, and every machine has the same matrix bit for bit.
"""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np

from store.retrieval.bank import BANK_VERSION
from store.retrieval.ports import Embedder, Float32

TOKEN_DIM = 128
PROJECTION = "orth128-1"  # part of the fingerprint of stored vectors: another projection is another model
_SEED = b"partner token projection 1"
_GRID = 4096.0


@cache
def projection(dim: int) -> Float32:
    """The matrix float32 [dim, min(dim, 128)] with orthonormal columns."""
    if dim <= TOKEN_DIM:
        return np.eye(dim, dtype=np.float32)
    bits = np.frombuffer(_stream(dim * TOKEN_DIM), np.uint8)
    signs = np.unpackbits(bits, count=dim * TOKEN_DIM).astype(np.float64) * 2 - 1
    columns = np.linalg.qr(signs.reshape(dim, TOKEN_DIM))[0]
    columns *= np.where(columns[0] < 0, -1.0, 1.0)  # QR leaves the sign of a column open
    return np.ascontiguousarray(np.rint(columns * _GRID) / _GRID, dtype=np.float32)


def _stream(bits: int) -> bytes:
    """At least `bits` reproducible random bits: SHA-256 in counter mode."""
    blocks = -(-bits // 256)
    return b"".join(hashlib.sha256(_SEED + i.to_bytes(4, "big")).digest() for i in range(blocks))


def reduce_tokens(tokens: Float32) -> Float32:
    """Token vectors float32 [n, dim] projected to [n, 128] and normalised again."""
    reduced = tokens @ projection(tokens.shape[1])
    norms = np.linalg.norm(reduced, axis=1, keepdims=True)
    return np.divide(reduced, norms, out=np.zeros_like(reduced), where=norms > 0)


def vector_model(embedder: Embedder) -> str:
    """The fingerprint under which vectors are stored: of the model, the projection and the bank."""
    return f"{embedder.model}+{PROJECTION}+{BANK_VERSION}"
