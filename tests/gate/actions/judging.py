"""Short ways to have one action judged by one rule, shared by the tests of actions."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from gate import ActionRequest, Decision, Facts, Snapshot, Verdict, gate
from gate.actions import read_action
from gate.model import Frame
from store.model import Engram, EngramType, Provenance, ProvenanceKind

DATA = Path(__file__).resolve().parents[2] / "data"
FRIDAY = "2026-06-05T09:00:00+02:00"


@cache
def snapshot_of(sentence: str) -> Snapshot:
    """The compiled rule alone in force."""
    engram = Engram(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, sentence)),
        seq=1,
        type=EngramType.PROHIBITION,
        content=sentence,
        author="operator",
        provenance=Provenance(kind=ProvenanceKind.OPERATOR),
        created_at=datetime.fromisoformat(FRIDAY),
    )
    return Snapshot.build([engram], head="test")


def request(kind: str, args: Mapping[str, Any], now: str = FRIDAY) -> ActionRequest:
    return ActionRequest(kind=kind, args=args, at=datetime.fromisoformat(now))


def judged(
    rule: str, kind: str, args: Mapping[str, Any], facts: Facts | None = None, now: str = FRIDAY
) -> Verdict:
    return gate(request(kind, args, now), facts or Facts(), snapshot_of(rule))


def frames(kind: str, args: Mapping[str, Any], facts: Facts | None = None) -> tuple[Frame, ...]:
    return read_action(request(kind, args), facts or Facts())


def shell(command: str, facts: Facts | None = None, **args: Any) -> tuple[Frame, ...]:
    return frames("shell", {"command": command, **args}, facts)


def cases(name: str) -> Iterator[tuple[Mapping[str, Any], Verdict]]:
    """Every case of a battery with the gate's verdict."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        action = case.get("action", case)
        facts = Facts(**{"home": "/home/lea", **case.get("facts", {})})
        now = case.get("now", FRIDAY)
        yield case, judged(case["prohibition"], action["kind"], action["args"], facts, now)


def wrong(name: str) -> list[str]:
    """What a battery gets wrong, for people to read; empty when nothing leaks and nothing is denied."""
    found: list[str] = []
    for case, verdict in cases(name):
        allowed = verdict.decision is Decision.ALLOW
        if allowed != (case["expect"] == "allow"):
            word = "leaked" if allowed else "wrongly denied"
            args = case.get("action", case)["args"]
            found.append(
                f"{word}: {case['prohibition']} {json.dumps(args, ensure_ascii=False)} {verdict.note}"
            )
    return found


def counts(name: str) -> tuple[int, int]:
    """(must be refused, must be allowed) of a battery."""
    expects = [json.loads(line)["expect"] for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    return expects.count("refuse"), expects.count("allow")
