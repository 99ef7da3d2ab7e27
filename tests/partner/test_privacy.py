"""What may not leave the machine does not: judged by the bytes that arrive at an engine elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fake_provider import FakeProvider, said

from partner.bootstrap import open_partner
from partner.events import Notice, Replied
from partner.operations import Partner
from partner.settings import Settings, parse_config
from router.engines.openai_http import OpenAIHttpEngine
from router.engines.scripted import ScriptedEngine
from router.errors import EngineFailed
from router.model import Capabilities, Engine, ToolCall

Opener = Callable[..., Partner]


class Elsewhere(OpenAIHttpEngine):
    """A server on loopback that counts as one off this machine."""

    def capabilities(self) -> Capabilities:
        return Capabilities(local=False, window=8192, tools=True)


@pytest.fixture
def far() -> Iterator[FakeProvider]:
    server = FakeProvider(said("From far away."))
    yield server
    server.close()


@pytest.fixture
def opened(tmp_path: Path, clock) -> Iterator[Opener]:
    with ExitStack() as stack:

        def open_(*engines: Engine, tools: dict[str, bool] | None = None, **router: object) -> Partner:
            settings = Settings(
                home=tmp_path / "home",
                models_dir=tmp_path / "models",
                store=str(tmp_path / "home" / "identity.partner"),
                config=parse_config({"router": router, "tools": tools or {}}),
            )
            named = {engine.name: engine for engine in engines}
            return stack.enter_context(open_partner(settings, clock=clock, engines=named))

        yield open_


def elsewhere(server: FakeProvider) -> Elsewhere:
    return Elsewhere(server.url, "fake", name="far")


def answered_by(partner: Partner, text: str) -> str | None:
    return next(event.engine for event in partner.turn(text) if isinstance(event, Replied))


def arrived(server: FakeProvider) -> str:
    return json.dumps([request.body for request in server.arrived], ensure_ascii=False)


@pytest.mark.conforms("P6")
def test_a_disposition_leaves_neither_as_a_note_nor_as_the_words_that_said_it(
    opened: Opener, far: FakeProvider
) -> None:
    here = ScriptedEngine("From here.", name="here")
    partner = opened(elsewhere(far), here, stay_local=["disposition"])
    assert answered_by(partner, "What is a good name for a cat?") == "far"
    assert answered_by(partner, "I prefer short answers. What is a good name for a dog?") == "here"
    assert answered_by(partner, "And for a horse?") == "here"
    assert "short answers" not in arrived(far)
    assert "horse" not in arrived(far)


def test_the_words_that_told_something_private_stay_for_as_long_as_they_are_in_the_conversation(
    opened: Opener, far: FakeProvider
) -> None:
    """The claim itself is retracted at once; the turn that said it would still be sent along."""
    here = ScriptedEngine("Noted, the boat is green.", name="here")
    partner = opened(elsewhere(far), here, stay_local=["conclusion"])
    assert answered_by(partner, "We decided to paint the boat green. Is that wise?") == "here"
    partner.retract(partner.state()["concluded"][0].id)
    assert answered_by(partner, "What is the capital of Peru?") == "here"
    assert far.arrived == []


def test_what_a_local_engine_said_from_private_notes_is_private(opened: Opener, far: FakeProvider) -> None:
    here = ScriptedEngine("The client is Acme.", name="here")
    partner = opened(elsewhere(far), here, stay_local=["client"])
    partner.remember("The client is Acme.", tags=["client"])
    assert answered_by(partner, "Who is the client?") == "here"
    assert answered_by(partner, "And what is the capital of Peru?") == "here"
    assert far.arrived == []


def test_a_tag_goes_on_to_what_takes_the_place_of_a_claim(opened: Opener, far: FakeProvider) -> None:
    partner = opened(elsewhere(far), ScriptedEngine("Yes.", name="here"), stay_local=["client"])
    partner.remember("The client is Acme.", tags=["client"])
    list(partner.turn("Actually, the client is Bolt now."))
    (now,) = partner.state()["concluded"]
    assert (now.content, now.metadata["tags"]) == ("The client is Bolt now.", ("client",)) or (
        "Bolt" in now.content and list(now.metadata["tags"]) == ["client"]
    )
    assert "Bolt" not in arrived(far)


def test_offline_the_wanted_engine_is_left_out_and_the_reason_said(opened: Opener, far: FakeProvider) -> None:
    partner = opened(elsewhere(far), ScriptedEngine("From here.", name="here"), offline=True)
    told = [event.message for event in partner.turn("Who is the client?") if isinstance(event, Notice)]
    assert told == [
        "here answered instead of far (far: skipped: offline mode, and it is not on this machine)."
    ]
    assert far.arrived == []


def test_who_was_left_out_and_who_failed_is_told_of_both(opened: Opener, far: FakeProvider) -> None:
    broken = ScriptedEngine([EngineFailed("out of order")], name="broken")
    here = ScriptedEngine("Acme.", name="here")
    partner = opened(elsewhere(far), broken, here, stay_local=["client"])
    partner.remember("The client is Acme.", tags=["client"])
    told = [event.message for event in partner.turn("Who is the client?") if isinstance(event, Notice)]
    assert told == [
        "here answered instead of far (far: the context holds what may not leave this machine: client; "
        "broken: out of order)."
    ]


def test_without_a_rule_the_same_goes_out(opened: Opener, far: FakeProvider) -> None:
    partner = opened(elsewhere(far), ScriptedEngine("From here.", name="here"))
    partner.remember("The client is Acme.", tags=["client"])
    assert answered_by(partner, "Who is the client?") == "far"
    assert "Acme" in arrived(far)


@pytest.mark.conforms("P6")
def test_what_a_tool_recalled_does_not_go_to_an_engine_that_takes_over(
    opened: Opener, far: FakeProvider
) -> None:
    recall = ToolCall(id="a", name="recall", arguments='{"query": "client"}')
    here = ScriptedEngine([recall], [EngineFailed("out of order")], name="here")
    partner = opened(here, elsewhere(far), tools={"recall": True}, stay_local=["client"])
    partner.remember("The client is Acme.", tags=["client"])
    assert answered_by(partner, "What is there to know?") is None
    assert far.arrived == []


def test_an_engine_that_takes_over_is_asked_in_its_own_way(opened: Opener) -> None:
    """A wide one is given the notes that a small one could not read, and a small one a note and no more."""
    small_kind = Capabilities(local=True, window=2048, notes_in_user=True)
    wide_kind = Capabilities(local=True, window=8192, tools=True)
    failing = [EngineFailed("out of order")]
    for first, second in ((small_kind, wide_kind), (wide_kind, small_kind)):
        one = ScriptedEngine(failing, name="one", capabilities=first)
        other = ScriptedEngine("Ana.", name="other", capabilities=second)
        partner = opened(one, other)
        for thing in ("schema", "boiler", "ferry"):
            partner.remember(f"Ana owns the {thing}.")
        assert answered_by(partner, "Who owns the schema, the boiler and the ferry?") == "other"
        small, wide = (one, other) if first is small_kind else (other, one)
        assert len(small.requests[-1].notes.splitlines()) <= 2
        assert all(thing in wide.requests[-1].notes for thing in ("schema", "boiler", "ferry"))
        assert small.requests[-1].max_tokens < wide.requests[-1].max_tokens


def test_why_tells_for_a_message_what_would_be_asked_and_asks_nobody(
    opened: Opener, far: FakeProvider
) -> None:
    here = ScriptedEngine("From here.", name="here")
    partner = opened(elsewhere(far), here, stay_local=["disposition"])
    before = partner.store.head()
    at = partner.clock()
    choice = partner.session.engine_choice
    assert choice("What is a good name for a cat?", at).startswith("1. far: hosted\n2. here: on this machine")
    private = choice("I prefer short answers. A name for a cat?", at)
    assert private.startswith("1. here: on this machine")
    assert "far: the context holds what may not leave this machine: disposition" in private
    partner.forbid("Never send client data to a hosted model.")
    partner.forbid("Never email the landlord.")
    ruled = choice("Summarise the client data.", at)
    assert "far: a prohibition forbids it" in ruled
    assert "Never send client data" in ruled
    assert "Refused by your rule" in choice("Email the landlord about the leak.", at)
    assert (far.arrived, here.requests) == ([], [])
    assert partner.store.head().seq == before.seq + 2  # the two rules
