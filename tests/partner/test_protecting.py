"""Passphrases and moving, as an operator does them: init, rekey, move, and where a passphrase comes from."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pexpect
import pytest
from cli_child import run

from store import protection

FRIDAY = "2026-03-06T10:15:00+01:00"


def at(home: Path, *argv: str, env: dict[str, str | None] | None = None) -> tuple[int, str, str]:
    return run("--home", str(home), "--engine", "none", *argv, env=env)


def heads(home: Path, **env: str | None) -> tuple[object, ...]:
    """Identity, head and verdict of the store in a home."""
    code, checkpoint, errors = at(home, "checkpoint", "--json", env=dict(env))
    assert code == 0, errors
    signed = json.loads(checkpoint)
    judged = at(home, "check", "Deploy the new build now", "--at", FRIDAY, "--json", env=dict(env))
    verdict = json.loads(judged[1])["verdict"]
    verdict.pop("micros")
    return signed["store"], signed["device"], signed["seq"], signed["hash"], judged[0], verdict


@pytest.mark.conforms("P17", "P6")
def test_a_moved_file_opens_in_another_home_with_the_same_identity_heads_and_verdicts(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    at(old, "decide", "Ana owns the schema.")
    at(old, "forbid", "Never deploy on Fridays.")
    (old / "cache").mkdir()
    (old / "cache" / "answer").write_text("derived")
    before = heads(old)
    assert before[4] == 3
    new.mkdir()
    code, said, hint = at(old, "move", str(new))
    assert (code, f"--home {new}" in hint, "nothing of it is left" in said) == (0, True, True)
    assert [path for path in old.rglob("*") if path.is_file()] == []
    assert [path.name for path in new.iterdir()] == ["identity.partner"]
    assert heads(new) == before
    assert at(new, "decide", "Written at the new home.")[0] == 0
    assert at(new, "verify", "--full")[0] == 0


def test_moving_refuses_what_would_lose_or_overwrite_something(tmp_path: Path) -> None:
    at(tmp_path, "decide", "Ana owns the schema.")
    (tmp_path / "there").write_text("precious")
    for dest, said in (("there", "exists already"), ("no folder/x", "There is no folder")):
        code, _, errors = at(tmp_path, "move", str(tmp_path / dest))
        assert (code, said in errors) == (2, True), errors
    code, _, errors = at(tmp_path / "empty", "move", str(tmp_path))
    assert (code, "There is no store" in errors) == (2, True), errors
    assert (tmp_path / "there").read_text() == "precious"
    assert at(tmp_path, "state")[0] == 0


def test_a_store_is_made_with_the_protection_that_was_chosen_and_never_twice(tmp_path: Path) -> None:
    one = {"PARTNER_PASSPHRASE": "open sesame"}
    for name, argv, env, kind in (
        ("plain", ["--no-passphrase"], {}, "none"),
        ("sealed", [], one, "keys"),
        ("whole", ["--encrypt"], one, "file"),
    ):
        home = tmp_path / name
        code, said, errors = at(home, "init", *argv, "--json", env=env)
        assert (code, json.loads(said)["protection"]) == (0, kind), errors
        assert protection(home / "identity.partner") == kind
        again = at(home, "init", *argv, env=env)
        assert (again[0], "exists already" in again[2]) == (2, True)
    for argv, env in (
        (["--encrypt"], {}),
        (["--no-passphrase"], one),
        (["--no-passphrase", "--encrypt"], {}),
    ):
        code, _, errors = at(tmp_path / "refused", "init", *argv, env=env)
        assert (code, "passphrase" in errors) == (2, True), errors
    assert not (tmp_path / "refused").exists()


def test_protection_is_put_on_changed_and_taken_off_and_every_command_after_needs_what_it_should(
    tmp_path: Path,
) -> None:
    one, two = {"PARTNER_PASSPHRASE": "one"}, {"PARTNER_PASSPHRASE": "two"}
    (tmp_path / "pass").write_text("two\nand a second line\n")
    at(tmp_path, "decide", "Ana owns the schema.")
    before = heads(tmp_path)[:4]
    assert at(tmp_path, "rekey", env={"PARTNER_NEW_PASSPHRASE": "one"})[0] == 0
    assert at(tmp_path, "state")[0] == 0, "reading needs no passphrase while the file is not encrypted"
    locked = at(tmp_path, "decide", "Bo owns it.")
    assert (locked[0], len(locked[2].strip().splitlines())) == (2, 1)
    assert "PARTNER_PASSPHRASE or with --passphrase-file" in locked[2]
    wrong = at(tmp_path, "decide", "Bo owns it.", env=two)
    assert wrong[::2] == (2, "The passphrase is wrong.\n")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "answer").write_text("kept in the clear")
    changed = {**one, "PARTNER_NEW_PASSPHRASE": "two"}
    assert at(tmp_path, "rekey", "--encrypt", env=changed)[0] == 0
    assert list((tmp_path / "cache").iterdir()) == []
    for env, code in (({}, 2), (one, 2), (two, 0)):
        assert at(tmp_path, "state", env=env)[0] == code
    with_file = at(tmp_path, "decide", "Bo owns it.", "--passphrase-file", str(tmp_path / "pass"))
    assert with_file[0] == 0, with_file
    no_present = at(tmp_path, "rekey", "--remove")
    assert (no_present[0], "present passphrase is needed" in no_present[2]) == (2, True)
    assert at(tmp_path, "rekey", "--remove", env=two)[0] == 0
    after = heads(tmp_path)[:4]
    assert after[:2] == before[:2]
    assert after[2] == 2
    assert at(tmp_path, "verify", "--full")[0] == 0


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read"), (b"\n", "first line is empty"), (b"\xff\n", "not text")]
)
def test_a_passphrase_file_without_a_passphrase_is_a_mistake(tmp_path: Path, content, said: str) -> None:
    if content is not None:
        (tmp_path / "pass").write_bytes(content)
    code, _, errors = at(tmp_path / "home", "state", "--passphrase-file", str(tmp_path / "pass"))
    assert (code, said in errors) == (2, True), errors


def test_an_encrypted_partner_keeps_nothing_in_the_clear_beside_its_store(tmp_path: Path) -> None:
    sesame = {"PARTNER_PASSPHRASE": "sesame"}
    at(tmp_path, "init", "--encrypt", env=sesame)
    at(tmp_path, "decide", "The zqxcanary is in the cellar.", env=sesame)
    said = run("--home", str(tmp_path), "ask", "Where is the zqxcanary?", "--engine", "none", env=sesame)
    assert "in the cellar" in said[1]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if b"zqxcanary" in path.read_bytes()]


def test_at_a_terminal_the_passphrase_is_asked_for_without_echo_and_again_when_it_is_wrong(
    tmp_path: Path, program_env: dict[str, str]
) -> None:
    def typed(*argv: str) -> pexpect.spawn:
        return pexpect.spawn(
            sys.executable,
            ["-m", "partner", "--home", str(tmp_path), "--engine", "none", *argv],
            env=program_env,
            cwd=str(tmp_path),
            encoding="utf-8",
            timeout=200,
        )

    child = typed("init")
    child.expect_exact("New passphrase (empty for none): ")
    child.sendline("grün 東京")
    child.expect_exact("The same again: ")
    child.sendline("grün 東京")
    child.expect_exact("Encrypt the whole file")
    child.sendline("y")
    child.expect_exact("the whole file is encrypted")
    child.expect(pexpect.EOF)
    assert protection(tmp_path / "identity.partner") == "file"
    child = typed("decide", "Ana owns the schema.")
    child.expect_exact("Passphrase: ")
    child.sendline("wrong")
    child.expect_exact("That does not open it. Again.")
    child.expect_exact("Passphrase: ")
    child.sendline("grün 東京")
    child.expect(pexpect.EOF)
    assert "+ " in (child.before or "")
    assert "東京" not in (child.before or "")
    child.close()
    assert child.exitstatus == 0
