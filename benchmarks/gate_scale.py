"""The gate at 10 to 100,000 rules: `python -m benchmarks.gate --scale`.

Rules are of mixed kinds, each about names of its own, compiled from templates. Reported for each size:
microseconds of a text check (about 200 characters) and of an action check, seconds to build the snapshot of
compiled rules, milliseconds to add one rule (compilation included), seconds of a start with and without the
kept rules of gate/kept.py, and as peers a linear scan of the same rules and, on those that can be said to
them, CEL and Cedar (benchmarks/gate_peers.py). Processor time, single-threaded; the wall clock beside it.
"""

from __future__ import annotations

import gc
import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import Any

from benchmarks.gate_peers import peers
from gate import ActionRequest, Constraint, Facts, Snapshot, TextRequest, compile_prohibition, gate
from gate.actions import read_action
from gate.constraint import Part, Term
from gate.language.reading import read
from gate.language.stem import stem
from gate.match.action import match_frames
from gate.match.text import match_text
from gate.match.view import prepare

AT = datetime.fromisoformat("2026-03-06T10:15:00+01:00")
PLACEHOLDER = "Zorvane"
TEMPLATES = (
    f"Never email {PLACEHOLDER} after 18:00.",
    f"No payments to the supplier {PLACEHOLDER}.",
    f"Do not discuss the {PLACEHOLDER} merger with anyone but me.",
    f"Never delete anything in the {PLACEHOLDER} archive.",
    f"Do not deploy the {PLACEHOLDER} service on Fridays.",
    f"Never order anything from {PLACEHOLDER} above 500 EUR.",
    f"The {PLACEHOLDER} account is off limits.",
    f"Only {PLACEHOLDER} may change the roster of {PLACEHOLDER}.",
    f"Do not schedule meetings with {PLACEHOLDER} before 9:30.",
    f"Never call {PLACEHOLDER} without Ana's approval.",
    "Never delete anything under /srv/zorvane.",
    "Do not contact the host zorvane.example.",
)
TEXTS = (
    "Good morning. Please email {0} the revised drawings, file the receipts of last week, water the plants in"
    " the hall and remind me to bring the blue folder to the meeting at the town library on Thursday.",
    "Could you pay the open invoice of the supplier {0}, 310 euros for screws and hinges, and then check"
    " whether the roofer has sent the photographs that we asked for after the storm in February?",
    "Print the badges for the visitors, count the keys in the cabinet by the door, and move the fire drill"
    " to the afternoon; Ola and Pim would like to see the plan before lunch, so put it on the board.",
    "I was at the harbour yesterday and the ferry came in late again, which made everybody laugh"
    " because {0} had promised the opposite. Write down what you think we should tell the school about it.",
    "Translate the menu of the day into French, shorten the second paragraph of the letter to the"
    " bakery, and tell the gardener that the hedge behind the greenhouse can wait until September.",
)


def names(count: int) -> list[str]:
    """Made-up names, the same for every run."""
    draw = random.Random(7)
    syllables = [
        "ba",
        "ke",
        "lo",
        "mi",
        "nu",
        "ra",
        "se",
        "ti",
        "vo",
        "zu",
        "dra",
        "fen",
        "gol",
        "hir",
        "jas",
        "kul",
        "mor",
        "nel",
        "pir",
        "ros",
        "sta",
        "tov",
        "ulm",
        "vek",
        "wor",
    ]
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(draw.choice(syllables) for _ in range(4)).capitalize()] = None
    return list(found)


def rules(count: int) -> list[Constraint]:
    """`count` compiled rules: the templates with the placeholder's word exchanged in what was compiled."""
    compiled = [compile_prohibition("0", sentence) for sentence in TEMPLATES]
    made = []
    for number, name in enumerate(names(count)):
        rule = compiled[number % len(compiled)]
        identity = str(uuid.UUID(int=number + 1))
        lowered = name.casefold()
        made.append(
            replace(
                rule,
                engram_id=identity,
                sentence=rule.sentence.replace(PLACEHOLDER, name).replace("zorvane", lowered),
                objects=_renamed(rule.objects, lowered),
                recipients=_renamed(rule.recipients, lowered),
                places=_renamed(rule.places, lowered),
                paths=tuple(path.replace("zorvane", lowered) for path in rule.paths),
                hosts=tuple(host.replace("zorvane", lowered) for host in rule.hosts),
            )
        )
    return made


def _renamed(terms: tuple[Term, ...], name: str) -> tuple[Term, ...]:
    return tuple(
        replace(term, parts=tuple(_part(part, name) for part in term.parts), whole={}) for term in terms
    )


def _part(part: Part, name: str) -> Part:
    if part.word != PLACEHOLDER.casefold():
        return part
    return Part(word=name, keys={stem(name, "en"): 1.0}, weight=part.weight, exact=True)


def texts(known: Sequence[str]) -> list[TextRequest]:
    return [
        TextRequest(text=TEXTS[number % len(TEXTS)].format(known[(number * 37) % len(known)]), at=AT)
        for number in range(200)
    ]


def actions(known: Sequence[str]) -> list[ActionRequest]:
    made = []
    for number in range(200):
        name = known[(number * 37) % len(known)].casefold()
        made += [
            ActionRequest(kind="file.delete", args={"path": f"/srv/{name}/old/report.txt"}, at=AT),
            ActionRequest(
                kind="http", args={"method": "GET", "url": f"https://api.{name}.example/v1"}, at=AT
            ),
            ActionRequest(kind="payment", args={"payee": name, "amount": 40, "currency": "EUR"}, at=AT),
            ActionRequest(kind="file.read", args={"path": f"/home/{name}/notes.txt"}, at=AT),
        ]
    return made[:400]


def _times(work: Callable[[Any], object], items: Sequence[Any]) -> Iterator[tuple[float, float]]:
    """(processor, wall) microseconds of each item, with no collection of garbage in between."""
    gc.collect()
    gc.disable()
    try:
        for item in items:
            wall, started = perf_counter(), thread_time()
            work(item)
            yield (thread_time() - started) * 1e6, (perf_counter() - wall) * 1e6
    finally:
        gc.enable()


def _summary(times: Iterator[tuple[float, float]]) -> dict[str, float]:
    pairs = list(times)
    own, wall = sorted(pair[0] for pair in pairs), sorted(pair[1] for pair in pairs)
    last = len(pairs) * 99 // 100
    return {
        "p50_us": round(median(own), 1),
        "p99_us": round(own[last], 1),
        "wall_p50_us": round(median(wall), 1),
        "wall_p99_us": round(wall[last], 1),
    }


def measure(sizes: Sequence[int] = (10, 1_000, 10_000, 100_000)) -> dict[str, Any]:
    """One object a size, and the growth of the median from the second size to the last."""
    facts = Facts()
    found: dict[str, Any] = {"loop_us": round(_loop(), 1), "compile_us": round(_compiling(), 1)}
    found["start"] = starting()
    for size in sizes:
        made = rules(size)
        known = names(size)
        started, wall = process_time(), perf_counter()
        snapshot = Snapshot.of(made, head="scale")
        _ = snapshot.text_index, snapshot.action_index
        build_s, build_wall_s = process_time() - started, perf_counter() - wall
        asked, done = texts(known), actions(known)
        judge = partial(gate, facts=facts, snapshot=snapshot)
        for request in (*asked[:20], *done[:20]):
            gate(request, facts, snapshot)
        few = 3 if size > 10_000 else 10
        found[str(size)] = {
            "build_s": round(build_s, 3),
            "build_wall_s": round(build_wall_s, 3),
            "text": _summary(_times(judge, asked)),
            "action": _summary(_times(judge, done)),
            "add_ms": round(_adding(snapshot), 3),
            "linear_text_p50_us": round(_linear(snapshot, asked[:few]), 1),
            "linear_action_p50_us": round(_linear_action(snapshot, done[:few]), 1),
            "peers": peers(made, _for_peers(done[:20])),
        }
    first, last = str(sizes[min(1, len(sizes) - 1)]), str(sizes[-1])
    found["growth"] = {
        kind: round(found[last][kind]["p50_us"] / found[first][kind]["p50_us"], 2)
        for kind in ("text", "action")
    }
    return found


def _for_peers(done: Sequence[ActionRequest]) -> list[tuple[str, str]]:
    """The deletions and contacts among the actions, as the peers are asked."""
    found = []
    for action in done:
        if action.kind == "file.delete":
            found.append(("delete", str(action.args["path"])))
        elif action.kind == "http":
            found.append(("connect", str(action.args["url"]).split("/")[2]))
    return found


def _loop() -> float:
    """What this machine takes for a plain loop of 10,000 steps, to compare runs on different machines by."""
    times = []
    for _ in range(50):
        started = thread_time()
        total = 0
        for step in range(10_000):
            total += step
        times.append((thread_time() - started) * 1e6)
    return median(times)


def _compiling() -> float:
    """Microseconds to compile one sentence that was not seen before."""
    sentences = [sentence.replace(PLACEHOLDER, name) for name in names(40) for sentence in TEMPLATES[:6]]
    started = process_time()
    for number, sentence in enumerate(sentences):
        compile_prohibition(str(number), sentence)
    return (process_time() - started) / len(sentences) * 1e6


def starting(count: int = 1_000) -> dict[str, float]:
    """Processor seconds until `count` sentences are rules: compiled, and taken from those that were kept."""
    from benchmarks.gate import engram
    from gate.kept import KeptRules, compiler_digest

    known = names(count)
    sentences = [TEMPLATES[at % len(TEMPLATES)].replace(PLACEHOLDER, name) for at, name in enumerate(known)]
    stored = [engram(sentence, at) for at, sentence in enumerate(sentences)]
    compile_prohibition("0", "Never sell the ladder.")  # the lexicon is read before either
    compiler_digest.cache_clear()
    first = KeptRules()
    started = process_time()
    Snapshot.build(stored, head="start", kept=first)
    compiled = process_time() - started
    data = first.to_bytes()
    compiler_digest.cache_clear()
    started = process_time()
    Snapshot.build(stored, head="start", kept=KeptRules.of(data))
    kept = process_time() - started
    return {
        "rules": count,
        "compiled_s": round(compiled, 3),
        "kept_s": round(kept, 3),
        "ratio": round(compiled / kept, 1),
        "bytes_a_rule": round(len(data) / count),
    }


def _linear_action(snapshot: Snapshot, done: Sequence[ActionRequest]) -> float:
    times = []
    for request in done:
        started = thread_time()
        frames = read_action(request, Facts())
        for rule in snapshot.constraints:
            match_frames(rule, frames, request, Facts())
        times.append((thread_time() - started) * 1e6)
    return median(times)


def _adding(snapshot: Snapshot) -> float:
    """Milliseconds to have one rule more, its compilation and both indexes included (the worst of ten)."""
    from benchmarks.gate import engram

    worst, grown = 0.0, snapshot
    gc.collect()  # what earlier measures left behind is not charged to the rule
    for number in range(10):
        added = engram(f"Never lend the ladder to Tarvo{number}mor.", 10_000_000 + number)
        started = thread_time()
        grown = grown.with_added(added, head=f"scale+{number}")
        worst = max(worst, (thread_time() - started) * 1e3)
    return worst


def _linear(snapshot: Snapshot, asked: Sequence[TextRequest]) -> float:
    times = []
    for request in asked:
        started = thread_time()
        view = prepare(read(request.text), request, Facts())
        for rule in snapshot.constraints:
            match_text(rule, view)
        times.append((thread_time() - started) * 1e6)
    return median(times)
