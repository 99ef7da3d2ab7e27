"""A rule is loosened by saying so: the words of the permission are no order, and the rule is gone."""

from __future__ import annotations

import pytest

from gate.model import Decision
from partner.events import Refused
from partner.operations import Partner
from store.model import Klass


@pytest.mark.parametrize(
    "word",
    [
        "You may order from Temu again.",
        "The rule on Temu no longer applies.",
        "From now on you may order from Temu.",
    ],
)
def test_what_ends_a_rule_is_not_refused_by_it(unaided: Partner, word: str) -> None:
    unaided.forbid("Never order from Temu.")
    events = list(unaided.turn(word))
    assert not any(isinstance(event, Refused) for event in events)
    assert unaided.store.current(klass=Klass.PROHIBITION) == []
    assert unaided.check("Order socks from Temu.").decision is Decision.ALLOW


@pytest.mark.parametrize(
    "word",
    [
        "You may order from Temu today.",
        "You can go ahead and order socks from Temu.",
        "Order from Temu again.",
    ],
)
def test_a_permission_for_once_or_an_order_ends_no_rule(unaided: Partner, word: str) -> None:
    unaided.forbid("Never order from Temu.")
    list(unaided.turn(word))
    assert len(unaided.store.current(klass=Klass.PROHIBITION)) == 1
    assert unaided.check("Order socks from Temu.").decision is Decision.REFUSE


def test_a_permission_ends_only_the_rule_that_it_says(unaided: Partner) -> None:
    unaided.forbid("Never order from Temu.")
    unaided.forbid("Never sell the van.")
    events = list(unaided.turn("You may order from Temu again. Sell the van to Tom."))
    assert any(isinstance(event, Refused) for event in events)
    assert len(unaided.store.current(klass=Klass.PROHIBITION)) == 2


def test_a_permission_for_less_than_a_rule_forbids_is_told_how_it_is_put_on_record(unaided: Partner) -> None:
    unaided.forbid("Never order from Temu.")
    (refused,) = [e for e in unaided.turn("You can order the lamp from Temu.") if isinstance(e, Refused)]
    assert "/approve order the lamp from Temu" in refused.message
    unaided.approve("order the lamp from Temu")
    assert unaided.check("Order the lamp from Temu.").decision is Decision.ALLOW
    assert unaided.check("Order socks from Temu.").decision is Decision.REFUSE
    (order,) = [e for e in unaided.turn("Order socks from Temu.") if isinstance(e, Refused)]
    assert "/approve" not in order.message
