"""Questions in one language, texts in another: `python -m benchmarks.across`.

Questions of the talks (benchmarks/talks.py) put into other languages by hand, asked of the English talks
beside the originals; and notes in five languages between English ones, asked for in another than theirs
(`tests/data/across-questions.txt`). A line a language: the share found first, among five, among ten, and
how many of those found were near. The last line is JSON.
"""

from __future__ import annotations

from benchmarks.one_thread import THREADS  # isort: skip

import argparse
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.retrieval import DEPTH, NOW, Conversation, Turn, embed_all, filled, open_embedder
from benchmarks.talks import DATA, MORE_TALKS, TALKS, Talk, read_talks
from store import Store, open_store
from store.model import Draft, EngramType, Provenance, ProvenanceKind
from store.retrieval import Embedder

QUESTIONS = DATA / "across-questions.txt"
NEVER = 1_000
NEIGHBOURS = 60  # English texts among which the notes stand
Rows = dict[str, list[tuple[int, bool]]]


def parts() -> dict[str, list[list[str]]]:
    """The lines of each part of the file, as their cells."""
    found: dict[str, list[list[str]]] = {}
    name = ""
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            found.setdefault(name, []).append([cell.strip() for cell in line.split(" | ")])
    return found


def rank(store: Store, query: str, is_right: Callable[[str], bool]) -> tuple[int, bool]:
    """The place of the first right hit, and whether it is near."""
    for place, hit in enumerate(store.search(query, limit=DEPTH), 1):
        if any(is_right(key) for key in (hit.engram.id, *hit.duplicates)):
            return place, hit.near
    return NEVER, False


def asked_of_talks(talks: list[Talk], questions: list[list[str]], embedder: Embedder) -> Rows:
    rows: Rows = defaultdict(list)
    for talk in talks:
        name = talk.name.partition(":")[0]
        turns = tuple(Turn(one.ref, one.speaker, one.session, one.said_at, one.text) for one in talk.said)
        evidence = {one.text: one.evidence for one in talk.asked}
        store, refs = filled(Conversation(turns, ()))
        with store:
            embed_all(store, embedder)
            for _, language, query, original in (line for line in questions if line[0] == name):
                wanted = evidence[original]
                for spoken, words in ((language, query), ("original", original)):
                    rows[spoken].append(rank(store, words, lambda key, of=wanted, by=refs: by[key] in of))
    return rows


def asked_of_notes(notes: list[list[str]], questions: list[list[str]], embedder: Embedder) -> Rows:
    told = [line for line in read_talks()[-1].said if line.speaker == "user"][:NEIGHBOURS]
    texts = [(label, text) for label, _, text in notes] + [("", line.text) for line in told]
    drafts = [
        Draft(
            type=EngramType.OBSERVATION,
            content=text,
            provenance=Provenance(kind=ProvenanceKind.OPERATOR),
        )
        for _, text in texts
    ]
    rows: Rows = defaultdict(list)
    with open_store("memory:", clock=lambda: NOW, author="benchmark") as store:
        written = store.write_many(drafts)
        label = {engram.id: name for engram, (name, _) in zip(written, texts, strict=True)}
        embed_all(store, embedder)
        for language, query, wanted in questions:
            rows[language].append(rank(store, query, lambda key, of=wanted: label[key] == of))
    return rows


def figures(rows: Rows) -> dict[str, dict[str, Any]]:
    whole = [one for language, own in rows.items() if language != "original" for one in own]
    return {
        name: {
            **{f"recall_at_{k}": round(sum(at <= k for at, _ in own) / len(own), 3) for k in (1, 5, 10)},
            "near": sum(near for _, near in own),
            "questions": len(own),
        }
        for name, own in {**rows, "all but the originals": whole}.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args()
    embedder, given = open_embedder(options.models), parts()
    report = {
        path.name: figures(asked_of_talks(read_talks(path), given["questions"], embedder))
        for path in (TALKS, MORE_TALKS)
    }
    report["notes"] = figures(asked_of_notes(given["notes"], given["asked of the notes"], embedder))
    if not options.json:
        for name, rows in report.items():
            print(name)
            for language, row in rows.items():
                print(f"  {language:24}", "  ".join(f"{key} {value}" for key, value in row.items()))
    print(json.dumps({**report, "threads": THREADS}))


if __name__ == "__main__":
    main()
