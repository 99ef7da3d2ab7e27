"""A rule told in talk becomes a rule: 'only', passives and states, and the languages that the gate reads."""

from __future__ import annotations

import pytest

from store.model import Klass
from tests.partner.formation.remembering import Memory


def ruled(text: str) -> list[str]:
    memory = Memory()
    memory.says(text)
    return memory.contents(Klass.PROHIBITION)


@pytest.mark.conforms("P2")
@pytest.mark.parametrize(
    "text",
    [
        "Only buy timber from the Lindgren mill.",
        "Only send drafts to Noor.",
        "Only Petra opens the archive boxes.",
        "Only people on the roster may borrow a kayak.",
        "Nobody but Yusuf handles the falcons.",
        "The donor list is never shared.",
        "Interview tapes are never to be copied.",
        "Loan files are not passed on to other members.",
        "The seed vault is not for visitors.",
        "The master keys never leave the building.",
        "Keep the bid secret from the other bidders.",
        "Nothing about the merger goes to the press.",
        "No changes to the rota without Ines.",
        "No candles, incense or matches in our rooms.",
        "Minutes may only be stored on the cellar server.",
    ],
)
def test_english_rules_without_an_order_are_rules(text: str) -> None:
    assert ruled(text) == [text]


@pytest.mark.conforms("P2")
@pytest.mark.parametrize(
    "text",
    [
        "Non spedire pacchi dopo le 18.",
        "Vietato parcheggiare nel cortile.",
        "Nessun pagamento ai fornitori senza fattura.",
        "Nessuno deve sapere del trasferimento.",
        "Não emprestes a bicicleta a ninguém.",
        "Proibido fumar na oficina.",
        "Nenhum pagamento à empresa Soral.",
        "N'accepte aucun chèque de plus de 100 euros.",
        "Aucun paiement à la société Verlan.",
        "Laisse la chaudière tranquille.",
        "Kein Passwort per E-Mail verschicken.",
        "Bestelle nur bei der Mühle Ahrens.",
        "Lass den Kamin in Ruhe.",
        "Ni se te ocurra, no prestes la furgoneta.",
        "Encarga pan solo a la panadería Rueda.",
    ],
)
def test_orders_that_forbid_are_rules_in_each_language_of_the_gate(text: str) -> None:
    assert ruled(text)


@pytest.mark.conforms("P2")
@pytest.mark.parametrize(
    "text",
    [
        "Only need two more chairs.",
        "Only Ben drives to work.",
        "Only Sven works on Saturdays.",
        "The car is never washed.",
        "The shop is not for sale.",
        "Keep the receipts in the blue box.",
        "Nothing from the bank today.",
        "She is never told anything.",
        "Non vedo l'ora di partire.",
        "Non lavoro il lunedì.",
        "Non mi piace il pesce.",
        "Nessuna risposta dal comune.",
        "Não gosto de peixe.",
        "Não trabalho à segunda.",
        "Nenhuma encomenda chegou.",
        "Aucun mail de la banque.",
        "Pas de réponse du notaire.",
        "Ne t'inquiète pas.",
        "Keine Lust zu kochen.",
        "Nie im Leben.",
        "Nur keine Panik.",
        "Keine Milch mehr im Kühlschrank.",
        "No pasa nada.",
        "No trabajo los lunes.",
    ],
)
def test_what_denies_and_forbids_nothing_is_no_rule(text: str) -> None:
    assert ruled(text) == []
