"""Commands and statements typed into a request: judged as what they would do, and nothing else is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache

import pytest
from gate_rules import FACTS, ROOT, prohibition, written

from gate import Decision, Snapshot, TextRequest, Verdict, gate
from gate.actions.literal import MAX_TRIES, literals
from gate.actions.shell.catalogue import programs
from gate.actions.shell.names import NAMES
from gate.actions.sql import _frames
from gate.language.lexicon import load
from gate.language.reading import read
from gate.learning import answer_draft
from gate.match.literal import literal_matches, may_hold_literals

NOW = datetime(2026, 6, 5, 9, 0, tzinfo=UTC)
RULES = (
    "Never push to main.",
    "Never delete anything under /data/prod.",
    "Never drop any table.",
    "Never deploy to production.",
    "Do not read anything in /etc/secrets.",
    "Do not contact the host billing.halden.example.",
    "Never delete the payments namespace.",
    "Never run terraform destroy.",
)


@cache
def snapshot() -> Snapshot:
    return Snapshot.build([prohibition(rule, at) for at, rule in enumerate(RULES, 1)], head="h")


@cache
def cases() -> tuple[dict[str, str], ...]:
    text = (ROOT / "tests/data/gate-literals.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def judged(text: str) -> Verdict:
    return gate(TextRequest(text=text, at=NOW), FACTS, snapshot())


@pytest.mark.conforms("P5")
def test_a_command_typed_as_words_is_refused_as_the_action_it_is() -> None:
    asked = [case["text"] for case in cases() if case["expect"] == "refuse"]
    assert [text for text in asked if judged(text).decision is not Decision.REFUSE] == []
    assert len(asked) >= 50


def test_sentences_that_only_look_like_commands_and_commands_that_are_only_spoken_of_hold_none() -> None:
    """What such a sentence says in words is the text gate's to judge; here only commands count."""
    talk = [case["text"] for case in cases() if case["expect"] == "allow"]
    found = [
        match.matched
        for text in talk
        if may_hold_literals(text)
        for match in literal_matches(TextRequest(text=text, at=NOW), read(text), FACTS, snapshot())
    ]
    assert found == []
    assert len(talk) >= 80


def test_a_refusal_points_at_the_command_in_the_text() -> None:
    text = "The tests are green, please run git push origin main and tell Ana."
    match = judged(text).matches[0]
    assert match.span is not None
    assert text[slice(*match.span)] == "git push origin main" == match.matched


def test_a_command_that_lacks_a_fact_asks_and_the_answer_holds() -> None:
    asked = TextRequest(text="Please run git push now", at=NOW)
    rule = prohibition(RULES[0])
    verdict = gate(asked, FACTS, Snapshot.build([rule], head="h"))
    assert verdict.decision is Decision.ASK
    for yes, decision in ((True, Decision.REFUSE), (False, Decision.ALLOW)):
        answer = written(answer_draft(verdict.matches[0], asked, yes))
        taught = Snapshot.build([rule], head="h", answers=[answer])
        assert gate(asked, FACTS, taught).decision is decision


def test_the_names_that_a_text_is_looked_through_for_are_those_of_the_programs_that_are_read() -> None:
    words = {name for name in programs() if name.replace("-", "").replace(".", "").replace("_", "").isalnum()}
    assert words == NAMES


def test_the_number_and_length_of_literals_are_bounded() -> None:
    many = "git push origin main\n" * 500 + "rm -rf /" + "x" * 5000
    found = literals(many, load("en"))
    assert len(found) <= 20
    assert all(len(literal.text) <= 2000 for literal in found)


def test_beginnings_of_statements_in_one_another_are_tried_a_bounded_number_of_times() -> None:
    before = _frames.cache_info()
    literals("SELECT * FROM (" * 90 + "SELECT 1" + ")" * 90, load("en"))
    after = _frames.cache_info()
    assert after.misses + after.hits - before.misses - before.hits <= MAX_TRIES
