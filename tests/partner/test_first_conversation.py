"""The two commands of the README, as real processes: what is said is known, what is forbidden stays so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from surroundings import Program

pytestmark = pytest.mark.xdist_group("language model")

SAID = "We decided to drop the Postgres migration. Ana owns the schema now.\n"
ASKED = "Who owns the schema?\n"
FRIDAY, THURSDAY = "2026-03-06T10:15:00+01:00", "2026-03-05T10:15:00+01:00"
SHIP = "Ship the new build to production now"


def as_json(output: str) -> dict:
    return json.loads(output)


@pytest.mark.conforms("P2", "P3")
def test_what_is_said_is_formed_in_a_line_each_and_answered_by_the_small_model(
    program: Program, models_dir: Path
) -> None:
    first = program("chat", stdin=SAID + ASKED)
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    formed = [line for line in lines if line.startswith("+ ")]
    assert ["Postgres migration" in formed[0], "Ana owns the schema" in formed[1], len(formed)] == [
        True,
        True,
        2,
    ]
    assert "Ana" in lines[-1]
    assert not lines[-1].startswith(("-", "+"))  # the model's own words, not a note
    assert (
        as_json(program("cost", "--json").stdout)["inference_calls"] == 1
    )  # a statement needs no small talk
    again = program("chat", stdin=ASKED)  # a new process
    assert "Ana" in again.stdout.splitlines()[-1]


@pytest.mark.conforms("P18")
def test_without_any_model_memory_answers_and_says_who_pursued_concluded_forbidden(
    program: Program, tmp_path: Path
) -> None:
    nowhere = {"PARTNER_MODELS": str(tmp_path / "no-models")}
    program(
        "chat",
        "--engine",
        "none",
        stdin=SAID
        + "I'm a paediatric nurse.\nMy goal is to finish the audit by June.\nNever deploy on Fridays.\n",
        env=nowhere,
    )
    asked = program("ask", "--engine", "none", ASKED, env=nowhere)
    assert asked.returncode == 0
    assert "Ana owns the schema" in asked.stdout
    state = program("state", env=nowhere).stdout
    for part in ("nurse", "Postgres migration", "audit", "Never deploy on Fridays"):
        assert part in state
    refused = program("check", SHIP, "--at", FRIDAY, env=nowhere)
    assert refused.returncode == 3
    assert as_json(program("cost", "--json", env=nowhere).stdout)["inference_calls"] == 0


def test_a_missing_model_is_one_line_with_the_command_that_mends_it(program: Program, tmp_path: Path) -> None:
    nowhere = {"PARTNER_MODELS": str(tmp_path / "no-models")}
    program("chat", "--engine", "none", stdin=SAID)
    done = program("ask", ASKED, env=nowhere)
    assert done.returncode == 5
    missing = "the model smollm2-135m-instruct is not here; run: partner models pull"
    assert done.stderr.strip() == f"! local: {missing}"
    assert "Ana owns the schema" in done.stdout  # memory answers all the same


@pytest.mark.conforms("P5", "P6")
def test_a_rule_refuses_on_its_day_with_every_engine_and_with_none_and_no_model_is_asked(
    program: Program, models_dir: Path
) -> None:
    forbidden = program("forbid", "Never deploy on Fridays.")
    assert forbidden.returncode == 0, forbidden.stderr
    assert "deploy" in forbidden.stdout.splitlines()[1]  # what was understood
    checked = program("check", SHIP, "--at", FRIDAY)
    assert checked.returncode == 3
    assert "Never deploy on Fridays." in checked.stdout
    verdicts = []
    for engine in ("local", "none"):
        done = program("ask", SHIP, "--at", FRIDAY, "--engine", engine, "--json")
        assert done.returncode == 3
        verdicts.append(as_json(done.stdout)["verdict"])
    for verdict in verdicts:
        for changing in ("micros", "head"):  # the second message stands on a longer log
            verdict.pop(changing)
    assert verdicts[0] == verdicts[1]
    assert as_json(program("cost", "--json").stdout)["inference_calls"] == 0
    assert program("check", SHIP, "--at", THURSDAY).returncode == 0
    allowed = program("ask", SHIP, "--at", THURSDAY, "--engine", "none")
    assert allowed.returncode == 0
    assert "Refused" not in allowed.stderr


def test_a_refused_message_is_kept_and_forms_no_objective_of_what_was_refused(program: Program) -> None:
    program("forbid", "Never deploy on Fridays.")
    answer = program("ask", f"{SHIP}. We decided to call the cat Miso.", "--at", FRIDAY, "--engine", "none")
    assert answer.stderr.count("Refused by your rule") == 1
    log = as_json(program("log", "--json").stdout)
    said = next(entry for entry in log if entry["type"] == "utterance")
    assert said["metadata"]["verdict"]["decision"] == "refuse"
    contents = [entry["content"] for entry in log if entry["type"] not in ("utterance", "prohibition")]
    assert any("Miso" in content for content in contents)
    assert not any("Ship" in content for content in contents)


def test_a_retracted_rule_refuses_no_more_and_the_log_says_so(program: Program) -> None:
    rule = as_json(program("forbid", "Never deploy on Fridays.", "--json").stdout)["engram"]["id"]
    assert program("check", SHIP, "--at", FRIDAY).returncode == 3
    assert program("retract", rule, "--reason", "we can roll back now").returncode == 0
    assert program("check", SHIP, "--at", FRIDAY).returncode == 0
    shown = as_json(program("show", rule, "--json").stdout)
    assert shown["content"] == "Never deploy on Fridays."
    assert shown["status"]["holds"] is False
    assert program("verify", "--full").returncode == 0
