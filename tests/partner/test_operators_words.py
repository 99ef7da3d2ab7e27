"""What an operator types by habit: a command without its slash, half an engine's name, a day in words."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from cli_child import run
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from partner.cli.when import read_moment
from partner.errors import StoreGone, UsageError
from partner.manners import courtesy
from partner.operations import Partner
from partner.rules import forbid_each
from partner.settings import engine_meant
from partner.terminal.interactive import Slash, line_keys
from partner.terminal.slash import Commands, Leave
from router.config import EngineConfig, RouterConfig
from store.model import Klass

MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 3, 6, 10, 15, tzinfo=MADRID)  # a Friday


def at(home: Path, *argv: str) -> tuple[int, str, str]:
    return run("--home", str(home), "--engine", "none", *argv)


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("2026-03-05", "2026-03-05T00:00+01:00"),
        ("yesterday", "2026-03-05T00:00+01:00"),
        ("3 days ago", "2026-03-03T00:00+01:00"),
        ("last monday", "2026-03-02T00:00+01:00"),
        ("tomorrow", "2026-03-07T00:00+01:00"),
        ("yesterday 14:30", "2026-03-05T14:30+01:00"),
        ("gestern um 9:05", "2026-03-05T09:05+01:00"),
        ("8:00", "2026-03-06T08:00+01:00"),
        ("2 hours ago", "2026-03-06T08:15+01:00"),
        ("2026-03-05T10:00+05:00", "2026-03-05T10:00+05:00"),
        ("2026-07-01T10:00", "2026-07-01T10:00+02:00"),
    ],
)
def test_a_time_is_named_as_people_name_it(said: str, begins: str) -> None:
    assert read_moment(said, now=NOW) == datetime.fromisoformat(begins)


def test_a_day_ends_with_its_last_moment_and_today_is_now() -> None:
    assert (
        read_moment("yesterday", now=NOW, to_its_end=True).isoformat() == "2026-03-05T23:59:59.999999+01:00"
    )
    assert read_moment("2026-03-06", now=NOW, to_its_end=True) == NOW
    assert read_moment("today", now=NOW) == NOW


@pytest.mark.parametrize(
    "said", ["soon", "the day Ana left", "yesterday and tomorrow", "25:99", "2026-13-01"]
)
def test_what_names_no_time_is_said_with_how_to_write_one(said: str) -> None:
    with pytest.raises(UsageError, match="yesterday 14:00"):
        read_moment(said, now=NOW)


def test_what_was_written_today_holds_as_of_today(tmp_path: Path) -> None:
    at(tmp_path, "decide", "Ana owns the schema.")
    for day in ("today", "now", datetime.now(UTC).astimezone().date().isoformat()):
        assert "Ana owns the schema." in at(tmp_path, "recall", "schema", "--as-of", day)[1]
    assert "Ana owns" not in at(tmp_path, "recall", "schema", "--as-of", "yesterday")[1]


@pytest.fixture
def said(unaided: Partner) -> tuple[Commands, list[str]]:
    lines: list[str] = []
    return Commands(unaided, write=lines.append), lines


def test_a_command_without_its_slash_is_asked_about_and_nothing_is_done(
    said: tuple[Commands, list[str]], unaided: Partner
) -> None:
    commands, lines = said
    unaided.remember("Ana owns the schema.")
    before = unaided.store.head().seq
    assert commands.meant(" Undo ")
    assert lines == ["Did you mean /undo? Commands begin with a slash; /help lists them."]
    assert unaided.store.head().seq == before
    for message in ("why", "undo the last migration", "Ana owns the schema."):
        assert not commands.meant(message)


def test_who_says_exit_leaves_and_help_is_given(said: tuple[Commands, list[str]]) -> None:
    commands, lines = said
    for word in ("exit", "quit"):
        with pytest.raises(Leave):
            commands.meant(word)
    assert commands.meant("help")
    assert "/undo" in lines[0]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("Ciao", "Ciao."),
        ("Leb wohl, bis morgen!", "Bis dann."),
        ("à demain", "À bientôt."),
        ("bye for now", "See you."),
        ("thanks for everything this week, you're a star", "You're welcome."),
        ("That's all for today.", "See you."),
    ],
)
def test_a_farewell_and_long_thanks_are_answered_as_such(words: str, answer: str) -> None:
    assert courtesy(words) == answer
    assert courtesy(f"{words} Cancel the order.") is None


def test_an_engine_is_meant_by_its_beginning_or_its_models_name() -> None:
    known: dict[str, EngineConfig] = dict(RouterConfig().engines)
    for name in ("local", "LOCAL", "lo", "SmolLM2"):
        assert engine_meant(name, known) == "local"
    with pytest.raises(UsageError, match="Did you mean local"):
        engine_meant("locl", known)
    with pytest.raises(UsageError, match="may be local or lodge"):
        engine_meant("lo", {**known, "lodge": known["none"]})


def test_each_sentence_of_what_is_forbidden_is_a_rule_and_the_rest_is_named(
    said: tuple[Commands, list[str]], unaided: Partner
) -> None:
    commands, lines = said
    commands.run("/forbid Never deploy on Fridays. Never order from Temu. That is it.")
    rules = [rule.content for rule in unaided.store.current(klass=Klass.PROHIBITION, newest_first=False)]
    assert rules == ["Never deploy on Fridays.", "Never order from Temu. That is it."]
    assert "no rule by itself: That is it." in lines[-1]
    assert len(forbid_each(unaided, "Never pay more than 50 euros.")) == 1
    assert not unaided.check("order the lamp from Temu").allowed


def test_a_command_with_words_leaves_the_file_of_a_loop_to_the_loop(
    tmp_path: Path, program_env: dict[str, str]
) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("Never order from Temu.\nNever sell the van.\n")
    argv = [sys.executable, "-m", "partner", "forbid", "Never deploy on Fridays.", "--json"]
    with rules.open() as lines:
        done = subprocess.run(argv, stdin=lines, env=program_env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["engram"]["content"] == "Never deploy on Fridays."


def test_a_store_taken_away_under_a_conversation_is_told_and_nothing_is_acknowledged(
    said: tuple[Commands, list[str]], unaided: Partner, tmp_path: Path
) -> None:
    commands, lines = said
    list(unaided.turn("Ana owns the schema."))
    kept = (tmp_path / "identity.partner").rename(tmp_path / "elsewhere")
    for line in ("Bea owns the budget.", "Cem owns the roof."):
        with pytest.raises(StoreGone, match="has been removed"):
            list(unaided.turn(line))
    commands.run("/remember Dee owns the van.")
    assert "has been removed" in lines[-1]
    shutil.copy(kept, tmp_path / "identity.partner")
    with pytest.raises(StoreGone, match="replaced by another file"):
        list(unaided.turn("Bea owns the budget."))


def test_moving_to_a_name_without_an_ending_makes_a_home_of_it(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    at(old, "decide", "Ana owns the schema.")
    assert at(old, "move", str(new))[0] == 0
    assert "Ana owns the schema." in at(new, "state")[1]
    assert at(old, "move", str(tmp_path / "third"))[0] == 2  # there is no store any more
    assert not (tmp_path / "third").exists()
    code, _, errors = at(new / "identity.partner", "state")
    assert (code, "name it with --store" in errors) == (2, True), errors


def test_a_binary_file_is_no_document_and_names_of_files_keep_their_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b.bin").write_bytes(b"\x00\x01binary")
    code, said_, errors = at(tmp_path, "ingest", str(tmp_path / "b.bin"))
    assert (code, said_, "b.bin is no text" in errors) == (2, "", True), errors
    at(tmp_path, "decide", "Ana owns the schema.")
    monkeypatch.chdir(tmp_path)
    assert at(tmp_path, "export", "x.jsonl")[0] == 0
    assert at(tmp_path, "export", "x.jsonl")[2].startswith("x.jsonl exists already")


def test_without_an_engine_the_answer_is_in_the_language_of_the_question(
    answer: Callable[[str], str],
) -> None:
    assert answer("Welche Ziele habe ich?") == "Von dir ist kein Ziel offen, das ich kenne."
    assert answer("Que sais-tu de moi ?").startswith("Tu ne m’as encore rien dit")
    answer("Mein Bruder wohnt in Graz.")
    assert answer("Wo wohnt mein Bruder?").startswith("Aus dem Gedächtnis, ohne Sprachmodell:")
    assert answer("lol the alto section is a zoo").startswith("Nothing of that is written down")


@pytest.fixture
def answer(unaided: Partner) -> Callable[[str], str]:
    def said_to(text: str) -> str:
        return list(unaided.turn(text))[-1].text  # type: ignore[union-attr]

    return said_to


def test_a_command_written_nearly_right_is_asked_about(said: tuple[Commands, list[str]]) -> None:
    commands, lines = said
    commands.run("/atach notes.md")
    commands.run("/zzz")
    assert lines == [
        "! There is no command /atach. Did you mean /attach? See /help",
        "! There is no command /zzz. See /help",
    ]


def test_help_names_every_command_once_and_fits_a_narrow_window(
    said: tuple[Commands, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands, lines = said
    for columns in ("40", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        commands.run("/help")
    narrow, wide = lines
    for name in Commands.names():
        assert wide.count(f"  {name} ") == 1
        assert narrow.count(f"  {name}") == 1
    assert all(len(line) <= 40 for line in narrow.splitlines() if line.startswith("  /"))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("/at", ["/attach"]),
        ("/model l", ["local"]),
        ("/model ", ["local", "none"]),
        ("/attach no", ["tes.md"]),
        ("at", []),
        ("what is in /at", []),
    ],
)
def test_tab_completes_a_command_an_engine_and_a_file(
    typed: str, offered: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.md").touch()
    monkeypatch.chdir(tmp_path)
    completer = Slash(lambda: ["local", "none"])
    found = completer.get_completions(Document(typed), CompleteEvent())
    assert [one.text for one in found] == offered


def test_a_message_of_several_lines_is_typed_with_alt_enter_or_a_backslash() -> None:
    with create_pipe_input() as keyboard:
        keyboard.send_text("Ana owns it.\x1b\rBea sees it.\\\rCem pays.\r")
        editor: PromptSession[str] = PromptSession(
            key_bindings=line_keys(), input=keyboard, output=DummyOutput()
        )
        assert editor.prompt() == "Ana owns it.\nBea sees it.\nCem pays."
