"""A deterministic stand-in for an embedder: words are directions, texts are means of their words.

It has no meaning beyond equal stems, needs no model and gives the same bits everywhere, which is what the
tests of everything above the port want.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from store.retrieval.ports import Float32
from store.retrieval.text import terms


@dataclass(frozen=True, slots=True)
class WordEmbedding:
    """`pooled` float32 [dim], `tokens` float32 [n, dim], `token_ids` int64 [n]."""

    pooled: Float32
    tokens: Float32
    token_ids: np.ndarray


class WordEmbedder:
    """An `Embedder` whose token vectors are random directions fixed by the word's stem."""

    def __init__(self, dim: int = 64) -> None:
        self.dim = dim
        self.model = f"words-{dim}"

    def embed_tokens(self, texts: Sequence[str]) -> list[WordEmbedding]:
        return [self._embed(text) for text in texts]

    def embed(self, texts: Sequence[str]) -> Float32:
        return np.stack([self._embed(text).pooled for text in texts])

    def _embed(self, text: str) -> WordEmbedding:
        found = terms(text)
        tokens = (
            np.stack([_direction(term, self.dim) for term in found]) if found else np.zeros((0, self.dim))
        )
        mean = tokens.sum(axis=0)
        norm = float(np.linalg.norm(mean))
        return WordEmbedding(
            pooled=(mean / norm if norm > 0 else mean).astype(np.float32),
            tokens=tokens.astype(np.float32),
            token_ids=np.array([_number(term) for term in found], np.int64),
        )


def _number(term: str) -> int:
    return int.from_bytes(hashlib.sha256(term.encode()).digest()[:2], "big")


@lru_cache(maxsize=4096)
def _direction(term: str, dim: int) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(dim)
    return vector / np.linalg.norm(vector)
