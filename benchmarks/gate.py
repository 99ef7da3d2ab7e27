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

from gate import ActionRequest, Facts, Snapshot, TextRequest, gate
from gate.language.normalise import fold
from gate.language.tokens import detect_language
from store.model import Engram, EngramType, Provenance, ProvenanceKind

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
    parser.add_argument("--json", action="store_true", help="print the JSON line alone")
    options = parser.parse_args()
    if options.cases is None:
        parser.error("--cases FILE is needed")
    cases = [
        json.loads(line) for line in options.cases.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    results = judge(cases)
    if not options.json:
        for row in results:
            wrong = (row["expect"] == "refuse") != (row["decision"] == "refuse")
            if wrong:
                print(
                    f"{row['id']:10} {row['expect']:6} -> {row['decision']:6} {row['category']:15} {row['note']}"
                )
    print(json.dumps(report(results), ensure_ascii=False))


if __name__ == "__main__":
    main()
