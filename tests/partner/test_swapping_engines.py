"""Two engines in one conversation: the small model in its worker, and a real server with the same file."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from surroundings import MODEL_FILES, Program

pytestmark = pytest.mark.xdist_group("language model")


@pytest.fixture(scope="module")
def server(models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """llama-cpp-python's own OpenAI-compatible server; its base address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(models_dir / MODEL_FILES[0])]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", "2048"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
        )
    base = f"http://127.0.0.1:{port}/v1"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{base}/models", timeout=2).close()
                break
            except OSError:
                assert process.poll() is None, log.read_text()
                time.sleep(0.2)
        yield base
    finally:
        process.terminate()
        process.wait(10)


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
