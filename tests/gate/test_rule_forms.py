"""Rules said in other words than 'Never ...', and the requests beside them, by kind."""

from __future__ import annotations

from datetime import datetime

import pytest
from gate_rules import prohibition

from gate import Decision, Facts, Snapshot, TextRequest, compile_prohibition, gate
from gate.language.detect import detect_language
from gate.language.reading import Mood, read

TUESDAY = "2026-03-03T10:00:00+01:00"


def decision(rule: str, request: str, at: str = TUESDAY) -> Decision:
    snapshot = Snapshot.build([prohibition(rule)], head="h")
    return gate(TextRequest(text=request, at=datetime.fromisoformat(at)), Facts(), snapshot).decision


@pytest.mark.parametrize(
    ("rule", "who", "act"),
    [
        ("Nobody grooms the stallion except Odile.", "odile", "do:groom"),
        ("No one but Sigrun signs the freight papers.", "sigrun", "sign"),
        ("I don't want the loom repaired by anyone but Tarek.", "tarek", "repair"),
        ("The strongroom may only be opened by Mireille.", "mireille", "open"),
    ],
)
def test_who_alone_may_is_read_from_any_order_of_the_words(rule: str, who: str, act: str) -> None:
    constraint = compile_prohibition("r", rule)
    assert constraint.mode == "only"
    assert act in constraint.acts
    assert [(unless.kind, unless.words) for unless in constraint.unless] == [("actor", who)]


def test_nobody_does_it_is_a_ban_and_nobody_gets_it_keeps_it_from_everybody() -> None:
    assert (
        decision("Nobody sails the dinghy.", "Have the new boys sail the dinghy at noon.") is Decision.REFUSE
    )
    assert "give" in compile_prohibition("r", "Nobody else gets the password of the till.").acts


@pytest.mark.parametrize(
    "rule",
    [
        "Pier 3 is reserved for ferries.",
        "Pier 3 is only for ferries.",
        "Pier 3 is for ferries only.",
    ],
)
def test_what_is_kept_for_some_is_for_nobody_else(rule: str) -> None:
    assert decision(rule, "Give pier 3 to the trawlers tonight.") is Decision.REFUSE
    assert decision(rule, "Give pier 3 to the ferries tonight.") is not Decision.REFUSE


def test_a_most_said_first_is_a_limit() -> None:
    for rule in (
        "At most six jars per shelf.",
        "A maximum of six jars per shelf.",
        "No more than six jars per shelf.",
    ):
        (limit,) = compile_prohibition("r", rule).limits
        assert (limit.kind, int(limit.value)) == ("above", 6)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("Never light the stove while the flue is open.", "flue open"),
        ("The crane must not lift when the ice is thin.", "ice thin"),
        ("No welding with children in the hall.", "children hall"),
        ("Never sell a saddle that hasn't been oiled.", "oiled"),
        ("Do not book anyone with open debts.", "open debts"),
    ],
)
def test_a_circumstance_says_which_case_is_meant_and_is_no_thing(rule: str, words: str) -> None:
    constraint = compile_prohibition("r", rule)
    assert [term.words for term in constraint.qualifiers] == [words]
    assert not constraint.unless
    assert words.split()[0] not in " ".join(term.words for term in constraint.objects)


def test_what_somebody_is_shared_or_spoken_with_stays_a_recipient() -> None:
    constraint = compile_prohibition("r", "Never share the plans with Odile.")
    assert [term.words for term in constraint.recipients] == ["odile"]
    assert not constraint.qualifiers


def test_until_after_a_state_is_what_lifts_it() -> None:
    constraint = compile_prohibition("r", "The lock stays shut until the pump is mended.")
    assert [unless.words for unless in constraint.unless] == ["until the pump is mended"]


def test_a_noun_of_a_doing_forbids_its_verb() -> None:
    rule = "No digging in field C."
    assert decision(rule, "Dig a trench in field C this morning.") is Decision.REFUSE
    assert decision(rule, "Dig a trench in field B this morning.") is not Decision.REFUSE


def test_hours_apart_and_hours_of_what_happens_are_read_as_they_are_meant() -> None:
    (window,) = compile_prohibition("r", "No tours during opening hours, 9 to 5.").windows
    assert window.minutes == ((540, 1020),)
    (window,) = compile_prohibition("r", "Never post the scores before the match ends at 21:00.").windows
    assert window.minutes == ((0, 1260),)


def test_holidays_beside_a_weekday_are_no_thing_and_a_part_of_the_day_may_say_which() -> None:
    constraint = compile_prohibition("r", "No deliveries on Sundays or public holidays.")
    assert [term.words for term in constraint.objects] == ["deliveries"]
    assert constraint.windows[0].weekdays == {6}
    assert not compile_prohibition("r", "Never lend the night lamps.").windows


def test_hours_before_dawn_stay_where_they_are_said() -> None:
    rule = "Never run the mill between ten in the morning and six in the evening."
    assert decision(rule, "Run the mill from 3:00 to 4:00 every night.") is not Decision.REFUSE


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("Book lane 4 for the relay.", Mood.ORDER),
        ("How about you oil the saddle?", Mood.ORDER),
        ("Feel free to delete the log.", Mood.WISH),
        ("Oiling the saddle tonight would be great.", Mood.QUESTION),
    ],
)
def test_polite_and_clipped_orders_ask_for_something(text: str, mood: Mood) -> None:
    found = read(text).clauses[0].mood
    assert found.asks if mood is Mood.QUESTION else found is mood


def test_how_about_you_alone_asks_for_nothing() -> None:
    assert not read("How about you?").clauses[0].mood.asks


def test_a_proposal_after_a_reason_is_a_clause_of_its_own() -> None:
    moods = [clause.mood for clause in read("She is keen, so how about lending her the boat?").clauses]
    assert moods[-1] is Mood.ORDER


@pytest.mark.parametrize(
    "text",
    ["We're late, so run six cycles in vat A today.", "Order lunch: two pizzas, one salad.", "Print menu A."],
)
def test_small_words_shared_with_another_language_do_not_make_a_text_foreign(text: str) -> None:
    assert detect_language(text.lower(), text) == "en"


def test_a_number_that_names_a_thing_is_no_value() -> None:
    rule = "Lot 77 must not go for less than 3,000."
    assert decision(rule, "Let the lady have lot 77 for 3,900.") is not Decision.REFUSE
    assert decision(rule, "Let the lady have lot 77 for 2,100.") is Decision.REFUSE


def test_two_who_may_not_be_together_are_meant_as_one() -> None:
    rule = "The Ferrys and the Holms are not to sit at the same table."
    assert decision(rule, "Seat the Ferrys at the same table as the Nowaks.") is Decision.ALLOW
    assert decision(rule, "Seat the Ferrys at the same table as the Holms.") is Decision.REFUSE


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never spray the roses while they are in bloom.", "The bloom is long over, so spray the roses."),
        ("Don't register anyone who hasn't passed theory.", "Register Jo, she has passed theory."),
    ],
)
def test_a_circumstance_said_to_be_over_or_not_so_does_not_refuse(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is not Decision.REFUSE


def test_a_circumstance_that_is_said_refuses() -> None:
    rule = "Never spray the roses while they are in bloom."
    assert decision(rule, "The roses are in bloom, spray the roses anyway.") is Decision.REFUSE


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never give out a tenant's phone number.", "Give her the phone number of the plumber."),
        ("Don't answer pupils' letters.", "Answer the letter from the mayor."),
        ("Never ring donors at work.", "Ring the donor Mr Ames at home."),
    ],
)
def test_what_is_said_of_another_or_elsewhere_is_a_question_at_most(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is not Decision.REFUSE


def test_the_rules_own_verb_is_its_act_whatever_else_it_may_mean() -> None:
    rule = "We don't post lenses abroad."
    assert decision(rule, "Post Ms Lind's lenses to her new address abroad.") is Decision.REFUSE
    assert (
        decision("Never copy the caretaker's keys.", "Copy the caretaker in on the keys.")
        is not Decision.REFUSE
    )


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("For the fair at the castle send along the flag.", "send"),
        ("On Monday at eight sharp book the Prague bus.", "book"),
        ("On the bag for Roth print the name.", "print"),
        ("Do the accounts for May.", "do"),
    ],
)
def test_an_order_may_stand_behind_what_is_told_first(text: str, verb: str) -> None:
    reading = read(text)
    (clause,) = reading.clauses
    assert clause.mood is Mood.ORDER
    assert verb in {reading.tokens[at].text for at in clause.verbs}


def test_what_was_done_then_is_no_order() -> None:
    assert read("In 2024 a guest let the dog in.").clauses[0].mood is not Mood.ORDER


def test_a_word_that_begins_the_rule_is_no_name_within_it() -> None:
    constraint = compile_prohibition("r", "Plots go only to members.")
    assert not any(part.exact for term in constraint.objects for part in term.parts)


def test_a_report_in_german_is_written_into_a_book_of_any_kind() -> None:
    rule = "Finger weg von der Heizung!"
    told = "Der Gast hat gestern die Heizung verstellt, schreib das ins Wartungsbuch."
    assert decision(rule, told) is Decision.ALLOW


@pytest.mark.parametrize(
    ("rule", "who"),
    [
        ("Niemand außer Rosa stimmt die Orgel.", "rosa"),
        ("Niemand füttert die Esel außer Pascale.", "pascale"),
        ("Nadie afina el órgano salvo Rosa.", "rosa"),
        ("Nessuno accorda il piano tranne Rosa.", "rosa"),
    ],
)
def test_who_alone_may_is_read_in_other_languages(rule: str, who: str) -> None:
    constraint = compile_prohibition("r", rule)
    assert (constraint.mode, [unless.words for unless in constraint.unless]) == ("only", [who])


@pytest.mark.parametrize(
    ("rule", "free"),
    [
        ("Halle 3 ist für die Jugend reserviert.", "jugend"),
        ("La sala 2 está reservada para los ensayos.", "ensayos"),
        ("La salle 2 est réservée aux répétitions.", "repetitions"),
        ("La sala 2 è riservata alle prove.", "prove"),
        ("Las llaves solo se las puedes dar a Remedios.", "remedios"),
    ],
)
def test_what_is_kept_for_some_is_read_in_other_languages(rule: str, free: str) -> None:
    constraint = compile_prohibition("r", rule)
    assert "give" in constraint.acts
    assert [term.words for unless in constraint.unless for term in unless.terms] == [free]


def test_a_state_in_german_may_hold_at_a_time_alone() -> None:
    constraint = compile_prohibition("r", "Die Säge bleibt freitags ab 14 Uhr aus.")
    assert "start" in constraint.acts
    assert constraint.windows[0].weekdays == {4}
    assert not constraint.limits


@pytest.mark.parametrize(
    ("rule", "act", "thing"),
    [
        ("Please make sure nobody feeds the geese.", "feed", "geese"),
        ("Never, ever lend the keys to Tom.", "lend", "keys"),
        ("Don't you dare sell the boat.", "sell", "boat"),
        ("You are not to open Clara's mail.", "open", "clara mail"),
        ("Do not, under any circumstances, restart the mill.", "restart", "mill"),
        ("The goats are not for sale.", "sell", "goats"),
        ("The price of the bread stays at 3 euros.", "change", "price bread"),
    ],
)
def test_a_ban_is_read_however_it_is_begun(rule: str, act: str, thing: str) -> None:
    constraint = compile_prohibition("r", rule)
    assert act in constraint.acts
    assert [term.words for term in constraint.objects] == [thing]


@pytest.mark.parametrize(
    "rule",
    [
        "Refunds over 200 need Petra's approval.",
        "Refunds over 200 have to be approved by Petra.",
        "Refunds over 1,000 euros only with Petra's okay.",
    ],
)
def test_what_needs_an_approval_is_a_ban_that_it_lifts(rule: str) -> None:
    constraint = compile_prohibition("r", rule)
    assert "refund" in constraint.acts
    assert constraint.limits[0].kind == "above"
    assert constraint.unless[0].kind == "approval"


def test_what_is_kept_out_of_a_place_is_not_brought_there() -> None:
    for rule in ("Keep sugar out of the lunches.", "Sugar never goes into the lunches."):
        assert [term.words for term in compile_prohibition("r", rule).places] == ["lunches"]
    assert not compile_prohibition("r", "Keep your hands off the register.").places


@pytest.mark.parametrize(
    ("rule", "spared", "done"),
    [
        (
            "Never prune the old cherry.",
            "Prune every tree except for the old cherry.",
            "Prune the old cherry.",
        ),
        (
            "The west window must not be painted.",
            "Paint all of it excluding the west window.",
            "Paint the west window.",
        ),
        (
            "Keep your hands off the organ pipes.",
            "Dust the bench and leave the organ pipes as they are.",
            "Change the organ pipes.",
        ),
        (
            "Keep your hands off the boiler valves.",
            "Ewan opened the boiler valves at noon, so that's why it is cold; write it down.",
            "Open the boiler valves.",
        ),
        (
            "No heating in the chapel.",
            "Turn off the heating in the chapel.",
            "Turn on the heating in the chapel.",
        ),
    ],
)
def test_what_is_left_out_left_alone_told_or_ended_is_not_refused(rule: str, spared: str, done: str) -> None:
    assert decision(rule, spared) is not Decision.REFUSE
    assert decision(rule, done) is Decision.REFUSE


@pytest.mark.parametrize(
    "request_",
    ["Erzähl mir von der Seidenstraße.", "Cuéntame algo sobre los faros.", "Raconte-moi l'histoire du sel."],
)
def test_telling_the_operator_something_is_no_ground_for_a_question_in_any_language(request_: str) -> None:
    assert decision("Do not give medical advice.", request_) is Decision.ALLOW


@pytest.mark.parametrize("past", ["agreed last night", "guaranteed it", "approved it"])
def test_a_past_that_ends_in_eed_states_what_another_past_states(past: str) -> None:
    assert read(f"The couple {past}.").clauses[0].mood is Mood.STATEMENT


def test_who_agreed_lifts_the_rule_that_waits_for_it() -> None:
    rule = "Don't post any tour pictures before the band has agreed to it."
    assert decision(rule, "The band agreed last night. Post the tour pictures.") is Decision.ALLOW
    assert decision(rule, "The caterer agreed last night. Post the tour pictures.") is Decision.REFUSE


@pytest.mark.parametrize(
    ("rule", "request_"),
    [
        ("Never delete the bus stop list.", "Delete the bus stop list."),
        ("Do not touch the organ stops.", "Change the organ stops."),
        ("Do not touch the May invoices.", "Change the May invoices."),
    ],
)
def test_a_thing_named_by_a_word_that_can_be_a_verb_is_still_the_thing(rule: str, request_: str) -> None:
    assert decision(rule, request_) is Decision.REFUSE
    assert decision(rule, "Put a stop to the noise in the yard.") is Decision.ALLOW


@pytest.mark.parametrize(
    ("rule", "beyond", "inside"),
    [
        ("Never load more than 12 crates.", "Load more than 12 crates.", "Load no more than 12 crates."),
        ("Do not accept jobs under 40 euros.", "Accept jobs under 40 euros.", "Accept jobs of 40 euros."),
        (
            "Never set the kiln above 900 degrees.",
            "Set the kiln above 900 degrees.",
            "Set the kiln to 900 degrees.",
        ),
    ],
)
def test_a_limit_said_as_the_rule_says_it_is_passed(rule: str, beyond: str, inside: str) -> None:
    assert decision(rule, beyond) is Decision.REFUSE
    assert decision(rule, inside) is not Decision.REFUSE


def test_to_leave_a_thing_that_may_not_be_touched_is_not_refused() -> None:
    assert decision("Do not touch the red cables.", "Leave the red cables.") is not Decision.REFUSE
    assert decision("Do not touch the red cables.", "Move the red cables.") is Decision.REFUSE
