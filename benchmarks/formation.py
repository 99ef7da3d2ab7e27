"""What formation costs, and what a long talk leaves behind.

    python -m benchmarks.formation [--turns N] [--entries N] [--json]

Talk: N turns (10,000) of small talk, questions and a few dozen facts said over and over, also in other
words, through the former on a store in memory. Junk is an engram formed from a turn that settles nothing; a
duplicate one that says what another says. Speed: one turn formed on a store of `--entries` claims (100,000),
a message of 100 KB, and beside them a bare search of the same store for one sentence. Milliseconds of this
process's CPU time. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.memory import RAW, Clock, FormerPlayer
from gate.language.lexicon import lexicon_dir
from partner.formation import Context, form
from partner.formation.claims import keys
from partner.holds import StoreHolds
from store import Store, open_store
from store.model import Draft, EngramType, Klass, Provenance, ProvenanceKind

START = datetime.fromisoformat("2026-03-04T10:00:00+01:00")
SEED = 20260304
FACTS = (
    ("The kiln stands in the yard.", "As I said, the kiln stands in the yard."),
    ("Marek handles the payroll.", "The payroll is handled by Marek.", "It's Marek who handles the payroll."),
    ("The stand costs 85 euros.", "The stand fee is 85 euros.", "The price of the stand is 85 euros."),
    ("I prefer short answers.", "I really prefer short answers."),
    ("The ferry leaves at 6:20.", "By the way, the ferry leaves at 6:20."),
    ("Our supplier for flour is Tarn Mill.", "Tarn Mill is our supplier for flour."),
    ("Never lend the trailer.", "Please never lend the trailer."),
    ("The lease runs until 30 June 2027.", "Remember that the lease runs until 30 June 2027."),
    ("Odile is the treasurer.", "The treasurer is Odile."),
    ("The spare key hangs behind the clock.", "And the spare key hangs behind the clock."),
    ("I'm the night porter at the Aldgate.", "I am the night porter at the Aldgate."),
    ("We decided on the grey tiles for the hall.", "We've decided on the grey tiles for the hall."),
)
TALK = (
    "Good morning!", "How are you today?", "Thanks, that helps a lot.", "What a week.", "I'm starving.",
    "Lovely weather today.", "Who handles the payroll?", "When does the ferry leave again?", "Ha, funny.",
    "Can you sum that up?", "Maybe we should paint the shed. Or not.", "If I had a boat, I'd be gone by now.",
    "My head hurts.", "See you tomorrow!", "Could you send me the list?", "Oh great, another Monday.",
    "I wonder whether the roof will hold.", "Haha, yes.", "Write me a short poem about herons.",
    "What is the price of the stand?", "It's raining again.", "Hm, let me think about it.",
    "My train was late again, typical.", "Which key is it?", "Great, perfect, thank you!",
)  # fmt: skip


def talk(turns: int, rng: random.Random) -> Iterator[tuple[str, int | None]]:
    """(words, the fact they say or None), two of five a fact."""
    for _ in range(turns):
        if rng.random() < 0.4:
            number = rng.randrange(len(FACTS))
            yield rng.choice(FACTS[number]), number
        else:
            yield rng.choice(TALK), None


def long_talk(turns: int) -> dict[str, Any]:
    """Figures of one long talk."""
    rng = random.Random(SEED)
    clock = Clock()
    with open_store("memory:", clock=clock, author="operator") as store:
        on = FormerPlayer(store, clock)
        junk, settling, formed = 0, 0, 0
        said: set[int] = set()
        for number, (words, fact) in enumerate(talk(turns, rng)):
            at = START + timedelta(minutes=3 * number)
            clock.set(at.isoformat())
            before = store.head().seq
            on.operator(words, at)
            new = [e for e in store.log(after=before) if e.type not in RAW and e.klass is not Klass.CONTROL]
            formed += len(new)
            settling += fact is not None
            said |= {fact} if fact is not None else set()
            junk += len(new) if fact is None else 0
        holding = [e for e in store.current() if e.type not in RAW]
        return {
            "turns": turns,
            "settling_turns": settling,
            "facts": len(said),
            "formed": formed,
            "formed_per_settling_turn": round(formed / max(1, settling), 4),
            "junk": junk,
            "duplicates": max(0, len(holding) - len(said)),
            "holding": len(holding),
        }


TEMPLATES = (
    "The {a} of the {b} costs {n} euros a month.", "{p} minds the {a}.", "The {a} stands behind the {b}.",
    "The {b} opens at {h}.", "We decided on the {a} for the {b}.", "{p} is the {b}'s {a}.",
    "The {a} is insured with {p} until {n}.", "Our {a} comes from {p}.", "The {b} holds {n} litres of {a}.",
    "{p} lends the {a} to the {b}.", "The {a} runs on {b}.", "Every {b} needs a {a} of {n} centimetres.",
)  # fmt: skip


def vocabulary() -> list[str]:
    """Nouns of the lexicon, in an order of their own: a few of them are said often, most of them seldom."""
    path = lexicon_dir() / "en-nouns.tsv"
    nouns = [line.split("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    plain = [noun for noun in nouns if noun.isalpha() and noun.isascii() and 3 < len(noun) < 12]
    random.Random(SEED).shuffle(plain)
    return plain[:12_000]


def claim(nouns: Sequence[str], rng: random.Random) -> str:
    """One claim; how often a noun is said falls off: the first of them is in two of a hundred claims."""
    a, b, p = (nouns[int(len(nouns) * rng.random() ** 2.5)] for _ in range(3))
    fields = {
        "a": a,
        "b": b,
        "p": p.capitalize(),
        "n": rng.randrange(10, 990),
        "h": f"{rng.randrange(6, 12)}:30",
    }
    return rng.choice(TEMPLATES).format(**fields)


def fill(store: Store, entries: int, nouns: Sequence[str], rng: random.Random) -> None:
    """Claims about many things, with their keys, as the former writes them."""
    operator = Provenance(kind=ProvenanceKind.OPERATOR)
    batch: list[Draft] = []
    for number in range(entries):
        text = claim(nouns, rng)
        subject, attribute, value = keys(text, None)
        metadata = {"subject": subject, "attribute": attribute, "value": value} if attribute else {}
        batch.append(Draft(type=EngramType.CONCLUSION, content=text, provenance=operator, metadata=metadata))
        if len(batch) == 1000 or number == entries - 1:
            store.write_many(batch)
            batch.clear()


def milliseconds(run: Callable[[], object]) -> float:
    begun = time.process_time()
    run()
    return 1000 * (time.process_time() - begun)


def quantiles(samples: Sequence[float]) -> dict[str, float]:
    ordered = sorted(samples)
    at = lambda share: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)  # noqa: E731
    return {"p50_ms": at(0.5), "p99_ms": at(0.99)}


def speed(entries: int, turns: int = 400) -> dict[str, Any]:
    """Forming one turn on a big store, a long message, and a search of the same store as the floor."""
    rng = random.Random(SEED)
    clock = Clock()
    clock.set(START.isoformat())
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "s.partner"), clock=clock, author="operator") as store,
    ):
        nouns = vocabulary()
        fill(store, entries, nouns, rng)
        holds = StoreHolds(store)
        said = [words for words, _ in talk(turns, rng)]
        said += [claim(nouns, rng) for _ in range(turns)]
        rng.shuffle(said)
        form(said[0], at=START, holds=holds)  # what is loaded on first use is no part of a turn
        samples = [milliseconds(lambda w=w: form(w, at=START, holds=holds, context=Context())) for w in said]
        classes = (Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE, Klass.KNOWLEDGE)
        floor = [milliseconds(lambda w=w: store.search(w, classes=classes, limit=30)) for w in said[:200]]
        sentence = "We walked along the quay and the gulls were loud and nothing came of it. "
        long = sentence * (100_000 // len(sentence))
        return {
            "entries": entries,
            "turn": quantiles(samples),
            "one_search": quantiles(floor),
            "message_100kb_ms": round(milliseconds(lambda: form(long, at=START, holds=holds)), 1),
        }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What formation costs, and what a long talk leaves behind.")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="only the JSON line")
    options = parser.parse_args(arguments)
    if not options.json:
        print(f"a talk of {options.turns} turns, then a store of {options.entries} claims")
    print(json.dumps({"talk": long_talk(options.turns), "speed": speed(options.entries)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
