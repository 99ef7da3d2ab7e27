"""Retrieval at size: `python -m benchmarks.retrieval_scale [--count 100000] [--store FILE] [--speed]`.

A store on disk with that many engrams. Embedding them all would take hours, so each is two of some two
thousand real sentences (the project's own test data) and has the vectors of both: their tokens one after the
other, their pooled vectors averaged, with a little noise. Words and vectors are as real text has them; the
figures are of speed, size and exactness, not of how good the answers are. Measured: a question end to end,
warm, wall clock and processor time apart; a new process up to its first answer; bytes an engram; recall@10 of
the index against brute force; that a second build gives the same bytes; that a flipped byte is noticed and
mended. With `--store` the store and its index (FILE.index) are kept: a building that was stopped goes on
where it stood, a later run measures at once. `--speed` leaves out exactness. The last line is JSON.
"""

from __future__ import annotations

from benchmarks.one_thread import THREADS  # isort: skip

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.retrieval import NOW, open_embedder
from store import Store, open_store
from store.model import Draft, EngramType, Klass, Provenance, ProvenanceKind
from store.retrieval import Embedder, vector_model
from store.retrieval.codec import StoredVector, decode, encode, packed
from store.retrieval.index import VectorIndex
from store.retrieval.segment import digest
from store.retrieval.vectors import nearest
from store.searching import LogCorpus

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
SENTENCES = ("supersede-worlds", "memory-cases", "memory-fresh", "formation-scripts", "routing-questions")
MAX_BASE = 2_000
TYPES = (EngramType.UTTERANCE, EngramType.OBSERVATION, EngramType.PASSAGE, EngramType.DECISION)
BATCH = 2_000
QUESTIONS = 200


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def sentences() -> tuple[list[str], list[str]]:
    """Real statements and real questions, in an order that is always the same."""
    found: dict[str, None] = {}
    for name in SENTENCES:
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            found |= dict.fromkeys(text for text in strings(json.loads(line)) if text.count(" ") > 2)
    asked = [text for text in found if text.endswith("?")]
    stated = [text for text in found if not text.endswith("?")]
    return stated[:: max(1, len(stated) // MAX_BASE)][:MAX_BASE], asked[:QUESTIONS]


def fill(store: Store, embedder: Embedder, count: int) -> None:
    """Write what is missing of `count` engrams with their vectors; what a batch has depends on its place."""
    have, model = store.head().seq, vector_model(embedder)
    begin = (have - 1) // BATCH * BATCH if have and store.missing_vectors(model, 1) else have
    if begin >= count:
        return
    stated, _ = sentences()
    known = [(one.pooled, decode(encode(one))) for one in embedder.embed_tokens(stated)]
    for start in range(begin - begin % BATCH, count, BATCH):
        rng = np.random.default_rng((7, start))
        pairs = rng.integers(0, len(stated), (BATCH, 2))[: count - start]
        texts = [f"{stated[one]} {stated[other]}" for one, other in pairs]
        there = list(store.log(after=start, limit=len(texts)))  # where it was stopped
        there += store.write_many(_drafts(texts[len(there) :], start + len(there)))
        blobs = _blobs(rng, known, pairs)
        store.put_vectors(model, [(e.id, blob) for e, blob in zip(there, blobs, strict=True)])


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


def _blobs(rng: np.random.Generator, known: Sequence[Any], pairs: np.ndarray) -> Iterator[bytes]:
    for pair in pairs:
        (one, first), (other, second) = (known[at] for at in pair)
        pooled = one * len(first.tokens) + other * len(second.tokens)
        pooled = pooled / np.linalg.norm(pooled) + rng.standard_normal(pooled.shape[0]) * 0.02
        yield packed(
            StoredVector(
                session=0,
                hub=0.3,
                pooled=(pooled / np.linalg.norm(pooled)).astype("<f2"),
                tokens=np.concatenate([first.tokens, second.tokens]),
                token_ids=np.concatenate([first.token_ids, second.token_ids]),
            )
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
        found = set(nearest(index.views(), pooled, classes=tuple(Klass), limit=10)[0].tolist())
        shares.append(len(exact & found) / 10)
    return float(np.mean(shares))


def measure(
    count: int, embedder: Embedder, models: Path | None, path: Path, *, speed: bool
) -> dict[str, Any]:
    """The figures; the store at `path` and its index beside it are made as far as they are missing."""
    index_dir = path.with_name(path.name + ".index")
    _, asked = sentences()
    begin = time.perf_counter()
    with open_store(path, clock=lambda: NOW, author="benchmark") as store:
        fill(store, embedder, count)
        filled_s = time.perf_counter() - begin
        begin = time.perf_counter()
        store.use_embedder(embedder, index_dir=index_dir)
        published = store.publish_index()
        publish_s = time.perf_counter() - begin
    report: dict[str, Any] = {"count": count, "threads": THREADS, "fill_s": round(filled_s, 1)}
    if published:
        report["publish_s"] = round(publish_s, 1)
    report["cold_s"] = round(cold(path, index_dir, models, asked[0]), 2)
    with open_store(path, clock=lambda: NOW, author="benchmark") as store:
        store.use_embedder(embedder, index_dir=index_dir)
        store.search(asked[0])
        wall, cpu = timed(store, asked)
        names = ("p50_ms", "p95_ms", "p50_cpu_ms_without_the_embedder", "p95_cpu_ms_without_the_embedder")
        report |= dict(zip(names, (*wall, *cpu), strict=True))
        report["rss_mb"] = resident_mb()
        if not speed:
            report |= exactness(store, embedder, path, index_dir, asked)
    size = sum(file.stat().st_size for file in index_dir.rglob("*.seg"))
    return report | {
        "store_bytes_an_engram": round(path.stat().st_size / count),
        "index_bytes_an_engram": round(size / count),
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def exactness(
    store: Store, embedder: Embedder, path: Path, index_dir: Path, asked: list[str]
) -> dict[str, Any]:
    """The published index against brute force, against a second build, and with a flipped byte."""
    recall = agreement(index_dir, vector_model(embedder), store, embedder, asked)
    again = path.with_name(path.name + ".again")
    store.use_embedder(embedder, index_dir=again)
    store.publish_index()
    same = _hashes(index_dir) == _hashes(again)
    shutil.rmtree(again)
    return {
        "recall_at_10_against_exact": round(recall, 4),
        "second_build_is_identical": same,
        "flipped_byte_is_mended": flipped_byte_is_mended(store, embedder, index_dir),
        "segments": len(_hashes(index_dir)),
    }


def resident_mb() -> int:
    """Memory of this process now: the pages of the index that were touched, and what is its own."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20))


def timed(store: Store, asked: Sequence[str]) -> tuple[tuple[float, float], tuple[float, float]]:
    """(p50, p95) in milliseconds of the wall clock, and of this process alone (the embedder's is another)."""
    wall, cpu = [], []
    for question in asked:
        begin, begin_cpu = time.perf_counter(), time.process_time()
        store.search(question)
        wall.append((time.perf_counter() - begin) * 1e3)
        cpu.append((time.process_time() - begin_cpu) * 1e3)
    return _percentiles(wall), _percentiles(cpu)


def _percentiles(times: Sequence[float]) -> tuple[float, float]:
    return round(float(np.percentile(times, 50)), 2), round(float(np.percentile(times, 95)), 2)


def _hashes(folder: Path) -> dict[str, str]:
    return {path.name: digest(path) for path in folder.rglob("*.seg")}


def cold(path: Path, index_dir: Path, models: Path | None, question: str) -> float:
    """Seconds from the start of a new process, with its embedder, to its first answer."""
    order = [str(path), str(index_dir), str(models or ""), question]
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "benchmarks.retrieval_scale", "--cold", *order], check=True)
    return time.perf_counter() - begin


def answer_once(path: str, index_dir: str, models: str, question: str) -> None:
    embedder = open_embedder(Path(models) if models else None)
    embedder.prepare()  # loads while the store is opened, as in a conversation
    with open_store(Path(path), clock=lambda: NOW, author="benchmark", read_only=True) as store:
        store.use_embedder(embedder, index_dir=Path(index_dir))
        assert store.search(question)
    sys.stdout.flush()
    os._exit(0)  # the worker's orderly end is no part of the answer


def flipped_byte_is_mended(store: Store, embedder: Embedder, index_dir: Path) -> bool:
    """One bit of one file changed: the file is named, its vectors come from the store, it is written anew."""
    broken = sorted(index_dir.rglob("*.seg"))[0]
    before = digest(broken)
    with broken.open("r+b") as file:
        file.seek(broken.stat().st_size // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    store.use_embedder(embedder, index_dir=index_dir)
    noticed = broken.name in store.damaged_index()
    store.publish_index()
    return noticed and digest(broken) == before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    parser.add_argument("--cold", nargs=4, metavar=("STORE", "INDEX", "MODELS", "QUESTION"))
    parser.add_argument("--store", type=Path, help="kept, made as far as it is missing")
    parser.add_argument("--speed", action="store_true", help="speed and size alone")
    options = parser.parse_args()
    if options.cold:
        answer_once(*options.cold)
    embedder = open_embedder(options.models)
    with tempfile.TemporaryDirectory(prefix="partner-scale-") as folder:
        path = options.store or Path(folder) / "scale.partner"
        print(json.dumps(measure(options.count, embedder, options.models, path, speed=options.speed)))


if __name__ == "__main__":
    main()
