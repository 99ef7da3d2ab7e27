"""Retrieval on conversations of other shapes: `python -m benchmarks.retrieval_shapes [--locomo FILE]`.

What gains on one set of conversations may cost on another. Here the parts of ranking alone (words, meaning,
tokens), the whole, and the whole without each part are measured side by side on talks of one person with an
assistant (benchmarks/talks.py) and on LoCoMo's conversations changed at run time: without names, in one
session, without dates, one speaker as the assistant. Only the conversations that weights were chosen on are
changed and shown unless `--held-out`. The last line is JSON.
"""

from __future__ import annotations

from benchmarks.one_thread import THREADS  # isort: skip

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.retrieval import (
    NOW,
    Conversation,
    Question,
    Turn,
    embed_all,
    figures,
    filled,
    leaving_out,
    open_embedder,
    read_locomo,
    score,
    structures,
)
from benchmarks.talks import MORE_TALKS, read_talks
from store import Store
from store.retrieval import Embedder, Ranked, RankSettings, Retriever
from store.searching import LogCorpus

TUNED_ON = 3  # of LoCoMo's conversations
ALONE = ("words alone (BM25)", "meaning alone (dense less hubs)", "tokens alone (MaxSim by rarity)")


def talks() -> list[tuple[str, Conversation]]:
    """The sets of talks with an assistant."""
    found = []
    for talk in (*read_talks(), *read_talks(MORE_TALKS)):
        turns = tuple(Turn(one.ref, one.speaker, one.session, one.said_at, one.text) for one in talk.said)
        questions = tuple(Question(one.text, one.evidence, one.kind) for one in talk.asked)
        name = f"talk: {talk.name.partition(':')[0]}"
        found.append((name, Conversation(turns, questions)))
        nobody = tuple(replace(turn, speaker="") for turn in turns)
        found.append(("talk: nobody named", Conversation(nobody, questions)))
    return found


def changed(conversation: Conversation) -> Iterator[tuple[str, Conversation]]:
    """A conversation of two people as it would be in other surroundings."""
    rng = random.Random(7)
    first = conversation.turns[0].speaker
    days = [turn.said_at for turn in conversation.turns]
    shuffled = rng.sample(days, k=len(days))
    changes: dict[str, Callable[[int, Turn], Turn]] = {
        "two people": lambda _, turn: turn,
        "without names": lambda _, turn: replace(turn, speaker=""),
        "in one session": lambda _, turn: replace(turn, session="one"),
        "without sessions": lambda _, turn: replace(turn, session=""),
        "on one day": lambda _, turn: replace(turn, said_at=NOW),
        "days at random": lambda at, turn: replace(turn, said_at=shuffled[at]),
        "one as the assistant": lambda _, turn: replace(
            turn, speaker="user" if turn.speaker == first else "assistant"
        ),
    }
    for name, change in changes.items():
        turns = tuple(change(at, turn) for at, turn in enumerate(conversation.turns))
        yield name, Conversation(turns, conversation.questions)


def rankings(
    store: Store, embedder: Embedder, settings: RankSettings
) -> Iterator[tuple[str, Callable[[str], Sequence[Ranked]]]]:
    """Each part of ranking alone, and the whole, as functions of a question."""
    corpus = LogCorpus(store._log)  # the same reads that a search makes
    for name, (with_vectors, weights) in structures(settings).items():
        retriever = Retriever(corpus, embedder if with_vectors else None, settings=weights)
        yield name, lambda asked, it=retriever: it.rank(asked, now=NOW, limit=settings.read).hits


def measured(
    store: Store,
    refs: dict[str, str],
    conversation: Conversation,
    embedder: Embedder,
    *,
    every: int,
    settings: RankSettings,
) -> dict[str, list[dict[str, Any]]]:
    """A row for each question and each ranking."""
    session_of = {turn.ref: turn.session for turn in conversation.turns}
    turn_of = {engram.seq: refs[engram.id] for engram in store.log() if engram.id in refs}
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, rank in rankings(store, embedder, settings):
        for question in conversation.questions[::every]:
            hits = rank(question.text)
            for row, found in (leaving_out(hits) if name == "all" else {name: hits}).items():
                turns = [turn_of[seq] for hit in found for seq in (hit.seq, *hit.duplicates)]
                rows[row].append(score(turns, question, session_of))
    return rows


def run(
    shapes: Sequence[tuple[str, Conversation]], embedder: Embedder, *, every: int
) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for name, conversation in shapes:
        store, refs = filled(conversation)
        with store:
            embed_all(store, embedder)
            step = every if "talk" not in name else 1
            found = measured(store, refs, conversation, embedder, every=step, settings=RankSettings())
            for row, scores in found.items():
                rows[name][row] += scores
    return {
        shape: {name: figures(found, "turn") for name, found in by_row.items()}
        for shape, by_row in rows.items()
    }


def show(report: dict[str, dict[str, Any]]) -> None:
    """A table of the parts alone and the whole, and of which parts cost."""
    print("| shape | n | words R@10 | meaning | tokens | all R@10 | R@5 | hit@1 | costs (R@10 without it) |")
    for shape, rows in report.items():
        whole = rows["all"]
        alone = " | ".join(f"{rows[name]['recall_at_10']:.3f}" for name in ALONE)
        costs = {
            name: row["recall_at_10"]
            for name, row in rows.items()
            if name.startswith("all but") and row["recall_at_10"] > whole["recall_at_10"] + 0.005
        }
        listed = ", ".join(f"{name[8:]} {share:.3f}" for name, share in costs.items())
        print(
            f"| {shape} | {whole['questions']} | {alone} | {whole['recall_at_10']:.3f} |"
            f" {whole['recall_at_5']:.3f} | {whole['hit_at_1']:.3f} | {listed} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, help="its conversations in other shapes, too")
    parser.add_argument("--held-out", action="store_true", help="those that no weight was chosen on")
    parser.add_argument("--every", type=int, default=3, metavar="N", help="each N-th question of LoCoMo")
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args()
    shapes = talks()
    if options.locomo:
        whole = read_locomo(options.locomo)
        picked = whole[TUNED_ON:] if options.held_out else whole[:TUNED_ON]
        shapes += [shape for conversation in picked for shape in changed(conversation)]
    report = run(shapes, open_embedder(options.models), every=options.every)
    if not options.json:
        show(report)
    print(json.dumps({"shapes": report, "threads": THREADS}))


if __name__ == "__main__":
    main()
