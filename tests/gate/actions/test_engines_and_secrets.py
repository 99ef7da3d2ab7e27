"""A model that is asked something: one on this machine is nobody who is told, one elsewhere is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gate import ActionRequest, Decision, Facts, Snapshot, compile_prohibition, gate

AT = datetime(2026, 12, 1, 10, tzinfo=UTC)
GREETING = "Hi, what is new?"
PRIVATE = "Client data: Lena is ill. Customer names: Bo. The salary list is with Kowalski."


def judged(rule: str, prompt: str, locality: str) -> Decision:
    snapshot = Snapshot.of([compile_prohibition("r1", rule)], head="h")
    args = {"model": "m", "locality": locality, "prompt": prompt}
    return gate(
        ActionRequest(kind="model.call", args=args, at=AT), Facts(locality=locality), snapshot
    ).decision


@pytest.mark.parametrize(
    "rule",
    [
        "Client data must never leave this machine.",
        "Nothing about Lena may leave this machine.",
        "Nothing about Lena leaves this machine.",
        "Never let anything about Lena leave this laptop.",
        "Everything about Lena stays on this machine.",
        "Keep everything about Lena on this machine.",
        "Never mention Lena to a cloud model.",
        "Never send customer names to the cloud.",
        "Never show the salary list to anybody.",
    ],
)
def test_what_may_not_be_told_stops_an_engine_elsewhere_that_would_read_it_and_no_other_call(
    rule: str,
) -> None:
    assert judged(rule, PRIVATE, "hosted") is Decision.REFUSE
    assert judged(rule, GREETING, "hosted") is Decision.ALLOW
    assert judged(rule, PRIVATE, "local") is Decision.ALLOW


@pytest.mark.parametrize(
    "rule",
    [
        "Nothing may leave this machine.",
        "Nothing leaves this machine.",
        "Only local models may be used.",
        "Use local models only.",
        "Don't use the cloud.",
        "Never use a hosted model.",
    ],
)
def test_where_nothing_goes_out_no_engine_elsewhere_is_asked_anything(rule: str) -> None:
    assert judged(rule, GREETING, "hosted") is Decision.REFUSE
    assert judged(rule, GREETING, "local") is Decision.ALLOW


@pytest.mark.parametrize(
    "rule", ["Never send anything about Lena to a model.", "Never ask a model about Lena."]
)
@pytest.mark.parametrize("locality", ["local", "hosted"])
def test_a_rule_on_models_is_one_on_those_of_this_machine_too(rule: str, locality: str) -> None:
    assert judged(rule, PRIVATE, locality) is Decision.REFUSE
    assert judged(rule, GREETING, locality) is Decision.ALLOW


@pytest.mark.parametrize(
    "rule", ["Never tell anyone what we earn.", "Never share what I tell you.", "Don't share anything."]
)
def test_a_rule_whose_thing_is_not_understood_does_not_silence_the_engine_on_this_machine(rule: str) -> None:
    assert judged(rule, GREETING, "local") is Decision.ALLOW
    assert judged(rule, PRIVATE, "local") is Decision.ALLOW


def test_a_person_who_may_not_get_a_thing_is_no_engine() -> None:
    assert judged("We never send the salary list to Kowalski.", PRIVATE, "hosted") is Decision.ALLOW
