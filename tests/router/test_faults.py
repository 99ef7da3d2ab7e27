"""Every way in which a provider fails: what the operator sees, what the ledger has, what really arrived."""

from __future__ import annotations

import socket
import threading

import pytest
from asking import ask, text_of
from fake_provider import (
    COMMENTS,
    DONE,
    STALL,
    FakeProvider,
    Reply,
    delta,
    error,
    finish,
    said,
    usage,
)
from provider_faults import FAULTS, SECRET

from router import End, Failed, Switched, Text, watchdog
from router.config import build, load_config
from router.engines.hosted import HostedEngine
from router.engines.none import NoneEngine
from router.engines.openai_http import OpenAIHttpEngine
from router.engines.scripted import ScriptedEngine
from router.keys import Keys

HTTP = [pytest.param("openai_http", fault, id=f"http {fault.name}") for fault in FAULTS]
# litellm follows redirects
HOSTED = [
    pytest.param("hosted", fault, id=f"hosted {fault.name}") for fault in FAULTS if fault.name != "redirect"
]


def engine_at(kind: str, url: str, **short: float):
    """Deadlines are far away except where one is the subject: a busy machine is no fault."""
    timeouts = {"first_token_s": 60.0, "between_tokens_s": 60.0, **short}
    if kind == "hosted":
        return HostedEngine("openai/fake", name="remote", api_base=url, api_key=SECRET, **timeouts)
    return OpenAIHttpEngine(url, "fake", name="remote", api_key=SECRET, **timeouts)


@pytest.fixture(scope="module", autouse=True)
def warm_litellm():
    """Its first call imports for a second more; the short deadlines here are about the ones after."""
    server = FakeProvider(said("ok"))
    list(HostedEngine("openai/fake", api_base=server.url, api_key=SECRET).stream(ask("Hi")))
    server.close()


@pytest.mark.conforms("P13")
@pytest.mark.parametrize(("kind", "fault"), [*HTTP, *HOSTED])
def test_a_failing_provider_is_replaced_within_the_turn(kind, fault, provider, route, ledger):
    server = provider(fault.reply)
    router = route(engine_at(kind, server.url, **fault.deadline), ScriptedEngine("Here I am."))

    events = list(router.stream(ask("Are you there?")))

    switched = next(event for event in events if isinstance(event, Switched))
    assert (switched.engine, switched.to) == ("remote", "scripted")
    assert switched.superseded == fault.partial
    assert fault.shows in switched.reason
    assert SECRET not in repr(events)
    after = events[events.index(switched) :]
    assert text_of(after) == "Here I am."
    assert isinstance(events[-1], End)
    outcomes = [attempt.outcome for attempt in ledger.attempts()]
    assert outcomes == [fault.hosted if kind == "hosted" else fault.http, "ok"]
    assert SECRET not in repr(ledger.attempts())
    assert len(server.all_arrived(1)) == 1  # nobody below the router tries again


@pytest.mark.conforms("P13")
def test_when_every_engine_fails_memory_answers_and_says_so(provider, route):
    server = provider(error(500, "out of order"))
    router = route(engine_at("openai_http", server.url), NoneEngine())

    events = list(router.stream(ask("Who owns it?", notes="- Ana owns the schema.")))

    assert isinstance(events[-1], End)
    assert "No language engine is available" in text_of(events)
    assert "Ana owns the schema" in text_of(events)


def test_without_any_engine_left_the_operator_is_told_each_reason(provider, route):
    server = provider(error(500, "out of order"))
    events = list(route(engine_at("openai_http", server.url)).stream(ask("Hello?")))
    assert isinstance(events[-1], Failed)
    assert "remote" in events[-1].message
    assert "out of order" in events[-1].message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"Retry_After_Ms": "1500"}, 1.5),
        ({"Retry_After": "Wed, 04 Mar 2026 10:00:30 GMT", "Date": "Wed, 04 Mar 2026 10:00:00 GMT"}, 30.0),
    ],
    ids=["seconds", "milliseconds", "date"],
)
def test_a_provider_that_asks_for_time_is_left_alone_for_it(headers, seconds, provider, route):
    now = [100.0]
    server = provider(error(429, "slow down", **headers), said("Hello"))
    router = route(engine_at("openai_http", server.url), ScriptedEngine("Backup."), clock=lambda: now[0])

    assert text_of(list(router.stream(ask("a")))) == "Backup."
    now[0] += seconds - 0.1
    assert text_of(list(router.stream(ask("b")))) == "Backup."
    assert len(server.arrived) == 1
    now[0] += 0.2
    assert text_of(list(router.stream(ask("c")))) == "Hello"


@pytest.mark.parametrize("kind", ["openai_http", "hosted"])
def test_a_refused_key_is_not_tried_again_until_the_configuration_changes(kind, provider, route):
    now = [0.0]
    server = provider(error(401, "bad key"), said("Hello"))
    router = route(engine_at(kind, server.url), ScriptedEngine("Backup."), clock=lambda: now[0])
    list(router.stream(ask("a")))
    now[0] += 86_400
    assert text_of(list(router.stream(ask("b")))) == "Backup."
    assert len(server.arrived) == 1
    router.reset("remote")
    assert text_of(list(router.stream(ask("c")))) == "Hello"


@pytest.mark.parametrize("kind", ["openai_http", "hosted"])
def test_one_refused_key_does_not_close_the_same_model_to_another_key(kind, provider, ledger, tmp_path):
    server = provider(error(401, "bad key"), said("Hello"))
    where = "base_url" if kind == "openai_http" else "api_base"
    text = "".join(
        f'[engines.{name}]\nkind = "{kind}"\n{where} = "{server.url}"\n'
        f'model = "openai/m"\nkey = "env:{name}"\n'
        for name in ("first", "second")
    )
    keys = Keys(tmp_path / "keys.json", environment={"first": "old", "second": "new"})
    config = load_config('[router]\norder = ["first", "second"]\n' + text)
    router = build(config, models_dir=tmp_path, ledger=ledger, keys=keys)
    assert text_of(router.stream(ask("Hi"))) == "Hello"
    plan = router.plan(ask("Hi"))
    assert plan.names == ("second", "none")
    assert "bad key" in plan.explain()
    assert [one.headers["authorization"] for one in server.arrived] == ["Bearer old", "Bearer new"]
    router.close()


@pytest.mark.parametrize("kind", ["openai_http", "hosted"])
def test_text_comes_whole_wherever_the_wire_cuts_it(kind, provider, route):
    body = delta("Grüße, 世界 🎉") + finish() + usage() + DONE
    cuts = range(1, len(body), 7 if kind == "hosted" else 1)
    server = provider(*(Reply([body[:cut], body[cut:]]) for cut in cuts))
    engine = engine_at(kind, server.url)
    assert {text_of(engine.stream(ask("Hi"))) for _ in cuts} == {"Grüße, 世界 🎉"}
    engine.close()


def test_a_slow_but_steady_answer_is_waited_for(provider, route, monkeypatch):
    """Each word comes two thirds of the deadline after the last one, by a clock of the test's own."""
    now, heard = [0.0], threading.Semaphore(0)
    monkeypatch.setattr(watchdog, "SHARED", watchdog.Watchdog(lambda: now[0]))

    def later() -> None:
        heard.acquire()
        now[0] += 20.0

    words = ["one ", "two ", "three ", "four ", "five ", "six "]
    pieces = [part for word in words for part in (delta(word), later)]
    server = provider(Reply([*pieces, finish(), DONE]))
    engine = engine_at("openai_http", server.url, between_tokens_s=30.0)
    said_ = ""
    for event_ in route(engine).stream(ask("Count.")):
        if isinstance(event_, Text):
            said_ += event_.text
            heard.release()
    assert said_ == "one two three four five six "
    assert event_ == End(reason="stop")
    assert now[0] == 120.0


def test_keep_alive_comments_are_no_answer(provider, route, ledger):
    server = provider(Reply([COMMENTS]))
    engine = engine_at("openai_http", server.url, first_token_s=0.4)
    events = list(route(engine, ScriptedEngine("Backup.")).stream(ask("Hi")))
    assert text_of(events) == "Backup."
    assert ledger.attempts()[0].outcome == "timeout"


def test_nobody_at_the_address_is_told_in_words(route):
    with socket.socket() as taken:  # bound and not listening: this address refuses for certain
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        events = list(route(engine_at("openai_http", url)).stream(ask("Hi")))
    assert isinstance(events[-1], Failed)
    assert f"nobody answers at {url}" in events[-1].message


@pytest.mark.parametrize("kind", ["openai_http", "hosted"])
@pytest.mark.parametrize("rest", [STALL, COMMENTS])
def test_closing_the_answer_closes_the_connection_and_is_in_the_ledger(kind, rest, provider, route, ledger):
    server = provider(Reply([delta("One "), rest]))
    stream = route(engine_at(kind, server.url)).stream(ask("Hi"))
    while "One" not in repr(next(stream)):
        pass
    stream.close()
    assert server.left.wait(60)
    assert [attempt.outcome for attempt in ledger.attempts()] == ["cancelled"]


def test_tool_calls_and_reasoning_come_as_events_of_their_own(provider):
    call = {"index": 0, "id": "abc", "function": {"name": "look", "arguments": '{"at":'}}
    rest = {"index": 0, "function": {"arguments": '"door"}'}}
    server = provider(
        Reply([
            delta(reasoning_content="Hmm."), delta("", tool_calls=[call]), delta("", tool_calls=[rest]),
            finish("tool_calls"), usage(), DONE,
        ])
    )  # fmt: skip
    names = [type(one).__name__ for one in engine_at("openai_http", server.url).stream(ask("Look!"))]
    assert names == ["Start", "Reasoning", "ToolDelta", "Usage", "End"]


def test_what_is_sent_is_what_was_asked(provider):
    server = provider(said("ok"))
    request = ask("Hi", max_tokens=9, temperature=0.5, seed=3, stop=("END",), schema={"type": "object"})
    engine = OpenAIHttpEngine(
        server.url, "fake", api_key=SECRET, options={"top_k": 5, "stream_options": None}
    )
    list(engine.stream(request))
    body = server.arrived[0].body
    assert body["messages"] == [{"role": "user", "content": "Hi"}]
    assert (body["max_tokens"], body["temperature"], body["seed"], body["stop"]) == (9, 0.5, 3, ["END"])
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert body["top_k"] == 5
    assert "stream_options" not in body
    assert server.arrived[0].headers["authorization"] == f"Bearer {SECRET}"
