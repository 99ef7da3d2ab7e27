"""Somebody or something said in other words than the rule's: by a name, a pronoun, a list, a slip."""

from __future__ import annotations

from datetime import datetime

import pytest
from gate_rules import prohibition

from gate import Decision, Facts, Snapshot, TextRequest, compile_prohibition, gate

REFUSE, ASK = Decision.REFUSE, Decision.ASK


def decision(rule: str, request: str, at: str = "2026-03-03T10:00:00+01:00") -> Decision:
    snapshot = Snapshot.build([prohibition(rule)], head="h")
    return gate(TextRequest(text=request, at=datetime.fromisoformat(at)), Facts(), snapshot).decision


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("Never cut a gardener's wages.", "Cut Tilde's wages by ten euros."),
        ("Don't tell passengers the name of the pilot.", "They ask again; tell them the name of the pilot."),
        ("Never sell fireworks to minors.", "Sell the fifteen-year-old a box of fireworks."),
        ("Don't tell tenants the gate code by email.", "Email Mr Sorel the gate code."),
        ("Never book slow-train seats.", "Book the slow-train for the choir."),
        ("Never repaint the harbour mural.", "Repaint the harbuor mural on Friday."),
        ("Never post pictures of the twins.", "Put the picture of the twins up on our Facebook page."),
        ("Never sell the mooring rights.", "Let the yacht club have the mooring rights for 900."),
        ("Never copy the ledger.", "Make the auditor two xeroxes of the ledger."),
        ("No straws at the reception.", "Reception, for Friday: 80 glasses, 200 straws, 12 trays."),
        ("Only Ruth may touch the sundial.", "Turn the sundial a little to the left."),
        ("No nuts on tray 4.", "Put the almond bars on tray 4."),
        ("Never start the pump while the tank is being cleaned.",
         "Start the pump, the tank is being cleaned until noon."),
        ("Never tell anyone where the badgers live.", "Tell the photographer where the badgers live."),
    ],
)  # fmt: skip
def test_what_is_meant_is_refused_though_it_is_called_otherwise(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is REFUSE


@pytest.mark.parametrize(
    ("rule", "request_text"),
    [
        ("The gallery is off limits for students.",
         "The students made a poster for the gallery, lend them a ladder."),
        ("Never order anything with alcohol for the crew.",
         "The crew's kettle went for the price of an alcohol wipe; order a new one."),
        ("Don't restart the scoring computer before noon.",
         "Book me on the computer course, it restarts tomorrow at ten."),
        ("Don't publish photos of Odile's garden.", "Publish the fair photos, only none of Odile's garden."),
        ("Never cut a gardener's wages.", "Cut Tilde's roses by the gate."),
        ("Never tell anyone where the badgers live.",
         "If somebody asks where the badgers live, say that we don't tell."),
        ("No emojis in the chronicle.", "Hang the emoji chart beside the chronicle."),
    ],
)  # fmt: skip
def test_what_only_sounds_alike_is_not_refused(rule: str, request_text: str) -> None:
    assert decision(rule, request_text) is not REFUSE


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("No contact lenses for the dolls.", "contact lenses"),
        ("No open fires on the deck.", "open fires"),
        ("Pine boards are out, we do not order them anymore.", "pine boards"),
        ("No drones in the hangar, don't book any.", "drones"),
        ("Never let guests use the sauna.", "sauna"),
        ("The seed drawer isn't sorted afterwards.", "seed drawer"),
        ("Stop using the tin bath.", "tin bath"),
    ],
)
def test_the_thing_of_a_rule_is_read_from_its_noun_phrase(rule: str, words: str) -> None:
    assert [term.words for term in compile_prohibition("r", rule).objects] == [words]


def test_how_a_thing_is_done_is_asked_about_where_it_is_not_said() -> None:
    rule = "Never open the sluice remotely."
    assert decision(rule, "Open the sluice.") is ASK
    assert decision(rule, "Open the sluice remotely.") is REFUSE


def test_no_behind_a_verb_alone_forbids_the_verb() -> None:
    assert {"update", "delete"} <= compile_prohibition(
        "r", "No update or delete without a backup."
    ).acts.keys()
