"""Compiled rules that are kept are those that compiling anew would give, and are found for nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.gate import engram
from gate import Snapshot, kept
from gate.kept import KeptRules, key_of
from gate.learning import constraint_draft, name_draft
from store.model import Engram

DATA = Path(__file__).parent.parent / "data"
FILES = ("gate-languages.jsonl", "gate-fresh-3.jsonl", "gate-actions.jsonl", "gate-rules.jsonl")


def sentences() -> list[str]:
    lines = [line for name in FILES for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    said = {json.loads(line)["prohibition"] for line in lines if line.strip()}
    return [*sorted(said)[::6], "Never do anything stupid.", "Hmm."]


def again(rules: list[Engram], first: KeptRules, answers: list[Engram] | None = None) -> KeptRules:
    """The kept rules as a later start would read them, after a build with them."""
    second = KeptRules.of(first.to_bytes())
    Snapshot.build(rules, head="h", kept=second, answers=answers or ())
    return second


def test_a_rule_that_was_kept_is_the_rule_that_is_compiled_field_by_field() -> None:
    rules = [engram(sentence) for sentence in sentences()]
    plain = Snapshot.build(rules, head="h")
    first = KeptRules()
    assert Snapshot.build(rules, head="h", kept=first).constraints == plain.constraints
    second = KeptRules.of(first.to_bytes())
    found = Snapshot.build(rules, head="h", kept=second)
    assert not second.changed
    assert repr(found.constraints) == repr(plain.constraints)  # types too: what is a set stays one
    assert found.inert == plain.inert != ()


def test_of_kept_rules_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [engram("Never delete invoices."), engram("Never do anything stupid.")]
    first = KeptRules()
    Snapshot.build(rules, head="h", kept=first)

    def compiling(*_args: object, **_more: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("gate.snapshot.compile_prohibition", compiling)
    monkeypatch.setattr("gate.snapshot.loose_prohibition", compiling)
    assert len(Snapshot.build(rules, head="h", kept=KeptRules.of(first.to_bytes())).constraints) == 2


def test_what_was_learned_for_a_rule_is_part_of_what_it_is_found_by() -> None:
    rule = engram("Never delete invoices.")
    first = KeptRules()
    Snapshot.build([rule], head="h", kept=first)
    for draft in (name_draft(rule, "the bills"), constraint_draft(rule, {"acts": ["delete"]})):
        note = replace(
            engram(draft.content, 2), type=draft.type, metadata=draft.metadata, provenance=draft.provenance
        )
        taught = again([rule], first, [note])
        assert taught.changed
        assert not again([rule], taught, [note]).changed


@pytest.mark.parametrize("changed", ["lexicon", "source", "library", "sentence"])
def test_a_rule_from_before_a_change_of_what_it_depends_on_is_not_found(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = key_of("Never delete invoices.", None, (), None)
    assert before == key_of("Never delete invoices.", None, (), None)
    kept.compiler_digest.cache_clear()
    sentence = "Never delete invoices."
    if changed == "lexicon":
        monkeypatch.setattr("gate.language.manifest.lexicon_version", lambda: "lexicon/2:other")
    elif changed == "source":
        monkeypatch.setattr(Path, "read_bytes", lambda path: path.name.encode())
    elif changed == "library":
        monkeypatch.setattr(kept.metadata, "version", lambda name: "0")
    else:
        sentence = "Never delete the invoices."
    try:
        assert key_of(sentence, None, (), None) != before
    finally:
        monkeypatch.undo()
        kept.compiler_digest.cache_clear()


def test_a_rule_that_holds_no_longer_is_left_out_when_they_are_written_again() -> None:
    gone, stays, new = engram("Never sell the boat."), engram("Never delete invoices."), engram("Never sing.")
    first = KeptRules()
    Snapshot.build([gone, stays], head="h", kept=first)
    second = again([stays, new], first)
    assert "boat" in first.to_bytes().decode()
    assert "boat" not in second.to_bytes().decode()


def test_the_bytes_are_the_same_for_the_same_rules() -> None:
    rules = [engram(sentence) for sentence in sentences()[:20]]
    first, second = KeptRules(), KeptRules()
    Snapshot.build(rules, head="h", kept=first)
    Snapshot.build(reversed(rules), head="h", kept=second)
    assert first.to_bytes() == second.to_bytes()
