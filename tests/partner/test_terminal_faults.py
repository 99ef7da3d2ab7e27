"""Every failure of a provider in the middle of a conversation on a real terminal."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from fake_provider import FakeProvider
from provider_faults import FAULTS, SECRET, Fault
from surroundings import Program

from tests.screen import line_shown

PROMPT = "›"
WAIT_S = 200  # how long a loaded machine may take; nothing is asserted about it
KEYS_OFF, KEYS_ON = "\x1b[?2004l", "\x1b[?2004h"  # the line editor leaves the screen, and comes back
SETTINGS = """
[router]
order = ["backup", "none"]
cache_limit_mb = 0
[embedding]
enabled = false
[engines.backup]
kind = "scripted"
replies = ["Here I am."]
"""
ENGINE = """
[engines.{name}]
kind = "openai_http"
base_url = "{url}"
model = "fake"
key = "env:FAKE_KEY"
first_token_s = {first}
between_tokens_s = {between}
"""


def name_of(fault: Fault) -> str:
    return fault.name.replace(" ", "-")


@pytest.fixture
def servers(home: Path) -> Iterator[dict[str, FakeProvider]]:
    """A server for each fault, and an engine of its name in `config.toml`."""
    made = {name_of(fault): FakeProvider(fault.reply) for fault in FAULTS}
    text = SETTINGS
    for fault in FAULTS:
        first, between = (fault.deadline.get(key, 100.0) for key in ("first_token_s", "between_tokens_s"))
        name = name_of(fault)
        text += ENGINE.format(name=name, url=made[name].url, first=first, between=between)
    home.mkdir()
    (home / "config.toml").write_text(text)
    yield made
    for server in made.values():
        server.close()


@pytest.mark.conforms("P13")
def test_each_is_said_in_a_line_and_the_conversation_goes_on(
    servers: dict[str, FakeProvider],
    program: Program,
    program_env: dict[str, str],
    tmp_path: Path,
    home: Path,
) -> None:
    env = {**program_env, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "FAKE_KEY": SECRET}
    child = pexpect.spawn(
        sys.executable, ["-m", "partner"], env=env, cwd=str(tmp_path), encoding="utf-8", timeout=WAIT_S
    )
    child.setwinsize(40, 250)
    child.expect(PROMPT)
    for fault in FAULTS:
        child.sendline(f"/model {name_of(fault)}")
        child.expect_exact("Answers come from")
        child.expect(PROMPT)
        child.sendline("Are you there?")
        child.expect_exact(KEYS_OFF)
        child.expect_exact(KEYS_ON)
        lines = _shown(str(child.before))
        child.expect(PROMPT)
        assert lines[0] == fault.partial.strip() if fault.partial else len(lines) == 2, (fault.name, lines)
        assert lines[-2].startswith(f"! {name_of(fault)} failed ("), lines
        assert lines[-2].endswith("; backup answers instead."), lines
        assert fault.shows in lines[-2]
        assert lines[-1] == "Here I am."
        assert len(servers[name_of(fault)].all_arrived(1)) == 1
    child.sendline("/exit")
    child.expect(pexpect.EOF)
    child.close(force=True)
    kept = json.loads(program("log", "--json", "--limit", "1000").stdout)
    replies = [entry for entry in kept if entry["metadata"].get("speaker") == "partner"]
    assert [entry["content"] for entry in replies] == ["Here I am."] * len(FAULTS)
    assert not [path for path in home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def _shown(screen: str) -> list[str]:
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen).replace("\r\n", "\n")
    lines = map(line_shown, plain.split("\n"))
    return [line.strip() for line in lines if line.strip()]
