"""Memory scripts: what a conversation leaves behind, with no language model.

    python -m benchmarks.memory --cases FILE [--json] [--through partner|former] [--only ID ...]

A script's `steps` are played, then its `checks` are made (current, not_current, absent, recall, refuse,
allow, as_of). Through `partner` the whole product is used, engine `none`, in a temporary home; through
`former` only store and formation, so that the gate's share of a failure can be told apart. The last line is
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from partner.formation import ChangeKind, Context, Formed, MemoryHolds, form, form_document, form_tool_result
from partner.holds import StoreHolds
from store import Store, open_store
from store.model import CLASS_OF, Draft, Engram, EngramType, Klass, Provenance, ProvenanceKind

START = datetime.fromisoformat("2024-01-01T09:00:00+00:00")
RAW = frozenset({EngramType.UTTERANCE, EngramType.TRACE})
SETTLED = [kind for kind in EngramType if kind not in RAW and CLASS_OF[kind] is not Klass.CONTROL]
RECALLED = (Klass.DISPOSITION, Klass.OBJECTIVE, Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE)
Script = dict[str, Any]


@dataclass
class Clock:
    """The script's time: a step without `at` comes a second after the one before."""

    now: datetime = START

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def set(self, at: str | None) -> datetime:
        self.now = datetime.fromisoformat(at) if at else self.now + timedelta(seconds=1)
        return self.now


class Player(Protocol):
    """Plays steps and answers checks."""

    clock: Clock
    store: Store

    def operator(self, text: str, at: datetime) -> None: ...
    def partner(self, text: str) -> None: ...
    def tool(self, name: str, result: str, at: datetime) -> None: ...
    def document(self, name: str, text: str, at: datetime) -> None: ...
    def verdict(self, request: str) -> str: ...
    def recall(self, question: str, limit: int) -> list[Engram]: ...


@dataclass
class FormerPlayer:
    """Store and formation alone; the gate is not asked."""

    store: Store
    clock: Clock
    said: list[str] = field(default_factory=list)
    formed: tuple[str, ...] = ()
    partner_said: str | None = None

    def operator(self, text: str, at: datetime) -> None:
        context = Context(previous=tuple(self.said[-4:]), formed=self.formed, partner_said=self.partner_said)
        formed = form(text, at=at, holds=self._holds(), context=context)
        self._keep(formed.utterance_text, ProvenanceKind.OPERATOR)
        self.formed = self._apply(formed, at) or self.formed
        self.said.append(formed.utterance_text)

    def partner(self, text: str) -> None:
        self._keep(text, ProvenanceKind.INFERENCE)
        self.partner_said = text

    def tool(self, name: str, result: str, at: datetime) -> None:
        self._apply(form_tool_result(name, result, at, self._holds()), at)

    def document(self, name: str, text: str, at: datetime) -> None:
        self._apply(form_document(text, name, at, self._holds()), at)

    def verdict(self, request: str) -> str:
        return "unknown"

    def _holds(self) -> MemoryHolds:
        return MemoryHolds(self.store.current(type=SETTLED))  # raw turns by the thousand are no claims

    def recall(self, question: str, limit: int) -> list[Engram]:
        hits = self.store.search(question, classes=RECALLED, limit=limit * 3)
        return [hit.engram for hit in hits if hit.engram.type not in RAW][:limit]

    def _keep(self, text: str, kind: ProvenanceKind) -> None:
        if text.strip():
            speaker = "operator" if kind is ProvenanceKind.OPERATOR else "partner"
            self.store.write(
                Draft(
                    type=EngramType.UTTERANCE,
                    content=text,
                    provenance=Provenance(kind=kind),
                    metadata={"speaker": speaker},
                )
            )

    def _apply(self, formed: Formed, at: datetime) -> tuple[str, ...]:
        written = []
        for change in formed.changes:
            if change.kind is ChangeKind.NEW and change.draft is not None:
                written.append(self.store.write(change.draft).id)
            elif change.kind is ChangeKind.SUPERSEDE and change.draft is not None:
                written.append(self.store.supersede(change.targets[0], change.draft).id)
            elif change.kind is ChangeKind.RETRACT:
                for target in change.targets:
                    self.store.retract(target, change.note)
            else:
                self.store.reinforce(list(change.targets), at)
        return tuple(reversed(written))


class PartnerPlayer:
    """The whole product, engine `none`."""

    def __init__(self, partner: Any, clock: Clock) -> None:
        self._partner = partner
        self.clock = clock
        self.store: Store = partner.store

    def operator(self, text: str, at: datetime) -> None:
        list(self._partner.turn(text, at=at))
        if self._partner.session.pending is not None:
            list(self._partner.session.answer(applies=False, record=False))

    def partner(self, text: str) -> None:
        from partner.writing import keep_utterance

        keep_utterance(self.store, text, speaker="partner", metadata={}, source="script")

    def tool(self, name: str, result: str, at: datetime) -> None:
        self._apply(form_tool_result(name, result, at, StoreHolds(self.store)), at)

    def document(self, name: str, text: str, at: datetime) -> None:
        self._apply(form_document(text, name, at, StoreHolds(self.store)), at)

    def verdict(self, request: str) -> str:
        return str(self._partner.check(request, at=self.clock()).decision)

    def recall(self, question: str, limit: int) -> list[Engram]:
        return [hit.engram for hit in self._partner.recall(question, limit=limit)]

    def _apply(self, formed: Formed, at: datetime) -> None:
        from partner.writing import apply_changes

        list(apply_changes(self.store, formed.changes, utterance=None, at=at))


@contextmanager
def player(through: str) -> Iterator[Player]:
    """A fresh partner (or store) for one script."""
    clock = Clock()
    if through == "former":
        with open_store("memory:", clock=clock, author="operator") as store:
            yield FormerPlayer(store, clock)
        return
    from partner.bootstrap import open_partner
    from partner.settings import load

    with tempfile.TemporaryDirectory() as home:
        environment = {"PARTNER_HOME": home}
        with open_partner(load(environment, engine="none"), clock=clock, engine_free=True) as partner:
            yield PartnerPlayer(partner, clock)


def play(script: Script, on: Player) -> None:
    """Every step, in order."""
    for step in script["steps"]:
        at = on.clock.set(step.get("at"))
        if "operator" in step:
            on.operator(step["operator"], at)
        elif "partner" in step:
            on.partner(step["partner"])
        elif "tool" in step:
            on.tool(step["tool"], step["result"], at)
        elif "document" in step:
            on.document(step["document"], step["text"], at)


def check(script: Script, on: Player) -> dict[str, list[str]]:
    """Failures by check; a check that passes gives an empty list."""
    checks = script["checks"]
    holds = [e for e in on.store.current() if e.type not in RAW]
    ever = [e for e in on.store.log() if e.type not in RAW and e.klass is not Klass.CONTROL]
    found: dict[str, list[str]] = {}
    for name, wants in checks.items():
        found[name] = [str(want) for want in wants if not _met(name, want, on, holds, ever)]
    return found


def _met(name: str, want: Any, on: Player, holds: Sequence[Engram], ever: Sequence[Engram]) -> bool:
    if name == "current":
        return any(_fits(e, want) for e in holds)
    if name == "not_current":
        return not any(_fits(e, want) for e in holds)
    if name == "absent":
        return not any(_fits(e, want) for e in ever)
    if name in ("refuse", "allow"):
        verdict = on.verdict(want)
        return verdict == name or verdict == "unknown"
    if name == "as_of":
        then = [e for e in on.store.as_of(datetime.fromisoformat(want["at"])) if e.type not in RAW]
        return any(_fits(e, want) for e in then) and not any(
            _has(e, want.get("not", ())) for e in then if want.get("not")
        )
    hits = on.recall(want["question"], want["top"])
    return any(_has(e, want["must"]) for e in hits) and not any(
        _has(e, want["not"]) for e in hits if want.get("not")
    )


def _fits(engram: Engram, want: dict[str, Any]) -> bool:
    return _has(engram, want["must"]) and want.get("class", engram.klass.value) == engram.klass.value


def _has(engram: Engram, words: Sequence[str]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(w)}(?!\w)", engram.content, re.IGNORECASE) for w in words)


def run(scripts: Sequence[Script], through: str, *, verbose: bool = False) -> dict[str, Any]:
    """Figures over all scripts: passed whole, by check and by tag as [passed, all]."""
    by_check: defaultdict[str, Counter[str]] = defaultdict(Counter)
    by_tag: defaultdict[str, Counter[str]] = defaultdict(Counter)
    failed: list[str] = []
    for script in scripts:
        with player(through) as on:
            play(script, on)
            outcome = check(script, on)
            passed = not any(outcome.values())
            if not passed and verbose:
                _explain(script, outcome, on)
        if not passed:
            failed.append(script["id"])
        for name, wrong in outcome.items():
            by_check[name].update(
                {"all": len(script["checks"][name]), "passed": len(script["checks"][name]) - len(wrong)}
            )
        for tag in script["tags"]:
            by_tag[tag].update({"all": 1, "passed": int(passed)})
    return {
        "scripts": len(scripts),
        "passed": len(scripts) - len(failed),
        "by_check": {k: [v["passed"], v["all"]] for k, v in sorted(by_check.items())},
        "by_tag": {k: [v["passed"], v["all"]] for k, v in sorted(by_tag.items())},
        "failed": failed,
    }


def _explain(script: Script, outcome: dict[str, list[str]], on: Player) -> None:
    print(f"--- {script['id']} {' '.join(script['tags'])}")
    for step in script["steps"]:
        print("   ", {k: v for k, v in step.items() if k != "at"})
    current = {e.id for e in on.store.current()}
    for engram in on.store.log():
        if engram.type not in RAW:
            print(
                "   ",
                "*" if engram.id in current else " ",
                engram.type.value,
                "|",
                engram.content,
                "|",
                dict(engram.metadata),
            )
    for name, wrong in outcome.items():
        for line in wrong:
            print("    FAILED", name, line)
            if name == "recall":
                question = re.search(r"'question': (['\"])(.*?)\1,", line)
                for hit in on.recall(question[2], 3) if question else ():
                    print("        got", hit.content)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Play memory scripts and check what is left.")
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    parser.add_argument("--through", choices=("partner", "former"), default="partner")
    parser.add_argument("--only", nargs="*", default=None, help="ids to play")
    options = parser.parse_args(arguments)
    scripts = [
        json.loads(line) for line in options.cases.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    if options.only:
        scripts = [s for s in scripts if s["id"] in options.only]
    print(json.dumps(run(scripts, options.through, verbose=not options.json)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
