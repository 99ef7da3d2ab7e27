"""Starting: quick, because nothing heavy is loaded before it is needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "litellm",
    "torch",
    "llama_cpp",
    "sqlmodel",
    "sqlalchemy",
    "fastapi",
    "mcp",
    "httpx",
    "numpy",
    "partner.settings",  # the models of the whole configuration
)
PROBE = """
import json, sys
from partner.__main__ import main
sys.argv = ["partner", *{argv!r}]
try:
    main()
except SystemExit as leaving:
    code = leaving.code
print("\\n" + json.dumps({{"code": code, "loaded": [name for name in {heavy!r} if name in sys.modules]}}))
"""


@pytest.mark.parametrize(
    "argv", [["--help"], ["--version"], ["chat", "--help"], ["engines", "--help"], ["nonsense"]]
)
def test_help_and_version_load_no_database_no_model_and_no_server(
    argv: list[str], program_env: dict[str, str]
) -> None:
    probe = PROBE.format(argv=argv, heavy=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", probe], env=program_env, capture_output=True, text=True, check=True
    )
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["loaded"] == []
    assert seen["code"] == (2 if argv == ["nonsense"] else 0)


def test_the_gate_loads_no_database_no_network_and_no_model(program_env: dict[str, str]) -> None:
    code = "import sys, json, gate, store.model; gate.gate; print(json.dumps([m for m in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=program_env, capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stdout))
    heavy = {*HEAVY, "sqlcipher3", "sqlite3", "router", "partner"} - {"numpy"}
    assert not loaded & heavy


def test_a_turn_without_an_engine_loads_no_engine_library(program_env: dict[str, str]) -> None:
    code = PROBE.format(
        argv=["ask", "--engine", "none", "We decided to keep the lamp."],
        heavy=("litellm", "torch", "llama_cpp", "fastapi", "httpx"),
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=program_env, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"code": 0, "loaded": []}


def test_a_check_of_the_gate_loads_no_ranking_and_no_embedder(program_env: dict[str, str]) -> None:
    heavy = ("litellm", "torch", "httpx", "numpy", "rich", "prompt_toolkit", "store.retrieval.retriever")
    probe = PROBE.format(argv=["check", "Deploy the shop today."], heavy=heavy)
    done = subprocess.run(
        [sys.executable, "-c", probe], env=program_env, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"code": 0, "loaded": []}


@pytest.mark.parametrize("argv", [["check", "Ship it."], ["state"], ["rules"], ["log"]])
def test_a_command_that_forms_nothing_reads_no_pattern_of_forming(
    argv: list[str], program_env: dict[str, str]
) -> None:
    probe = PROBE.format(argv=argv, heavy=("partner.formation.former", "partner.formation.compare"))
    done = subprocess.run(
        [sys.executable, "-c", probe], env=program_env, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"code": 0, "loaded": []}
