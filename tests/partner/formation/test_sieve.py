"""A pattern is spared only where it cannot match: tried on everything that was ever said in the tests."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from partner.formation.cues import Cue, lowered
from partner.formation.data import expand, load
from partner.formation.dates import _PATTERNS
from partner.formation.languages import CODES
from partner.formation.literals import Sieve, needed
from partner.formation.slots import table

DATA = Path(__file__).parents[2] / "data"


def said() -> list[str]:
    """Every line of the tests' talk, in all languages."""
    lines: list[str] = []
    for path in sorted(DATA.glob("*settl*.txt")) + sorted(DATA.glob("chatter*.txt")):
        lines += path.read_text(encoding="utf-8").splitlines()
    for line in (DATA / "formation-scripts.jsonl").read_text(encoding="utf-8").splitlines():
        lines += [step["operator"] for step in json.loads(line)["steps"] if "operator" in step]
    return [line for line in lines if line.strip()]


def every_pattern() -> list[str]:
    cues = [
        expand(pattern, data.get("fragments", {}))
        for data in map(load, CODES)
        for patterns in data["cues"].values()
        for pattern in patterns
    ]
    slots = [pattern for slot in table() for pattern in slot.patterns]
    return [*cues, *slots, *(pattern.pattern for _, pattern in _PATTERNS)]


def test_no_pattern_that_matches_is_ever_spared() -> None:
    patterns = every_pattern()
    compiled = [re.compile(pattern, re.IGNORECASE) for pattern in patterns]
    sieve = Sieve(patterns)
    for line in said()[::3]:
        tried = set(sieve.candidates(line.lower()))
        missed = [p.pattern for at, p in enumerate(compiled) if at not in tried and p.search(line)]
        assert not missed, (line, missed)


def test_most_patterns_are_spared() -> None:
    sieve = Sieve(every_pattern())
    lines = said()[::20]
    tried = sum(len(sieve.candidates(line.lower())) for line in lines)
    assert tried < 0.3 * len(lines) * len(every_pattern())


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        (r"\bno longer\b", {"no longer"}),
        (r"(?i)From (?:A|B) to", {"from "}),
        (r"(?:maybe|perhaps) so", {"maybe", "perhaps"}),
        (r"(?:maybe)? so\d", {" so"}),
        (r"(?:ab|\d+)", set()),
        (r"[🙄😏]", {"🙄", "😏"}),
        (r"(?!never)\w+", set()),
        (r"x(?=yes)", {"yes"}),
    ],
)
def test_what_every_match_holds_is_read_from_the_pattern(pattern: str, literals: set[str]) -> None:
    assert needed(pattern) == literals


def test_a_cue_finds_the_first_match_as_one_pattern_would() -> None:
    alternatives = [r"\b(?:h+m+)\b", r"\bperhaps\b", r"^so\b", r"^\W*well|later\b"]
    cue, whole = Cue(alternatives), re.compile("|".join(f"(?:{a})" for a in alternatives))
    for text in ("Hmm, perhaps.", "So be it", "PERHAPS hmm", "see you later", "nothing", "...well"):
        found, expected = cue.search(text), whole.search(lowered(text))
        assert (found and found.span()) == (expected and expected.span()), text
