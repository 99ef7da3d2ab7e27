"""What memory answered by itself is not in the log: the next engine reads a conversation all the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from partner.history import UNANSWERED
from partner.operations import Partner
from router.engines.command import CommandEngine
from router.engines.scripted import ScriptedEngine
from router.errors import EngineFailed
from router.model import Role

Opener = Callable[..., Partner]
KEEP = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.stdin.read()); print('Sure.')"
FRIDAY = datetime.fromisoformat("2026-03-06T10:15:00+01:00")


def say(partner: Partner, *messages: str, engine: str | None = None, at: datetime | None = None) -> None:
    for message in messages:
        list(partner.turn(message, engine=engine, at=at))


def told(engine: ScriptedEngine) -> list[tuple[Role, str]]:
    return [(m.role, m.content) for m in engine.requests[-1].messages if m.role is not Role.SYSTEM]


@pytest.mark.conforms("P3")
def test_a_statement_that_memory_noted_goes_along_with_what_it_was_answered(opened: Opener) -> None:
    engine = ScriptedEngine("Sunny.")
    partner = opened(engine)
    say(partner, "Hello", "Ana owns the schema now.", "What are my goals?", engine="none")
    say(partner, "Who should I ask about a column?")
    assert told(engine) == [
        (Role.USER, "Ana owns the schema now."),
        (Role.ASSISTANT, "Noted."),
        (Role.USER, "Who should I ask about a column?"),
    ]


def test_a_request_that_failed_can_be_asked_for_again_in_other_words(opened: Opener) -> None:
    said: list[str] = []

    def script(request):
        said.append(request.messages[-1].content)
        if len(said) == 1:
            raise EngineFailed("it fell over")
        yield "Dear Bo."

    engine = ScriptedEngine(script)
    say(opened(engine), "Write three lines to Bo about the lamp, please?", "Try again, please?")
    assert told(engine) == [
        (Role.USER, "Write three lines to Bo about the lamp, please?"),
        (Role.ASSISTANT, UNANSWERED),
        (Role.USER, "Try again, please?"),
    ]


@pytest.mark.conforms("P5")
def test_what_a_rule_refused_goes_to_no_later_engine(opened: Opener) -> None:
    engine = ScriptedEngine("Fine.")
    partner = opened(engine)
    partner.forbid("Never deploy on Fridays.")
    say(partner, "Deploy the new build now.", at=FRIDAY)
    say(partner, "What is a lamp made of?", at=FRIDAY)
    assert told(engine) == [(Role.USER, "What is a lamp made of?")]


def test_a_program_reads_the_notes_with_the_last_request_and_every_line_answered(
    opened: Opener, tmp_path: Path
) -> None:
    kept = tmp_path / "prompt.txt"
    partner = opened(CommandEngine([sys.executable, "-c", KEEP, str(kept)], local=True))
    say(partner, "Ana owns the schema now.", "We decided to keep the lamp.", engine="none")
    say(partner, "Who owns the schema?")
    turns = kept.read_text().split("Operator: ")[1:]
    assert [turn.startswith("What is known") for turn in turns] == [False, False, True]
    assert ["Partner: Noted." in turn for turn in turns] == [True, True, False]
    assert turns[-1].rstrip().endswith("Who owns the schema?\n\nPartner:")
