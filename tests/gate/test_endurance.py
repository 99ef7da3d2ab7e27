"""What is long, nested or random costs in proportion and crashes nothing.

Short by default; `make fuzz` sets GATE_FUZZ_SECONDS for the long form.
"""

from __future__ import annotations

import os
import random
import sys
from datetime import UTC, datetime
from time import monotonic
from types import FrameType

import pytest
from gate_rules import FACTS, examples

from gate import ActionRequest, Decision, Request, Snapshot, TextRequest, gate
from gate.actions.vocabulary import word_set

NOW = datetime(2026, 3, 6, 10, 15, tzinfo=UTC)
SECONDS = float(os.environ.get("GATE_FUZZ_SECONDS", "0"))
LONG = "GATE_FUZZ_SECONDS" in os.environ
SIZE = 10 if LONG else 1
SUPERLINEAR = 8  # times as many steps for four times as much; quadratic would be 16
PIECES = tuple(sorted(word_set(
    """
    please never do not email the client deploy on Friday delete everything in /srv/prod without Ana's
    rm -rf git push origin main DROP TABLE SELECT * FROM WHERE 1=1 ; && || | > < ( ) { } [ ] $( ` '
    " 500 EUR 18:00 \u200b \u202e \u0430 é ß 漢字 🙂 . , ? ! : -- # @ x.example if then fi for in do
    done case esac while BEGIN END CASE WHEN $$ /* */ \\ %2e ../ ~ ?
    """
)))  # fmt: skip
KINDS = (
    ("shell", "command"),
    ("sql", "statement"),
    ("file.read", "path"),
    ("file.delete", "path"),
    ("http", "url"),
    ("agent.call", "instructions"),
)
NESTED = {
    "parentheses": "(" * 500 * SIZE + "rm -rf /srv/prod" + ")" * 500 * SIZE,
    "substitutions": "$(" * 300 * SIZE + "id" + ")" * 300 * SIZE,
    "braces": "rm -rf " + "{a," * 200 * SIZE + "b" + "}" * 200 * SIZE,
    "quotes": "'\"" * 2_000 * SIZE,
    "conditions": "if true; then " * 200 * SIZE + "rm -rf /srv/prod" + "; fi" * 200 * SIZE,
    "cases": "SELECT " + "CASE WHEN 1 THEN " * 200 * SIZE + "1" + " END" * 200 * SIZE,
    "subqueries": "SELECT * FROM (" * 100 * SIZE + "SELECT 1" + ")" * 100 * SIZE,
    "fences": "```sh\nrm -rf /srv/prod\n" * 100 * SIZE,
    "one word": "deploy" * 2_000 * SIZE,
}


def snapshot() -> Snapshot:
    return Snapshot.build(examples(), head="h")


def requests(text: str) -> list[Request]:
    made: list[Request] = [TextRequest(text=text, at=NOW)]
    made += [ActionRequest(kind=kind, args={name: text}, at=NOW) for kind, name in KINDS]
    return made


@pytest.mark.timeout(SECONDS + 240)
def test_random_requests_get_verdicts_and_never_an_inner_failure() -> None:
    rules, draw = snapshot(), random.Random(int(os.environ.get("GATE_FUZZ_SEED", "11")))
    end, judged = monotonic() + SECONDS, 0
    while judged < 70 or (LONG and monotonic() < end):
        words = draw.choices(PIECES, k=draw.randint(1, 60))
        text = draw.choice((" ", " ", "", "\n")).join(words)
        for request in requests(text):
            verdict = gate(request, FACTS, rules)
            told = verdict.note and not verdict.note.startswith("the gate failed on this request: BadAction")
            assert not told, f"{request!r}: {verdict.note}"
            judged += 1


@pytest.mark.skipif(not LONG, reason="minutes: by hand, with make fuzz")
@pytest.mark.parametrize("shape", NESTED)
def test_pathological_nesting_ends_in_a_verdict(shape: str) -> None:
    rules = snapshot()
    for request in requests(NESTED[shape]):
        verdict = gate(request, FACTS, rules)
        assert "RecursionError" not in verdict.note
        assert "MemoryError" not in verdict.note


UNITS = {
    "words": "Please water the plants, call the roofer about the storm and print badges for 12 visitors. ",
    "shell": "echo a > /tmp/x; ls -l /srv; ",
    "sql": "SELECT a, b FROM t WHERE c = 1; ",
    "commands in words": "then run rm -rf /tmp/x and DROP TABLE visitors; ok? ",
}


def repeated(kind: str, size: int) -> Request:
    text = UNITS[kind] * (size // len(UNITS[kind]))
    name = {"shell": "command", "sql": "statement"}.get(kind)
    return ActionRequest(kind=kind, args={name: text}, at=NOW) if name else TextRequest(text=text, at=NOW)


def calls(request: Request, rules: Snapshot) -> int:
    """How many functions a verdict takes: a measure that no other program on the machine disturbs."""
    counted = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        gate(request, FACTS, rules)
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize("kind", UNITS)
def test_four_times_as_much_takes_about_four_times_as_many_steps(kind: str) -> None:
    rules = snapshot()
    size = 2_000 * SIZE if kind == "words" else 1_000  # longer actions are not read
    gate(repeated(kind, 300), FACTS, rules)  # what is read once for all requests
    assert calls(repeated(kind, 4 * size), rules) < SUPERLINEAR * calls(repeated(kind, size), rules)


def test_a_request_of_a_million_characters_is_judged_and_a_longer_one_is_refused_unread() -> None:
    rules = snapshot()
    text = ("The garden is green. " * 50_000)[:999_000]
    judged = gate(TextRequest(text=text if LONG else text[:20_000], at=NOW), FACTS, rules)
    assert judged.decision is Decision.ALLOW
    longer = gate(TextRequest(text="a" * 1_000_001, at=NOW), FACTS, rules)
    assert longer.decision is Decision.REFUSE
    assert "longer than" in longer.note
