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

from gate import ActionRequest, Decision, Facts, Snapshot, TextRequest, gate
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


def test_no_question_is_left_out_because_many_rules_share_an_act() -> None:
    things = ["Liste", "Karte", "Akte", "Rechnung", "Tabelle", "Notiz", "Datei", "Mappe", "Skizze", "Beleg"]
    rooms = ["Küche", "Halle", "Werkstatt", "Garage"]
    listed = [rule(f"Lösche nie die {thing} der {room}.", 1) for thing in things for room in rooms]
    snapshot = Snapshot.build(listed, head="h")
    request = TextRequest(text="Bitte entferne alle Kontakte.", at=NOW)
    verdict = gate(request, Facts(), snapshot)
    assert verdict.matches == all_matches(request, Facts(), snapshot)
    assert len(verdict.matches) == len(listed)


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


def test_what_the_slots_do_not_settle_is_asked_about_by_the_words_that_are_near() -> None:
    snapshot = Snapshot.build([rule("Never sell damaged mugs in the web shop.")], head="h")
    asked = TextRequest(text="Put the chipped mugs up in our online shop at half price.", at=NOW)
    verdict = gate(asked, Facts(), snapshot)
    assert verdict.decision is Decision.ASK
    assert "mugs" in verdict.matches[0].bindings["near"]
    for harmless in ("How many mugs did we sell?", "The mugs look lovely in the window.", "Water the ferns."):
        assert gate(TextRequest(text=harmless, at=NOW), Facts(), snapshot).decision is Decision.ALLOW, (
            harmless
        )


def test_a_question_that_may_be_a_polite_order_is_asked_about_and_never_refused() -> None:
    snapshot = Snapshot.build([rule("Never lend the van to staff.")], head="h")
    request = TextRequest(text="Rolf is on the staff. Maybe he could have the van till Monday?", at=NOW)
    assert gate(request, Facts(), snapshot).decision is Decision.ASK


def test_a_rule_of_which_nothing_is_understood_asks_where_its_words_are_said_and_refuses_nothing() -> None:
    snapshot = Snapshot.build([rule("The reserve fund is for lean years.")], head="h")
    assert [inert.sentence for inert in snapshot.inert]
    paid = TextRequest(text="Pay the painter from the reserve fund.", at=NOW)
    assert gate(paid, Facts(), snapshot).decision is Decision.ASK
    other = TextRequest(text="Water the ferns in the hall.", at=NOW)
    assert gate(other, Facts(), snapshot).decision is Decision.ALLOW
    action = ActionRequest(kind="shell", args={"command": "rm -rf /srv/prod"}, at=NOW)
    assert gate(action, Facts(), snapshot).decision is Decision.ALLOW


def test_the_day_before_is_a_day_and_no_exception() -> None:
    snapshot = Snapshot.build([rule("Never serve soup from the day before as fresh.")], head="h")
    text = TextRequest(text="Serve the soup from the day before as fresh.", at=NOW)
    assert gate(text, Facts(), snapshot).decision is Decision.REFUSE
    assert "unless: nothing" in snapshot.constraints[0].explain()
