"""What the router costs: python -m benchmarks.router --json [--models FOLDER] [--calls N]

Beside it, in the same run: raw httpx (the floor), litellm and litellm's own Router. The provider is a process
on loopback that answers at once, so what is measured is what lies between. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from router import Cache, EngineFailed, Ledger, Message, Request, Role, Router, Start, Text
from router.engines.openai_http import OpenAIHttpEngine
from router.engines.scripted import ScriptedEngine
from router.fingerprint import fingerprint
from router.history import Target, compile_history

QUESTION = Request(messages=(Message(role=Role.USER, content="Who owns the schema?"),), max_tokens=32)
CHUNK = 'data: {"choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}\n\n'
LAST = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
FAULTS = ("refused", "500", "html", "reset", "midstream")


# ---- the provider


def _response(body: str, *, status: str = "200 OK", kind: str = "text/event-stream") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body.encode()


ANSWERS = {
    "ok": _response(CHUNK * 8 + LAST),
    "500": _response('{"error":{"message":"broken"}}', status="500 Broken", kind="application/json"),
    "html": _response("<html></html>", kind="text/html"),
    "reset": b"",
    "midstream": _response(CHUNK * 8 + LAST)[:-200],
}


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.split("content-length:")[1].split("\r\n")[0])
            await reader.readexactly(length)
            name = head.split(" ")[1].split("/")[1]
            writer.write(ANSWERS[name])
            await writer.drain()
            if name in ("reset", "midstream"):
                break
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


@contextlib.contextmanager
def _provider() -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.router", "--serve"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


# ---- one call, four ways


def _raw(url: str) -> Callable[[], object]:
    import httpx

    client = httpx.Client()
    body = {"model": "m", "messages": [{"role": "user", "content": "Who owns the schema?"}], "stream": True}

    def call() -> str:
        with client.stream("POST", f"{url}/ok/chat/completions", json=body) as response:
            said = [json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: {")]
        return "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in said)

    return call


def _litellm(url: str, *, routed: bool) -> Callable[[], object]:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm as library

    litellm: Any = library
    litellm.suppress_debug_info = True
    where = {"model": "openai/m", "api_base": f"{url}/ok", "api_key": "none"}
    messages = [{"role": "user", "content": "Who owns the schema?"}]
    if routed:
        router = litellm.Router(model_list=[{"model_name": "m", "litellm_params": where}], num_retries=0)

        def call() -> list[Any]:
            return list(router.completion("m", messages=messages, stream=True))
    else:

        def call() -> list[Any]:
            return list(litellm.completion(**where, messages=messages, stream=True, max_retries=0))

    return call


def _ours(engines: list[Any], folder: Path, cache: Cache | None = None) -> Router:
    ledger = Ledger(folder / "ledger.sqlite", clock=lambda: datetime.now(UTC))
    names = {engine.name: engine for engine in engines}
    return Router(names, order=list(names), ledger=ledger, cache=cache)


# ---- measures


def _took_ms(call: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU milliseconds of one call; CPU is what a busy machine does not inflate so much."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000


def _p50(call: Callable[[], object], calls: int) -> dict[str, float]:
    call()
    taken = [_took_ms(call) for _ in range(calls)]
    return {
        "p50_ms": statistics.median(wall for wall, _ in taken),
        "cpu_p50_ms": statistics.median(cpu for _, cpu in taken),
    }


def measure_overhead(url: str, folder: Path, calls: int) -> dict[str, Any]:
    """Milliseconds a call, median, over raw httpx measured in turn with it.

    What is called right after litellm is slow itself (raw httpx 5 ms instead of 1), so the router is measured
    beside httpx before litellm is loaded, and litellm after that, each against the floor of its own round.
    """
    router = _ours([OpenAIHttpEngine(f"{url}/ok", "m")], folder)
    ours = _in_turn({"httpx": _raw(url), "router": lambda: list(router.stream(QUESTION))}, calls)
    theirs = _in_turn(
        {
            "httpx": _raw(url),
            "litellm": _litellm(url, routed=False),
            "litellm_router": _litellm(url, routed=True),
        },
        calls,
    )
    return {"beside_httpx": ours, "litellm_beside_httpx": theirs}


def _in_turn(ways: dict[str, Callable[[], object]], calls: int) -> dict[str, Any]:
    """The ways take turns in random order, so that load hits all alike; what each adds to the first."""
    floor = next(iter(ways))
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for call in ways.values():
        call()
    shuffled = random.Random(1)
    for _ in range(calls):
        for name in shuffled.sample(list(ways), len(ways)):
            taken[name].append(_took_ms(ways[name]))
    wall = {name: statistics.median(one for one, _ in values) for name, values in taken.items()}
    cpu = {name: statistics.median(one for _, one in values) for name, values in taken.items()}
    return {
        "p50_ms": wall,
        "cpu_p50_ms": cpu,
        "added_ms": {name: wall[name] - wall[floor] for name in ways if name != floor},
        "added_cpu_ms": {name: cpu[name] - cpu[floor] for name in ways if name != floor},
    }


def measure_cache(folder: Path, calls: int) -> dict[str, float]:
    """An answer from the cache, ledger included."""
    router = _ours([ScriptedEngine("word " * 8)], folder, Cache(folder / "cache"))
    list(router.stream(QUESTION))
    took = _p50(lambda: list(router.stream(QUESTION)), calls)
    router.close()
    return took


def measure_embedded_cache(models: Path, folder: Path, calls: int) -> dict[str, float]:
    """The same for the embedded engine, whose key holds the hash of the model file."""
    from router.engines.llama_cpp import LlamaCppEngine
    from router.models import LANGUAGE, locate

    engine = LlamaCppEngine(locate(models, LANGUAGE.name), name="local")
    router = _ours([engine], folder, Cache(folder / "embedded cache"))
    whole = replace(QUESTION, max_tokens=500)  # an answer that was cut is not kept
    list(router.stream(whole))
    assert next(router.stream(whole)) == Start(engine="local", model=engine.model, cached=True)
    took = _p50(lambda: list(router.stream(whole)), calls)
    router.close()
    return took


def measure_fingerprint(calls: int) -> dict[str, float]:
    """The key of a history of 100 messages."""
    history = Request(messages=_messages(100))
    return _p50(lambda: fingerprint(history, {"kind": "bench"}), calls)


def measure_compile(calls: int) -> dict[str, float]:
    """200 turns compiled for a window that holds about half of them, counts remembered."""
    counts: dict[str, int] = {}

    def count(text: str) -> int:
        if text not in counts:
            counts[text] = len(text) // 4 + 1
        return counts[text]

    request = Request(messages=_messages(400))
    target = Target(window=8192, count=count, alternate=True)
    return _p50(lambda: compile_history(request, target), calls)


def measure_failover(url: str, folder: Path, calls: int) -> dict[str, float]:
    """Milliseconds until the first word of the engine that takes over, by kind of failure."""
    out = {}
    ledger = Ledger(folder / "failover.sqlite", clock=lambda: datetime.now(UTC))
    refusing = socket.socket()  # bound and not listening: nobody else can answer there
    refusing.bind(("127.0.0.1", 0))
    for fault in FAULTS:
        nobody = f"http://127.0.0.1:{refusing.getsockname()[1]}/v1"
        base = nobody if fault == "refused" else f"{url}/{fault}"

        engines = {"failing": OpenAIHttpEngine(base, "m", name="failing"), "backup": ScriptedEngine("word")}

        def once(engines: Any = engines) -> float:
            # a fresh router each time: its breaker would keep the failing engine out after three
            router = Router(engines, order=list(engines), ledger=ledger)
            began = time.perf_counter()
            for event in router.stream(QUESTION):
                if isinstance(event, Text) and event.text == "word":
                    break
            return (time.perf_counter() - began) * 1000

        once()
        out[fault] = statistics.median(once() for _ in range(calls))
    refusing.close()
    return out


def measure_model(models: Path, rounds: int = 10, tokens: int = 32) -> dict[str, float]:
    """Tokens a second of the bare library and through the worker, and what a known beginning saves.

    Short runs take turns, each pair in another order, so that load hits both alike; `ratio` is the median of
    the pairs, `cpu_ratio` the same in processor time of all processes, which load does not inflate.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from llama_cpp import Llama

    from router.engines.llama_cpp import LlamaCppEngine
    from router.models import LANGUAGE, locate

    path = locate(models, LANGUAGE.name)
    threads = os.cpu_count() or 1
    bare = Llama(str(path), n_ctx=2048, n_threads=threads, n_threads_batch=threads, verbose=False)
    engine = LlamaCppEngine(path, sampling={})
    story = _ask("Write a long story about a dragon and a cat.", tokens)
    list(engine.stream(story))
    prompt = bare.tokenize(_prompt_of(engine, story), add_bos=False, special=True)

    def bare_run() -> tuple[float, float]:
        generator = bare.generate(prompt, temp=0.0)
        next(generator)
        began, cpu = time.perf_counter(), time.process_time()
        for _ in range(tokens - 1):
            bare.detokenize([next(generator)])
        return (time.perf_counter() - began) / (tokens - 1), (time.process_time() - cpu) / (tokens - 1)

    def worker_run() -> tuple[float, float]:
        marks, cpu = [], 0.0
        for event in engine.stream(story):
            if isinstance(event, Text):
                marks.append(time.perf_counter())
                cpu = cpu or time.process_time() + _cpu_of(engine.worker)
        spent = time.process_time() + _cpu_of(engine.worker) - cpu
        return (marks[-1] - marks[0]) / (tokens - 1), spent / (tokens - 1)

    bare_run()
    worker_run()
    pairs = []
    for number in range(rounds):
        one = bare_run() if number % 2 else None
        other = worker_run()
        pairs.append((one or bare_run(), other))
    first = _first_token_s(engine)
    engine.close()
    bare.close()
    return {
        "bare": 1 / statistics.median(one[0] for one, _ in pairs),
        "worker": 1 / statistics.median(other[0] for _, other in pairs),
        "ratio": statistics.median(one[0] / other[0] for one, other in pairs),
        "cpu_ratio": statistics.median(one[1] / other[1] for one, other in pairs),
        "first_token_known_beginning": first[1] / first[0],
    }


def _prompt_of(engine: Any, request: Request) -> bytes:
    """The very text that the worker reads: of a longer prompt every token takes longer."""
    messages = [{"role": str(message.role), "content": message.content} for message in request.messages]
    call = engine.worker.call({"op": "render", "messages": messages})
    return call.next(60)[0]["prompt"].encode()


def _cpu_of(worker: Any) -> float:
    """Processor seconds of a worker so far, all its threads (proc(5), fields 14 and 15)."""
    fields = Path(f"/proc/{worker.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _first_token_s(engine: Any, beginning: str = "The cat sat on the mat by the door. " * 25) -> list[float]:
    """Seconds to the first token on a new beginning, and (the best of three) on the same one again."""
    took = []
    for question in ("Where is the cat?", "What is by the door?", "Who sat?", "On what?"):
        system = Message(role=Role.SYSTEM, content=beginning)
        request = Request(messages=(system, Message(role=Role.USER, content=question)), max_tokens=2)
        began = time.perf_counter()
        marks = [time.perf_counter() - began for event in engine.stream(request) if isinstance(event, Text)]
        took.append(marks[0])
    return [took[0], min(took[1:])]


def _ask(text: str, max_tokens: int) -> Request:
    return Request(messages=(Message(role=Role.USER, content=text),), max_tokens=max_tokens)


def _messages(count: int) -> tuple[Message, ...]:
    text = "We decided to drop the Postgres migration, and Ana owns the schema from now on. "
    roles = (Role.USER, Role.ASSISTANT)
    return tuple(Message(role=roles[at % 2], content=f"{at}: {text}") for at in range(count))


def run(models: Path | None, calls: int) -> dict[str, Any]:
    """Every measure; `model` only where the models are."""
    with tempfile.TemporaryDirectory() as name, _provider() as url:
        folder = Path(name)
        result: dict[str, Any] = {
            "overhead": measure_overhead(url, folder, calls),
            "cache_hit": measure_cache(folder, calls),
            "fingerprint_100_messages": measure_fingerprint(calls),
            "compile_200_turns": measure_compile(max(20, calls // 10)),
            "failover_ms": measure_failover(url, folder, max(5, calls // 20)),
        }
        if models is not None:
            result["cache_hit_embedded"] = measure_embedded_cache(models, folder, calls)
    if models is not None:
        try:
            result["model"] = measure_model(models)
        except EngineFailed as error:
            print(f"the model was not measured: {error}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the JSON line only")
    parser.add_argument("--models", type=Path, help="folder of the embedded models")
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        asyncio.run(_serve())
        return
    result = run(arguments.models, arguments.calls)
    if not arguments.json:
        for name, value in result.items():
            print(f"{name}: {value}")
    print(json.dumps(_rounded(result)))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    return round(value, 3) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
