"""Ollama's own interface: JSON lines, the window that its OpenAI-compatible one ignores."""

from __future__ import annotations

import json

import pytest
from asking import ask, text_of
from fake_provider import Reply, error

from router import Attachment, End, EngineFailed, Message, Request, Role, ToolCall, ToolDelta, ToolSpec, Usage
from router.engines.ollama import OllamaEngine
from router.errors import FailureKind


def lines(*objects: dict) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in objects)


def told(text: str) -> dict:
    return {"message": {"role": "assistant", "content": text}, "done": False}


DONE = {
    "message": {"content": ""},
    "done": True,
    "done_reason": "stop",
    "prompt_eval_count": 9,
    "eval_count": 2,
}


def at(server) -> OllamaEngine:
    return OllamaEngine(server.url.removesuffix("/v1"), "llama3.2", n_ctx=4096)


def replied(*objects: dict) -> Reply:
    return Reply([lines(*objects)], content_type="application/x-ndjson")


def test_the_window_and_the_length_of_the_answer_are_sent_as_options(provider):
    server = provider(replied(told("Hel"), told("lo"), DONE))
    events = list(
        at(server).stream(ask("Hi", max_tokens=50, seed=4, stop=("END",), schema={"type": "object"}))
    )
    assert text_of(events) == "Hello"
    assert events[-2:] == [Usage(tokens_in=9, tokens_out=2, cost_usd=0.0), End(reason="stop")]
    body = server.arrived[0].body
    assert server.arrived[0].path == "/api/chat"
    assert body["options"] == {
        "num_ctx": 4096,
        "num_predict": 50,
        "temperature": 0.0,
        "seed": 4,
        "stop": ["END"],
    }
    assert body["format"] == {"type": "object"}


def test_a_server_that_ends_twice_has_ended_once(provider):
    server = provider(replied(told("Hello"), DONE, told("!"), DONE))
    events = list(at(server).stream(ask("Hi")))
    assert text_of(events) == "Hello"
    assert [type(event) for event in events].count(End) == 1


def test_lines_cut_anywhere_come_whole(provider):
    body = lines(told("Grüße 🎉"), DONE)
    cuts = range(1, len(body), 3)
    server = provider(*(Reply([body[:cut], body[cut:]]) for cut in cuts))
    engine = at(server)
    assert {text_of(engine.stream(ask("Hi"))) for _ in cuts} == {"Grüße 🎉"}
    engine.close()


def test_the_last_line_counts_also_without_its_end(provider):
    server = provider(Reply([lines(told("Hello"), DONE).rstrip(b"\n")]))
    assert list(at(server).stream(ask("Hi")))[-1] == End(reason="stop")


def test_tool_calls_go_out_and_come_in_as_objects(provider):
    call = {"message": {"tool_calls": [{"function": {"name": "look", "arguments": {"at": "door"}}}]}}
    server = provider(replied(call, DONE))
    history = (
        Message(role=Role.USER, content="Look!"),
        Message(
            role=Role.ASSISTANT, content="", tool_calls=(ToolCall(id="x", name="look", arguments='{"a": 1}'),)
        ),
        Message(role=Role.TOOL, content="A cat.", tool_call_id="x"),
        Message(role=Role.USER, content="Again!"),
    )
    tool = ToolSpec(name="look", description="", parameters={"type": "object"})
    events = list(at(server).stream(Request(messages=history, tools=(tool,))))
    made = next(event.call for event in events if isinstance(event, ToolDelta))
    assert (made.name, json.loads(made.arguments)) == ("look", {"at": "door"})
    assert events[-1] == End(reason="tool_calls")
    assert server.arrived[0].body["messages"][1]["tool_calls"][0]["function"]["arguments"] == {"a": 1}


def test_images_go_beside_the_text(provider):
    server = provider(replied(told("A cat."), DONE))
    engine = OllamaEngine(server.url.removesuffix("/v1"), "llava", vision=True)
    image = Attachment(media_type="image/png", data=b"\x89PNG")
    list(engine.stream(Request(messages=(Message(role=Role.USER, content="What?", attachments=(image,)),))))
    assert server.arrived[0].body["messages"] == [
        {"role": "user", "content": "What?", "images": ["iVBORw=="]}
    ]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (replied(told("One "), {"error": "out of memory"}), FailureKind.SERVER),
        (Reply([b"{nope\n"], content_type="application/x-ndjson"), FailureKind.PROTOCOL),
        (error(404, "model 'x' not found"), FailureKind.UNUSABLE),
    ],
    ids=["error line", "bad json", "no such model"],
)
def test_its_failures_are_told_in_our_terms(provider, reply, kind):
    with pytest.raises(EngineFailed) as caught:
        list(at(provider(reply)).stream(ask("Hi")))
    assert caught.value.kind is kind


def test_an_answer_without_its_last_line_is_not_whole(provider, route):
    events = list(route(at(provider(replied(told("One "))))).stream(ask("Hi")))
    assert "without an end" in events[-1].message
