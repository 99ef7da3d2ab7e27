"""What is written by hand a second time in the same words is known already: once in the log, as in a chat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_child import run


def entries(home: Path) -> list[str]:
    return [entry["content"] for entry in json.loads(run("--home", str(home), "log", "--json")[1])]


@pytest.mark.parametrize(
    ("argv", "again"),
    [
        (["forbid", "Never deploy on Fridays."], "never deploy  on Fridays"),
        (["aim", "Finish the audit by June."], "Finish the audit by June."),
        (["aim", "Tidy the shelf"], "Tidy the shelf"),
        (["decide", "Ana owns the schema."], "Ana owns the schema."),
        (["decide", "Blue it is"], "Blue it is."),
        (["remember", "Ana owns the schema now."], "Ana owns the schema now."),
        (["remember", "Lamp, shelf, door"], "Lamp, shelf, door"),
        (["remember", "--type", "prohibition", "Never email Bo."], "Never email Bo."),
    ],
    ids=str,
)
def test_a_sentence_said_twice_stands_once(argv: list[str], again: str, tmp_path: Path) -> None:
    assert run("--home", str(tmp_path), *argv)[0] == 0
    before = entries(tmp_path)
    code, said, errors = run("--home", str(tmp_path), *argv[:-1], again)
    assert (code, said.startswith("= "), "(known already)" in said) == (0, True, True), (said, errors)
    assert entries(tmp_path) == before


def test_a_rule_taken_back_can_be_given_again_and_another_amount_is_another_rule(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path))
    first = json.loads(run(*home, "forbid", "Never pay more than 100 euros.", "--json")[1])
    assert first["known"] is False
    assert run(*home, "forbid", "Never pay more than 200 euros.")[1].startswith("+ ")
    run(*home, "retract", first["engram"]["id"])
    assert run(*home, "forbid", "Never pay more than 100 euros.")[1].startswith("+ ")


def test_a_note_said_again_under_a_tag_is_kept_under_it(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path))
    run(*home, "remember", "Lamp, shelf, door")
    assert run(*home, "remember", "--tag", "private", "Lamp, shelf, door")[1].startswith("+ ")
    assert run(*home, "remember", "--tag", "private", "Lamp, shelf, door")[1].startswith("= ")
