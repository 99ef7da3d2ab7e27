"""A talk that is cut off anywhere leaves what an unbroken one leaves: nothing waits for the end of a session.

One script here; FORMATION_TEST_FULL=1 plays every one, cut after every step (make test-formation-full).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = [
    json.loads(line)
    for line in (ROOT / "tests" / "data" / "memory-cases.jsonl").read_text(encoding="utf-8").splitlines()
]
SHORT = ("m062",)  # 'that's not right' points at what the partner said before the process was killed
FULL = os.environ.get("FORMATION_TEST_FULL") == "1"
CHOSEN = [s for s in SCRIPTS if FULL or s["id"] in SHORT]


Player = Callable[[dict[str, Any], list[int | str | None]], dict[int | str | None, list[Any]]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """What is left in the store, by where the talk was cut. One process forks every life of this module."""
    errors = tmp_path_factory.mktemp("child") / "errors"
    with (
        errors.open("w") as said,
        subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("crash_child.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ) as child,
    ):
        assert child.stdin is not None
        assert child.stdout is not None
        into, out = child.stdin, child.stdout

        def play(script: dict[str, Any], cuts: list[int | str | None]) -> dict[int | str | None, list[Any]]:
            into.write(json.dumps({"script": script, "cuts": cuts}) + "\n")
            into.flush()
            lines = [out.readline() for _ in cuts]
            assert all(lines), errors.read_text()[-2000:]
            return {cut: state for _, cut, state in map(json.loads, lines)}

        yield play


@pytest.mark.conforms("P2", "P3")
@pytest.mark.parametrize("script", CHOSEN, ids=lambda s: s["id"])
def test_killed_after_any_step_and_started_again_the_state_is_that_of_an_unbroken_talk(
    script: dict[str, Any], played: Player
) -> None:
    steps = range(1, len(script["steps"]))
    left = played(script, [None, *steps])
    for cut in steps:
        assert left[cut] == left[None], f"cut after step {cut}"


@pytest.mark.conforms("P3")
@pytest.mark.parametrize("script", CHOSEN, ids=lambda s: s["id"])
def test_however_little_of_the_talk_an_engine_is_given_the_state_is_the_same(
    script: dict[str, Any], played: Player
) -> None:
    left = played(script, [None, "narrow"])
    assert left["narrow"] == left[None]
