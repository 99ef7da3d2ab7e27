"""Every command of the program over a store on a server, and a conversation of several turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from cli_child import run
from surroundings import Program

from partner.cli import app

pytestmark = pytest.mark.xdist_group("postgres")
FRIDAY = "2026-03-06T10:15:00+01:00"
ELSEWHERE = {"schema", "doctor", "engines", "models", "chat", "cost"}  # what a store has no part in, or below


def test_every_command_works_on_a_server(database: str, home: Path, tmp_path: Path) -> None:
    walked: set[str] = set()

    def partner(*argv: str, code: int = 0) -> str:
        walked.add(argv[0])
        got, said, errors = run(
            "--store",
            database,
            "--home",
            str(home),
            "--engine",
            "none",
            *argv,
            env={"PARTNER_PASSPHRASE": None},
        )
        assert got == code, (argv, got, said, errors)
        return said + errors

    def newest() -> str:
        return json.loads(partner("log", "--limit", "1", "--json"))[0]["id"]

    assert "Made postgresql://" in partner("init", "--no-passphrase")
    assert "exists already" in partner("init", "--no-passphrase", code=2)
    assert "Ana owns the schema." in partner("remember", "Ana owns the schema.")
    schema = newest()
    partner("decide", "We ship in May.")
    decided = newest()
    partner("aim", "Finish the migration.")
    assert "refuses: deploy" in partner("forbid", "Never deploy on Fridays.")
    rule = newest()
    partner("approve", "Deploying the hotfix", "--until", "2099-01-01T00:00:00+01:00")
    assert "Refused by your rule" in partner("check", "Deploy the build now", "--at", FRIDAY, code=3)
    partner("supersede", schema, "Bo owns the schema.")
    assert "Bo owns the schema." in partner("recall", "schema")
    assert "Bo owns the schema." in partner("ask", "Who owns the schema?")
    assert "Refused" in partner("ask", "Deploy the build now", "--at", FRIDAY, code=3)
    partner("form", "--dry-run", "Cy owns the schema.")
    for looking in (("state",), ("brief",), ("log",), ("show", rule), ("why", schema), ("history", schema)):
        assert partner(*looking).strip()
    partner("retract", decided)
    partner("erase", newest(), "--reason", "a test", "--yes")
    partner("checkpoint", "--out", str(tmp_path / "checkpoint.json"))
    assert "nothing altered" in partner("verify", "--full", "--against", str(tmp_path / "checkpoint.json"))
    partner("export", str(tmp_path / "export.jsonl"))
    assert "holds a store already" in partner("import", str(tmp_path / "export.jsonl"), code=2)
    partner("backup", str(tmp_path / "copy.partner"))
    assert "is taken along with" in partner("move", str(tmp_path), code=2)
    for command in sorted(ELSEWHERE - {"chat", "models", "engines"}):
        partner(command)
    protect(database, home)
    commands = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    assert walked | ELSEWHERE | {"rekey"} >= commands & KNOWN
    copied = run("--store", str(tmp_path / "copy.partner"), "--home", str(home), "log", "--json")
    assert json.loads(copied[1]) == json.loads(partner("log", "--json"))[:-1], "all but what came after"


KNOWN = {
    *("init", "rekey", "move", "remember", "decide", "aim", "forbid", "approve", "check", "supersede"),
    *("recall", "ask", "form", "state", "brief", "log", "show", "why", "history", "retract", "erase"),
    *("checkpoint", "verify", "export", "import", "backup", "doctor", "schema", "cost"),
}


def protect(database: str, home: Path) -> None:
    """The key is sealed and opened again; the server's disk is not ours to encrypt."""
    where = ("--store", database, "--home", str(home), "--engine", "none")
    sealed = run(*where, "rekey", env={"PARTNER_NEW_PASSPHRASE": "sesame"})
    assert sealed[0] == 0, sealed
    assert run(*where, "state")[0] == 0
    locked = run(*where, "decide", "Bo is locked out.")
    assert (locked[0], "passphrase is needed" in locked[2]) == (2, True), locked
    whole = run(
        *where, "rekey", "--encrypt", env={"PARTNER_PASSPHRASE": "sesame", "PARTNER_NEW_PASSPHRASE": "x"}
    )
    assert (whole[0], "encrypt the server's disk" in whole[2]) == (2, True), whole
    assert run(*where, "rekey", "--remove", env={"PARTNER_PASSPHRASE": "sesame"})[0] == 0
    assert run(*where, "decide", "Bo is let in.")[0] == 0


def test_a_conversation_of_several_turns_is_kept_on_a_server_and_goes_on_in_a_new_process(
    program: Program, database: str
) -> None:
    def talk(*lines: str) -> list[str]:
        done = program("--store", database, "--engine", "none", stdin="\n".join(lines) + "\n")
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    said = talk(
        "We decided to drop the migration. Ana owns the schema now.",
        "Who owns the schema?",
        "Actually, Bea owns the schema now.",
        "Never deploy on Fridays.",
        "/recall schema",
    )
    assert [line[0] for line in said if line[:2] in ("+ ", "~ ")] == ["+", "+", "~", "+"]
    assert any("Ana owns the schema" in line for line in said)
    again = talk("Who owns the schema?", "Deploy the new build on Friday.")
    assert any("Bea owns the schema" in line for line in again)
    assert not any("Ana owns" in line for line in again)
    assert any("Never deploy on Fridays" in line for line in again)
