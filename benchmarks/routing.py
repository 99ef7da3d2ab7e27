"""Does the router search first the class that the author of a question had in mind?

    python -m benchmarks.routing --questions FILE [--json]

One JSON object a line: `question` (or `q`) and `class` (or `klass`). A question for a rule counts as right
where it is told that rules are never ranked. `first` is the share whose class comes first, `searched` the
share whose class is searched at all; what missed is listed. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from store.model import Klass
from store.retrieval.routing import Route, route


def judged(found: Route, klass: str) -> tuple[bool, bool]:
    """(comes first, is searched); a rule is never searched for, it is pointed to."""
    if klass == Klass.PROHIBITION:
        told = Klass.PROHIBITION not in found.classes and "partner rules" in found.reason
        return told, told
    return found.classes[0] == klass, klass in found.classes


def run(path: Path) -> tuple[dict[str, Any], list[str]]:
    by_class: defaultdict[str, list[bool]] = defaultdict(list)
    searched: list[bool] = []
    missed: list[str] = []
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        question, klass = row.get("question") or row["q"], str(row.get("class") or row["klass"])
        found = route(question, None)
        first, among = judged(found, klass)
        by_class[klass].append(first)
        searched.append(among)
        if not first:
            missed.append(f"{klass}: {question} -> {', '.join(found.classes)} ({found.reason})")
    every = [first for firsts in by_class.values() for first in firsts]
    figures = {
        "questions": len(every),
        "first": round(sum(every) / max(1, len(every)), 4),
        "searched": round(sum(searched) / max(1, len(searched)), 4),
        "by_class": {klass: f"{sum(v)} of {len(v)}" for klass, v in sorted(by_class.items())},
    }
    return figures, missed


def main() -> None:
    parser = argparse.ArgumentParser(description="The class router on questions of a file.")
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args()
    figures, missed = run(options.questions)
    if not options.json:
        for line in missed:
            print(line)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
