"""Short orders in other languages, what may leave no machine, hosts by name, conditions that are met."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from gate_rules import prohibition

from gate import ActionRequest, Approval, Decision, Facts, Snapshot, TextRequest, compile_prohibition, gate

ALLOW, REFUSE = Decision.ALLOW, Decision.REFUSE
AT = datetime(2026, 12, 1, 10, tzinfo=UTC)


def decision(rule: str, request: str, facts: Facts | None = None) -> Decision:
    snapshot = Snapshot.build([prohibition(rule)], head="h")
    return gate(TextRequest(text=request, at=AT), facts or Facts(), snapshot).decision


def judged(rule: str, prompt: str, locality: str) -> Decision:
    snapshot = Snapshot.of([compile_prohibition("r1", rule)], head="h")
    args = {"model": "m", "locality": locality, "prompt": prompt}
    call = ActionRequest(kind="model.call", args=args, at=AT)
    return gate(call, Facts(locality=locality), snapshot).decision


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Nunca pagues más de 50 euros.", "Paga 60 euros a Juan"),
        ("Ne paie jamais plus de 50 euros.", "Paie 60 euros à Jean"),
        ("Zahle nie mehr als 50 Euro.", "Zahl Jan 60 Euro"),
        ("Non ordinare mai latte.", "Ordina latte"),
        ("Rien sur Lena ne doit quitter cet ordinateur.", "Envoie à Tom les notes sur Lena"),
        ("web01 には絶対にデプロイしないでください。", "web01 にデプロイしてください"),
        ("db07 を停止しないでください。", "db07 を停止してください"),
        ("不要打开 D7 柜。", "请打开 D7 柜"),
        ("Never order from Korvane.", "purchase the lamp on korvane.com"),
        ("Never order from Korvane.", "buy the lamp via https://www.korvane.com/lamp"),
        ("Don't let me buy any more sheet music!", "Buy the sheet music of the opera"),
    ],
)
def test_a_short_order_is_read_in_its_own_language_and_by_the_names_of_hosts(
    rule: str, request_text: str
) -> None:
    assert decision(rule, request_text) is REFUSE


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Nunca pagues más de 50 euros.", "Paga 40 euros a Juan"),
        ("Never order from Korvane.", "buy the lamp on otherhouse.com"),
        ("Never order from Korvane.", "print the file korvane.pdf"),
    ],
)
def test_what_is_said_of_another_is_allowed_in_short_as_well(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is ALLOW


@pytest.mark.parametrize(
    "rule",
    [
        "Nichts über Lena darf diesen Rechner verlassen.",
        "Rien sur Lena ne doit quitter cet ordinateur.",
        "Nada sobre Lena puede salir de este ordenador.",
        "Niente su Lena deve lasciare questo computer.",
        "Nada sobre a Lena pode sair deste computador.",
        "Never tell anyone what we earn.",
        "Never reveal to anyone how we bake.",
    ],
)
def test_an_engine_elsewhere_is_kept_from_what_the_rule_is_about_and_from_nothing_else(rule: str) -> None:
    private = "Lena is ill. We earn 4,000 a month. We bake with rye."
    assert judged(rule, private, "hosted") is REFUSE
    assert judged(rule, "Hi, what is new?", "hosted") is ALLOW
    assert judged(rule, private, "local") is ALLOW


@pytest.mark.parametrize(
    "rule",
    ["Nichts darf diesen Rechner verlassen.", "Rien ne doit quitter cet ordinateur.",
     "Nada puede salir de este ordenador."],
)  # fmt: skip
def test_where_nothing_may_leave_no_engine_elsewhere_is_asked_in_any_language(rule: str) -> None:
    assert judged(rule, "Hi, what is new?", "hosted") is REFUSE
    assert judged(rule, "Hi, what is new?", "local") is ALLOW


@pytest.mark.parametrize(
    ("subject", "expected"),
    [("the staircase is done", ALLOW), ("the staircase is not done", REFUSE), ("the attic is done", REFUSE)],
)
def test_the_operators_word_that_what_a_rule_waits_for_is_so_lifts_it(
    subject: str, expected: Decision
) -> None:
    word = Approval(id="a", by="operator", subject=subject, until=None)
    facts = Facts(approvals=(word,), operator_names=frozenset({"operator"}))
    rule = "Don't accept new jobs until the staircase is done."
    assert decision(rule, "Accept the job from Mrs Lie.") is REFUSE
    assert decision(rule, "Accept the job from Mrs Lie.", facts) is expected
