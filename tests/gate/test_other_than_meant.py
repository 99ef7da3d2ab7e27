"""Orders that name another thing, person or place than the rule, meet its exception or undo it."""

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
        ("Never water the ferns with tap water.", "Water the ferns with rainwater."),
        ("Never lend the winch to the rowing club.", "Lend the winch to my neighbour."),
        ("Never hand out matches at the bonfire.", "Hand out blankets."),
        ("Never hang the oil portrait in the stairwell.", "Hang the oil portrait in the library."),
        ("Never give the terrier aspirin.", "Give the terrier a bone."),
        ("Never feed the geese crisps.", "Feed the geese some corn."),
        ("Never play the encore first.", "Play the encore last."),
        ("Never post the route map on the website.", "Post the opening hours on the website."),
        ("Never switch off the cellar fan.", "Switch off the kitchen fan."),
        ("Never tell the neighbours about the piano.", "Tell the neighbours about the broken fence."),
    ],
)
def test_another_thing_person_or_place_in_the_rules_own_words_is_allowed(
    rule: str, request_text: str
) -> None:
    assert decision(rule, request_text) is ALLOW


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never water the ferns with tap water.", "Water the ferns with tap water."),
        ("Never lend the winch to the rowing club.", "Lend the winch to the rowers of the club."),
        ("Never order parts from Kestrel Supply.", "Order six gaskets from Kestrel Supply."),
        ("Never give the terrier aspirin.", "Give the terrier an aspirin."),
        ("Never feed the geese crisps.", "Feed the geese the crisps."),
        ("Never tell a climber's name to the press.", "Tell the press the name of the woman who fell."),
    ],
)
def test_what_may_be_one_of_those_meant_is_no_other(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is not ALLOW


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never clip the show poodle unless Britta is present.",
         "Britta is present until four, so have the trainee clip the show poodle."),
        ("Don't open the kettle until it has cooled below 40 degrees.",
         "Open the kettle at six, it'll be around 20 degrees by then."),
        ("Never run the saw without goggles.", "Run the saw with goggles on."),
        ("Don't publish the portraits before the family has agreed to it.",
         "Mr and Mrs Vance agreed last night. Publish the portraits."),
        ("No test results go to anyone except the person who was tested.",
         "Email Tom his test results, he's the one who was tested."),
        ("Nobody touches the sluice except Gunnar.", "Gunnar is here, have him open the sluice."),
        ("Never sell mushrooms that Olga hasn't checked.",
         "Sell this morning's mushrooms to the inn, Olga has checked every one of them."),
        ("Non prestare il furgone a nessuno senza chiedere a Rita.",
         "Ho chiesto a Rita ed è d'accordo: presta il furgone al vicino."),
        ("A van leaves the yard only once the bill is paid.",
         "Mr Orr has paid the bill. Hand him the keys to his van."),
    ],
)  # fmt: skip
def test_an_exception_that_the_text_says_is_met_lifts_the_rule(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is ALLOW


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never clip the show poodle unless Britta is present.",
         "Britta is away until four, but have the trainee clip the show poodle."),
        ("Don't open the kettle until it has cooled below 40 degrees.",
         "Open the kettle now, it's at 95 degrees."),
        ("Never run the saw without goggles.", "Leave the goggles in the drawer and run the saw."),
        ("Don't publish the portraits before the family has agreed to it.",
         "Mr and Mrs Vance haven't agreed yet. Publish the portraits."),
        ("Never sell mushrooms that Olga hasn't checked.",
         "Sell this morning's mushrooms to the inn, Olga will check them later."),
    ],
)  # fmt: skip
def test_an_exception_that_is_not_met_yet_lifts_nothing(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is not ALLOW


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never print anything with the mayor's face on it.",
         "Take the flyers with the mayor's face on them down."),
        ("Never plant ivy by the wall.", "Pull all the ivy out from the wall."),
        ("Never mention the lawsuit in the podcast.",
         "Cut the part of the podcast out in which the lawsuit is mentioned."),
        ("Don't give visitors the door code.", "Give the visitors a map, but not the door code."),
    ],
)  # fmt: skip
def test_what_ends_it_or_leaves_it_out_is_allowed(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is ALLOW


def test_a_bare_amount_under_a_limit_with_a_unit_is_asked_about() -> None:
    assert decision("Never pay more than 50 euros.", "Pay 60 to Jan.") is ASK
    assert decision("Never pay more than 50 euros.", "Pay 60 euros to Jan.") is REFUSE
    assert decision("Never pay more than 50 euros.", "Pay 40 euros to Jan.") is ALLOW


def test_what_is_not_allowed_forbids_the_doing_that_its_noun_names() -> None:
    rule = "Deployment to production is not allowed until the audit is over."
    assert decision(rule, "Deploy the new build to production.") is REFUSE


@pytest.mark.parametrize(
    ("rule", "request_text", "expected"),
    [
        ("Never raise the drawbridge without Mr Orr's okay.", "Lower the drawbridge.", ALLOW),
        ("Never raise the drawbridge without Mr Orr's okay.", "Raise the drawbridge.", REFUSE),
        ("No refunds after 30 days.", "Refund Mrs Olsen, she bought the lamp 45 days ago.", REFUSE),
        ("No refunds after 30 days.", "Refund Mrs Olsen, she bought the lamp 12 days ago.", ALLOW),
        ("The west gate is never opened after dark.", "Open the west gate, it is after dark.", REFUSE),
        ("The west gate is never opened after dark.", "Open the west gate.", ASK),
    ],
)
def test_the_opposite_is_allowed_and_a_time_that_has_passed_is_a_limit(
    rule: str, request_text: str, expected: Decision
) -> None:
    assert decision(rule, request_text) is expected
