"""Worlds whose facts change: does what is found answer what holds now, what held before, and nothing
retracted?

    python -m benchmarks.supersede --worlds FILE [--json]

Every memory of a world is said as one turn of the operator, in order, and formed with no language model. A
question
counts as answered by the memories whose engrams are found. Figures, each a share of its questions:
`current_first` the newest value's memory comes first · `stale_at_5` an outdated one is among the first five ·
`past_at_5` the previous value is among the first five when history is asked for · `leak_at_5` a retracted
one is
among the first five. `by_last_kind` parts stale and current_first by how the value was last given. The last
line is
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.memory import RAW, RECALLED, Clock, FormerPlayer
from store import open_store

TOP = 5


def play(world: dict[str, Any], on: FormerPlayer) -> dict[str, int]:
    """Say every memory; the memory that each engram was formed from."""
    origin: dict[str, int] = {}
    for memory in world["mem"]:
        at = on.clock.set(f"{memory['date']}T09:00:00+00:00")
        before = on.store.head().seq
        on.operator(memory["text"], at)
        origin |= {engram.id: memory["id"] for engram in on.store.log(after=before)}
    return origin


def found(on: FormerPlayer, question: str, origin: dict[str, int], *, history: bool) -> list[int]:
    """Memory ids of the first five engrams, best first, each once."""
    hits = on.store.search(question, classes=RECALLED, limit=TOP * 4, history=history)
    ids = [origin[hit.engram.id] for hit in hits if hit.engram.type not in RAW]
    return list(dict.fromkeys(ids))[:TOP]


def links(world: dict[str, Any], on: FormerPlayer, origin: dict[str, int]) -> tuple[int, int, int]:
    """(right, made, wanted) supersessions, by memory."""
    made = {
        (origin[old], origin[edge.src])
        for edge in on.store.edges(relation="supersedes")
        if (old := edge.dst) in origin and edge.src in origin
    }
    wanted = {tuple(link) for link in world["links"]}
    return len(made & wanted), len(made), len(wanted)


def run(worlds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    shares: defaultdict[str, list[bool]] = defaultdict(list)
    by_kind: defaultdict[str, defaultdict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    right = made = wanted = 0
    for world in worlds:
        with open_store("memory:", clock=(clock := Clock()), author="operator") as store:
            on = FormerPlayer(store, clock)
            origin = play(world, on)
            r, m, w = links(world, on, origin)
            right, made, wanted = right + r, made + m, wanted + w
            for question in world["qs"]:
                _ask(question, on, origin, shares, by_kind)
    figures: dict[str, Any] = {
        name: _share(shares[name]) for name in ("current_first", "stale_at_5", "leak_at_5", "past_at_5")
    }
    figures["by_last_kind"] = {
        kind: {name: _share(v) for name, v in sorted(of.items())} for kind, of in sorted(by_kind.items())
    }
    figures["links"] = {
        "precision": round(right / max(1, made), 3),
        "recall": round(right / max(1, wanted), 3),
    }
    return figures


def _ask(
    question: dict[str, Any], on: FormerPlayer, origin: dict[str, int], shares: Any, by_kind: Any
) -> None:
    kind = question["type"]
    ids = found(on, question["q"], origin, history=kind == "past")
    bad = any(i in question["bad"] for i in ids)
    if kind == "retracted":
        shares["leak_at_5"].append(bad)
    elif kind == "past":
        shares["past_at_5"].append(any(i in question["good"] for i in ids))
    else:
        first = bool(ids) and ids[0] in question["good"]
        shares["current_first"].append(first)
        shares["stale_at_5"].append(bad)
        by_kind[question.get("last_kind", "")]["current_first"].append(first)
        by_kind[question.get("last_kind", "")]["stale_at_5"].append(bad)


def _share(outcomes: Sequence[bool]) -> float | None:
    return round(sum(outcomes) / len(outcomes), 3) if outcomes else None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Play worlds whose facts change and ask what holds.")
    parser.add_argument("--worlds", type=Path, required=True)
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args(arguments)
    started = datetime.now().astimezone()
    worlds = [
        json.loads(line) for line in options.worlds.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    figures = run(worlds)
    if not options.json:
        print(f"{len(worlds)} worlds in {(datetime.now().astimezone() - started).total_seconds():.1f} s")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
