"""Retrieval at size: `python -m benchmarks.retrieval_scale [--count 100000] [--models DIR]`.

A store on disk with that many engrams of Zipf-distributed words. Embedding them all would take hours, so each
gets the vectors of two of a few hundred really embedded sentences, mixed: the figures are of speed and size,
not of quality. Measured: a question end to end, warm; opening and the first question, cold; bytes an engram;
recall@10 of the index against brute force over the same vectors. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.retrieval import NOW, open_embedder
from store import Store, open_store
from store.model import Draft, EngramType, Klass, Provenance, ProvenanceKind
from store.retrieval import Embedder, vector_model
from store.retrieval.codec import decode, encode
from store.retrieval.index import VectorIndex
from store.retrieval.vectors import nearest
from store.searching import LogCorpus

SYLLABLES = (
    "ba",
    "cor",
    "den",
    "fi",
    "gul",
    "har",
    "lo",
    "mi",
    "nes",
    "por",
    "ra",
    "sten",
    "tu",
    "vel",
    "zo",
)
TYPES = (EngramType.UTTERANCE, EngramType.OBSERVATION, EngramType.PASSAGE, EngramType.DECISION)
BATCH = 2_000
QUESTIONS = 200


@dataclass(frozen=True, slots=True)
class _Mixed:
    pooled: np.ndarray
    tokens: np.ndarray
    token_ids: np.ndarray


def vocabulary(rng: np.random.Generator, count: int = 20_000) -> list[str]:
    made = {"".join(rng.choice(SYLLABLES, rng.integers(2, 5))) for _ in range(2 * count)}
    return sorted(made)[:count]


def sentence(rng: np.random.Generator, words: list[str], length: int) -> str:
    ranks = np.minimum(rng.zipf(1.3, length) - 1, len(words) - 1)
    return " ".join(words[rank] for rank in ranks)


def fill(store: Store, embedder: Embedder, count: int, rng: np.random.Generator) -> list[str]:
    """Write `count` engrams with their vectors; some of the sentences, to ask for."""
    words = vocabulary(rng)
    known = embedder.embed_tokens([sentence(rng, words, 14) for _ in range(300)])
    asked: list[str] = []
    model = vector_model(embedder)
    for start in range(0, count, BATCH):
        texts = [sentence(rng, words, 14) for _ in range(min(BATCH, count - start))]
        written = store.write_many(_drafts(texts, start))
        store.put_vectors(
            model,
            [(engram.id, blob) for engram, blob in zip(written, _blobs(rng, known, texts), strict=True)],
        )
        asked += texts[:: max(1, count // QUESTIONS)]
    return asked[:QUESTIONS]


def _drafts(texts: list[str], start: int) -> list[Draft]:
    return [
        Draft(
            type=TYPES[number % 4],
            content=f"{line} {number}",
            provenance=Provenance(kind=ProvenanceKind.OPERATOR),
            metadata={"speaker": "operator", "session": f"s{number // 40}"} if number % 4 == 0 else {},
        )
        for number, line in enumerate(texts, start)
    ]


def _blobs(rng: np.random.Generator, known: Any, texts: list[str]) -> Iterator[bytes]:
    for _ in texts:
        one, other = (known[at] for at in rng.integers(0, len(known), 2))
        share = rng.random()
        pooled = share * one.pooled + (1 - share) * other.pooled
        pooled += rng.standard_normal(pooled.shape[0]).astype(np.float32) * 0.02
        yield encode(
            _Mixed(
                (pooled / np.linalg.norm(pooled)).astype(np.float32),
                np.concatenate([one.tokens[::2], other.tokens[::2]]),
                np.concatenate([one.token_ids[::2], other.token_ids[::2]]),
            ),
            hub=0.3,
        )


def agreement(index_dir: Path, model: str, store: Store, embedder: Embedder, asked: list[str]) -> float:
    """Recall@10 of the published index against brute force over the vectors in the store."""
    index = VectorIndex(model, index_dir)
    corpus = LogCorpus(store._log)  # the same reads that ranking makes
    index.take_in(corpus)
    rows = [(seq, decode(blob)) for _, seq, _, blob in corpus.vectors(model)]
    matrix = np.stack([vector.pooled for _, vector in rows]).astype(np.float32)
    hubs = np.array([vector.hub for _, vector in rows], np.float32)
    seqs = np.array([seq for seq, _ in rows])
    shares = []
    for pooled in embedder.embed(asked[:50]):
        exact = set(seqs[np.argsort(-(matrix @ pooled - hubs), kind="stable")[:10]].tolist())
        found = {seq for seq, _ in nearest(index.views(), pooled, classes=tuple(Klass), limit=10)}
        shares.append(len(exact & found) / 10)
    return float(np.mean(shares))


def measure(count: int, embedder: Embedder, folder: Path) -> dict[str, Any]:
    path, index_dir = folder / "scale.partner", folder / "index"
    rng = np.random.default_rng(7)
    with open_store(path, clock=lambda: NOW, author="benchmark") as store:
        asked = fill(store, embedder, count, rng)
        store.use_embedder(embedder, index_dir=index_dir)
        begin = time.perf_counter()
        segments = store.publish_index()
        publish_s = time.perf_counter() - begin
    begin = time.perf_counter()
    with open_store(path, clock=lambda: NOW, author="benchmark") as store:
        store.use_embedder(embedder, index_dir=index_dir)
        store.search(asked[0])
        cold_s = time.perf_counter() - begin
        times = []
        for question in asked:
            begin = time.perf_counter()
            store.search(" ".join(question.split()[:6]))
            times.append((time.perf_counter() - begin) * 1e3)
        recall = agreement(index_dir, vector_model(embedder), store, embedder, asked)
    size = sum(file.stat().st_size for file in index_dir.rglob("*.seg"))
    return {
        "count": count,
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p95_ms": round(float(np.percentile(times, 95)), 2),
        "cold_s": round(cold_s, 2),
        "publish_s": round(publish_s, 1),
        "segments": segments,
        "recall_at_10_against_exact": round(recall, 4),
        "store_bytes_an_engram": round(path.stat().st_size / count),
        "index_bytes_an_engram": round(size / count),
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="partner-scale-") as folder:
        print(json.dumps(measure(options.count, open_embedder(options.models), Path(folder))))


if __name__ == "__main__":
    main()
