"""A real program as an engine: prompt in, answer out, nothing left behind."""

from __future__ import annotations

import os
import sys
import time

import pytest
from asking import ask, text_of

from router import End, EngineFailed, Message, Request, Role, ToolCall, Usage
from router.engines.command import CommandEngine
from router.errors import BadConfig, FailureKind


def program(source: str, **options) -> CommandEngine:
    return CommandEngine([sys.executable, "-c", source], **options)


ECHO = "import sys; print(sys.stdin.read(), end='')"


def test_one_question_stands_alone_on_its_input():
    assert text_of(program(ECHO).stream(ask("Who owns it?"))) == "Who owns it?"


def test_a_conversation_with_tool_calls_is_told_in_words():
    request = Request(
        messages=(
            Message(role=Role.SYSTEM, content="Be brief."),
            Message(role=Role.USER, content="Look!"),
            Message(
                role=Role.ASSISTANT, content="", tool_calls=(ToolCall(id="a", name="look", arguments="{}"),)
            ),
            Message(role=Role.TOOL, content="A cat.", tool_call_id="a"),
            Message(role=Role.USER, content="And?"),
        ),
        notes="- Cats sleep.",
    )
    said = text_of(program(ECHO).stream(request))
    assert said.startswith("Be brief.\n\nOperator: Look!\n\nPartner: [used the tool look")
    assert "A cat." in said
    assert "- Cats sleep." in said
    assert said.endswith("\n\nPartner:")


def test_lines_of_json_give_text_and_usage():
    source = (
        'print(\'{"text": "Hel"}\\n{"delta": "lo"}\\n{"type": "other"}\\n'
        '{"usage": {"tokens_in": 5, "tokens_out": 2, "cost_usd": 0.5}}\')'
    )
    events = list(program(source, output="json_lines").stream(ask("Hi")))
    assert text_of(events) == "Hello"
    assert events[-2:] == [Usage(tokens_in=5, tokens_out=2, cost_usd=0.5), End(reason="stop")]


def test_characters_cut_between_two_writes_come_whole():
    source = (
        "import sys, time\nfor byte in 'Grüße 🎉'.encode():\n"
        "    sys.stdout.buffer.write(bytes([byte])); sys.stdout.flush(); time.sleep(0.002)"
    )
    assert text_of(program(source).stream(ask("Hi"))) == "Grüße 🎉"


@pytest.mark.parametrize(
    ("engine", "kind", "told"),
    [
        (program("import sys; sys.exit('not logged in')"), FailureKind.CRASHED, "not logged in"),
        (
            program("import time; time.sleep(60)", timeout_s=0.3),
            FailureKind.TIMEOUT,
            "said nothing for 0.3 s",
        ),
        (CommandEngine(["no-such-program"]), FailureKind.UNUSABLE, "is not installed"),
        (program("print('nope')", output="json_lines"), FailureKind.PROTOCOL, "no JSON"),
        (program('print(\'{"error": "limit"}\')', output="json_lines"), FailureKind.SERVER, "limit"),
    ],
    ids=["status", "silence", "missing", "no json", "error"],
)
def test_a_failing_program_is_told_in_words(engine, kind, told):
    with pytest.raises(EngineFailed, match=told) as caught:
        list(engine.stream(ask("Hi")))
    assert caught.value.kind is kind


def test_closing_the_answer_kills_the_program_and_its_children(tmp_path):
    marker = tmp_path / "pid"
    source = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(marker)!r}, 'w').write(str(child.pid))\n"
        "print('started', flush=True)\ntime.sleep(60)"
    )
    stream = program(source).stream(ask("Hi"))
    next(stream)
    next(stream)
    stream.close()
    pid = int(marker.read_text())
    for _ in range(3000):
        if not _alive(pid):
            break
        time.sleep(0.02)
    assert not _alive(pid)


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_long_prompt_to_a_program_that_does_not_read_it_does_no_harm():
    engine = program("print('Hello.')", window=10_000_000)
    assert text_of(engine.stream(ask("word " * 200_000))) == "Hello.\n"


def test_it_works_in_an_empty_folder_of_its_own():
    said = text_of(program("import os; print(os.getcwd(), os.listdir('.'))").stream(ask("Hi")))
    folder, listing = said.split(" ", 1)
    assert listing.strip() == "[]"
    assert folder != os.getcwd()
    assert not os.path.exists(folder)


def test_an_engine_without_a_program_is_a_mistake():
    with pytest.raises(BadConfig):
        CommandEngine([])
