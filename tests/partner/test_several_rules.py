"""Several rules said at once: each is one, and none is kept in the words of another without a word."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gate.errors import CompileQuestion
from gate.model import Decision
from partner.operations import Partner
from partner.rules import forbid_each
from partner.terminal.slash import Commands
from store.model import EngramType, Klass

SAID = "Never deploy on Fridays. Never order from Temu. They send rubbish.\nNever sell the van."
RULES = ["Never deploy on Fridays.", "Never order from Temu. They send rubbish.", "Never sell the van."]


def in_force(partner: Partner) -> list[str]:
    return [rule.content for rule in partner.store.current(klass=Klass.PROHIBITION, newest_first=False)]


@pytest.mark.parametrize("way", ["by hand", "in the chat", "as an engram of the type"])
def test_each_sentence_that_forbids_is_a_rule_with_its_reason(unaided: Partner, way: str) -> None:
    if way == "by hand":
        forbid_each(unaided, SAID)
    elif way == "in the chat":
        Commands(unaided, write=lambda _: None).run(f"/forbid {SAID}")
    else:
        unaided.remember(SAID, type_=EngramType.PROHIBITION)
    assert in_force(unaided) == RULES
    assert unaided.check("Sell the van to Tom.").decision is Decision.REFUSE
    assert unaided.check("Order the lamp from Temu.").decision is Decision.REFUSE


def test_what_leads_up_to_a_rule_stays_with_it(unaided: Partner) -> None:
    forbid_each(unaided, "I mean it. Never sell the van.")
    assert in_force(unaided) == ["I mean it. Never sell the van."]
    assert unaided.check("Sell the van.").decision is Decision.REFUSE


def test_where_nothing_is_forbidden_nothing_is_written(unaided: Partner) -> None:
    with pytest.raises(CompileQuestion):
        forbid_each(unaided, "It rains. It pours.")
    assert in_force(unaided) == []


def test_a_command_with_words_leaves_the_file_of_a_loop_to_the_loop(
    tmp_path: Path, program_env: dict[str, str]
) -> None:
    lines = tmp_path / "rules.txt"
    lines.write_text("Never order from Temu.\nNever sell the van.\n")
    argv = [sys.executable, "-m", "partner", "forbid", "Never deploy on Fridays.", "--json"]
    with lines.open() as stdin:
        done = subprocess.run(argv, stdin=stdin, env=program_env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["engram"]["content"] == "Never deploy on Fridays."
