"""`partner --store postgresql://...`: the program, as a process of its own, over a store on a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from surroundings import Program

pytestmark = pytest.mark.xdist_group("postgres")


def test_the_program_keeps_reads_and_verifies_a_store_on_a_server(
    program: Program, database: str, home: Path, tmp_path: Path
) -> None:
    def partner(*argv: str) -> str:
        done = program("--store", database, *argv)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Ana owns the schema." in partner("remember", "Ana owns the schema.")
    assert "Ana owns the schema." in partner("ask", "Who owns the schema?", "--engine", "none")
    assert "nothing altered" in partner("verify", "--full")
    partner("backup", str(tmp_path / "copy.partner"))
    log = json.loads(program("log", "--json", env={"PARTNER_STORE": database}).stdout)
    assert [entry["seq"] for entry in log] == list(range(1, len(log) + 1))
    assert not (home / "identity.partner").exists()
    copied = program("--store", str(tmp_path / "copy.partner"), "log", "--json")
    assert json.loads(copied.stdout) == log


def test_a_server_that_is_away_is_a_sentence_without_the_password(program: Program, tmp_path: Path) -> None:
    done = program("--store", f"postgresql://ana:hunter2@/diary?host={tmp_path}", "state")
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert "hunter2" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
