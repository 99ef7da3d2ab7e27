"""A rule's limit said without a unit, and requests that say one."""

from __future__ import annotations

from datetime import datetime

import pytest
from gate_rules import prohibition

from gate import ActionRequest, Decision, Facts, Request, Snapshot, TextRequest, compile_prohibition, gate
from gate.given import given_constraint

AT = datetime.fromisoformat("2026-03-03T10:00:00+01:00")


def judged(rule: str, request: Request) -> Decision:
    return gate(request, Facts(), Snapshot.build([prohibition(rule)], head="h")).decision


def decision(rule: str, text: str) -> Decision:
    return judged(rule, TextRequest(text=text, at=AT))


def payment(rule: str, **args: object) -> Decision:
    return judged(rule, ActionRequest(kind="payment", args={"payee": "Jan", **args}, at=AT))


@pytest.mark.parametrize(
    ("rule", "beyond", "within"),
    [
        ("Never pay more than 50.", "Pay 60 euros to Jan", "Pay 40 euros to Jan"),
        ("Never pay more than 50.", "Pay €60 to Jan", "Pay €50 to Jan"),
        ("Never pay more than 50.", "Pay Jan 60 EUR", "Pay Jan 30 EUR"),
        ("Never pay more than 50 per hour.", "Pay Tom 120 euros for 2 hours", "Pay Tom 80 euros for 2 hours"),
        ("Our oven must never be set above 250.", "Set the oven to 255 °C", "Set the oven to 240 °C"),
        (
            "Our oven must never be set above 250.",
            "Set the oven to 255 degrees",
            "Set the oven to 250 degrees",
        ),
        ("Never drive faster than 80.", "Drive at 100 km/h", "Drive at 70 km/h"),
        ("Never drive faster than 80.", "Drive 100 kilometres per hour", "Drive 70 kilometres per hour"),
        ("Never load more than 500 onto the van.", "Load 600 kg onto the van", "Load 400 kg onto the van"),
        ("Never accept bids below 300.", "Accept the bid of 250 euros", "Accept the bid of 350 euros"),
        ("Never dive deeper than 20.", "Dive to 25 metres", "Dive to 15 metres"),
        ("Zahle nie mehr als 50.", "Bitte zahle dem Gärtner 60 Euro", "Bitte zahle dem Gärtner 40 Euro"),
        ("Fahr nie schneller als 80.", "Fahr mit 100 km/h nach Bonn", "Fahr mit 70 km/h nach Bonn"),
        ("Ne paie jamais plus de 50.", "Paie 60 euros au jardinier", "Paie 40 euros au jardinier"),
        ("Non pagare mai più di 50.", "Paga 60 euro al giardiniere", "Paga 40 euro al giardiniere"),
    ],
)
def test_a_limit_without_a_unit_is_met_by_a_number_with_one(rule: str, beyond: str, within: str) -> None:
    assert decision(rule, beyond) is Decision.REFUSE
    assert decision(rule, within) is Decision.ALLOW


@pytest.mark.parametrize(
    ("rule", "beyond", "within"),
    [
        ("Never pay more than 50.", "Pay 60 euros for 40 crates", "Pay 40 euros for 60 crates"),
        ("Never pay more than 50.", "Pay 3 invoices of 20 euros", "Pay 2 invoices of 20 euros"),
        ("Never pay more than 50.", "Pay Jan 70 euros within 30 days", "Pay Jan 40 euros within 60 days"),
        ("Never drive faster than 80.", "Drive 50 km at 100 km/h", "Drive 100 km to Bonn at 70 km/h"),
        (
            "Our oven must never be set above 250.",
            "Set the oven to 260 degrees for 20 minutes",
            "Set the oven to 240 degrees for 300 minutes",
        ),
        (
            "Never run the machine for longer than 30.",
            "Run the machine for 40 minutes at 20 degrees",
            "Run the machine for 20 minutes at 90 degrees",
        ),
    ],
)
def test_only_the_number_that_the_rule_is_about_is_compared(rule: str, beyond: str, within: str) -> None:
    assert decision(rule, beyond) is Decision.REFUSE
    assert decision(rule, within) is Decision.ALLOW


def test_where_either_of_two_kinds_may_be_meant_and_one_is_beyond_the_gate_asks() -> None:
    assert decision("Never order more than 20.", "Order 30 kg of flour for 10 euros") is Decision.ASK
    assert decision("Never order more than 20.", "Order 10 crates of 25 kg") is Decision.ASK
    assert decision("Never order more than 20.", "Order 30 kg of flour for 40 euros") is Decision.REFUSE


def test_a_number_that_counts_the_rules_own_things_is_compared_with_no_other() -> None:
    assert not compile_prohibition("r", "Never send more than 50 emails.").limits[0].of
    assert not compile_prohibition("r", "Never rent out a boat above force 6.").limits[0].of
    assert decision("Never sell more than 12 vehicle tickets.", "Sell 10 vehicle tickets at 40 euros") is (
        Decision.ALLOW
    )
    assert decision(
        "Never rent out a boat above force 6.", "Rent out the boat for 80 euros, it is force 4"
    ) is (Decision.ALLOW)


def test_a_payment_is_compared_with_a_limit_without_a_unit_by_its_amount_and_not_its_count() -> None:
    rule = "Never pay more than 50."
    assert payment(rule, amount="60", currency="EUR") is Decision.REFUSE
    assert payment(rule, amount="40", currency="EUR") is Decision.ALLOW
    assert payment(rule, amount="20", currency="EUR", count=3) is Decision.REFUSE
    assert payment(rule, amount="1000", currency="EUR", count=2) is Decision.REFUSE
    assert payment(rule, amount="0.5", currency="EUR", count=60) is Decision.ALLOW


def test_a_limit_given_as_data_without_a_unit_is_met_by_any() -> None:
    data: dict[str, object] = {"acts": ["pay"], "limits": [{"kind": "above", "value": 50}]}
    assert given_constraint("r", "Never pay that much.", data).limits[0].of
    data["limits"] = [{"kind": "above", "value": 50, "unit": "EUR"}]
    assert not given_constraint("r", "Never pay that much.", data).limits[0].of


def test_an_order_of_no_more_than_forbids_what_is_more() -> None:
    for rule in ("Pay no more than 50.", "Pay no more than 50 euros."):
        assert decision(rule, "Pay 60 euros to Jan") is Decision.REFUSE
        assert decision(rule, "Pay 40 euros to Jan") is Decision.ALLOW
        assert payment(rule, amount="60", currency="EUR") is Decision.REFUSE
        assert payment(rule, amount="40", currency="EUR") is Decision.ALLOW
    small = "Do not accept orders of no more than 50 euros."
    assert compile_prohibition("r", small).limits[0].kind == "at_most"
