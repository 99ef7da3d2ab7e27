"""An order whose object or addressee is denied is a rule, in every language, and no order takes its place."""

from __future__ import annotations

import pytest

from store.model import EngramType
from tests.partner.formation.remembering import Memory


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    "rule",
    [
        "Tell no one about the offer.",
        "Say nothing to the press about the recall.",
        "Nobody gets the door code.",
        "Verrate niemandem Stefans Adresse.",
        "Kein Wort zu Karin über die Feier.",
        "Ich will nicht, dass du Bilder löschst.",
        "Ne dis rien à Paul de la vente.",
        "Pas un mot à Paul sur la vente.",
        "No digas nada a Marta del viaje.",
        "Non dire niente a Luca del regalo.",
        "Não contes nada à Rita sobre a festa.",
        "I'd rather you didn't post anything about my kids.",
        "Stop sending me newsletters.",
        "From now on no more pizza orders.",
    ],
)
def test_an_order_whose_object_is_denied_is_a_rule(rule: str) -> None:
    memory = Memory()
    memory.says(rule)
    assert [(e.type, e.content) for e in memory.holds().all()] == [(EngramType.PROHIBITION, rule)]


@pytest.mark.conforms("P1")
@pytest.mark.parametrize(
    "said",
    [
        "Nobody told me.",
        "No one has the time.",
        "I told no one.",
    ],
)
def test_what_somebody_does_not_do_is_no_rule(said: str) -> None:
    memory = Memory()
    memory.says(said)
    assert all(e.type is not EngramType.PROHIBITION for e in memory.holds().all())


@pytest.mark.conforms("P1")
def test_an_order_never_takes_the_place_of_a_rule() -> None:
    memory = Memory()
    memory.says("Kein Wort zu Karin über die Feier.")
    memory.says("Erzähl Karin jetzt doch von der Feier.")
    assert any(e.type is EngramType.PROHIBITION for e in memory.holds().all())


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("But never text the mayor about it, he panics.", "Never text the mayor about it."),
        ("Don't book the Crown again after last time.", "Don't book the Crown again."),
    ],
)
def test_a_rule_is_written_without_what_tells_why(said: str, rule: str) -> None:
    memory = Memory()
    memory.says(said)
    assert [e.content for e in memory.holds().all()] == [rule]
