"""A permission that says a rule's whole act again, for good, ends the rule; any other leaves it in force."""

from __future__ import annotations

import pytest

from store.model import Klass
from tests.partner.formation.remembering import Memory


def rules(*turns: str) -> list[str]:
    memory = Memory()
    for turn in turns:
        memory.says(turn)
    return memory.contents(Klass.PROHIBITION)


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(
    ("rule", "permission"),
    [
        ("Don't ring Aunt Oda before 11.", "You can ring Aunt Oda whenever you like."),
        ("Don't ring Aunt Oda before 11.", "Okay, you can ring Aunt Oda any time now."),
        ("Never order from Mabel's.", "You can order from Mabel's after all."),
        ("Never order from Mabel's.", "You may order from Mabel's again."),
        ("Never feed the cat after 8 pm.", "You're allowed to feed the cat at any hour."),
        ("Ruf nie vor 9 bei Frau Albers an.", "Du darfst Frau Albers wieder jederzeit anrufen."),
        ("No llames a Jimena antes de las 9.", "Ya puedes llamar a Jimena cuando quieras."),
        ("N'appelle jamais Basile avant 9 heures.", "Tu peux de nouveau appeler Basile quand tu veux."),
    ],
)
def test_a_permission_for_good_ends_the_rule_on_that_act(rule: str, permission: str) -> None:
    assert rules(rule) == [rule]
    assert rules(rule, permission) == []


@pytest.mark.conforms("P7")
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("Never order from Mabel's.", "You can order from Mabel's."),
        ("Never order from Mabel's.", "You can't order from Mabel's again."),
        ("Never order from Mabel's.", "You can order from Mabel's again, but only for today."),
        ("Never order from Mabel's.", "You can order the lamp from Mabel's, nothing else though."),
        ("Never order from Mabel's.", "You can order from Rupert's whenever you like."),
        ("Never order from Mabel's.", "You can walk from Mabel's again."),
        ("Don't ring Aunt Oda before 11.", "You can ring Uncle Per whenever you like."),
        ("Don't ring Aunt Oda before 11.", "If she's up, you can ring Aunt Oda any time."),
        ("Don't book anything for the hut.", "You can book the plumber for the hut again."),
        ("Ruf nie vor 9 bei Frau Albers an.", "Du darfst Frau Albers nie wieder anrufen."),
        ("Ruf nie vor 9 bei Frau Albers an.", "Du darfst Herrn Albers wieder jederzeit besuchen."),
    ],
)
def test_a_permission_for_once_for_less_or_for_another_leaves_the_rule(rule: str, said: str) -> None:
    assert rule in rules(rule, said)
