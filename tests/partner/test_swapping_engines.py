"""Two engines in one conversation: the small model in its worker, and a real server with the same file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from real_servers import PYTHON_SERVER, serving
from surroundings import MODEL_FILES, Program

pytestmark = pytest.mark.xdist_group("language model")


@pytest.fixture(scope="module")
def server(models_dir: Path) -> Iterator[str]:
    """llama-cpp-python's own OpenAI-compatible server; its base address."""
    with serving(PYTHON_SERVER, models_dir / MODEL_FILES[0], window=2048) as base:
        yield f"{base}/v1"


@pytest.mark.conforms("P11", "P13")
def test_the_engine_changes_in_mid_conversation_and_the_partner_still_knows(
    program: Program, server: str
) -> None:
    added = program(
        "engines",
        "add",
        "server",
        "--kind",
        "openai_http",
        "--url",
        server,
        "--model",
        "SmolLM2",
        "--window",
        "2048",
    )
    assert added.returncode == 0, added.stderr
    turns = [
        "We decided to drop the Postgres migration. Ana owns the schema now.",
        "Who owns the schema?",
        "/model server",
        "Who owns the schema?",
        "/model local",
        "Who owns the schema?",
        "/model none",
        "Who owns the schema?",
    ]
    talk = program("chat", stdin="\n".join(turns) + "\n")
    assert talk.returncode == 0, talk.stderr
    assert sum("Ana" in line for line in talk.stdout.splitlines() if not line.startswith("+")) >= 4, (
        talk.stdout
    )
    replies = {}
    for attempt in said_by(program):
        replies.setdefault(attempt["metadata"]["engine"], []).append(attempt["content"])
    assert set(replies) == {"local", "server"}
    assert len(replies["local"]) == 2
    assert "Ana" in replies["server"][0]


@pytest.mark.conforms("P11")
def test_a_swap_alone_writes_nothing(program: Program, server: str) -> None:
    program("engines", "add", "server", "--kind", "openai_http", "--url", server, "--model", "SmolLM2")
    program("remember", "Ana owns the schema now.")
    before = program("checkpoint", "--json").stdout
    program("chat", stdin="/model server\n/model local\n/model none\n")
    assert program("checkpoint", "--json").stdout == before


def said_by(program: Program) -> list[dict]:
    import json

    log = json.loads(program("log", "--json").stdout)
    return [e for e in log if e["type"] == "utterance" and e["metadata"]["speaker"] == "partner"]
