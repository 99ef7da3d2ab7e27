"""Cedar, a policy engine by other people, judges the structured part of the same rules and requests.

It is told what the action's frames say (the folders above a path, the host, the amount, the locality) and
the rules in its own language; on random pairs (10,000 by `make fuzz`, 1,000 otherwise) both must agree.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import Any

import pytest
from judging import FRIDAY, request

from gate import Decision, Facts, Snapshot, gate
from store.model import Engram, EngramType, Provenance, ProvenanceKind

cedarpy = pytest.importorskip("cedarpy")

FOLDERS = ["/", "/a", "/a/b", "/a/b/c", "/a/bc", "/b", "/b/a"]
HOSTS = ["x.example", "y.example", "a.x.example", "x.example.y.example"]
SETS, REQUESTS = (100 if "GATE_FUZZ_SECONDS" in os.environ else 10), 100  # all 10,000: make fuzz


@dataclass(frozen=True, slots=True)
class Rule:
    """A prohibition as the operator writes it and as Cedar does."""

    sentence: str
    action: str
    condition: str

    def policy(self) -> str:
        return f'forbid(principal, action == Action::"{self.action}", resource) when {{ {self.condition} }};'


def rules(rng: random.Random) -> list[Rule]:
    folder, host, limit = rng.choice(FOLDERS[1:]), rng.choice(HOSTS), rng.choice([10, 500, 1000])
    above = f'context.above.contains("{folder}")'
    every = [
        Rule(f"Do not read anything in {folder}.", "read", above),
        Rule(f"Never delete anything under {folder}.", "delete", above),
        Rule(f"Do not write any file outside {folder}.", "write", f"!{above}"),
        Rule(f"Do not contact the host {host}.", "connect", f'context.host == "{host}"'),
        Rule(f"No payments above {limit} EUR.", "pay", f"context.cents > {limit * 100}"),
    ]
    return rng.sample(every, rng.randint(1, len(every)))


def action(rng: random.Random) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
    """(kind, args) for the gate and (action, context) for Cedar, made apart from each other."""
    act = rng.choice(["read", "write", "delete", "connect", "pay"])
    if act == "connect":
        host = rng.choice(HOSTS)
        return "http", {"method": "GET", "url": f"https://{host}/x"}, act, {"host": host}
    if act == "pay":
        cents = rng.choice([0, 1000, 1001, 50_000, 50_001, 99_999, 100_000, 100_001])
        amount = f"{cents // 100}.{cents % 100:02d}"
        return "payment", {"payee": "Q", "amount": amount, "currency": "EUR"}, act, {"cents": cents}
    folder = rng.choice(FOLDERS).rstrip("/")
    names = [part for part in folder.split("/") if part]
    above = ["/", *("/" + "/".join(names[: depth + 1]) for depth in range(len(names)))]
    path = rng.choice([f"{folder}/file.txt", f"{folder}/./file.txt", f"{folder}//x/../file.txt"])
    args = {"path": path} | ({"content": "x"} if act == "write" else {})
    return f"file.{act}", args, act, {"above": above}


def snapshot(listed: list[Rule]) -> Snapshot:
    engrams = [
        Engram(
            id=f"00000000-0000-7000-8000-{number:012d}",
            seq=number + 1,
            type=EngramType.PROHIBITION,
            content=rule.sentence,
            author="operator",
            provenance=Provenance(kind=ProvenanceKind.OPERATOR),
            created_at=request("shell", {}, FRIDAY).at,
        )
        for number, rule in enumerate(listed)
    ]
    built = Snapshot.build(engrams, head="test")
    assert not built.inert
    return built


def test_an_independent_policy_engine_says_the_same_on_random_pairs() -> None:
    rng = random.Random(20260605)
    differences: list[str] = []
    for _ in range(SETS):
        listed = rules(rng)
        built = snapshot(listed)
        policies = "\n".join(["permit(principal, action, resource);", *(rule.policy() for rule in listed)])
        drawn = [action(rng) for _ in range(REQUESTS)]
        asked = [
            {
                "principal": 'User::"u"',
                "action": f'Action::"{act}"',
                "resource": 'Thing::"t"',
                "context": context,
            }
            for _, _, act, context in drawn
        ]
        answers = cedarpy.is_authorized_batch(asked, policies, [])
        for (kind, args, _, _), answer in zip(drawn, answers, strict=True):
            ours = gate(request(kind, args), Facts(), built).decision
            if (ours is Decision.ALLOW) != bool(answer.allowed):
                sentences = [rule.sentence for rule in listed]
                differences.append(f"{kind} {args} under {sentences}: gate {ours}, Cedar {answer.decision}")
    assert differences == []
