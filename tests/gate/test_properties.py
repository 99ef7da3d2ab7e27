"""What must hold of the gate whatever the rules and whatever is asked."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest
import rfc8785
from gate_rules import ACTIONS, FACTS, ROOT, essence, examples, rules_of_pairs, sample, text_requests
from hypothesis import given, settings
from hypothesis import strategies as st

from gate import ActionRequest, Decision, Snapshot, TextRequest, gate
from gate.model import request_hash

RULES = (*examples(), *rules_of_pairs())
REQUESTS = (*sample(text_requests(), 7), *ACTIONS)
NOW = datetime(2026, 3, 6, 10, 15, tzinfo=UTC)
STRENGTH = {Decision.ALLOW: 0, Decision.ASK: 1, Decision.REFUSE: 2}


@cache
def whole() -> Snapshot:
    return Snapshot.build(RULES, head="h")


@cache
def singles() -> tuple[Snapshot, ...]:
    return tuple(Snapshot.build([rule], head="h") for rule in sorted(RULES, key=lambda rule: rule.id))


@settings(max_examples=6, deadline=None)
@given(order=st.permutations(range(len(RULES))), request=st.sampled_from(REQUESTS))
def test_order_and_repetition_of_rules_mean_nothing(order: list[int], request) -> None:
    mixed = Snapshot.build([RULES[i] for i in (*order, *order[:5])], head="h")
    assert essence(gate(request, FACTS, mixed)) == essence(gate(request, FACTS, whole()))


@settings(max_examples=15, deadline=None)
@given(some=st.sets(st.integers(0, len(RULES) - 1), max_size=12), request=st.sampled_from(REQUESTS))
def test_a_further_rule_never_weakens_a_verdict_and_taking_it_back_restores_it(
    some: set[int], request
) -> None:
    few = Snapshot.build([RULES[i] for i in sorted(some)], head="h")
    before = gate(request, FACTS, few)
    for extra in RULES[::9]:
        after = gate(request, FACTS, few.with_added(extra, head="h2"))
        assert STRENGTH[after.decision] >= STRENGTH[before.decision]
    again = Snapshot.build([RULES[i] for i in sorted(some)], head="h")
    assert essence(gate(request, FACTS, again)) == essence(before)


@settings(max_examples=30, deadline=None)
@given(request=st.sampled_from(REQUESTS))
def test_each_rule_is_judged_as_if_it_were_alone(request) -> None:
    """The union of the single verdicts is the oracle for any index over all rules."""
    together = gate(request, FACTS, whole())
    alone = [match for single in singles() for match in gate(request, FACTS, single).matches]
    assert together.matches == tuple(alone)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_gets_a_verdict_and_twice_the_same(text: str) -> None:
    snapshot = Snapshot.build(examples(), head="h")
    first = gate(TextRequest(text=text, at=NOW), FACTS, snapshot)
    assert not first.note
    assert essence(gate(TextRequest(text=text, at=NOW), FACTS, snapshot)) == essence(first)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(args=st.dictionaries(st.text(max_size=5), JSON, max_size=4), text=st.text(max_size=20))
def test_a_request_is_bound_to_by_the_digest_of_its_canonical_json(args: dict, text: str) -> None:
    said = {"at": NOW.isoformat(), "format": "request/1"}
    for request, body in (
        (TextRequest(text=text, at=NOW), {**said, "text": text}),
        (ActionRequest(kind="k", args=args, at=NOW), {**said, "kind": "k", "args": args}),
    ):
        assert request_hash(request) == "g1:" + hashlib.sha256(rfc8785.dumps(body)).hexdigest()


@pytest.mark.conforms("P6")
def test_a_verdict_is_the_same_in_another_process_locale_time_zone_and_hash_seed() -> None:
    program = (
        "import json; from gate_rules import *; from gate import gate, Snapshot;"
        "s = Snapshot.build((*examples(), *rules_of_pairs()), head='h');"
        "asked = (*sample(text_requests(), 3), *ACTIONS);"
        "print(json.dumps([repr(essence(gate(r, FACTS, s))) for r in asked]))"
    )
    outputs = set()
    for seed, zone, locale in (
        ("0", "UTC", "C"),
        ("7", "Asia/Tokyo", "C.UTF-8"),
        ("99", "America/Lima", "POSIX"),
    ):
        env = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "LC_ALL": locale,
            "PYTHONIOENCODING": "utf-8",
        }
        env["PYTHONPATH"] = f"{ROOT / 'tests/gate'}{os.pathsep}{ROOT}"
        done = subprocess.run(
            [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())) > 40


def test_the_gate_imports_no_database_no_network_and_no_model() -> None:
    heavy = (
        "sqlite3 sqlcipher3 sqlalchemy sqlmodel httpx litellm numpy torch llama_cpp sqlglot tree_sitter ssl"
    )
    program = (
        "import sys; from datetime import datetime, UTC; from gate import gate, Snapshot, TextRequest, Facts;"
        "gate(TextRequest(text='Ship it', at=datetime.now(UTC)), Facts(), Snapshot.build([], head='h'));"
        f"print(sorted(set({heavy.split()!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", SITE + program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


SITE = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(Path(pytest.__file__).parents[1])!r}];"


def test_an_error_inside_the_gate_is_a_refusal_that_says_so() -> None:
    good = Snapshot.build(examples(), head="h")
    broken = replace(
        good.constraints[0], acts=MappingProxyType({"deploy": "not a grade"}), objects=(object(),)
    )
    verdict = gate(TextRequest(text="Deploy the object now", at=NOW), FACTS, Snapshot.of((broken,), head="h"))
    assert verdict.decision is Decision.REFUSE
    assert "failed" in verdict.note


@pytest.mark.conforms("P5")
def test_no_verdict_ever_costs_an_inference() -> None:
    snapshot = Snapshot.build(RULES, head="h")
    assert {gate(request, FACTS, snapshot).inference_calls for request in REQUESTS} == {0}
