"""Run by `benchmarks.retrieval_peers` with the python of the peers' own environment, which has none of ours.

Reads one JSON object from standard input: `peer`, `weights` (a folder with all-MiniLM-L6-v2), `depth`,
`texts` and `questions`. Writes one JSON object as the last line: for every question the numbers of the texts
found, best first, and milliseconds; versions; seconds to index.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

Ask = Callable[[str], list[int]]


def open_mem0(texts: Sequence[str], weights: str, depth: int, folder: str) -> Ask:
    """mem0 with raw turns (`infer=False`: no language model), its default store in a local folder."""
    from mem0 import Memory

    memory = Memory.from_config(
        {
            "embedder": {"provider": "huggingface", "config": {"model": weights, "embedding_dims": 384}},
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": f"{folder}/qdrant", "embedding_model_dims": 384, "on_disk": True},
            },
            "history_db_path": f"{folder}/history.db",
        }
    )
    numbers: dict[str, int] = {}
    for number, text in enumerate(texts):
        added = memory.add([{"role": "user", "content": text}], user_id="operator", infer=False)
        numbers[added["results"][0]["id"]] = number

    def ask(question: str) -> list[int]:
        found = memory.search(question, filters={"user_id": "operator"}, top_k=depth, threshold=0.0)
        return [numbers[hit["id"]] for hit in found["results"] if hit["id"] in numbers]

    return ask


def open_txtai(texts: Sequence[str], weights: str, depth: int, folder: str) -> Ask:
    """txtai with its hybrid of dense and BM25."""
    from txtai import Embeddings

    embeddings = Embeddings(path=weights, method="sentence-transformers", hybrid=True, gpu=False)
    embeddings.index(list(texts))
    return lambda question: [int(hit[0]) for hit in embeddings.search(question, depth)]


PEERS: dict[str, tuple[str, Callable[[Sequence[str], str, int, str], Ask]]] = {
    "mem0": ("mem0ai", open_mem0),
    "txtai": ("txtai", open_txtai),
}


def run_peer(order: dict[str, Any]) -> dict[str, Any]:
    package, opener = PEERS[order["peer"]]
    found: list[list[int]] = []
    times: list[float] = []
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        begin = time.perf_counter()
        ask = opener(order["texts"], order["weights"], order["depth"], folder)
        index_s = time.perf_counter() - begin
        ask("warm up")
        for question in order["questions"]:
            begin = time.perf_counter()
            found.append(ask(question))
            times.append((time.perf_counter() - begin) * 1e3)
    return {"found": found, "ms": times, "index_s": index_s, "versions": versions(package)}


def run_rate(order: dict[str, Any]) -> dict[str, Any]:
    """sentence-transformers' own encoding, one thread, the best of three passes."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(order["weights"], device="cpu", local_files_only=True)
    texts = order["texts"]
    model.encode(texts[:32])
    best = 0.0
    for _ in range(order["passes"]):
        begin = time.process_time()
        model.encode(texts, normalize_embeddings=True)
        best = max(best, len(texts) / (time.process_time() - begin))
    return {"per_cpu_s": best, "versions": versions("sentence-transformers")}


def versions(package: str) -> dict[str, str]:
    return {name: importlib.metadata.version(name) for name in {package, "sentence-transformers", "torch"}}


def main() -> None:
    order = json.loads(sys.stdin.read())
    os.environ.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        MEM0_TELEMETRY="False",
        OPENAI_API_KEY="not used: no language model is asked",
        MEM0_DIR=tempfile.mkdtemp(prefix="peer-home-"),
        TOKENIZERS_PARALLELISM="false",
    )
    outcome = run_rate(order) if order["peer"] == "rate" else run_peer(order)
    print("\n" + json.dumps(outcome))


if __name__ == "__main__":
    main()
