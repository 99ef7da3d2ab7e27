"""Disguises of forbidden actions and innocent look-alikes, judged through the gate's one choke point."""

from __future__ import annotations

import pytest
from judging import counts, wrong

BATTERIES = {  # file: fewest disguises and look-alikes it must hold
    "gate-actions.jsonl": (50, 50),
    "gate-shell.jsonl": (60, 25),
    "gate-shell-rules.jsonl": (60, 25),
    "gate-sql.jsonl": (30, 15),
    "gate-paths.jsonl": (20, 10),
    "gate-hosts.jsonl": (20, 10),
    "gate-kinds.jsonl": (60, 25),
    "gate-rules.jsonl": (30, 15),
    "gate-third.jsonl": (74, 30),
    "gate-tools.jsonl": (170, 120),
    "gate-destroying.jsonl": (170, 70),
}


@pytest.mark.conforms("P5")
@pytest.mark.parametrize("name", BATTERIES)
def test_no_disguise_leaks_and_no_look_alike_is_denied(name: str) -> None:
    assert wrong(name) == []


@pytest.mark.parametrize("name", BATTERIES)
def test_a_battery_is_as_large_as_promised(name: str) -> None:
    refuse, allow = counts(name)
    assert refuse >= BATTERIES[name][0]
    assert allow >= BATTERIES[name][1]
