"""What is said where there would else be silence: secrets, rules that are not met, commands without words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_child import run

from partner import inventory
from partner.events import Formed, Problem
from partner.operations import Partner
from partner.terminal.slash import Commands
from store.model import EngramType, Klass


def settled(partner: Partner, text: str) -> list[tuple[str, str]]:
    events = [event for event in partner.turn(text) if isinstance(event, Formed)]
    return [(event.engram.type.value, event.engram.content) for event in events]


def test_a_secret_that_was_kept_out_is_told_and_not_shown(unaided: Partner) -> None:
    events = list(unaided.turn("My password is hunter2hunter. Lena paints the sign."))
    (told,) = [event.message for event in events if isinstance(event, Problem)]
    assert "password" in told
    assert "hunter2" not in repr(events[1:])


@pytest.mark.parametrize(
    "order",
    [
        "list everything that is forbidden",
        "Show everything that is not allowed",
        "Write down all that is prohibited in the kitchen",
        "Can you list what's off limits?",
    ],
)
def test_an_order_about_what_is_forbidden_is_no_rule(unaided: Partner, order: str) -> None:
    assert settled(unaided, order) == []


def test_an_order_to_pass_a_rule_on_is_still_one(unaided: Partner) -> None:
    assert settled(unaided, "Tell the guests that smoking is forbidden.")[0][0] == EngramType.PROHIBITION


@pytest.mark.parametrize(
    "limit",
    [
        "No more than 12 guests per table.",
        "Max 3 croissants per customer.",
        "At most 12 guests at a table.",
    ],
)
def test_a_limit_said_without_a_verb_is_a_rule_or_said_to_be_none(unaided: Partner, limit: str) -> None:
    events = list(unaided.turn(limit))
    written = [event.engram for event in events if isinstance(event, Formed)]
    assert [engram.content for engram in written] == [limit]
    enforced = written[0].klass is Klass.PROHIBITION
    assert enforced or any("not in force" in getattr(event, "question", "") for event in events)


@pytest.mark.parametrize(
    "question",
    ["what rules do I have?", "Which rules apply?", "list everything that is forbidden"],
)
def test_a_question_for_the_rules_is_answered_with_the_rules(question: str) -> None:
    assert inventory.asked(question) is inventory.Part.FORBIDDEN


def test_a_name_said_in_three_words_is_found_when_it_is_asked_for(unaided: Partner) -> None:
    list(unaided.turn("I'm Ruben."))
    list(unaided.turn("The kiln stands in the yard."))
    (hit, *_) = unaided.recall("What is my name?")
    assert hit.engram.content == "I'm Ruben."


def test_forgetting_a_rule_names_the_command_for_that(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path / "home"), "--engine", "none")
    run(*home, "forbid", "Never lend the trailer.")
    _, said, _ = run(*home, "log", "--json")
    rule = next(entry["id"] for entry in json.loads(said) if entry["type"] == "prohibition")
    code, _, errors = run(*home, "rules", "forget", rule)
    assert code == 2
    assert "partner retract" in errors


def test_why_a_request_is_allowed_can_be_asked(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path / "home"), "--engine", "none")
    assert "No rule is in force" in run(*home, "check", "Buy flour", "--explain")[1]
    run(*home, "forbid", "Never lend the trailer.")
    code, said, _ = run(*home, "check", "Buy flour", "--explain")
    assert code == 0
    assert "not met: Never lend the trailer." in said


@pytest.mark.parametrize("name", ["recall", "forbid", "remember", "aim"])
def test_a_command_that_wants_words_says_its_own_usage(unaided: Partner, name: str) -> None:
    said: list[str] = []
    Commands(unaided, write=said.append).run(f"/{name}")
    assert said[0].startswith(f"! /{name} WORDS")
