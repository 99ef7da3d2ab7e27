"""The turn itself, in this process, with engines that say what they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest

from partner.context import PREAMBLE
from partner.events import Asked, Formed, Problem, Refused, Replied, TurnEvent
from partner.operations import Partner
from router.engines.scripted import ScriptedEngine
from router.errors import EngineFailed
from router.model import Capabilities, Role
from store.model import EngramType, Klass

FRIDAY = datetime.fromisoformat("2026-03-06T10:15:00+01:00")
Opener = Callable[..., Partner]


def kinds(events: list[TurnEvent]) -> list[str]:
    return [type(event).__name__ for event in events if type(event).__name__ != "EngineEvent"]


def replied(events: list[TurnEvent]) -> Replied:
    return next(event for event in events if isinstance(event, Replied))


@pytest.mark.conforms("P2")
def test_what_a_message_settles_is_on_disk_before_the_engine_is_asked(opened: Opener) -> None:
    seen: list[int] = []

    def script(request):
        seen.append(len(partner.store.current(klass=Klass.CONCLUSION)))
        return ["Fine."]

    partner = opened(ScriptedEngine(script))
    events = list(partner.turn("Ana owns the schema now."))
    assert seen == [1]
    assert kinds(events)[:2] == ["Received", "Formed"]


class Untouchable(ScriptedEngine):
    def stream(self, request):
        raise AssertionError("no engine may be asked this")


@pytest.mark.conforms("P5")
def test_a_refused_message_reaches_no_engine(opened: Opener) -> None:
    partner = opened(Untouchable())
    partner.forbid("Never deploy on Fridays.")
    events = list(partner.turn("Deploy the new build now.", at=FRIDAY))
    assert kinds(events) == ["Received", "Refused"]
    assert partner.inference_calls() == 0
    refused = next(event for event in events if isinstance(event, Refused))
    assert "Never deploy on Fridays." in refused.message
    assert refused.verdict.inference_calls == 0


@pytest.mark.conforms("P19")
def test_the_model_call_itself_passes_the_gate_with_the_engines_locality(opened: Opener) -> None:
    class Hosted(Untouchable):
        def capabilities(self) -> Capabilities:
            return Capabilities(local=False, window=8192)

    partner = opened(Hosted(name="far"), ScriptedEngine("Said here.", name="near"))
    partner.forbid("Never send client data to a hosted model.")
    events = list(partner.turn("Summarise what we know about the client data of Meyer."))
    answered = [event for event in events if isinstance(event, Replied)]
    if answered:  # a rule that the words alone cannot decide asks first
        assert answered[0].engine == "near"
    else:
        assert kinds(events)[-1] in ("Asked", "Refused")


@pytest.mark.conforms("P4")
def test_dispositions_and_open_objectives_are_in_every_context(opened: Opener) -> None:
    engine = ScriptedEngine("Fine.")
    partner = opened(engine)
    list(partner.turn("I prefer short answers with the numbers first."))
    partner.aim("Finish the audit by June.")
    for question in ("Who owns the schema?", "What is the capital of Peru?"):
        list(partner.turn(question))
        notes = engine.requests[-1].notes
        assert "short answers" in notes
        assert "audit" in notes
        assert engine.requests[-1].messages[0].content == PREAMBLE


@pytest.mark.conforms("P5")
def test_a_prohibition_is_never_in_the_context_by_retrieval(opened: Opener) -> None:
    engine = ScriptedEngine("Fine.")
    partner = opened(engine)
    partner.forbid("Never email the landlord.")
    list(partner.turn("What is the landlord's name?"))
    assert all("Never email" not in request.notes for request in engine.requests)


def test_last_turns_go_along_and_a_new_process_knows_them_from_the_log(opened: Opener) -> None:
    first = opened(ScriptedEngine("Blue, I would say."))
    list(first.turn("Which colour suits the hall?"))
    engine = ScriptedEngine("Yes.")
    second = opened(engine)
    list(second.turn("Why that one?"))
    said = [(m.role, m.content) for m in engine.requests[-1].messages if m.role is not Role.SYSTEM]
    assert said == [
        (Role.USER, "Which colour suits the hall?"),
        (Role.ASSISTANT, "Blue, I would say."),
        (Role.USER, "Why that one?"),
    ]


def test_an_interrupted_reply_is_kept_and_marked(opened: Opener) -> None:
    def script(request):
        yield "Half a "
        raise KeyboardInterrupt

    partner = opened(ScriptedEngine(script))
    reply = replied(list(partner.turn("Tell me something long, please?")))
    assert (reply.text, reply.partial) == ("Half a ", True)
    kept = partner.store.read(reply.engram.id)
    assert kept.metadata["partial"] is True
    assert kept.type is EngramType.UTTERANCE


def test_a_listener_that_leaves_in_mid_stream_loses_nothing(opened: Opener) -> None:
    partner = opened(ScriptedEngine(["One. ", "Two. ", "Three."]))
    for event in partner.turn("Count for me, will you?"):
        if getattr(getattr(event, "event", None), "text", "") == "Two. ":
            break
    event = None
    del event
    import gc

    gc.collect()
    last = next(partner.store.log(newest_first=True, limit=1))
    assert last.content.startswith("One. ")
    assert last.metadata["partial"] is True


@pytest.mark.conforms("P13")
def test_an_engine_that_breaks_off_is_replaced_and_when_none_is_left_its_words_are_kept(
    opened: Opener,
) -> None:
    def breaking(request):
        yield "Half a "
        raise EngineFailed("it fell over")

    partner = opened(ScriptedEngine(breaking, name="a"), ScriptedEngine("A whole answer.", name="b"))
    reply = replied(list(partner.turn("Will this work?")))
    assert (reply.text, reply.engine, reply.partial) == ("A whole answer.", "b", False)
    alone = opened(ScriptedEngine(breaking, name="a"))
    events = list(alone.turn("Will that work?"))
    assert any(isinstance(event, Problem) and "fell over" in event.message for event in events)


def test_what_the_partner_says_never_becomes_the_operators_claim(opened: Opener) -> None:
    partner = opened(ScriptedEngine("We decided to sell the house. Ben owns the schema now."))
    list(partner.turn("What do you think?"))
    assert partner.store.current(klass=Klass.CONCLUSION) == []


def test_undo_goes_back_message_by_message(opened: Opener) -> None:
    partner = opened()
    list(partner.turn("Ana owns the schema now."))
    list(partner.turn("We decided to keep the lamp."))
    assert len(partner.undo()) == 1
    assert [e.content for e in partner.store.current(klass=Klass.CONCLUSION)] == ["Ana owns the schema now."]
    assert len(partner.undo()) == 1
    assert partner.undo() == []


def test_a_rule_that_protects_nothing_is_said_once_and_never_stored_as_a_rule(opened: Opener) -> None:
    partner = opened()
    events = list(partner.turn("Never mind."))
    assert not [e for e in events if isinstance(e, Formed) and e.engram.type is EngramType.PROHIBITION]
    assert partner.idle_rules() == []


@contextmanager
def a_question(opened: Opener) -> Iterator[tuple[Partner, Asked]]:
    """A partner whose gate asks about a message; skips where the gate is sure of every candidate."""
    partner = opened()
    partner.forbid("Never email the landlord about money.")
    for text in (
        "Write to the owner of the flat about the rent.",
        "Email the landlord.",
        "Message the landlord.",
    ):
        for event in partner.turn(text, at=FRIDAY):
            if isinstance(event, Asked):
                yield partner, event
                return
    pytest.skip("the gate decided all of these without asking")


def test_a_question_of_the_gate_is_answered_once_and_the_answer_is_an_engram(opened: Opener) -> None:
    with a_question(opened) as (partner, asked):
        text = partner.session.pending.text
        before = partner.store.head().seq
        events = list(partner.session.answer(applies=True))
        assert kinds(events)[-1] == "Refused"
        assert partner.store.head().seq > before
        again = list(partner.turn(text, at=FRIDAY))
        assert kinds(again)[-1] == "Refused"
        assert asked.verdict.matches


def test_a_question_nobody_answers_counts_as_refused_and_teaches_nothing(opened: Opener) -> None:
    with a_question(opened) as (partner, _):
        text = partner.session.pending.text
        before = partner.store.head().seq
        events = list(partner.session.answer(applies=True, record=False))
        assert kinds(events)[-1] == "Refused"
        assert partner.store.head().seq == before
        assert "Asked" in kinds(list(partner.turn(text, at=FRIDAY)))


def test_a_rule_ends_only_when_it_is_taken_back_not_by_what_is_said_about_it(opened: Opener) -> None:
    partner = opened()
    rule = partner.forbid("You must never email customers without my approval.").engram
    events = list(partner.turn("The rule about customers does not apply today."))
    assert rule.id in {engram.id for engram in partner.state()["forbidden"]}
    assert any("stays in force" in getattr(event, "question", "") for event in events)
    assert any(
        isinstance(event, Refused) for event in partner.turn("Email the newsletter to every customer.")
    )


@pytest.mark.parametrize(
    ("said", "lifted"),
    [
        ("The planks are new. Using the east jetty is allowed again.", True),
        ("Using the east jetty is allowed today.", False),
        ("Guests may use the east jetty again.", False),
        ("Using the jetty is allowed again.", False),
    ],
)
def test_words_that_permit_for_good_all_that_a_rule_forbids_take_it_back(
    opened: Opener, said: str, lifted: bool
) -> None:
    partner = opened()
    list(partner.turn("Nobody may use the east jetty until the planks are replaced."))
    list(partner.turn(said))
    assert bool(partner.state()["forbidden"]) is not lifted
