"""A store that can only be read is read, and says so once; what would write is refused."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_child import run
from surroundings import ROOT

CHILD = ROOT / "tests" / "cli_child.py"
FRIDAY = "2026-03-06T10:15:00+01:00"
READS = [
    ["state"],
    ["check", "Deploy now", "--at", FRIDAY],
    ["ask", "Who owns the schema?"],
    ["recall", "schema"],
    ["show", "{id}"],
    ["log"],
    ["verify", "--full"],
    ["brief"],
    ["why", "{id}"],
    ["history", "{id}"],
]
WRITES = [
    ["decide", "Bo owns the schema."],
    ["retract", "{id}"],
    ["erase", "{id}", "--reason", "x", "--yes"],
    ["supersede", "{id}", "Bo owns it."],
    ["rekey", "--remove"],
    ["move", "{elsewhere}"],
]
NOTE = "can only be read here"


@pytest.fixture
def filled(tmp_path: Path) -> dict[str, str]:
    """A home with two engrams, and what the commands need to know of it."""
    home = tmp_path / "home"
    assert run("--home", str(home), "decide", "Ana owns the schema.")[0] == 0
    assert run("--home", str(home), "forbid", "Never deploy on Fridays.")[0] == 0
    newest = json.loads(run("--home", str(home), "log", "--json")[1])[0]
    (tmp_path / "elsewhere").mkdir()
    return {"home": str(home), "id": newest["id"], "elsewhere": str(tmp_path / "elsewhere")}


def lines(home: str, filled: dict[str, str]) -> str:
    """Every reading and writing command of `home`, as the child takes them."""
    return json.dumps(
        [["--home", home, "--engine", "none", *(a.format(**filled) for a in argv)] for argv in READS + WRITES]
    )


def check(answers: list[tuple[int, str, str]], filled: dict[str, str]) -> None:
    for argv, (code, said, errors) in zip(READS, answers, strict=False):
        assert code == (3 if argv[0] == "check" else 0), (argv, said, errors)
        assert errors.count(NOTE) == 1, (argv, errors)
        assert said.strip(), argv
    assert "Ana owns the schema." in answers[0][1]
    assert "Never deploy on Fridays." in answers[1][1]
    assert "Ana owns the schema." in answers[2][1]
    for argv, (code, said, errors) in zip(WRITES, answers[len(READS) :], strict=True):
        assert code == 1, (argv, said, errors)
        assert "read-only" in errors.lower(), (argv, errors)
    home = Path(filled["home"])
    assert [path.name for path in home.iterdir()] == ["identity.partner"], "nothing is made beside it"
    assert list(Path(filled["elsewhere"]).iterdir()) == []


def without_override() -> None:
    """Give up root's right to write what its mode forbids; of others nothing is taken."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH; prctl(PR_CAPBSET_DROP)
        libc.prctl(24, capability, 0, 0, 0)


def test_a_file_and_folder_without_the_right_to_write_are_read_and_not_written(
    filled: dict[str, str], program_env: dict[str, str]
) -> None:
    home = Path(filled["home"])
    before = (home / "identity.partner").read_bytes()
    (home / "identity.partner").chmod(0o400)
    home.chmod(0o500)
    try:
        done = subprocess.run(
            [sys.executable, str(CHILD)],
            input=lines(str(home), filled),
            preexec_fn=without_override,
            capture_output=True,
            text=True,
            env=program_env,
            timeout=300,
            check=True,
        )
    finally:
        home.chmod(0o700)
    check(json.loads(done.stdout), filled)
    assert (home / "identity.partner").read_bytes() == before


def test_a_store_on_a_read_only_mount_is_read_and_not_written(
    filled: dict[str, str], program_env: dict[str, str], tmp_path: Path
) -> None:
    mount = tmp_path / "mount"
    mount.mkdir()
    user = [] if os.geteuid() == 0 else ["-r"]
    script = 'mount --bind "$1" "$2" && mount -o remount,bind,ro "$2"'
    first = ["unshare", *user, "-m", "sh", "-c"]
    if subprocess.run([*first, script, "sh", filled["home"], str(mount)], check=False).returncode:
        pytest.skip("no mount namespace can be made here")
    done = subprocess.run(
        [*first, f'{script} && exec "$3" "$4"', "sh", filled["home"], str(mount), sys.executable, str(CHILD)],
        input=lines(str(mount), filled),
        capture_output=True,
        text=True,
        env=program_env,
        timeout=300,
        check=True,
    )
    check(json.loads(done.stdout), filled)


def test_a_journal_that_cannot_be_folded_in_is_said_and_not_passed_over(
    filled: dict[str, str], program_env: dict[str, str]
) -> None:
    home = Path(filled["home"])
    (home / "identity.partner-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(100))
    home.chmod(0o500)
    (home / "identity.partner").chmod(0o400)
    try:
        done = subprocess.run(
            [sys.executable, str(CHILD)],
            input=json.dumps([["--home", str(home), "state"]]),
            preexec_fn=without_override,
            capture_output=True,
            text=True,
            env=program_env,
            timeout=300,
            check=True,
        )
    finally:
        home.chmod(0o700)
    [(code, _, errors)] = json.loads(done.stdout)
    assert (code, "open it once where it can be written" in errors) == (1, True), errors
