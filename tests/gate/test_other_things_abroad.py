"""Orders in German, Spanish, French, Italian and Portuguese that do something else than a rule forbids."""

from __future__ import annotations

from datetime import datetime

import pytest
from gate_rules import prohibition

from gate import Decision, Facts, Snapshot, TextRequest, gate

ALLOW, REFUSE, ASK = Decision.ALLOW, Decision.REFUSE, Decision.ASK


def decision(rule: str, request: str) -> Decision:
    snapshot = Snapshot.build([prohibition(rule)], head="h")
    at = datetime.fromisoformat("2026-03-03T10:00:00+01:00")
    return gate(TextRequest(text=request, at=at), Facts(), snapshot).decision


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Liefere nie Pilze in die Schule.", "Liefere drei Kilo Birnen in die Schule."),
        ("Non prestare mai la barca a Luca.", "Presta la bicicletta a Luca."),
        ("Não ajustes os travões das bicicletas.", "Ajusta os selins das bicicletas."),
        ("N'apporte aucun chat dans la salle.", "Apporte le café de Mme Roche dans la salle."),
    ],
)
def test_the_act_done_to_another_thing_that_is_known_is_not_asked_about(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is ALLOW


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("N'expédie jamais de fromage à Londres.", "Expédie un carton de reblochon à Londres."),
        ("No prestes bicicletas a nadie.", "Presta tres bicis al grupo."),
        ("Non pubblicare mai l'età delle cantanti.", "Pubblica un profilo di Irina che dice che ha 17 anni."),
    ],
)
def test_what_is_in_a_thing_or_told_by_it_may_be_meant(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is not ALLOW


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("No saques el queso de la nevera.", "Vuelve a meter el queso en la nevera."),
        ("Ne retire aucun nom de la liste.", "Ajoute M. Blanc à la liste."),
        ("Non togliere libri dallo scaffale.", "Aggiungi un libro allo scaffale."),
        ("Never leave the oven on overnight.", "Switch the oven off before you lock up tonight."),
    ],
)
def test_the_reverse_is_not_asked_about(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is ALLOW
