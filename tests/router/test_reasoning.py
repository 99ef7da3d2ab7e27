"""What an engine thought: told apart from its answer, and sent back, where it was signed, to it alone."""

from __future__ import annotations

import dataclasses
import json

from asking import ask, text_of
from fake_provider import DONE, STALL, Reply, delta, event, finish

from router import Message, Reasoning, Request, Role, ToolCall, ToolDelta, ToolSpec
from router.engines.hosted import HostedEngine
from router.engines.openai_http import OpenAIHttpEngine

LOOK = ToolSpec(name="look", description="Look.", parameters={"type": "object", "properties": {}})


def sse(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def block(index: int, start: dict[str, object], *deltas: dict[str, object]) -> list[bytes]:
    return [
        sse("content_block_start", index=index, content_block=start),
        *(sse("content_block_delta", index=index, delta=one) for one in deltas),
        sse("content_block_stop", index=index),
    ]


def anthropic(*blocks: list[bytes], reason: str) -> Reply:
    """An answer in Anthropic's own form, as its messages interface streams it."""
    usage = {"input_tokens": 3, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": [], "usage": usage}
    return Reply(
        [
            sse("message_start", message=message),
            *(piece for one in blocks for piece in one),
            sse("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 5}),
            sse("message_stop"),
        ]
    )


THINKS_AND_CALLS = anthropic(
    block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "The door "},
        {"type": "thinking_delta", "thinking": "may be open."},
        {"type": "signature_delta", "signature": "c2lnbmVk"},
    ),
    block(
        1,
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}},
        {"type": "input_json_delta", "partial_json": "{}"},
    ),
    reason="tool_use",
)
OPEN = anthropic(
    block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "It is open."}), reason="end_turn"
)


def after(events: list, engine: str) -> Request:
    """The request that carries the result back."""
    calls = tuple(one.call for one in events if isinstance(one, ToolDelta))
    signed = "".join(one.signed for one in events if isinstance(one, Reasoning))
    return ask_with(
        Message(role=Role.USER, content="Is the door open?"),
        Message(role=Role.ASSISTANT, content="", tool_calls=calls, engine=engine, signed=signed),
        Message(role=Role.TOOL, content="open", tool_call_id=calls[0].id),
    )


def ask_with(*messages: Message) -> Request:
    return Request(messages=messages, tools=(LOOK,), max_tokens=2000)


def test_a_provider_s_signed_thought_goes_back_to_it_with_the_result(provider):
    server = provider(THINKS_AND_CALLS, OPEN)
    options = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "temperature": 1}
    engine = HostedEngine(
        "anthropic/claude-sonnet-4-5",
        name="claude",
        api_base=server.url.removesuffix("/v1"),
        api_key="k",
        options=options,
    )
    first = list(engine.stream(ask_with(Message(role=Role.USER, content="Is the door open?"))))
    thought = "".join(one.text for one in first if isinstance(one, Reasoning))
    assert thought == "The door may be open."
    assert text_of(first) == ""
    assert text_of(engine.stream(after(first, "claude"))) == "It is open."
    asked = server.arrived[1].body["messages"]
    assistant = next(message for message in asked if message["role"] == "assistant")
    assert assistant["content"][0] == {
        "type": "thinking",
        "thinking": "The door may be open.",
        "signature": "c2lnbmVk",
    }
    assert [part["type"] for part in assistant["content"]] == ["thinking", "tool_use"]


def test_closing_the_answer_hangs_up_on_a_provider_of_another_dialect(provider):
    begun = anthropic(
        block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "One "}), reason=""
    )
    server = provider(Reply([*begun.pieces[:3], STALL]))
    engine = HostedEngine("anthropic/claude-sonnet-4-5", api_base=server.url.removesuffix("/v1"), api_key="k")
    stream = engine.stream(ask("Hi"))
    while "One" not in repr(next(stream)):
        pass
    stream.close()
    assert server.left.wait(60)


def test_a_foreign_signature_and_thought_are_not_on_the_wire(provider):
    server = provider(Reply([delta("It is open."), finish(), DONE]))
    foreign = ToolCall(id="toolu_1", name="look", arguments="{}", signed='{"thought_signature": "c2lnbmVk"}')
    block_ = json.dumps([{"type": "thinking", "thinking": "The door", "signature": "c2lnbmVk"}])
    history = (
        Message(role=Role.USER, content="Is the door open?"),
        Message(role=Role.ASSISTANT, content="", tool_calls=(foreign,), engine="claude", signed=block_),
        Message(role=Role.TOOL, content="open", tool_call_id="toolu_1"),
    )
    for engine in (
        HostedEngine("openai/fake", name="other", api_base=server.url, api_key="k"),
        OpenAIHttpEngine(server.url, "m", name="claude"),  # of that name, and it knows no signatures
    ):
        assert text_of(engine.stream(ask_with(*history))) == "It is open."
    for arrived in server.arrived:
        assert "c2lnbmVk" not in json.dumps(arrived.body)
        assert "The door" not in json.dumps(arrived.body)


def test_a_call_that_was_signed_carries_its_signature(provider):
    part = {
        "index": 0,
        "id": "a",
        "function": {"name": "look", "arguments": "{}"},
        "provider_specific_fields": {"thought_signature": "c2lnbmVk"},
    }
    server = provider(Reply([event_of_call(part), finish("tool_calls"), DONE]))
    (made,) = [
        one.call
        for one in OpenAIHttpEngine(server.url, "m").stream(ask("Look!"))
        if isinstance(one, ToolDelta)
    ]
    assert json.loads(made.signed) == {"thought_signature": "c2lnbmVk"}
    assert dataclasses.replace(made, signed="").arguments == "{}"


def event_of_call(part: dict[str, object]) -> bytes:
    return event({"choices": [{"index": 0, "delta": {"tool_calls": [part]}, "finish_reason": None}]})
