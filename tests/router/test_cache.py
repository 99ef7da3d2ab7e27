"""Complete answers by content: what must hit, what must miss, what is never kept."""

from __future__ import annotations

import os
import pickle
import stat
from pathlib import Path

import pytest
from asking import ask, text_of
from fake_provider import DONE, RESET, Reply, delta, finish, said, usage

from router import Cache, End, Message, Request, Role, Start, Switched, Text, ToolCall, ToolSpec, Usage
from router.engines.llama_cpp import LlamaCppEngine
from router.engines.openai_http import OpenAIHttpEngine
from router.engines.scripted import ScriptedEngine
from router.files import read
from router.fingerprint import fingerprint
from router.selection import Rules

WHOLE = (
    Start(engine="e", model="m"),
    Text(text="Hello"),
    Usage(tokens_in=1, tokens_out=1),
    End(reason="stop"),
)


@pytest.fixture
def cache(tmp_path: Path):
    made = Cache(tmp_path / "cache")
    yield made
    made.close()


@pytest.fixture
def asked_of(provider, route, cache):
    """How many requests reach the provider when these are asked one after the other."""

    def count(*requests: Request, replies: tuple[Reply, ...] = (), **options) -> int:
        server = provider(*(replies or (said("Hello"),)))
        router = route(OpenAIHttpEngine(server.url, "m", **options), cache=cache)
        for request in requests:
            list(router.stream(request))
        return len(server.arrived)

    return count


def system(text: str) -> Request:
    return Request(messages=(Message(role=Role.SYSTEM, content=text), Message(role=Role.USER, content="Hi")))


def tool_history(first: str, second: str) -> Request:
    calls = (ToolCall(id="a", name="f", arguments="{}"), ToolCall(id="b", name="f", arguments="{}"))
    return Request(
        messages=(
            Message(role=Role.USER, content="Hi"),
            Message(role=Role.ASSISTANT, content="", tool_calls=calls),
            Message(role=Role.TOOL, content="42", tool_call_id=first),
            Message(role=Role.TOOL, content="41", tool_call_id=second),
        )
    )


def test_the_same_question_is_asked_once_and_its_answer_replayed_free_and_marked(
    provider, route, cache, ledger
):
    server = provider(Reply([delta("Hel"), delta("lo"), finish(), usage(), DONE]))
    router = route(OpenAIHttpEngine(server.url, "m", prices=(1e6, 1e6)), cache=cache)
    first, second = list(router.stream(ask("Hi"))), list(router.stream(ask("Hi")))
    assert len(server.arrived) == 1
    assert text_of(first) == text_of(second) == "Hello"
    assert second[0] == Start(engine="openai_http", model="m", cached=True)
    assert [attempt.cached for attempt in ledger.attempts()] == [False, True]
    assert ledger.attempts()[1].cost_usd == 0
    assert ledger.inference_calls() == 1


@pytest.mark.conforms("P12")
@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [
        (ask("Hi", max_tokens=16), ask("Hi", max_tokens=4000), 2),
        (ask("Hi"), ask("Hi"), 1),
        (tool_history("a", "b"), tool_history("b", "a"), 2),
        (system("Réponds en français."), system("Answer in English."), 2),
        (ask("Hi", extra={"grammar": "root ::= a"}), ask("Hi", extra={"grammar": "root ::= b"}), 2),
        (ask("Hi", extra={"num_ctx": 2048}), ask("Hi", extra={"num_ctx": 4096}), 2),
        (ask("Hi", seed=1), ask("Hi", seed=2), 2),
    ],
    ids=["max_tokens", "temperature absent twice", "tool ids", "system", "grammar", "num_ctx", "seed"],
)
def test_what_may_change_the_answer_asks_again(asked_of, one, other, asked):
    assert asked_of(one, other) == asked


def test_the_same_messages_on_two_ports_are_two_questions(provider, route, cache):
    servers = [provider(said("one")), provider(said("two"))]
    texts = [
        text_of(route(OpenAIHttpEngine(server.url, "m"), cache=cache).stream(ask("Hi"))) for server in servers
    ]
    assert texts == ["one", "two"]


@pytest.mark.conforms("P12")
def test_a_file_rewritten_under_the_same_length_and_time_is_another_question(asked_of, tmp_path):
    path = tmp_path / "plan.txt"

    def about() -> Request:
        attached = read(path).attachment()
        return Request(messages=(Message(role=Role.USER, content="Hi", attachments=(attached,)),))

    path.write_text("ship on monday")
    os.utime(path, ns=(1, 1))
    first = about()
    path.write_text("ship on friday")
    os.utime(path, ns=(1, 1))
    assert asked_of(first, about()) == 2


def test_a_file_whole_and_by_range_and_an_image_with_other_bytes_are_other_questions(asked_of, tmp_path):
    path = tmp_path / "plan.txt"
    path.write_text("ship on monday")
    image = tmp_path / "a.png"
    requests = []
    for part in (read(path), read(path, start=5), read(path, start=5, length=2)):
        requests.append(
            Request(messages=(Message(role=Role.USER, content="Hi", attachments=(part.attachment(),)),))
        )
    for pixels in (b"\x89PNG1", b"\x89PNG2"):
        image.write_bytes(pixels)
        requests.append(
            Request(
                messages=(Message(role=Role.USER, content="Hi", attachments=(read(image).attachment(),)),)
            )
        )
    assert asked_of(*requests, *requests, vision=True) == 5


def test_a_stream_that_was_reset_is_asked_again(asked_of):
    broken = Reply([delta("a"), delta("b"), delta("c"), RESET])
    assert asked_of(ask("Hi"), ask("Hi"), ask("Hi"), replies=(broken, said("Hello"))) == 2


@pytest.mark.conforms("P12")
def test_window_template_adapter_and_model_bytes_are_in_the_key_of_a_local_model(tmp_path):
    model, adapter = tmp_path / "model.gguf", tmp_path / "lora.gguf"
    model.write_bytes(b"GGUF one")
    adapter.write_bytes(b"GGUF a")

    def key(**options) -> str:
        return fingerprint(ask("Hi"), LlamaCppEngine(model, **options).fingerprint())

    engine = LlamaCppEngine(model)
    before = fingerprint(ask("Hi"), engine.fingerprint())
    keys = {before, key(n_ctx=4096), key(template="x"), key(lora_path=adapter), key(sampling={"top_k": 1.0})}
    adapter.write_bytes(b"GGUF b")
    keys.add(key(lora_path=adapter))
    assert len(keys) == 6
    model.write_bytes(b"GGUF two")
    os.utime(model, ns=(1, 1))
    assert fingerprint(ask("Hi"), engine.fingerprint()) not in keys


def test_a_swap_of_engine_in_mid_stream_keeps_only_the_whole_answer(route, cache, provider):
    server = provider(Reply([delta("One "), RESET]))
    router = route(OpenAIHttpEngine(server.url, "m"), ScriptedEngine("Whole."), cache=cache)
    assert any(isinstance(event, Switched) for event in list(router.stream(ask("Hi"))))
    second = list(router.stream(ask("Hi")))
    assert len(server.arrived) == 2
    assert second[-1] == End(reason="stop")
    assert [event.cached for event in second if isinstance(event, Start)] == [False, True]


@pytest.mark.parametrize(
    ("events", "request_"),
    [
        ((*WHOLE[:-1], End(reason="length")), ask("Hi")),
        ((*WHOLE[:-1], End(reason="content_filter")), ask("Hi")),
        (WHOLE[:-1], ask("Hi")),
        ((WHOLE[0], WHOLE[-1]), ask("Hi")),
        (WHOLE, ask("Hi", temperature=0.7)),
        (WHOLE, ask("Hi", tools=(ToolSpec(name="f", description="", parameters={}),))),
    ],
    ids=["length", "refusal", "partial", "empty", "sampled", "tools"],
)
def test_what_is_not_whole_plain_and_repeatable_is_never_kept(cache, events, request_):
    assert not cache.put("key", request_, events)
    assert cache.get("key") is None


def test_a_sampled_answer_is_kept_where_the_operator_wants_that(route, cache, provider):
    server = provider(said("one"), said("two"))
    router = route(OpenAIHttpEngine(server.url, "m"), cache=cache, rules=Rules(keep_sampled=True))
    texts = [text_of(router.stream(ask("Hi", temperature=0.9))) for _ in range(2)]
    assert texts == ["one", "one"]


def test_the_folder_is_the_operator_s_alone(cache, tmp_path):
    cache.put("key", ask("Hi"), WHOLE)
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "cache").iterdir()} == {0o600}


def test_what_is_cleared_is_gone_from_the_file(cache, tmp_path):
    cache.put("key", ask("Hi"), (WHOLE[0], Text(text="a word nobody else says"), WHOLE[-1]))
    assert cache.clear() == 1
    assert cache.get("key") is None
    assert all(b"nobody else" not in file.read_bytes() for file in (tmp_path / "cache").iterdir())


def test_two_processes_share_the_answers(cache, tmp_path):
    other = Cache(tmp_path / "cache")
    cache.put("key", ask("Hi"), WHOLE)
    assert text_of(other.get("key") or ()) == "Hello"
    other.put("key", ask("Hi"), (WHOLE[0], Text(text="Newer"), WHOLE[-1]))
    assert text_of(cache.get("key") or ()) == "Newer"
    other.close()


class Planted:
    """What a planted pickle would run."""

    def __reduce__(self):
        return (os.mkdir, (os.environ["PLANTED"],))


def test_a_planted_pickle_is_never_run(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("PLANTED", str(tmp_path / "ran"))
    cache.put("key", ask("Hi"), WHOLE)
    raw = cache._cache()
    raw._sql("UPDATE Cache SET mode = 4, value = ?", (pickle.dumps(Planted()),))
    assert cache.get("key") is None
    assert not (tmp_path / "ran").exists()
    assert "pickle" in cache.error
    with pytest.raises(TypeError):
        raw.set("other", {"not": "bytes"})


def test_a_damaged_cache_is_a_miss_and_not_the_end_of_the_conversation(tmp_path, route):
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "cache.db").write_bytes(b"this is no database" * 100)
    cache = Cache(folder)
    assert text_of(route(ScriptedEngine("Hello."), cache=cache).stream(ask("Hi"))) == "Hello."
    assert "cache cannot be" in cache.error


def test_it_stays_under_its_limit(tmp_path):
    cache = Cache(tmp_path / "cache", limit_bytes=200_000)
    body = Text(text="x" * 20_000)
    for number in range(60):
        cache.put(f"key {number}", ask("Hi"), (WHOLE[0], body, WHOLE[-1]))
    assert cache.volume() < 400_000
    assert cache.get("key 59") is not None
    assert cache.get("key 0") is None
    cache.close()
