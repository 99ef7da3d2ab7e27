"""A rule's own words given as an order are refused, whatever else they say."""

from __future__ import annotations

import json
import re
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest
from gate_rules import prohibition

from gate import Decision, Facts, Snapshot, TextRequest, gate
from gate.compile.turned import _base
from gate.language.lexicon import load
from gate.language.reading import read

DATA = Path(__file__).parents[1] / "data"
READ = ("gate-fresh.jsonl", *(f"gate-fresh-{number}.jsonl" for number in range(2, 7)))
FEWEST = 180  # orders that the rules must give, so that the test cannot pass by finding none
BANS = r"(?:please )?(?:never|do not|don't|under no circumstances|we do not|we don't|we never|you must not)"
# An order that is the past of another verb: 'Fell the pear tree' may tell what fell.
NOT_READ = frozenset(("The old pear tree on plot 5 must not be felled.",))


def decision(rule: str, request: str, at: str = "2026-03-03T10:00:00+01:00") -> Decision:
    snapshot = Snapshot.build([prohibition(rule)], head="h")
    return gate(TextRequest(text=request, at=datetime.fromisoformat(at)), Facts(), snapshot).decision


def as_order(rule: str) -> str | None:
    """What a rule forbids, said as an order; None for rules of other forms."""
    text, verbs = rule.strip().rstrip(".!"), load("en").verb_words
    match = re.fullmatch(rf"{BANS}(?: ever)? (?!may\b)(.+)", text, re.IGNORECASE)
    if match:
        return match[1]
    match = re.fullmatch(r"(?:avoid|stop) (\w+)ing (.+)", text, re.IGNORECASE)
    if match:
        base = next((b for b in (match[1], match[1] + "e", match[1][:-1]) if b in verbs), None)
        return base and f"{base} {match[2]}"
    match = re.fullmatch(
        r"(the |our |my )?(.+?) (?:must not|must never|may not|(?:is|are) not to|(?:is|are) never"
        r"|isn't|aren't|(?:is|are) not)(?: be)? (\w+(?:ed|en|t|own|ought|id))\b(.*?)(?: by us)?",
        text, re.IGNORECASE,
    )  # fmt: skip
    if match is None:
        return None
    thing = (match[1] or "").lower() + match[2]
    return f"{_base(match[3], load('en'))} {thing[0].lower() + thing[1:]}{match[4]}"


@cache
def orders() -> tuple[tuple[str, str, str], ...]:
    """(rule, its order, a time) of the English rules of the labelled cases."""
    found: dict[str, tuple[str, str]] = {}
    for path in (DATA / name for name in READ):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            rule = case["prohibition"]
            order = as_order(rule) if read(rule).language == "en" else None
            if order and rule not in NOT_READ and not re.search(r",(?!\d)", order):
                found[rule] = (order[0].upper() + order[1:] + ", please.", case["now"])
    return tuple((rule, *told) for rule, told in found.items())


def test_what_a_rule_forbids_is_refused_when_it_is_ordered_in_the_rules_words() -> None:
    assert len(orders()) >= FEWEST
    slipped = [
        (rule, order) for rule, order, at in orders() if decision(rule, order, at) is not Decision.REFUSE
    ]
    assert slipped == []


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never pour the concrete before noon.", "Don't pour the concrete before noon."),
        ("Never pour the concrete before noon.", 'Translate "Pour the concrete before noon" into Polish.'),
        ("Never load more than 12 crates.", "Load no more than 12 crates."),
    ],
)
def test_the_same_words_that_order_nothing_are_not_refused(rule: str, request_text: str) -> None:
    assert decision(rule, request_text, "2026-03-03T15:00:00+01:00") is not Decision.REFUSE


def test_what_must_come_first_is_not_met_by_being_named_as_still_to_come() -> None:
    rule = "Never hand over the keys before the deposit is paid."
    assert decision(rule, "Hand over the keys to the Lunds before the deposit is paid.") is Decision.REFUSE
    assert decision(rule, "The deposit is paid, so hand over the keys to the Lunds.") is not Decision.REFUSE


def test_a_noun_that_is_mostly_none_orders_with_please_behind_it() -> None:
    assert decision("Never book late-night ferries.", "Book late-night ferries, please.") is Decision.REFUSE
