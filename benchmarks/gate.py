"""The gate measured: `python -m benchmarks.gate --cases FILE [--json]`.

Figures: recall (refused of what must be refused), caught (refused or asked), false_refusals (refused of
what is allowed), asked_of_allow. Each case stands alone with its one prohibition. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gate import ActionRequest, Decision, Facts, Snapshot, TextRequest, gate
from gate.language.detect import detect_language
from gate.language.normalise import fold
from gate.learning import answer_draft, wording_draft
from store.model import Draft, Engram, EngramType, Provenance, ProvenanceKind

EPOCH = datetime.fromisoformat("2026-01-01T00:00:00+00:00")


def engram(sentence: str, number: int = 1) -> Engram:
    """A prohibition as the operator would have written it."""
    identity = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{number}:{sentence}"))
    provenance = Provenance(kind=ProvenanceKind.OPERATOR)
    return Engram(
        id=identity, seq=number, type=EngramType.PROHIBITION, content=sentence, author="operator",
        provenance=provenance, created_at=EPOCH,
    )  # fmt: skip


def request_of(case: Mapping[str, Any]) -> TextRequest | ActionRequest:
    at = datetime.fromisoformat(case["now"])
    if "request" in case:
        return TextRequest(text=case["request"], at=at)
    return ActionRequest(kind=case["action"]["kind"], args=case["action"]["args"], at=at)


def judge(cases: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every case with the gate's decision and the microseconds it took."""
    snapshots: dict[str, Snapshot] = {}
    results = []
    facts = Facts()
    for case in cases:
        sentence = case["prohibition"]
        if sentence not in snapshots:
            snapshots[sentence] = Snapshot.build([engram(sentence)], head="benchmark")
        verdict = gate(request_of(case), facts, snapshots[sentence])
        results.append(
            {**case, "decision": str(verdict.decision), "micros": verdict.micros, "note": verdict.note}
        )
    return results


def learn(cases: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Answer every question as its label says, write the answers down, and judge the cases again.

    What is neither refused nor asked at first teaches nothing by answering (`never_asked`; `caught_of_asked`
    leaves it out). `told` is judged once more, after the operator also said of each of those what a rule
    means (`partner rules means`).
    """
    rows = [case for case in cases if "request" in case]
    snapshots = {
        s: Snapshot.build([engram(s)], head="benchmark") for s in {row["prohibition"] for row in rows}
    }
    answers: dict[str, list[Engram]] = defaultdict(list)
    slipped: dict[str, list[Engram]] = defaultdict(list)
    caught: set[str] = set()
    for number, row in enumerate(rows):
        request = request_of(row)
        verdict = gate(request, Facts(), snapshots[row["prohibition"]])
        if row["expect"] == "refuse" and verdict.decision is Decision.ALLOW:
            draft = wording_draft(engram(row["prohibition"]), row["request"], means=True)
            slipped[row["prohibition"]].append(_written(draft, number + 2))
        elif row["expect"] == "refuse":
            caught.add(row["id"])
        if verdict.decision is not Decision.ASK or not isinstance(request, TextRequest):
            continue
        for match in verdict.matches:
            draft = answer_draft(match, request, row["expect"] == "refuse")
            answers[row["prohibition"]].append(_written(draft, number + 2))
    again = _judged_after(rows, answers)
    return {
        "answers": sum(map(len, answers.values())),
        "asked_again": sum(row["decision"] == "ask" for row in again),
        "never_asked": sum(map(len, slipped.values())),
        "caught_of_asked": figures(row for row in again if row["id"] in caught)["caught"],
        **figures(again),
        "told": figures(_judged_after(rows, {s: [*answers[s], *slipped[s]] for s in snapshots})),
    }


def _judged_after(
    rows: Iterable[Mapping[str, Any]], answers: Mapping[str, list[Engram]]
) -> list[dict[str, Any]]:
    """The cases with the decisions of rules that were taught."""
    rows = list(rows)
    taught = {
        s: Snapshot.build([engram(s)], head="benchmark", answers=answers.get(s, ()))
        for s in {row["prohibition"] for row in rows}
    }
    return [
        {**row, "decision": str(gate(request_of(row), Facts(), taught[row["prohibition"]]).decision)}
        for row in rows
    ]


def _written(draft: Draft, number: int) -> Engram:
    identity = str(uuid.uuid5(uuid.NAMESPACE_URL, f"answer:{number}:{draft.content}"))
    return Engram(
        id=identity, seq=number, type=draft.type, content=draft.content, author="operator",
        provenance=draft.provenance, created_at=EPOCH, links=draft.links, metadata=draft.metadata,
    )  # fmt: skip


def figures(results: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Shares of one group of results; None where the group has nothing to divide by."""
    rows = list(results)
    refuse = [row["decision"] for row in rows if row["expect"] == "refuse"]
    allow = [row["decision"] for row in rows if row["expect"] == "allow"]

    def share(hits: list[str], *wanted: str) -> float | None:
        return round(sum(hit in wanted for hit in hits) / len(hits), 4) if hits else None

    return {
        "recall": share(refuse, "refuse"),
        "caught": share(refuse, "refuse", "ask"),
        "false_refusals": share(allow, "refuse"),
        "asked_of_allow": share(allow, "ask"),
        "cases": len(rows),
    }


def report(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole JSON object."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    languages: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in results:
        groups[row["category"]].append(row)
        languages[detect_language(fold(row["prohibition"]).text)].append(row)
    micros = sorted(row["micros"] for row in results) or [0.0]
    return {
        "text": figures(row for row in results if "request" in row),
        "action": figures(row for row in results if "action" in row),
        "by_category": {name: figures(rows) for name, rows in sorted(groups.items())},
        "by_language": {name: figures(rows) for name, rows in sorted(languages.items())},
        "p50_us": round(micros[len(micros) // 2], 1),
        "p99_us": round(micros[min(len(micros) - 1, len(micros) * 99 // 100)], 1),
    }


def main() -> None:
    """Print what was wrong, then the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, help="JSON lines of labelled cases")
    parser.add_argument("--scale", action="store_true", help="time it at 10 to 100,000 rules")
    parser.add_argument("--learn", action="store_true", help="answer the questions and judge again")
    parser.add_argument("--json", action="store_true", help="print the JSON line alone")
    options = parser.parse_args()
    if options.scale:
        from benchmarks.gate_scale import measure

        print(json.dumps(measure(), ensure_ascii=False))
        return
    if options.cases is None:
        parser.error("--cases FILE or --scale is needed")
    cases = [
        json.loads(line) for line in options.cases.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    results = judge(cases)
    if not options.json:
        for row in results:
            wrong = (row["expect"] == "refuse") != (row["decision"] == "refuse")
            if wrong:
                print(
                    f"{row['id']:10} {row['expect']:6} -> {row['decision']:6}"
                    f" {row['category']:15} {row['note']}"
                )
    summary = report(results)
    if options.learn:
        summary["learned"] = learn(cases)
    print(json.dumps(summary, ensure_ascii=False))


if __name__ == "__main__":
    main()
