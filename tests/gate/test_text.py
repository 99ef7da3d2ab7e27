"""Text: the index against trying every rule, answers that are remembered, texts of any length and shape."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import all_matches

from gate import Decision, Facts, Snapshot, TextRequest, gate
from gate.learning import answer_draft
from gate.match.pieces import PIECE, pieces
from store.model import Engram, EngramType, Provenance, ProvenanceKind

CASES = Path(__file__).parents[1] / "data" / "gate-fresh.jsonl"
NOW = datetime(2026, 3, 6, 10, 15, tzinfo=UTC)
OPERATOR = Provenance(kind=ProvenanceKind.OPERATOR)


def rule(sentence: str, number: int = 1) -> Engram:
    return Engram(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{number}{sentence}")), seq=number,
        type=EngramType.PROHIBITION, content=sentence, author="operator",
        provenance=OPERATOR, created_at=NOW,
    )  # fmt: skip


@cache
def cases() -> tuple[Mapping[str, Any], ...]:
    return tuple(json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines())


@cache
def everything() -> Snapshot:
    sentences = sorted({case["prohibition"] for case in cases()})
    return Snapshot.build([rule(text, at + 1) for at, text in enumerate(sentences)], head="h")


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, 239))
def test_the_index_leaves_out_no_rule_that_would_match(number: int) -> None:
    case = cases()[number]
    request = TextRequest(text=case["request"], at=datetime.fromisoformat(case["now"]))
    assert gate(request, Facts(), everything()).matches == all_matches(request, Facts(), everything())


def test_a_question_once_answered_is_never_asked_again() -> None:
    for case in cases()[::4]:
        prohibition = rule(case["prohibition"])
        request = TextRequest(text=case["request"], at=datetime.fromisoformat(case["now"]))
        first = gate(request, Facts(), Snapshot.build([prohibition], head="h"))
        if first.decision is not Decision.ASK:
            continue
        for yes, then in ((True, Decision.REFUSE), (False, Decision.ALLOW)):
            answers = [_written(answer_draft(match, request, yes)) for match in first.matches]
            taught = Snapshot.build([prohibition], head="h", answers=answers)
            assert gate(request, Facts(), taught).decision is then, case["id"]


def _written(draft: Any) -> Engram:
    return Engram(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, draft.content)), seq=2, type=draft.type, content=draft.content,
        author="operator", provenance=draft.provenance, created_at=NOW, links=draft.links,
        metadata=draft.metadata,
    )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=300))
def test_no_text_makes_the_gate_fail(text: str) -> None:
    assert gate(TextRequest(text=text, at=NOW), Facts(), everything()).note == ""


@pytest.mark.parametrize(
    "unit", ["delete, ", "((((", "'a \"b ", "tell him that ", "\u200be\u0301", "9 on monday "]
)
def test_a_long_and_odd_text_is_judged(unit: str) -> None:
    text = (unit * 20_000)[:20_000]
    assert gate(TextRequest(text=text, at=NOW), Facts(), everything()).note == ""


def test_a_long_text_is_read_in_pieces_that_lose_nothing() -> None:
    text = "Send the plan to Ola. Then file it, please! " * 500
    parts = list(pieces(text))
    assert "".join(part for _, part in parts) == text
    assert all(len(part) <= PIECE and text.startswith(part, at) for at, part in parts)


def test_an_order_at_the_end_of_a_long_text_is_found_where_it_stands() -> None:
    snapshot = Snapshot.build([rule("Never delete anything in the archive.")], head="h")
    text = "The roof is dry and the cat sleeps. " * 400 + "Delete the old minutes in the archive."
    verdict = gate(TextRequest(text=text, at=NOW), Facts(), snapshot)
    assert verdict.decision is Decision.REFUSE
    span = verdict.matches[0].span
    assert span is not None
    assert text[slice(*span)].startswith("Delete the old minutes")


def test_a_snapshot_with_one_rule_more_leaves_the_shorter_one_as_it_was() -> None:
    short = Snapshot.build([rule("Never deploy on Fridays.")], head="h")
    asked = TextRequest(text="Lend the ladder to the neighbour.", at=NOW)
    assert gate(asked, Facts(), short).decision is Decision.ALLOW
    longer = short.with_added(rule("Never lend the ladder.", 2), head="h2")
    other = short.with_added(rule("No calls to customers.", 3), head="h3")
    assert gate(asked, Facts(), longer).decision is Decision.REFUSE
    assert gate(asked, Facts(), short).decision is Decision.ALLOW
    assert gate(asked, Facts(), other).decision is Decision.ALLOW
