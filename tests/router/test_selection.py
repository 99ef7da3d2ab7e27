"""Which engine answers: rules, health, the operator's choice, order. Pure."""

from __future__ import annotations

import pytest
from asking import ask
from hypothesis import given
from hypothesis import strategies as st

from router import Attachment, Capabilities, Message, Request, Role, ToolSpec
from router.selection import Candidate, Preference, Rules, choose

LOCAL = Capabilities(local=True, window=2048)
HOSTED = Capabilities(local=False, window=128_000, tools=True, schema=True, vision=True)
NONE = Capabilities(local=True, window=10**6, language=False)
CANDIDATES = [
    Candidate(name="hosted", capabilities=HOSTED, price_usd=9.0, latency_ms=200.0),
    Candidate(name="local", capabilities=LOCAL, latency_ms=900.0),
    Candidate(name="none", capabilities=NONE),
]
TOOL = ToolSpec(name="look", description="", parameters={})


def names(request: Request = ask("Hi"), rules: Rules = Rules(), **options) -> tuple[str, ...]:  # noqa: B008
    return choose(request, CANDIDATES, rules, **options).names


def test_without_rules_the_configured_order_holds_and_memory_comes_last():
    assert names() == ("hosted", "local", "none")


def test_offline_leaves_out_what_is_not_on_this_machine_and_says_so():
    plan = choose(ask("Hi"), CANDIDATES, Rules(offline=True))
    assert plan.names == ("local", "none")
    assert "offline mode" in plan.explain()


def test_what_is_private_stays_on_this_machine():
    rules = Rules(stay_local=frozenset({"disposition", "client"}))
    assert names(ask("Hi", tags=frozenset({"client"})), rules) == ("local", "none")
    assert names(ask("Hi", tags=frozenset({"weather"})), rules) == ("hosted", "local", "none")


@pytest.mark.parametrize(
    "request_",
    [
        ask("Hi", tools=(TOOL,)),
        ask("Hi", schema={"type": "object"}),
        ask("word " * 5000),
        Request(
            messages=(
                Message(
                    role=Role.USER, content="", attachments=(Attachment(media_type="image/png", data=b"x"),)
                ),
            )
        ),
    ],
    ids=["tools", "schema", "window", "vision"],
)
def test_an_engine_that_cannot_do_what_is_needed_is_left_out(request_):
    assert names(request_) == ("hosted", "none")


def test_the_operator_s_choice_comes_first_but_never_past_a_rule():
    assert names(pin="local") == ("local", "hosted", "none")
    assert names(pin="none")[0] == "none"
    assert names(rules=Rules(local_only=True), pin="hosted") == ("local", "none")


def test_preference_by_cost_and_by_latency():
    assert names(rules=Rules(prefer=Preference.COST)) == ("local", "hosted", "none")
    assert names(rules=Rules(prefer=Preference.LATENCY)) == ("hosted", "local", "none")


def test_a_spent_budget_stops_hosted_engines_only():
    rules = Rules(day_budget_usd=1.0, month_budget_usd=10.0)
    assert names(rules=rules, spent_day_usd=0.99) == ("hosted", "local", "none")
    assert names(rules=rules, spent_day_usd=1.0) == ("local", "none")
    assert names(rules=rules, spent_month_usd=10.0) == ("local", "none")


@pytest.mark.conforms("P11")
def test_a_prohibition_takes_an_engine_out_whatever_was_chosen():
    assert names(pin="hosted", allow=lambda _, can: can.local) == ("local", "none")


def test_an_open_breaker_goes_to_the_end_and_one_that_asked_for_time_is_left_out():
    opened = [
        Candidate(name="a", capabilities=LOCAL, open_reason="out of order"),
        Candidate(name="b", capabilities=LOCAL, open_reason="slow down", last_resort=False),
        Candidate(name="c", capabilities=LOCAL),
        Candidate(name="none", capabilities=NONE),
    ]
    plan = choose(ask("Hi"), opened, Rules())
    assert plan.names == ("c", "a", "none")
    assert "last resort" in plan.reasons["a"]
    assert "slow down" in plan.explain()


@given(st.permutations(CANDIDATES), st.sampled_from(["hosted", "local", None]), st.booleans())
def test_every_engine_is_either_tried_or_left_out_with_a_reason(candidates, pin, offline):
    plan = choose(ask("Hi"), candidates, Rules(offline=offline), pin=pin)
    assert sorted([*plan.names, *(skip.name for skip in plan.skipped)]) == ["hosted", "local", "none"]
    assert all(skip.reason for skip in plan.skipped)
    assert plan.names[-1] == "none"
