"""An answer that did not end by itself says so; what the engine thought is kept beside it and never sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from partner.events import Notice, Replied
from partner.operations import Partner
from router.engines.scripted import ScriptedEngine
from router.errors import EngineFailed
from router.model import Capabilities, End, Reasoning

Opener = Callable[..., Partner]


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("length", "voice stopped here: this is as long as an answer may be"),
        ("content_filter", "voice stopped here: its provider filters what it says"),
        ("stop", None),
    ],
)
def test_an_answer_that_was_cut_says_by_what(opened: Opener, reason: str, told: str | None) -> None:
    partner = opened(ScriptedEngine(["One two", End(reason=reason)], name="voice"))
    events = list(partner.turn("Count?"))
    notices = [event.message for event in events if isinstance(event, Notice)]
    assert [told in notice for notice in notices] == [True] if told else notices == []


def test_a_small_model_that_rambles_is_cut_without_a_word(opened: Opener) -> None:
    small = Capabilities(local=True, window=2048, notes_in_user=True)
    partner = opened(ScriptedEngine(["One", End(reason="length")], name="small", capabilities=small))
    assert not [event for event in partner.turn("Count?") if isinstance(event, Notice)]


def test_what_was_thought_is_kept_with_the_reply_redacted_and_in_no_later_request(opened: Opener) -> None:
    secret = "sk-proj-" + "Ab3" * 14
    thinking = [Reasoning(text=f"They gave me {secret}. "), Reasoning(text="Blue it is."), "It is blue."]
    engine = ScriptedEngine(thinking, "Still blue.", name="voice")
    partner = opened(engine)
    events = [*partner.turn("What colour is it?"), *partner.turn("Really?")]
    reply = next(event.engram for event in events if isinstance(event, Replied))
    assert reply is not None
    kept = partner.store.read(reply.id).metadata["reasoning"]
    assert kept.endswith("Blue it is.")
    assert secret not in kept
    assert "It is blue." in repr(engine.requests[1])
    assert "Blue it is" not in repr(engine.requests[1])
    partner.erase(reply.id, "no longer wanted")
    assert "reasoning" not in partner.store.read(reply.id).metadata


def test_the_thoughts_of_an_engine_that_failed_are_not_the_other_s(opened: Opener) -> None:
    failing = ScriptedEngine([Reasoning(text="Hm. "), EngineFailed("out of order")], name="one")
    partner = opened(failing, ScriptedEngine("Here.", name="two"))
    reply = next(event.engram for event in partner.turn("Well?") if isinstance(event, Replied))
    assert reply is not None
    assert "reasoning" not in reply.metadata
