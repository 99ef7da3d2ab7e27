"""A mistyped path is said to be one: what only reads makes no store, and shows no empty one in its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_child import run

READS = (
    ["state"],
    ["recall", "lamp"],
    ["brief"],
    ["log"],
    ["show", "12345678"],
    ["why", "12345678"],
    ["history", "12345678"],
    ["verify"],
    ["doctor"],
    ["check", "Go on"],
    ["rules"],
    ["approvals"],
    ["inbox"],
)
COPIES = (["export", "out"], ["backup", "out"], ["checkpoint"])


def name(argv: object) -> str:
    return " ".join(argv) if isinstance(argv, list) else str(argv)


@pytest.mark.parametrize("argv", [*READS, *COPIES], ids=name)
def test_a_store_that_was_named_and_is_not_there_is_not_found(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home, typo = tmp_path / "home", tmp_path / "identiti.partner"
    for where, env in ((["--store", str(typo)], None), ([], {"PARTNER_STORE": typo.name})):
        code, said, errors = run("--home", str(home), *where, *argv, env=env)
        assert (code, said) == (4, ""), errors
        assert errors.startswith(f"There is no store at {typo}. ")
        assert "partner init" in errors
        assert len(errors.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("argv", READS, ids=name)
def test_a_new_home_is_looked_at_as_empty_and_stays_unmade(argv: list[str], tmp_path: Path) -> None:
    home = tmp_path / "home"
    code, _, errors = run("--home", str(home), "--engine", "none", *argv)
    missing = argv[0] in ("show", "why", "history")  # the engram that was asked for
    assert code == (4 if missing else 0), errors
    assert argv == ["doctor"] or f"There is no store at {home / 'identity.partner'} yet" in errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("argv", COPIES, ids=name)
def test_of_a_new_home_there_is_nothing_to_copy(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, errors = run("--home", str(tmp_path / "home"), *argv)
    assert (code, "There is no store at" in errors) == (4, True)
    assert list(tmp_path.iterdir()) == []


def test_doctor_makes_no_store_in_a_home_that_has_only_settings(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[context]\nretrieved = 5\n")
    code, said, _ = run("--home", str(tmp_path), "doctor")
    assert (code, "Nothing was written yet." in said, "engines:" in said) == (0, True, True)
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_after_a_move_the_old_home_is_not_made_anew_by_looking(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    new.mkdir()
    run("--home", str(old), "decide", "Ana owns the schema.")
    assert run("--home", str(old), "move", str(new))[0] == 0
    code, said, errors = run("--home", str(old), "state", "--json")
    assert (code, json.loads(said)["concluded"], "There is no store at" in errors) == (0, [], True)
    assert not (old / "identity.partner").exists()
    assert "Ana owns the schema." in run("--home", str(new), "state")[1]
