"""The key of a hosted engine: given without being shown, kept apart, used, forgotten, told by nothing."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from fake_provider import FakeProvider, said
from surroundings import Program

CANARY = "canary/9f3c77ab_12de-omega"


@pytest.fixture
def server() -> Iterator[FakeProvider]:
    made = FakeProvider(said("Hello."))
    yield made
    made.close()


def add(program: Program, server: FakeProvider) -> None:
    added = program("engines", "add", "far", "--kind", "openai_http", "--url", server.url, "--model", "m")
    assert added.returncode == 0, added.stderr


@pytest.mark.conforms("P13")
def test_a_piped_key_is_kept_for_its_owner_alone_and_sent_to_the_engine_and_nowhere_else(
    program: Program, server: FakeProvider, home: Path
) -> None:
    add(program, server)
    kept = program("engines", "key", "far", stdin=CANARY + "\n")
    assert kept.returncode == 0, kept.stderr
    asked = program("ask", "Are you there?", "--engine", "far", "--only")
    assert asked.stdout.strip() == "Hello."
    assert server.arrived[0].headers["authorization"] == f"Bearer {CANARY}"
    shown = [kept, asked, program("engines", "list", "--json"), program("doctor"), program("log", "--json")]
    assert not [done for done in shown if CANARY in done.stdout + done.stderr]
    holding = [path for path in home.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert holding == [home / "keys.json"]
    for path in (home / "keys.json", home / "config.toml"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_forgotten_key_is_gone_and_its_engine_says_how_to_set_one(
    program: Program, server: FakeProvider, home: Path
) -> None:
    add(program, server)
    program("engines", "key", "far", stdin=CANARY)
    gone = program("engines", "key", "far", "--forget", "--json")
    assert json.loads(gone.stdout) == {"engine": "far", "forgotten": True}
    assert CANARY not in (home / "keys.json").read_text()
    tried = program("engines", "test", "far")
    assert tried.returncode == 5
    assert "no key named far; set it with: partner engines key" in tried.stdout
    assert server.arrived == []


def test_engines_are_listed_in_the_order_of_trying_and_a_variable_that_is_not_set_is_told(
    program: Program, server: FakeProvider
) -> None:
    options = ("--kind", "openai_http", "--url", server.url, "--model", "m", "--key-env", "NOT_SET_ANYWHERE")
    assert program("engines", "add", "far", *options).returncode == 0
    assert program("engines", "use", "far").returncode == 0
    rows = json.loads(program("engines", "--json").stdout)
    assert [row["name"] for row in rows] == ["far", "local", "none"]
    assert rows[0]["condition"] == "the environment has no NOT_SET_ANYWHERE"
    program("ask", "Are you there?", "--engine", "far", "--only")
    assert "far: 0 answers" in (told := program("cost").stdout)
    assert "asked 1 more time without an answer" in told


def test_in_a_terminal_the_key_is_asked_for_and_not_echoed(
    program: Program, program_env: dict[str, str], server: FakeProvider, tmp_path: Path, home: Path
) -> None:
    add(program, server)
    child = pexpect.spawn(
        sys.executable,
        ["-m", "partner", "engines", "key", "far"],
        env={**program_env, "TERM": "dumb"},
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=200,
    )
    child.expect_exact("Key of far: ")
    child.sendline(CANARY)
    child.expect_exact("is kept in")
    assert CANARY not in str(child.before)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert json.loads((home / "keys.json").read_text()) == {"far": CANARY}


def test_what_takes_no_key_or_gives_none_changes_nothing(
    program: Program, server: FakeProvider, home: Path
) -> None:
    add(program, server)
    program("engines", "add", "env", "--kind", "hosted", "--model", "openai/m", "--key-env", "A_KEY")
    before = (home / "config.toml").read_text()
    for argv, told in [
        (("local",), "takes no key"),
        (("nobody",), "There is no engine 'nobody'"),
        (("env",), "in the variable A_KEY"),
    ]:
        done = program("engines", "key", *argv, stdin=CANARY)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    assert program("engines", "key", "far", stdin="\n").returncode == 2
    assert CANARY not in (home / "config.toml").read_text()
    assert (home / "config.toml").read_text().replace('key = "far"\n', "") == before
    assert not (home / "keys.json").exists()
