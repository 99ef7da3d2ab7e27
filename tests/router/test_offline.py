"""Offline is proved: where any packet off loopback would fail the test, nothing is even attempted."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from asking import ask, text_of

from router import End
from router.config import build, load_config
from router.engines.none import NoneEngine
from router.engines.openai_http import OpenAIHttpEngine, is_loopback
from router.engines.scripted import ScriptedEngine
from router.selection import Rules

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """
[router]
order = ["claude", "far", "near", "none"]
offline = true
[engines.claude]
kind = "hosted"
model = "anthropic/claude-sonnet-4-5"
[engines.far]
kind = "openai_http"
base_url = "https://llm.example/v1"
model = "m"
[engines.near]
kind = "llama_cpp"
model = {model!r}
n_ctx = 512
"""
# every connect and every look-up of a name is seen by an audit hook, whatever library makes it
WATCHED = """
import socket, sys
from datetime import UTC, datetime
from pathlib import Path

def watch(event, arguments):
    if event == "socket.getaddrinfo" and arguments[0] not in ("127.0.0.1", "localhost", "::1"):
        raise SystemExit(f"looked up {arguments[0]}")
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        if arguments[1][0] not in ("127.0.0.1", "::1"):
            raise SystemExit(f"connected to {arguments[1][0]}")

sys.addaudithook(watch)
from router import Ledger, Message, Request, Role
from router.config import build, load_config

ledger = Ledger("memory:", clock=lambda: datetime.now(UTC))
router = build(load_config(sys.stdin.read()), models_dir=Path("/nowhere"), ledger=ledger)
request = Request(messages=(Message(role=Role.USER, content="Say hello."),), max_tokens=3)
print([type(event).__name__ for event in router.stream(request)][-1])
print(router.why("Say hello."))
print([attempt.engine for attempt in ledger.attempts()])
router.close()
print("litellm" in sys.modules)
"""


def in_a_namespace_without_interfaces() -> list[str]:
    """`unshare -n` where the kernel lets us; nothing (the hook alone watches) where it does not."""
    unshare = shutil.which("unshare")
    for flags in (["-rn"], ["-n"]):
        if (
            unshare
            and subprocess.run([unshare, *flags, "true"], capture_output=True, check=False).returncode == 0
        ):
            return [unshare, *flags]
    return []


def test_with_the_network_gone_the_local_model_answers_and_hosted_ones_are_skipped(language_model):
    done = subprocess.run(
        [*in_a_namespace_without_interfaces(), sys.executable, "-c", WATCHED],
        input=CONFIG.format(model=str(language_model)),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "End",
        "1. near: on this machine",
        "2. none: answers from memory without a model",
        "-  claude: skipped: offline mode, and it is not on this machine",
        "-  far: skipped: offline mode, and it is not on this machine",
        "['near']",
        "False",
    ]


def test_a_pin_does_not_break_offline_mode(route):
    far = OpenAIHttpEngine("https://llm.example/v1", "m", name="far")
    router = route(far, ScriptedEngine("Here."), NoneEngine(), rules=Rules(offline=True))
    events = list(router.stream(ask("Hi"), pin="far"))
    assert text_of(events) == "Here."
    assert events[-1] == End(reason="stop")


def test_offline_with_nothing_local_says_what_was_skipped(ledger, tmp_path):
    config = load_config(CONFIG.format(model="/nowhere/model.gguf"))
    router = build(config, models_dir=tmp_path, ledger=ledger)
    assert "From memory" in text_of(router.stream(ask("Hi", notes="- Ana")))
    only = list(router.stream(ask("Hi"), pin="claude", only=True))
    assert "offline mode" in only[-1].message
    assert only[-1].no_engine


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("localhost", True), ("::1", True), ("[::1]", True),
        ("10.0.0.5", False), ("0.0.0.0", False), ("localhost.example", False), ("127.0.0.1.example", False),
        ("llm.example", False),
    ],
)  # fmt: skip
def test_this_machine_is_told_by_its_address_and_never_by_looking_up_a_name(host, here):
    assert is_loopback(host) is here


def test_a_proxy_in_the_environment_does_not_see_what_is_for_this_machine(provider, monkeypatch):
    from fake_provider import said

    server = provider(said("Hello"))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert text_of(OpenAIHttpEngine(server.url, "m").stream(ask("Hi"))) == "Hello"
