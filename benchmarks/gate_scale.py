"""The gate at 10 to 100,000 rules: `python -m benchmarks.gate --scale`.

Rules are of mixed kinds, each about names of its own, compiled from templates. Reported for each size:
microseconds of processor time of a text check (about 200 characters) and of an action check, seconds to
build the indexes, milliseconds to add one rule, and, as the peer, a linear scan of the
same texts.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from statistics import median
from time import perf_counter, thread_time
from typing import Any

from gate import ActionRequest, Constraint, Facts, Snapshot, TextRequest, compile_prohibition, gate
from gate.constraint import Part, Term
from gate.language.reading import read
from gate.language.stem import stem
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


def _times(work: Callable[[Any], object], items: Sequence[Any]) -> Iterator[float]:
    for item in items:
        started = thread_time()
        work(item)
        yield (thread_time() - started) * 1e6


def _summary(times: Iterator[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"p50_us": round(median(ordered), 1), "p99_us": round(ordered[len(ordered) * 99 // 100], 1)}


def measure(sizes: Sequence[int] = (10, 1_000, 10_000, 100_000)) -> dict[str, Any]:
    """One object a size, and the growth of the median from the second size to the last."""
    facts = Facts()
    found: dict[str, Any] = {}
    for size in sizes:
        made = rules(size)
        known = names(size)
        started = perf_counter()
        snapshot = Snapshot.of(made, head="scale")
        _ = snapshot.text_index, snapshot.action_index
        build_s = perf_counter() - started
        asked, done = texts(known), actions(known)
        judge = partial(gate, facts=facts, snapshot=snapshot)
        for request in (*asked[:20], *done[:20]):
            gate(request, facts, snapshot)
        found[str(size)] = {
            "build_s": round(build_s, 3),
            "text": _summary(_times(judge, asked)),
            "action": _summary(_times(judge, done)),
            "add_ms": round(_adding(snapshot), 3),
            "linear_text_p50_us": round(_linear(snapshot, asked[: 3 if size > 10_000 else 10]), 1),
        }
    first, last = str(sizes[min(1, len(sizes) - 1)]), str(sizes[-1])
    found["growth"] = {
        kind: round(found[last][kind]["p50_us"] / found[first][kind]["p50_us"], 2)
        for kind in ("text", "action")
    }
    return found


def _adding(snapshot: Snapshot) -> float:
    """Milliseconds to have one rule more, its compilation and both indexes included (the worst of ten)."""
    from benchmarks.gate import engram

    worst, grown = 0.0, snapshot
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
