"""History kept neutral, compiled for whoever is asked."""

from __future__ import annotations

import itertools
import json

import pytest
from asking import ask
from hypothesis import given
from hypothesis import strategies as st

from router import Attachment, EngineFailed, Message, Request, Role, ToolCall
from router.errors import FailureKind
from router.history import CUT_MARK, NO_RESULT, Target, answer_tokens, compile_history


def words(text: str) -> int:
    return len(text.split())


WIDE = Target(window=100_000, count=words)
PLAIN = Target(window=100_000, count=words, tools=False, alternate=True)
CALL = ToolCall(id="toolu_01A", name="look", arguments='{"at": "door"}')
ASKED = Message(role=Role.USER, content="What is at the door?")
CALLED = Message(role=Role.ASSISTANT, content="", tool_calls=(CALL,), engine="claude")
RESULT = Message(role=Role.TOOL, content="A cat.", tool_call_id="toolu_01A")


def compiled(*messages: Message, target: Target = WIDE, **fields) -> list[dict]:
    return compile_history(Request(messages=messages, **fields), target)


def test_tool_ids_are_renumbered_together_with_their_results():
    wire = compiled(ASKED, CALLED, RESULT)
    assert wire[1]["tool_calls"][0]["id"] == wire[2]["tool_call_id"] == "call00001"
    assert "claude" not in json.dumps(wire)


def test_a_call_that_was_never_answered_is_answered():
    wire = compiled(ASKED, CALLED, Message(role=Role.USER, content="Never mind."))
    assert [message["role"] for message in wire] == ["user", "assistant", "tool", "user"]
    assert wire[2]["content"] == NO_RESULT


def test_a_result_without_a_call_becomes_text():
    wire = compiled(ASKED, RESULT)
    assert [message["role"] for message in wire] == ["user", "user"]
    assert "A cat." in wire[1]["content"]


def test_a_target_without_tools_reads_of_them_in_words():
    wire = compiled(ASKED, CALLED, RESULT, target=PLAIN)
    assert [message["role"] for message in wire] == ["user", "assistant", "user"]
    assert "look" in wire[1]["content"]
    assert "A cat." in wire[2]["content"]


def test_arguments_that_are_no_json_object_still_reach_a_strict_provider():
    broken = Message(
        role=Role.ASSISTANT, content="", tool_calls=(ToolCall(id="x", name="f", arguments="{oops"),)
    )
    arguments = compiled(ASKED, broken)[1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"value": "{oops"}


def test_an_interrupted_answer_is_marked_and_an_empty_one_is_left_out():
    cut = Message(role=Role.ASSISTANT, content="The cat is", partial=True)
    empty = Message(role=Role.ASSISTANT, content="", partial=True)
    wire = compiled(ASKED, cut, ASKED, empty, ASKED)
    assert wire[1]["content"] == "The cat is" + CUT_MARK
    assert len(wire) == 4


def test_a_template_without_a_system_role_gets_it_in_the_first_question():
    system = Message(role=Role.SYSTEM, content="Be brief.")
    target = Target(window=1000, count=words, system=False, alternate=True)
    wire = compiled(system, ASKED, target=target)
    assert wire == [{"role": "user", "content": "Be brief.\n\nWhat is at the door?"}]


def test_small_models_get_notes_right_before_the_question_in_their_shape():
    target = Target(window=1000, count=words, notes_in_user=True)
    wire = compiled(ASKED, notes="- A cat.", target=target)
    content = wire[-1]["content"]
    assert [message["role"] for message in wire] == ["user", "assistant"] * 2 + ["user"]
    assert content == "Context: A cat.\n\nQuestion: What is at the door?\n\nAnswer using only the context."


def test_notes_stand_with_the_last_request_where_unanswered_ones_are_joined_to_it():
    said = [Message(role=Role.USER, content=text) for text in ("Ana left.", "Who is next?")]
    (sent,) = compiled(*said, notes="- Bo comes after Ana.", target=PLAIN)
    assert sent["content"].startswith("Ana left.\n\nWhat is known that bears on this:\n- Bo comes")
    assert sent["content"].endswith("\n\nWho is next?")


def test_files_are_told_as_text_and_images_only_where_they_are_seen():
    message = Message(
        role=Role.USER,
        content="Look.",
        attachments=(
            Attachment(media_type="text/plain", data=b"inside", name="a.txt"),
            Attachment(media_type="image/png", data=b"\x89PNG", name="b.png"),
        ),
    )
    assert "inside" in compiled(message)[0]["content"]
    seen = compiled(message, target=Target(window=100_000, count=words, vision=True))[0]["content"]
    assert seen[1]["image_url"]["url"] == "data:image/png;base64,iVBORw=="


def test_what_does_not_fit_goes_oldest_first_and_a_call_stays_with_its_result():
    talk = [Message(role=Role.USER, content=f"turn {i} " + "word " * 50) for i in range(10)]
    wire = compiled(
        *talk, ASKED, CALLED, RESULT, ASKED, target=Target(window=220, count=words), max_tokens=20
    )
    contents = [message["content"] for message in wire]
    assert contents[-4:] == [ASKED.content, "", "A cat.", ASKED.content]
    assert "turn 9" in contents[-5]
    assert not any("turn 5" in content for content in contents)


def test_a_question_larger_than_the_window_is_an_overflow_in_words():
    with pytest.raises(EngineFailed, match="does not fit this engine's window of 100 tokens") as caught:
        compiled(
            Message(role=Role.USER, content="word " * 500),
            target=Target(window=100, count=words),
            max_tokens=9,
        )
    assert caught.value.kind is FailureKind.OVERFLOW


MESSAGES = st.lists(
    st.builds(
        lambda role, content, ids, answers: Message(
            role=role,
            content=content,
            tool_calls=tuple(ToolCall(id=i, name="f", arguments="{}") for i in ids)
            if role == "assistant"
            else (),
            tool_call_id=answers if role == "tool" else None,
        ),
        st.sampled_from(list(Role)),
        st.text(alphabet="ab \n", max_size=8),
        st.lists(st.sampled_from("xyz"), unique=True, max_size=3),
        st.sampled_from(["x", "y", "z", None]),
    ),
    max_size=12,
)


@given(MESSAGES)
def test_every_call_is_followed_by_its_one_result_whatever_the_history(history):
    wire = compiled(*history, ASKED)
    waiting: list[str] = []
    for message in wire:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            continue
        assert waiting == []
        waiting = [call["id"] for call in message.get("tool_calls", [])]
    assert waiting == []


@given(MESSAGES)
def test_a_strict_template_sees_roles_in_turn_and_the_question_last(history):
    roles = [message["role"] for message in compiled(*history, ASKED, target=PLAIN)]
    spoken = [role for role in roles if role != "system"]
    assert roles.count("system") <= 1
    assert spoken[0] == spoken[-1] == "user"
    assert all(before != after for before, after in itertools.pairwise(spoken))


@given(MESSAGES, st.integers(60, 400))
def test_what_is_compiled_fits_the_window(history, window):
    long = [*history, *(Message(role=Role.USER, content="word " * 20) for _ in range(4))]
    system = sum(words(message.content) + 6 for message in long if message.role is Role.SYSTEM)
    if system + 60 > window:
        return
    wire = compiled(*long, target=Target(window=window, count=words), max_tokens=20)
    assert sum(words(message["content"]) for message in wire) + 20 <= window


def test_the_newest_question_is_never_what_is_left_out():
    wire = compile_history(ask("The question?"), Target(window=30, count=words, alternate=True))
    assert wire[-1]["content"] == "The question?"


def test_the_answer_may_be_as_long_as_the_window_leaves():
    request = ask("one two three", max_tokens=1000)
    target = Target(window=100, count=words)
    assert answer_tokens(compile_history(request, target), request, target) == 100 - 3 - 6
