"""Retrieval measured: `python -m benchmarks.retrieval --locomo FILE | --preferences FILE [--ablation N]`.

LoCoMo (Maharana et al. 2024): long conversations, questions with the turns that answer them. Every turn is
written to a store as an utterance with its speaker, session and day (and what a shared picture shows), and
each question is asked of the store. Two units, because published figures use both: `turn` is the recall of
the evidence turns among the first k, `session` of their sessions. The copy of the data that weights were
chosen on is known by its hash: its first three conversations are reported apart and left out of the figures.
Preferences: statements and questions that share few words with them; the share found among the first k.
The last line is JSON.
"""

from __future__ import annotations

from benchmarks.one_thread import THREADS  # isort: skip

import argparse
import hashlib
import json
import os
import re
import tempfile
import time
import weakref
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from store import Store, open_store
from store.model import Draft, EngramType, Provenance, ProvenanceKind
from store.retrieval import Embedder, Ranked, RankSettings, Retriever
from store.searching import LogCorpus

if TYPE_CHECKING:
    from router.embedding import LlamaEmbedder

TUNED_ON = {"8f941d1c22ab3dee": 3}  # hash of a data file -> how many of its conversations were tuned on
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
DATE_FORMATS = ("%I:%M %p on %d %B, %Y", "%d %B, %Y", "%Y-%m-%d %H:%M", "%Y-%m-%d", "%Y/%m/%d (%a) %H:%M")
PARTNERS = frozenset(["assistant", "ai", "bot", "partner", "model", "system"])
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DEPTH = 20  # hits asked for


@dataclass(frozen=True, slots=True)
class Turn:
    ref: str
    speaker: str
    session: str
    said_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True)
class Conversation:
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def date_of(text: str) -> datetime:
    for pattern in DATE_FORMATS:
        with suppress(ValueError):
            return datetime.strptime(" ".join(text.split()), pattern).replace(tzinfo=UTC)
    return NOW


def read_locomo(path: Path) -> list[Conversation]:
    """Conversations whose questions name at least one turn that exists."""
    conversations = []
    for sample in json.loads(path.read_text(encoding="utf-8")):
        talk = sample["conversation"]
        numbers = sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key))
        turns = tuple(
            Turn(
                ref=str(turn["dia_id"]),
                speaker=str(turn["speaker"]),
                session=f"session {number}",
                said_at=date_of(str(talk.get(f"session_{number}_date_time", ""))),
                text=f"{turn['text']} [shares {turn['blip_caption']}]"
                if turn.get("blip_caption")
                else str(turn["text"]),
            )
            for number in numbers
            for turn in talk[f"session_{number}"] or ()
        )
        known = {turn.ref for turn in turns}
        questions = []
        for qa in sample["qa"]:
            named = (ref for field in qa.get("evidence") or () for ref in re.split(r"[;,\s]+", str(field)))
            evidence = frozenset(known.intersection(named))
            category = CATEGORIES.get(qa.get("category"), str(qa.get("category")))
            if evidence:
                questions.append(Question(str(qa["question"]), evidence, category))
        conversations.append(Conversation(turns, tuple(questions)))
    return conversations


def draft_of(turn: Turn) -> Draft:
    kind = ProvenanceKind.INFERENCE if turn.speaker.casefold() in PARTNERS else ProvenanceKind.OPERATOR
    return Draft(
        type=EngramType.UTTERANCE,
        content=turn.text.strip() or "...",
        provenance=Provenance(kind=kind, source="conversation"),
        valid_from=turn.said_at,
        metadata={k: v for k, v in (("speaker", turn.speaker), ("session", turn.session)) if v},
    )


def embed_all(store: Store, embedder: Embedder | None) -> tuple[int, float]:
    """Give every engram its vectors; how many and in how many seconds."""
    if embedder is None:
        return 0, 0.0
    store.use_embedder(embedder)
    count, begin = 0, time.perf_counter()
    while done := store.embed_missing(256):
        count += done
    return count, time.perf_counter() - begin


def filled(conversation: Conversation) -> tuple[Store, dict[str, str]]:
    """A store with the conversation's turns, and the turn of each engram's id."""
    folder = tempfile.TemporaryDirectory(prefix="partner-locomo-")
    store = open_store(Path(folder.name) / "s.partner", clock=lambda: NOW, author="benchmark")
    weakref.finalize(store, folder.cleanup)
    written = store.write_many([draft_of(turn) for turn in conversation.turns])
    return store, {engram.id: turn.ref for engram, turn in zip(written, conversation.turns, strict=True)}


def ask(store: Store, refs: Mapping[str, str], question: Question) -> tuple[list[str], float]:
    """Turns in the order they are found (duplicates behind the one they were folded into), milliseconds."""
    begin = time.perf_counter()
    hits = store.search(question.text, limit=DEPTH)
    took = (time.perf_counter() - begin) * 1e3
    found = [refs[i] for hit in hits for i in (hit.engram.id, *hit.duplicates) if i in refs]
    return found, took


def score(found: Sequence[str], question: Question, session_of: Mapping[str, str]) -> dict[str, Any]:
    sessions = list(dict.fromkeys(session_of[ref] for ref in found))
    wanted = {session_of[ref] for ref in question.evidence}
    return {
        "category": question.category,
        "hit": found[:1] != [] and found[0] in question.evidence,
        "session_hit": sessions[:1] != [] and sessions[0] in wanted,
        **{
            f"turn_{k}": len(question.evidence & set(found[:k])) / len(question.evidence) for k in (5, 10, 20)
        },
        **{f"session_{k}": len(wanted & set(sessions[:k])) / len(wanted) for k in (5, 10, 20)},
    }


def figures(rows: Sequence[Mapping[str, Any]], unit: str) -> dict[str, Any]:
    """Means over questions for one unit, and recall@10 by category."""
    by_category: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        by_category[row["category"]].append(row[f"{unit}_10"])
    mean = {f"recall_at_{k}": _mean(row[f"{unit}_{k}"] for row in rows) for k in (5, 10, 20)}
    hit = _mean(row["hit" if unit == "turn" else "session_hit"] for row in rows)
    categories = {name: _mean(values) for name, values in sorted(by_category.items())}
    return {**mean, "hit_at_1": hit, "questions": len(rows), "by_category": categories}


def _mean(values: Iterable[float]) -> float:
    values = list(values)
    return round(float(np.mean(values)), 4) if values else 0.0


CUES = ("speaker", "role", "reply", "asking", "length", "date", "answer", "session", "words", "links")
STANDING = ("salience", "use", "recency", "authority")


def structures(full: RankSettings | None = None) -> dict[str, tuple[bool, RankSettings]]:
    """Rankings that differ in kind: whether the embedder takes part, and the weights."""
    full = full or RankSettings()
    off = {name: 0.0 for name in full.__dataclass_fields__ if name.startswith("weight_")}
    alone = {"window_before": (), "window_after": ()}
    bare = replace(full, **{**off, "weight_similarity": 1.0}, **alone)
    window = replace(bare, window_before=full.window_before, window_after=full.window_after)
    return {
        "words alone (BM25)": (False, replace(full, **{**off, "weight_similarity": 1.0})),
        "meaning alone (dense less hubs)": (True, replace(bare, utterance_late=0.0, utterance_dense=1.0)),
        "tokens alone (MaxSim by rarity)": (True, bare),
        "tokens in their conversation": (True, window),
        "all but the window": (True, replace(full, **alone)),
        "all without an embedder": (False, full),
        "all": (True, full),
    }


def run_ablation(path: Path, embedder: Embedder | None, *, every: int) -> dict[str, Any]:
    """One row of turn figures for every part, over each `every`-th question outside the tuned-on part.

    A term is left out by ranking again without its share of the score, which is what a weight of 0 does.
    """
    tuned = TUNED_ON.get(hashlib.sha256(path.read_bytes()).hexdigest()[:16], 0)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for conversation in read_locomo(path)[tuned:]:
        store, refs = filled(conversation)
        session_of = {turn.ref: turn.session for turn in conversation.turns}
        with store:
            embed_all(store, embedder)
            corpus = LogCorpus(store._log)  # the same reads that a search makes
            turn_of = {engram.seq: refs[engram.id] for engram in store.log() if engram.id in refs}
            for name, (with_vectors, settings) in structures().items():
                if with_vectors and embedder is None:
                    continue
                retriever = Retriever(corpus, embedder if with_vectors else None, settings=settings)
                for question in conversation.questions[::every]:
                    hits = retriever.rank(question.text, now=NOW, limit=settings.read).hits
                    for row, found in (leaving_out(hits) if name == "all" else {name: hits}).items():
                        turns = [turn_of[seq] for hit in found for seq in (hit.seq, *hit.duplicates)]
                        rows[row].append(score(turns, question, session_of))
    return {name: figures(found, "turn") for name, found in rows.items()}


def leaving_out(hits: Sequence[Ranked]) -> dict[str, list[Ranked]]:
    """The ranking, and what it were without each of its terms."""
    parts = {"all": (), **{f"all but {cue}": (cue,) for cue in CUES}, "all but standing": STANDING}
    return {
        name: sorted(hits, key=lambda hit: sum(hit.reasons.get(part, 0.0) for part in left) - hit.score)
        for name, left in parts.items()
    }


def run_locomo(path: Path, embedder: Embedder | None) -> dict[str, Any]:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    tuned = TUNED_ON.get(digest, 0)
    rows: list[dict[str, Any]] = []
    earlier: list[dict[str, Any]] = []
    times: list[float] = []
    embedded, seconds = 0, 0.0
    for number, conversation in enumerate(read_locomo(path)):
        store, refs = filled(conversation)
        session_of = {turn.ref: turn.session for turn in conversation.turns}
        with store:
            count, took = embed_all(store, embedder)
            embedded, seconds = embedded + count, seconds + took
            store.search("warm up", limit=1)
            for question in conversation.questions:
                found, ms = ask(store, refs, question)
                (rows if number >= tuned else earlier).append(score(found, question, session_of))
                times.append(ms)
    report = {
        "file": digest,
        "turn": figures(rows, "turn"),
        "session": figures(rows, "session"),
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p95_ms": round(float(np.percentile(times, 95)), 2),
        "embedded_per_s": round(embedded / seconds, 1) if seconds else None,
        "threads": THREADS,
        "embedder": embedder.model if embedder is not None else None,
    }
    if earlier:
        report["tuned_on"] = figures(earlier, "turn")
    return report


def run_preferences(path: Path, embedder: Embedder | None) -> dict[str, Any]:
    pairs = json.loads(path.read_text(encoding="utf-8"))
    drafts = [
        Draft(
            type=EngramType.DISPOSITION,
            content=pair["preference"],
            provenance=Provenance(kind=ProvenanceKind.OPERATOR),
        )
        for pair in pairs
    ]
    ranks: list[int] = []
    times: list[float] = []
    with open_store("memory:", clock=lambda: NOW, author="benchmark") as store:
        written = store.write_many(drafts)
        embed_all(store, embedder)
        for engram, pair in zip(written, pairs, strict=True):
            begin = time.perf_counter()
            hits = store.search(pair["question"], classes={engram.klass}, limit=20)
            times.append((time.perf_counter() - begin) * 1e3)
            found = [{hit.engram.id, *hit.duplicates} for hit in hits]
            ranks.append(next((at for at, ids in enumerate(found, 1) if engram.id in ids), 1_000))
    recall = {f"recall_at_{k}": _mean(rank <= k for rank in ranks) for k in (1, 5, 10, 20)}
    return {
        **recall,
        "questions": len(ranks),
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p95_ms": round(float(np.percentile(times, 95)), 2),
    }


def models_folder(models: Path | None) -> Path:
    """`--models`, $PARTNER_MODELS or the default place."""
    from platformdirs import user_data_path

    named = os.environ.get("PARTNER_MODELS")
    return models or (Path(named) if named else user_data_path("partner", appauthor=False) / "models")


def open_embedder(models: Path | None) -> LlamaEmbedder:
    """The embedded model."""
    from router.embedding import LlamaEmbedder
    from router.models import locate

    return LlamaEmbedder(locate(models_folder(models), "all-minilm-l6-v2"))


def show(report: Mapping[str, Any]) -> None:
    """The figures as a table for people."""
    units = {unit: report[unit] for unit in ("turn", "session", "tuned_on") if unit in report}
    for name, row in {**units, **report.get("ablation", {})}.items():
        shares = "  ".join(f"R@{k} {row[f'recall_at_{k}']:.3f}" for k in (5, 10, 20))
        print(f"{name:36} {shares}  hit@1 {row['hit_at_1']:.3f}  n={row['questions']}")
    for name, value in report.get("turn", {}).get("by_category", {}).items():
        print(f"  turn R@10 {name:24} {value:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--preferences", type=Path)
    parser.add_argument("--ablation", type=int, metavar="N", help="a row for every part, each N-th question")
    parser.add_argument("--no-embedder", action="store_true", help="by words alone")
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args()
    embedder = None if options.no_embedder else open_embedder(options.models)
    report: dict[str, Any] = {}
    if options.locomo:
        report |= run_locomo(options.locomo, embedder)
        if options.ablation:
            report["ablation"] = run_ablation(options.locomo, embedder, every=options.ablation)
    if options.preferences:
        report["preferences"] = run_preferences(options.preferences, embedder)
    if not options.json:
        show(report)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
