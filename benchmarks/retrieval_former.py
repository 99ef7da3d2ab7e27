"""Propositions beside raw turns: does recall fall when the former's engrams join the store?

    python -m benchmarks.retrieval_former --locomo FILE [--conversations N] [--json]

Each conversation is asked twice: with its turns alone, and with what the former makes of every turn (as if
the operator had said it), linked to the turn it came from. A claim counts as its turn, each turn once; all
classes are searched. Conversations that weights were chosen on are left out. The last line is JSON.
"""

from __future__ import annotations

from benchmarks.one_thread import THREADS  # isort: skip

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.retrieval import (
    DEPTH,
    TUNED_ON,
    Conversation,
    embed_all,
    figures,
    filled,
    open_embedder,
    read_locomo,
    score,
)
from partner.formation import ChangeKind, Context, MemoryHolds, form
from store import Store
from store.model import Draft, Klass, Link, Relation
from store.retrieval import Embedder

SEARCHED = tuple(klass for klass in Klass if klass not in (Klass.CONTROL, Klass.PROHIBITION))


def claims(conversation: Conversation, ids: Mapping[str, str]) -> list[tuple[str, Draft]]:
    """(turn, draft) of everything the former would write; nothing is held yet, so nothing is replaced."""
    made: list[tuple[str, Draft]] = []
    for turn in conversation.turns:
        formed = form(turn.text, at=turn.said_at, holds=MemoryHolds(()), context=Context())
        for change in formed.changes:
            if change.kind is ChangeKind.NEW and change.draft is not None:
                source = Link(relation=Relation.DERIVED_FROM, target=ids[turn.ref])
                when = change.draft.valid_from or turn.said_at  # as old as its turn, not as this run
                links = (*change.draft.links, source)
                made.append((turn.ref, replace(change.draft, links=links, valid_from=when)))
    return made


def asked(store: Store, refs: Mapping[str, str], conversation: Conversation) -> list[dict[str, Any]]:
    session_of = {turn.ref: turn.session for turn in conversation.turns}
    rows = []
    for question in conversation.questions:
        hits = store.search(question.text, classes=SEARCHED, limit=2 * DEPTH)
        found = [refs[i] for hit in hits for i in (hit.engram.id, *hit.duplicates) if i in refs]
        rows.append(score(list(dict.fromkeys(found)), question, session_of))
    return rows


def run(conversations: Sequence[Conversation], embedder: Embedder | None) -> dict[str, Any]:
    alone: list[dict[str, Any]] = []
    beside: list[dict[str, Any]] = []
    count = 0
    for conversation in conversations:
        store, refs = filled(conversation)
        with store:
            embed_all(store, embedder)
            alone += asked(store, refs, conversation)
            made = claims(conversation, {ref: engram_id for engram_id, ref in refs.items()})
            written = store.write_many([draft for _, draft in made])
            count += len(written)
            embed_all(store, embedder)
            formed = {engram.id: ref for engram, (ref, _) in zip(written, made, strict=True)}
            beside += asked(store, {**refs, **formed}, conversation)
    return {
        "turns_alone": figures(alone, "turn"),
        "with_claims": figures(beside, "turn"),
        "claims": count,
        "threads": THREADS,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--conversations", type=int, metavar="N", help="only the first N")
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    parser.add_argument("--no-embedder", action="store_true", help="by words alone")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args()
    tuned = TUNED_ON.get(hashlib.sha256(options.locomo.read_bytes()).hexdigest()[:16], 0)
    conversations = read_locomo(options.locomo)[tuned:][: options.conversations]
    report = run(conversations, None if options.no_embedder else open_embedder(options.models))
    if not options.json:
        for name in ("turns_alone", "with_claims"):
            row = report[name]
            shares = "  ".join(f"R@{k} {row[f'recall_at_{k}']:.3f}" for k in (5, 10, 20))
            print(f"{name:12} {shares}  hit@1 {row['hit_at_1']:.3f}  n={row['questions']}")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
