"""A network file system, a clock set back, a damaged page, a foreign file, altered bytes: each is named."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_child import run

from store.sqlite import opening as sqlite_opening
from store.sqlite.connection import refuse_network
from store.sqlite.driver import dbapi2

PAGE = 4096
READS = (["state"], ["log"], ["recall", "schema"], ["check", "Go on"], ["ask", "Who owns it?"], ["brief"])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    at(tmp_path / "home", "decide", "Ana owns the schema.")
    at(tmp_path / "home", "forbid", "Never deploy on Fridays.")
    return tmp_path / "home"


def at(home: Path, *argv: str, **env: str) -> tuple[int, str, str]:
    code, said, errors = run("--home", str(home), "--engine", "none", *argv, env=env or None)
    assert "Traceback" not in errors
    assert len(errors.strip().splitlines()) <= 3
    return code, said, errors


def spoil_pages(path: Path, first: int) -> None:
    data = bytearray(path.read_bytes())
    for start in range(first * PAGE, len(data), PAGE):
        data[start : start + 200] = b"\xff" * 200
    path.write_bytes(data)


@pytest.mark.conforms("P15")
def test_altered_bytes_are_exit_6_for_every_command_that_would_show_them(home: Path) -> None:
    raw = dbapi2.connect(str(home / "identity.partner"), isolation_level=None)
    raw.execute("DROP TRIGGER log_no_update")
    raw.execute("UPDATE log SET body = CAST(replace(body, 'Fridays', 'Mondays') AS BLOB) WHERE seq = 2")
    raw.execute("UPDATE log SET body = CAST(replace(body, 'Ana', 'Eve') AS BLOB) WHERE seq = 1")
    raw.close()
    for argv in READS:
        code, said, errors = at(home, *argv)
        assert (code, "is not what was written" in errors) == (6, True), (argv, said, errors)
        assert "Eve" not in said
        assert "Monday" not in said
    assert at(home, "verify")[0] == 6
    assert at(home, "doctor")[0] == 6


def test_a_damaged_page_is_said_to_be_that_also_where_the_file_is_encrypted(
    home: Path, tmp_path: Path
) -> None:
    spoil_pages(home / "identity.partner", 1)
    code, _, errors = at(home, "state")
    assert (code, "pages are not what was written" in errors) == (6, True), errors
    whole = tmp_path / "whole"
    at(whole, "init", "--encrypt", PARTNER_PASSPHRASE="sesame")
    at(whole, "decide", "Ana owns the schema.", PARTNER_PASSPHRASE="sesame")
    spoil_pages(whole / "identity.partner", 1)
    code, _, errors = at(whole, "state", PARTNER_PASSPHRASE="sesame")
    assert (code, "pages are not what was written" in errors) == (6, True), errors
    code, _, errors = at(whole, "state", PARTNER_PASSPHRASE="wrong")
    assert (code, "does not open with this passphrase" in errors) == (2, True), errors


@pytest.mark.parametrize("kind", ["text", "database"])
def test_a_foreign_file_is_left_as_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "identity.partner"
    if kind == "text":
        path.write_text("dear diary\n" * 400)
    else:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE diary (day TEXT)")
        other.close()
    before = path.read_bytes()
    for argv in (["state"], ["decide", "Ana owns it."], ["rekey", "--remove"], ["verify"]):
        code, _, errors = at(tmp_path, *argv)
        assert (code, "not a store" in errors, "not touched" in errors) == (2, True, True), errors
    assert path.read_bytes() == before


def test_a_network_file_system_is_refused_with_what_to_do(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/share {tmp_path} nfs4 rw 0 0\n")
    monkeypatch.setattr(sqlite_opening, "refuse_network", lambda path: refuse_network(path, mounts))
    code, _, errors = at(home, "state")
    assert (code, "network file system (nfs4)" in errors, "keep it on a local disk" in errors) == (
        1,
        True,
        True,
    )


def test_a_clock_set_back_a_year_is_survived(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = datetime(2020, 1, 1, tzinfo=UTC)
    with monkeypatch.context() as patched:
        patched.setattr("partner.bootstrap.system_clock", lambda _: lambda: before)
        assert at(home, "decide", "Bo owns the shop.")[0] == 0
    entries = json.loads(at(home, "log", "--json")[1])
    assert [entry["seq"] for entry in entries] == [1, 2, 3]
    assert entries[2]["created_at"].startswith("2020-01-01")
    assert "Bo owns the shop." in at(home, "state")[1]
    assert at(home, "verify", "--full")[0] == 0
