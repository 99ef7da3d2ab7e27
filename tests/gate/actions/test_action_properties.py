"""What must hold for any action whatever: no crash, no looseness from missing facts, nothing loaded early."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import DATA, cases, judged, request

from gate import Decision
from gate.actions import KINDS, read_action
from gate.errors import BadAction
from gate.model import Facts

SHELL_WORDS = (
    "rm -rf /srv/prod $( ` \" ' | && ; ( ) { } <<E \nE\n > < $x ${x} * ? [a] sudo sh -c xargs find "
    "-exec \\; {} eval if then fi for in do done case esac x= echo cat \n git push curl $(( )) # "
    "\\ ~ é \ue0f3 \ue0fb0 sed awk python3 -c perl -e docker run -v ssh h tar -C -- = : - tee dd of= mv ln "
    "-s mount --bind IFS= $@ ${x##a} ${!x} printf %s env -S"
)
ARGUMENT_WORDS = (
    "command cwd env path content url method headers body statement database to cc subject "
    "attachments payee amount currency count prompt messages locality data_labels tool "
    "arguments instructions context"
)
TOKENS = SHELL_WORDS.split(" ")
RULES = (
    "Never delete anything under /srv/prod.",
    "Do not write any file outside /home/lea/project.",
    "Do not contact the host billing.halden.example.",
    "Never push to the branch main on a Friday.",
    "Never send client data to a hosted model.",
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
argument_names = st.sampled_from(ARGUMENT_WORDS.split(" "))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.dictionaries(argument_names, json_values, max_size=6))
def test_any_json_is_read_or_refused_as_malformed(kind: str, args: dict[str, Any]) -> None:
    with contextlib.suppress(BadAction):
        assert isinstance(read_action(request(kind, args), Facts()), tuple)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=25), st.booleans())
def test_any_command_is_read(tokens: list[str], spaced: bool) -> None:
    read_action(request("shell", {"command": (" " if spaced else "").join(tokens)}), Facts(cwd="/home/lea"))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(RULES),
    st.sampled_from(["rm x", "rm ~/x", "rm /tmp/l/x", "echo > a", "cd ..; rm -r b", "git push", "curl $H/x"]),
    st.sampled_from(["/srv/prod", "/home/lea/project", "/tmp"]),
    st.sampled_from(["/srv", "/home/lea"]),
    st.dictionaries(st.just("/tmp/l"), st.sampled_from(["/srv/prod", "/tmp/m"]), max_size=1),
)
def test_a_fact_that_is_taken_away_never_lifts_a_refusal(
    rule: str, command: str, cwd: str, home: str, links: dict[str, str]
) -> None:
    full = Facts(cwd=cwd, home=home, real_paths=links)
    for poorer in (
        Facts(home=home, real_paths=links),
        Facts(cwd=cwd, real_paths=links),
        Facts(real_paths=links),
    ):
        if judged(rule, "shell", {"command": command}, full).decision is Decision.REFUSE:
            assert judged(rule, "shell", {"command": command}, poorer).decision is not Decision.ALLOW


@pytest.mark.parametrize("locality", ["local", "hosted", None])
def test_without_knowing_where_a_model_runs_client_data_stays_here(locality: str | None) -> None:
    args = {"model": "m", "prompt": "x", "data_labels": ["client"]}
    verdict = judged(RULES[4], "model.call", args, Facts(locality=locality))
    assert (verdict.decision is Decision.ALLOW) == (locality == "local")


def test_the_caller_knows_better_than_the_action_where_a_model_runs() -> None:
    args = {"model": "m", "prompt": "x", "data_labels": ["client"], "locality": "local"}
    assert judged(RULES[4], "model.call", args, Facts(locality="hosted")).decision is Decision.REFUSE


@pytest.mark.conforms("P5")
def test_no_verdict_on_an_action_costs_an_inference() -> None:
    assert {verdict.inference_calls for _, verdict in cases("gate-actions.jsonl")} == {0}
    assert (DATA / "gate-actions.jsonl").exists()


def test_the_grammars_load_with_the_first_action_of_their_kind() -> None:
    probe = (
        "import sys; from datetime import datetime, UTC\n"
        "from gate.actions import read_action; from gate.model import ActionRequest, Facts\n"
        "at = datetime(2026, 1, 1, tzinfo=UTC)\n"
        "def read(kind, **args): read_action(ActionRequest(kind=kind, args=args, at=at), Facts())\n"
        "heavy = {'sqlglot', 'tree_sitter', 'tree_sitter_bash', 'ada_url', 'disarm'}\n"
        "read('file.read', path='/x'); read('payment', payee='x', amount=1, currency='EUR')\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "read('shell', command='ls | wc')\n"
        "assert 'tree_sitter' in sys.modules and 'sqlglot' not in sys.modules\n"
        "read('sql', statement='SELECT 1')\n"
        "assert 'sqlglot' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)
