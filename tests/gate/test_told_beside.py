"""What the rest of a sentence tells: who asks, what is so, how many there are of what."""

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
        ("Never tell anyone the alarm code.", "My cousin wants to come in early, tell her the alarm code."),
        ("Never lend the trailer to the scouts.", "The scouts hope to go camping, lend them the trailer."),
        ("Never water the orchids before noon.", "Have someone water the orchids now, they look dry."),
    ],
)
def test_an_order_behind_what_somebody_wants_to_do_is_an_order(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is REFUSE


def test_verbs_that_go_on_with_what_somebody_wants_to_do_order_nothing() -> None:
    rule = "Never sell the piano."
    assert decision(rule, "She hopes to move house, sell the piano and travel.") is ALLOW


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("The new girl can ski, give her the red run pass.", ALLOW),
        ("The new girl can't ski, give her the red run pass.", REFUSE),
        ("The new girl will ski next year, give her the red run pass.", REFUSE),
    ],
)
def test_that_somebody_can_meets_a_rule_on_those_who_cannot(request_text: str, expected: Decision) -> None:
    assert decision("Never give a red run pass to someone who can't ski.", request_text) is expected


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("Lend the Zeiss to Maud, she's been an associate since May.", ASK),
        ("Lend the Zeiss to Maud.", REFUSE),
        ("Lend the Zeiss to Maud, she isn't an associate.", REFUSE),
        ("Lend the Zeiss to Maud, it's an associate telescope.", REFUSE),
    ],
)
def test_somebody_said_to_be_what_an_exception_asks_for_is_asked_about(
    request_text: str, expected: Decision
) -> None:
    assert decision("Don't lend out the Zeiss unless the borrower is an associate.", request_text) is expected


def test_the_one_who_may_and_wants_to_is_asked_about_and_others_are_refused() -> None:
    rule = "Only Tilda takes the dinghy out."
    assert decision(rule, "Tilda wants to sail the dinghy on Sunday, enter her.") is ASK
    assert decision(rule, "Tilda is ill, so you take the dinghy out.") is REFUSE


def test_an_order_to_shut_is_no_opening() -> None:
    rule = "Never open the loft hatch when it's below 5 degrees."
    assert decision(rule, "It's 2 degrees outside, make sure the loft hatch is closed.") is not REFUSE
    assert decision(rule, "It's 2 degrees outside, open the loft hatch.") is REFUSE


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("Book the train to Ghent that only changes in Lille.", ALLOW),
        ("Sign up 14 kids for the juggling class.", REFUSE),
        ("Book 14 places in the juggling class.", REFUSE),
        ("Order 14 aprons for the juggling class.", ASK),
    ],
)
def test_names_apart_are_no_list_and_things_are_no_people(request_text: str, expected: Decision) -> None:
    rule = "No trains with more than one change."
    if "juggling" in request_text:
        rule = "No more than 12 kids per juggling class."
    assert decision(rule, request_text) is expected


def test_a_state_told_beside_the_order_is_asked_about() -> None:
    rule = "Never publish on amber."
    assert decision(rule, "Publish the page, I know the build is amber.") is ASK
    assert decision(rule, "Publish the page, the build is green.") is ALLOW


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never sell the farm.", "Sell the picture of the farm.", ASK),
        ("Never sell the picture of the farm.", "Sell the picture of the farm.", REFUSE),
        ("Never open the crypt.", "Open the crypt records from 1910.", ASK),
        ("Don't order from Tundra.", "Find a film about the Tundra and order it.", ASK),
        ("Don't use my work inbox for private mail.", "Put the note in my private inbox.", ASK),
        ("Don't use my work inbox for private mail.", "Use my work inbox for the private mail.", REFUSE),
    ],
)
def test_a_picture_or_a_record_of_a_thing_is_not_the_thing(
    rule: str, request_text: str, expected: Decision
) -> None:
    assert decision(rule, request_text) is expected


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("No calls to clients after 6 pm.", "Call Mrs Sommer back at half past seven tonight.", ASK),
        ("No calls to clients after 6 pm.", "Call Mrs Sommer back at three.", ALLOW),
        ("No calls to clients after 6 pm.", "Call Mrs Sommer back.", ALLOW),
        ("No calls to clients after 6 pm.", "Call my mother at half past seven tonight.", ALLOW),
        ("Don't text employees on weekends.", "Text Jonas on Sunday that the shift moved.", ASK),
        ("Don't text employees on weekends.", "Meet Jonas on Sunday.", ALLOW),
    ],
)
def test_somebody_named_may_be_one_of_those_who_are_left_alone_at_that_time(
    rule: str, request_text: str, expected: Decision
) -> None:
    assert decision(rule, request_text) is expected
