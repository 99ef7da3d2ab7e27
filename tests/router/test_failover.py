"""One conversation over several engines."""

from __future__ import annotations

import threading

import pytest
from asking import ask, text_of

from router import (
    BadRequest,
    Capabilities,
    End,
    EngineFailed,
    Failed,
    Message,
    Request,
    Role,
    Router,
    Start,
    Switched,
    Text,
    ToolCall,
    ToolDelta,
    UnknownEngine,
)
from router.engines.none import NoneEngine
from router.engines.scripted import ScriptedEngine
from router.errors import FailureKind, ModelMissing


def broken(name: str = "broken", *steps) -> ScriptedEngine:
    return ScriptedEngine([*steps, EngineFailed("out of order")], name=name)


@pytest.mark.conforms("P13")
def test_failover_before_the_first_word_supersedes_nothing(route):
    events = list(route(broken(), ScriptedEngine("Hello.")).stream(ask("Hi")))
    assert [type(event).__name__ for event in events] == [
        "Start",
        "Switched",
        "Start",
        "Text",
        "Usage",
        "End",
    ]
    assert events[1] == Switched(engine="broken", to="scripted", reason="out of order", superseded="")


def test_failover_in_mid_stream_names_the_text_that_no_longer_counts(route):
    events = list(route(broken("broken", "Hel", "lo"), ScriptedEngine("Good day.")).stream(ask("Hi")))
    switched = next(event for event in events if isinstance(event, Switched))
    assert switched.superseded == "Hello"
    assert text_of(events[events.index(switched) :]) == "Good day."


def test_every_engine_is_tried_once_and_the_last_reason_is_not_the_only_one(route):
    router = route(broken("a"), broken("b"), broken("c"))
    events = list(router.stream(ask("Hi")))
    assert isinstance(events[-1], Failed)
    assert [event.to for event in events if isinstance(event, Switched)] == ["b", "c"]
    assert all(f"{name}: out of order" in events[-1].message for name in "abc")


@pytest.mark.conforms("P11")
def test_a_swap_in_mid_conversation_keeps_the_conversation(route):
    one, other = ScriptedEngine("I am one.", name="one"), ScriptedEngine("I am other.", name="other")
    router = route(one, other)
    history: tuple[Message, ...] = ()
    for engine in ("one", "other", "one"):
        history = (*history, Message(role=Role.USER, content=f"To {engine}."))
        said = text_of(router.stream(Request(messages=history), pin=engine))
        history = (*history, Message(role=Role.ASSISTANT, content=said, engine=engine))
    assert [len(engine.requests) for engine in (one, other)] == [2, 1]
    assert [message.content for message in one.requests[-1].messages][1::2] == ["I am one.", "I am other."]


def test_a_strict_pin_asks_that_engine_and_no_other(route):
    other = ScriptedEngine("Hello.")
    router = route(broken(), other, NoneEngine())
    events = list(router.stream(ask("Hi"), pin="broken", only=True))
    assert events[-1] == Failed(message="no engine could answer. broken: out of order")
    assert other.requests == []
    denied = list(router.stream(ask("Hi"), pin="broken", only=True, allow=lambda *_: False))
    assert denied[-1].no_engine


def test_a_pin_to_an_unknown_engine_is_the_caller_s_mistake(route):
    with pytest.raises(UnknownEngine, match="no engine named 'nobody'; configured: scripted"):
        list(route(ScriptedEngine()).stream(ask("Hi"), pin="nobody"))


def test_an_order_with_an_unknown_engine_is_refused(ledger):
    with pytest.raises(UnknownEngine):
        Router({"a": ScriptedEngine()}, order=["b"], ledger=ledger)


def test_closing_the_answer_closes_the_engine_s_stream(route, ledger):
    closed = threading.Event()

    class Endless(ScriptedEngine):
        def stream(self, request):
            try:
                yield Start(engine=self.name, model=self.model)
                while True:
                    yield Text(text="on and ")
            finally:
                closed.set()

    stream = route(Endless(name="endless")).stream(ask("Hi"))
    for _ in range(3):
        next(stream)
    stream.close()
    assert closed.is_set()
    assert ledger.attempts()[0].outcome == "cancelled"


@pytest.mark.parametrize(
    ("steps", "reason"),
    [([End(reason="stop")], "empty"), ([" \n", End(reason="stop")], "empty")],
    ids=["nothing", "blank"],
)
def test_an_empty_answer_is_no_answer(route, steps, reason):
    events = list(route(ScriptedEngine(steps, name="empty"), ScriptedEngine("Hello.")).stream(ask("Hi")))
    assert reason in next(event for event in events if isinstance(event, Switched)).reason
    assert text_of(events).strip() == "Hello."


def test_a_tool_call_alone_is_an_answer(route):
    call = ToolCall(id="a", name="look", arguments="{}")
    events = list(route(ScriptedEngine([call])).stream(ask("Hi")))
    assert ToolDelta(call=call) in events
    assert events[-1] == End(reason="tool_calls")


def test_a_fault_in_an_adapter_does_not_end_the_conversation(route):
    class Faulty(ScriptedEngine):
        def stream(self, request):
            yield Start(engine=self.name, model=self.model)
            raise KeyError("choices")

    events = list(route(Faulty(name="faulty"), ScriptedEngine("Hello.")).stream(ask("Hi")))
    assert text_of(events) == "Hello."
    assert "unexpected" in next(event for event in events if isinstance(event, Switched)).reason


def test_the_caller_s_own_mistake_is_raised_and_not_retried_elsewhere(route):
    class Strict(ScriptedEngine):
        def stream(self, request):
            raise BadRequest("no such field")
            yield

    second = ScriptedEngine("Hello.")
    with pytest.raises(BadRequest):
        list(route(Strict(name="strict"), second).stream(ask("Hi")))
    assert second.requests == []


def test_an_engine_that_cannot_be_built_is_named_and_passed_over(ledger):
    def missing():
        raise ModelMissing("smollm2")

    router = Router({"local": missing, "none": NoneEngine()}, order=["local"], ledger=ledger)
    assert text_of(router.stream(ask("Hi", notes="- Ana"))).endswith("- Ana")
    assert "partner models pull" in router.why("Hi")
    assert [status.problem for status in router.engines()] == [
        "the model smollm2 is not here; run: partner models pull",
        "",
    ]


def test_engines_are_built_when_they_are_first_needed_and_closed_with_the_router(ledger):
    built: list[ScriptedEngine] = []

    def make() -> ScriptedEngine:
        built.append(ScriptedEngine("Hello."))
        return built[-1]

    router = Router({"a": make}, order=["a"], ledger=ledger)
    assert built == []
    list(router.stream(ask("Hi")))
    list(router.stream(ask("Hi again")))
    router.close()
    assert [engine.closed for engine in built] == [True]


def test_an_engine_in_trouble_is_asked_again_only_when_it_may_have_recovered(route):
    now = [0.0]
    flaky = ScriptedEngine(
        *[[EngineFailed("out of order", kind=FailureKind.CONNECT)]] * 3, "Back.", name="flaky"
    )
    router = route(flaky, ScriptedEngine("Hello."), clock=lambda: now[0])
    for _ in range(5):
        assert text_of(router.stream(ask("Hi"))) == "Hello."
    assert len(flaky.requests) == 3
    assert "last resort: out of order" in router.why("Hi")
    now[0] += 10
    assert text_of(router.stream(ask("Hi"))) == "Back."


def test_the_last_engine_is_tried_even_in_trouble_rather_than_none(route):
    only = ScriptedEngine(*[[EngineFailed("out of order")]] * 4, "Back.", name="only")
    router = route(only, NoneEngine())
    for _ in range(4):
        assert "No language engine" in text_of(router.stream(ask("Hi")))
    assert text_of(router.stream(ask("Hi"))) == "Back."


def test_why_explains_the_choice_without_calling_anyone(route):
    near = ScriptedEngine("near", name="near")
    far = ScriptedEngine("far", name="far", capabilities=Capabilities(local=False, window=1000))
    told = route(near, far, NoneEngine()).why("Hi", pin="far")
    assert told.splitlines() == [
        "1. far: you chose it, hosted",
        "2. near: on this machine",
        "3. none: answers from memory without a model",
    ]
    assert near.requests == far.requests == []


def test_one_engine_can_be_tested_past_its_breaker(route):
    router = route(ScriptedEngine("Hello."), broken())
    assert router.test("scripted") == End(reason="stop")
    assert router.test("broken") == Failed(message="out of order")
