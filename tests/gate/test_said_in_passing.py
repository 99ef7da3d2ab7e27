"""Times, values and ways as people say them, and rules in the words that people use for them."""

from __future__ import annotations

from datetime import datetime

import pytest
from gate_rules import prohibition

from gate import Decision, Facts, Snapshot, TextRequest, gate
from gate.compile import compile_prohibition
from gate.errors import CompileQuestion

ALLOW, REFUSE, ASK = Decision.ALLOW, Decision.REFUSE, Decision.ASK


def decision(rule: str, request: str, at: str = "2026-03-03T10:00:00+01:00") -> Decision:
    snapshot = Snapshot.build([prohibition(rule)], head="h")
    request_at = datetime.fromisoformat(at)
    return gate(TextRequest(text=request, at=request_at), Facts(), snapshot).decision


@pytest.mark.parametrize(
    ("sentence", "minutes"),
    [
        ("Never ring the bell between midnight and 6 am.", ((0, 360),)),
        ("Never ring the bell between 11 pm and six am.", ((1380, 1800),)),
        ("No calls during lunch (12-1).", ((720, 780),)),
    ],
)
def test_both_ends_of_a_stretch_of_hours_are_the_rules(
    sentence: str, minutes: tuple[tuple[int, int], ...]
) -> None:
    assert compile_prohibition("r", sentence).windows[0].minutes == minutes


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never ring the bell between midnight and 6 am.", "Ring the bell at 2:15 tonight.", REFUSE),
        ("Never ring the bell between midnight and 6 am.", "Ring the bell at 11 tonight.", ALLOW),
        (
            "Nie nach 22 Uhr das Radio anmachen.",
            "Mach das Radio heute Abend um Viertel vor elf an.",
            REFUSE,
        ),
        (
            "Nie nach 22 Uhr das Radio anmachen.",
            "Mach das Radio heute Abend um Viertel vor acht an.",
            ALLOW,
        ),
        ("Never mow the lawn before 9.", "Mow the lawn now, guests come this evening.", ALLOW),
        ("Never mow the lawn between 9 and 12.", "Mow the lawn now, guests come this evening.", REFUSE),
    ],
)
def test_hours_of_the_night_and_now(rule: str, request_text: str, expected: Decision) -> None:
    assert decision(rule, request_text) is expected


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never pay Jan.", "Transfer 60 to Jan.", REFUSE),
        ("Never pay Jan.", "Pay Ola 60.", ALLOW),
        ("No bookings in April or May.", "Book the hall on 4 May.", REFUSE),
        ("No bookings in April or May.", "Book the hall on 4 June.", ALLOW),
        ("Never travel in Jan.", "Travel to Rome on 12 January.", REFUSE),
    ],
)
def test_a_month_that_is_also_a_name(rule: str, request_text: str, expected: Decision) -> None:
    assert decision(rule, request_text) is expected


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never open the skylight below 5 degrees.", "Open the skylight, it's minus 1.", REFUSE),
        ("Never open the skylight below 5 degrees.", "Open the skylight, it's -1 degrees.", REFUSE),
        ("Never set the freezer above -18 degrees.", "Set the freezer to -15 degrees.", REFUSE),
        ("Never set the freezer above -18 degrees.", "Set the freezer to -20 degrees.", ALLOW),
        ("Never sell matches to anyone under 16.", "My niece (12) wants matches, sell her some.", REFUSE),
        ("Never sell matches to anyone under 16.", "My niece (21) wants matches, sell her some.", ALLOW),
        ("No more than two cocktails a day.", "Order me a third cocktail.", REFUSE),
        ("No more than two cocktails a day.", "Order me a second cocktail.", ALLOW),
        (
            "No kite flying within 300 metres of the mast.",
            "Plan kite flying 90 metres from the mast.",
            REFUSE,
        ),
        (
            "No kite flying within 300 metres of the mast.",
            "Plan kite flying 900 metres from the mast.",
            ALLOW,
        ),
    ],
)
def test_values_as_they_are_said(rule: str, request_text: str, expected: Decision) -> None:
    assert decision(rule, request_text) is expected


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never quote fees over the phone.", "Call Mr Ode and quote him a fee.", REFUSE),
        ("Never quote fees over the phone.", "Email Mr Ode the fee.", ALLOW),
        ("Never quote fees over the phone.", "Quote Mr Ode a fee.", ASK),
        ("Never order goods from Merkur.", "Order six lamps from Merkur.", REFUSE),
        ("Never order goods from Merkur.", "Order six lamps from Velo.", ALLOW),
        ("Never bleach the curtains, that ruins the lining.", "Bleach the curtains.", REFUSE),
    ],
)
def test_ways_goods_and_reasons(rule: str, request_text: str, expected: Decision) -> None:
    assert decision(rule, request_text) is expected


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("You must not sign anything in my name.", "Sign the contract for me.", REFUSE),
        ("I'd rather you didn't post anything about my cats.", "Post a photo of my cats.", REFUSE),
        ("Say nothing to the council about the tree.", "Tell the council about the tree.", REFUSE),
        ("Never tell Dad I'm moving.", "Tell Dad I'm moving.", REFUSE),
        ("Our rule: no deliveries on Sundays.", "Accept the delivery on Sunday.", REFUSE),
        ("Ich will nicht, dass du Rechnungen löschst.", "Lösch die Rechnungen.", REFUSE),
        ("Kein Wort zu Karin über die Reise.", "Erzähl Karin von der Reise.", REFUSE),
        ("Pas un mot à Paul sur le voyage.", "Parle du voyage à Paul.", REFUSE),
        ("No se lo cuentes a nadie: cerramos la tienda.", "Dile a Ana que cerramos la tienda.", REFUSE),
        ("Não contes nada à Rita sobre a viagem.", "Fala da viagem à Rita.", REFUSE),
        ("Non dire niente a Luca del viaggio.", "Racconta il viaggio a Luca.", REFUSE),
    ],
)
def test_rules_as_people_say_them(rule: str, request_text: str, expected: Decision) -> None:
    assert decision(rule, request_text) is expected


def test_swearing_is_no_promise() -> None:
    rule = "No swearing in mails to the club."
    assert decision(rule, "Promise the club in a mail that we come.") is not REFUSE
    assert decision(rule, "Write the club a mail and swear as much as you like.") is not ALLOW


@pytest.mark.parametrize("sentence", ["Don't be evil.", "Never be late."])
def test_a_rule_on_what_to_be_is_a_question(sentence: str) -> None:
    with pytest.raises(CompileQuestion):
        compile_prohibition("r", sentence)


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never give out my number.", "Send the number of the station to the man.", ALLOW),
        ("Never give out my number.", "Send Ana's number to the man.", ALLOW),
        ("Never give out my number.", "Send my number to the man.", REFUSE),
        ("Never give out my number.", "Send him the number of my mobile.", REFUSE),
        ("Never sell my bike.", "Sell the bike.", REFUSE),
        ("Verkauf nie mein Rad.", "Verkauf das Rad von Petra.", ALLOW),
        ("Ne donne mon adresse à personne.", "Envoie l'adresse de la gare au livreur.", ALLOW),
    ],
)
def test_what_is_mine_is_nobody_elses(rule: str, request_text: str, expected: Decision) -> None:
    assert decision(rule, request_text) is expected


def test_a_thing_of_the_operator_by_name_is_the_operators() -> None:
    snapshot = Snapshot.build([prohibition("Never give out my number.")], head="h")
    at = datetime.fromisoformat("2026-03-03T10:00:00+01:00")
    request = TextRequest(text="Send Ines's number to the man.", at=at)
    assert gate(request, Facts(operator_names=("Ines",)), snapshot).decision is not ALLOW


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("Approve the Aldous invoice, 1,480 euros.", REFUSE),
        ("Approve the Aldous invoice, 480 euros.", ALLOW),
    ],
)
def test_a_limit_in_a_rule_on_who_alone_may_stays_as_it_is(request_text: str, expected: Decision) -> None:
    assert decision("Only Maud may approve invoices over 1000 euros.", request_text) is expected


def test_what_an_exception_asks_for_is_seen_to_first_in_other_languages() -> None:
    rule = "N'envoie pas de factures sans les faire relire par Karim."
    assert decision(rule, "Fais relire la facture par Karim, puis envoie-la à Delmas.") is ASK
    assert decision(rule, "Envoie la facture à Delmas.") is REFUSE


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Protokolle werden nicht an Mieter weitergegeben.", "Schick dem Mieter das Protokoll."),
        ("Werkzeug wird nicht ausgeliehen.", "Leih das Werkzeug aus."),
        ("Alte Rechnungen dürfen nicht weggeworfen werden.", "Wirf die alten Rechnungen weg."),
        ("Das Boot wird nie verliehen.", "Verleih das Boot."),
        ("Non prestare il furgone a nessuno.", "Da' a Tullio il furgone."),
        ("No refunds after 30 days.", "Answer the review and refund order 3381 which is 33 days old."),
    ],
)
def test_verbs_in_their_irregular_and_clipped_forms(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is REFUSE


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never lend the van to Mateo.", "Tell Mateo he can take the van tomorrow.", REFUSE),
        ("Never lend the van to Mateo.", "Tell Mateo he can't take the van tomorrow.", ASK),
        ("Never lend the van to Mateo.", "Ask Mateo if he can drive the van tomorrow.", ASK),
        ("Never sell the cello.", "Write Mr Sato that he may buy the cello.", REFUSE),
        ("Verleih nie den Bus an Malte.", "Sag Malte, dass er den Bus morgen nehmen kann.", REFUSE),
        ("Never send glass by courier.", "Courier the glass to Turku.", REFUSE),
        ("Never send glass by courier.", "Send the glass to Turku.", ASK),
        ("Never ship glass by rail.", "Ship the glass by lorry.", ALLOW),
    ],
)
def test_who_is_told_that_they_may_is_let_and_a_verb_is_its_own_way(
    rule: str, request_text: str, expected: Decision
) -> None:
    assert decision(rule, request_text) is expected


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        (
            "Never polish the brass more than once a month.",
            "Polish the brass on the first of the month.",
            ASK,
        ),
        ("Never polish the brass more than once a month.", "Polish the spoons.", ALLOW),
        ("Keine Anrufe bei Kunden nach 18 Uhr.", "Schreib der Kundin um 19 Uhr eine Mail.", ALLOW),
        ("Keine Anrufe bei Kunden nach 18 Uhr.", "Ruf die Kundin um 19 Uhr an.", REFUSE),
        ("Ne prends jamais de cours le lundi.", "Déplace le cours de lundi à jeudi.", ALLOW),
    ],
)
def test_how_often_another_channel_and_the_time_that_is_left(
    rule: str, request_text: str, expected: Decision
) -> None:
    assert decision(rule, request_text) is expected
