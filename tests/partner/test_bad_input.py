"""What people and machines do wrong: a clear message, the right exit code, nothing lost, no traceback."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from surroundings import Program

SAID = "We decided to keep the lamp."


@pytest.fixture
def memory_only(program: Program) -> Program:
    """The program without a language engine: what is tested here happens before any."""

    def run(*argv: str, **options: object) -> subprocess.CompletedProcess[str]:
        done = program(*argv, **options, env={"PARTNER_ENGINE": "none", **options.pop("env", {})})  # type: ignore[dict-item]
        assert "Traceback" not in done.stderr
        assert len(done.stderr.strip().splitlines()) <= 3
        return done

    return run


def contents(program: Program) -> list[str]:
    return [entry["content"] for entry in json.loads(program("log", "--json", "--limit", "5000").stdout)]


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["ask", "   "], 2, "The message is empty"),
        (["ask", "hello", "--engine", "gpt9"], 2, "no engine 'gpt9'. Known: local, none"),
        (["show", "12345678"], 4, "There is no engram 12345678"),
        (
            ["engines", "add", "x", "--kind", "gpt"],
            2,
            "There is no kind 'gpt'. One of: llama_cpp, openai_http,",
        ),
        (["engines", "add", "x", "--kind", "command"], 2, "An engine of kind command needs --arg WORD"),
        (["engines", "add", "x", "--kind", "openai_http"], 2, "needs --url URL and --model NAME too"),
        (["retract", "12345678"], 4, "There is no engram 12345678"),
        (["show", "xyz"], 2, "is not an engram id"),
        (["check", "--action", "{"], 2, "--action is not JSON"),
        (["check", "--action", '{"kind": 1}'], 2, "--action needs a kind and args"),
        (["check", "go", "--at", "whenever"], 2, "'whenever' is not a time"),
        (["recall", "lamp", "--class", "prohibition"], 2, "never ranked"),
        (["recall", "lamp", "--class", "lamps"], 2, "There is no class 'lamps'"),
        (["remember", "x", "--type", "thought"], 2, "There is no type 'thought'"),
        (["forbid", "Hmm."], 7, "Nothing was stored"),
        (["erase", "12345678", "--reason", "x", "--yes"], 4, "There is no engram 12345678"),
        (["engines", "use", "gpt9"], 2, "There is no engine 'gpt9'"),
        (["models", "pull", "gpt9"], 2, "There is no model 'gpt9'"),
        (["log", "--limit", "x"], 2, "valid integer"),
        (["engines", "nonsense"], 2, "No such command 'nonsense'. See: partner engines --help"),
        (["verify", "--against", "nowhere"], 4, "There is no file nowhere"),
        (["import", "nowhere"], 4, "There is no file nowhere"),
        (["ask", "hello", "--home", "/dev/null/x"], 2, "The home /dev/null/x cannot be made"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_mistake_is_answered_with_what_to_do(
    memory_only: Program, argv: list[str], code: int, said: str
) -> None:
    done = memory_only(*argv)
    assert (done.returncode, said in done.stderr) == (code, True), done


def test_an_export_into_a_folder_that_is_not_there_says_so(memory_only: Program) -> None:
    memory_only("remember", SAID)
    done = memory_only("export", "no folder/file")
    assert (done.returncode, "There is no folder no folder" in done.stderr) == (2, True), done


@pytest.mark.parametrize("argv", [["log", "--limit", "x"], ["nonsense"], ["show", "xyz"], ["ask", " "]])
def test_with_json_every_mistake_is_an_object_with_the_exit_code(
    memory_only: Program, argv: list[str]
) -> None:
    done = memory_only(*argv, "--json")
    body = json.loads(done.stdout)
    assert (done.returncode, body["exit"]) == (2, 2)
    assert body["error"].split(".")[0] in done.stderr


@pytest.mark.parametrize("group", ["engines", "models"])
def test_a_group_without_a_word_is_its_list(memory_only: Program, group: str) -> None:
    for flags in ([], ["--json"]):
        done = memory_only(group, *flags)
        assert done.returncode == 0
        assert done.stdout == memory_only(group, "list", *flags).stdout


def test_a_pipe_of_broken_bytes_empty_lines_and_a_megabyte_keeps_every_word(memory_only: Program) -> None:
    long = "lamp " * 210_000  # 1.05 million characters
    lines = [b"", b"caf\xc3\xa9 \xff\xfe lamp", b"one\x00two", b"   ", long.encode(), SAID.encode()]
    done = memory_only("chat", stdin=b"\n".join(lines), timeout=200)
    assert done.returncode == 0, done.stderr
    assert "bytes that are not UTF-8" in done.stdout
    assert "NUL bytes" in done.stdout
    kept = contents(memory_only)
    assert "café \ufffd\ufffd lamp" in kept
    assert "one\ufffdtwo" in kept
    assert sum(len(piece) for piece in kept if piece.startswith("lamp lamp")) >= len(long) - 3
    assert any("keep the lamp" in line for line in kept[-2:])
    assert memory_only("verify", "--full").returncode == 0


def test_json_mistakes_are_json_on_standard_output(memory_only: Program) -> None:
    done = memory_only("show", "12345678", "--json")
    assert json.loads(done.stdout) == {
        "error": "There is no engram 12345678. See: partner log",
        "kind": "NotFound",
        "exit": 4,
    }


def test_a_file_that_is_not_a_store_is_left_as_it_is(memory_only: Program, home: Path) -> None:
    home.mkdir()
    store = home / "identity.partner"
    store.write_bytes(b"a shopping list\n" * 400)
    before = store.read_bytes()
    for argv in (["state"], ["ask", "hello"], ["doctor"]):
        done = memory_only(*argv)
        assert done.returncode in (1, 2)
        assert store.read_bytes() == before
    assert sorted(path.name for path in home.iterdir() if "identity" in path.name) == ["identity.partner"]


def test_a_store_of_a_newer_format_is_left_as_it_is(memory_only: Program, home: Path) -> None:
    memory_only("remember", SAID)
    store = home / "identity.partner"
    with sqlite3.connect(store) as database:
        database.execute("PRAGMA user_version = 9999")
    database.close()
    before = store.read_bytes()
    done = memory_only("state")
    assert done.returncode == 1
    assert "newer" in done.stderr
    assert store.read_bytes() == before


def limited(file_bytes: int) -> Callable[[], None]:
    def apply() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

    return apply


def test_a_full_disk_is_said_and_what_was_acknowledged_is_there_afterwards(
    memory_only: Program, program_env: dict[str, str], tmp_path: Path
) -> None:
    assert memory_only("remember", SAID).returncode == 0
    lines = "".join(
        f"We decided that shelf {number} holds the {'old ' * 300}books.\n" for number in range(300)
    )
    done = subprocess.run(
        [sys.executable, "-m", "partner", "chat", "--engine", "none"],
        input=lines.encode(),
        capture_output=True,
        env=program_env,
        cwd=tmp_path,
        preexec_fn=limited(400_000),
        timeout=200,
        check=False,
    )
    stderr = done.stderr.decode()
    assert done.returncode == 1, stderr
    assert "Traceback" not in stderr
    assert "Nothing already acknowledged is" in stderr
    formed = [line.split()[1] for line in done.stdout.decode().splitlines() if line[:2] in ("+ ", "~ ")]
    known = {entry["id"][-8:] for entry in json.loads(memory_only("log", "--json", "--limit", "5000").stdout)}
    assert set(formed) <= known
    assert memory_only("remember", "There is room again.").returncode == 0
    assert memory_only("verify", "--full").returncode == 0


def test_a_read_only_home_is_said(program_env: dict[str, str], home: Path, tmp_path: Path) -> None:
    """Root may write anywhere, so the home is made read-only by a mount of its own."""
    home.mkdir()
    mount = f"mount --bind '{home}' '{home}' && mount -o remount,bind,ro '{home}'"
    flags = ["-m"] if os.geteuid() == 0 else ["-rm"]
    probe = subprocess.run(
        ["unshare", *flags, "sh", "-c", mount], capture_output=True, text=True, check=False
    )
    if probe.returncode != 0:
        pytest.skip(f"this kernel forbids a mount namespace: {probe.stderr.strip()}")
    command = f"{mount} && exec {sys.executable} -m partner remember --engine none '{SAID}'"
    command = command.replace(" --engine none", "")
    done = subprocess.run(
        ["unshare", *flags, "sh", "-c", command],
        capture_output=True,
        text=True,
        env={**program_env, "PARTNER_ENGINE": "none"},
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr
    assert str(home) in done.stderr
    assert not list(home.iterdir())
