"""Rules add up: a new one replaces an earlier one only where its words say that the earlier was wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.model import Klass
from tests.partner.formation.remembering import Memory

DATA = Path(__file__).parents[2] / "data"


def rules(*turns: str) -> list[str]:
    memory = Memory()
    for turn in turns:
        memory.says(turn)
    return [text.rstrip(".") for text in memory.contents(Klass.PROHIBITION)]


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Never order from Temu", "Never order from Zalando"),
        ("No more meetings on Mondays", "No more meetings on Fridays"),
        ("Never delete invoices", "No UPDATE or DELETE without a WHERE clause"),
        ("Never update the orders table", "Never delete anything from the orders table"),
        ("Do not contact the host 192.0.2.10", "Do not contact the host 192.0.2.11"),
        ("Never book room 7", "Never book room 8"),
        ("Don't call me before 9 am", "Don't call me after 9 pm"),
        ("Ab sofort keine Gutscheine mehr verschenken", "Ab sofort keine Bücher mehr verschenken"),
        ("No llames nunca a Marta", "No llames nunca a Pilar"),
    ],
)
def test_a_rule_holds_beside_one_in_nearly_the_same_words(first: str, second: str) -> None:
    assert rules(f"{first}.", f"{second}.") == [first, second]
    assert rules(f"{second}.", f"{first}.") == [second, first]


@pytest.mark.conforms("P7")
def test_none_of_many_rules_is_lost_when_they_are_told_one_after_another() -> None:
    lines = (DATA / "gate-fresh.jsonl").read_text().splitlines()
    told = list(dict.fromkeys(json.loads(line)["prohibition"] for line in lines))
    assert len(told) >= 15
    memory = Memory()
    for rule in told:
        before = memory.contents(Klass.PROHIBITION)
        memory.says(rule)
        assert memory.contents(Klass.PROHIBITION)[: len(before)] == before, rule


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(
    ("turns", "holds"),
    [
        (
            ("Never spend more than 500 euros on flowers.", "Never spend more than 300 euros on flowers."),
            ["Never spend more than 300 euros on flowers"],
        ),
        (
            ("Don't call me after 9pm.", "From now on, don't call me after 10pm."),
            ["From now on, don't call me after 10pm"],
        ),
        (
            ("Zahle nie mehr als 500 Euro Anzahlung.", "Zahle nie mehr als 300 Euro Anzahlung."),
            ["Zahle nie mehr als 300 Euro Anzahlung"],
        ),
    ],
)
def test_a_rule_said_again_with_another_limit_replaces_it(turns: tuple[str, ...], holds: list[str]) -> None:
    assert rules(*turns) == holds


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(
    ("turns", "holds"),
    [
        (
            ("Never order from Temu.", "Actually, never order from Shein instead."),
            ["Never order from Shein instead"],
        ),
        (("Never order from Temu.", "Scratch that, never order from Shein."), ["Never order from Shein"]),
        (("Never book the Ritz.", "I meant the Savoy."), ["Never book the Savoy"]),
        (
            ("Never spend more than 500 euros on flowers.", "No wait, make that 300."),
            ["Never spend more than 300 euros on flowers"],
        ),
    ],
)
def test_a_rule_said_to_be_wrong_is_replaced(turns: tuple[str, ...], holds: list[str]) -> None:
    assert rules(*turns) == holds


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(
    ("rule", "ending"),
    [
        ("Never play music in the yard.", "The ban on music lessons is over."),
        ("Never share client names.", "The rule on client visits no longer applies."),
    ],
)
def test_a_rule_is_not_ended_by_words_about_something_beside_it(rule: str, ending: str) -> None:
    memory = Memory()
    memory.says(rule)
    assert memory.says(ending).question
    assert memory.contents(Klass.PROHIBITION) == [rule]


@pytest.mark.conforms("P7")
def test_where_several_rules_could_be_meant_none_ends_and_the_operator_is_asked() -> None:
    memory = Memory()
    memory.says("Never order from Temu.")
    memory.says("Never order from Shein.")
    asked = memory.says("The rule on ordering is over.").question
    assert asked is not None
    assert "Temu" in asked
    assert "Shein" in asked
    assert len(memory.contents(Klass.PROHIBITION)) == 2
    memory.says("The rule on Temu is over.")
    assert memory.contents(Klass.PROHIBITION) == ["Never order from Shein."]


@pytest.mark.conforms("P1")
def test_two_orders_of_goods_are_no_two_values_of_a_usual_drink() -> None:
    memory = Memory()
    memory.says("Ben orders the flour.")
    memory.says("Ben orders the salt.")
    assert memory.contents(Klass.CONCLUSION) == ["Ben orders the flour.", "Ben orders the salt."]
    memory.says("I always order a flat white.")
    memory.says("I always order a cortado now.")
    assert not [text for text in memory.contents() if "flat white" in text]
