"""An old claim that its keys alone rule out is one that reading its words would rule out, too."""

from __future__ import annotations

import random
from pathlib import Path

from remembering import Memory

from benchmarks.formation import FACTS, TEMPLATES
from partner.formation.compare import Candidate, Signals, Tier, _relate, _speaks_of_other
from partner.formation.frames import frame
from store.model import Engram

SETTLING = Path(__file__).parents[2] / "data" / "settling.txt"
NAMES = ("Odile", "Marek", "Tarn Mill", "Ana")
THINGS = ("stand", "kiln", "ferry", "trailer", "payroll", "hall")


def said() -> list[str]:
    """Claims with few words between them, so that many share some, and every line of the tests' own."""
    rng = random.Random(20260304)
    drawn = [
        rng.choice(TEMPLATES).format(
            a=rng.choice(THINGS), b=rng.choice(THINGS), p=rng.choice(NAMES), n=rng.choice((80, 85)), h="9:30"
        )
        for _ in range(160)
    ]
    denied = [text.replace(" is ", " is not ").replace(" costs ", " does not cost ") for text in drawn[:60]]
    own = [line for line in SETTLING.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    longer = [
        f"The {a} costs {rest}."
        for a in THINGS[:3]
        for rest in ("80 euros a month with gas", "90 dollars by the hour for guests")
    ]
    return [*drawn, *denied, *longer, *(words for fact in FACTS for words in fact), *own]


def written() -> list[Engram]:
    found: list[Engram] = []
    for text in said():
        memory = Memory()
        memory.says(text)
        found += memory.log
    return found


def test_nothing_is_ruled_out_that_its_words_would_relate() -> None:
    claims, ruled_out, pairs = written(), 0, 0
    for new in claims:
        keys = {name: str(new.metadata.get(name, "")) for name in ("subject", "attribute", "value")}
        claim = Candidate(text=new.content, type=new.type, **keys)
        told = frame(new.content)
        for old in claims:
            for signals in (Signals(), Signals(weak=True), Signals(also=True)):
                pairs += 1
                if _speaks_of_other(claim, told, old, signals):
                    ruled_out += 1
                    assert _relate(claim, told, old, signals)[0] is Tier.BESIDE, (new.content, old.content)
    assert ruled_out > 0.5 * pairs
