"""Undo: what was ended holds again, and the log keeps every step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.operations import Partner
from partner.policy import refusal
from partner.settings import Settings
from partner.terminal.slash import Commands


@pytest.fixture
def partner(tmp_path: Path, clock) -> Iterator[Partner]:
    settings = Settings(
        home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner"), engine="none"
    )
    with open_partner(settings, clock=clock, engine_free=True) as opened:
        yield opened


def holding(partner: Partner) -> list[str]:
    return sorted(e.content for part in partner.state().values() for e in part)


def test_undoing_a_new_claim_retracts_it(partner: Partner) -> None:
    list(partner.turn("The hall is booked for 12 May."))
    partner.undo()
    assert holding(partner) == []


@pytest.mark.conforms("S11")
def test_undoing_a_change_lets_the_old_claim_hold_again(partner: Partner) -> None:
    list(partner.turn("The deposit for the hall is 300 euros."))
    before = holding(partner)
    list(partner.turn("The deposit for the hall is 350 euros now."))
    assert holding(partner) != before
    partner.undo()
    assert holding(partner) == before
    chain = [e.content for e in partner.store.history(partner.state()["concluded"][0].id)]
    assert [("300" in content) for content in chain] == [True, False, True]


def test_undoing_a_retraction_lets_the_claim_hold_again(partner: Partner) -> None:
    list(partner.turn("The alarm engineer comes on 3 May."))
    before = holding(partner)
    list(partner.turn("Forget what I said about the alarm engineer."))
    assert holding(partner) == []
    partner.undo()
    assert holding(partner) == before


@pytest.mark.parametrize("kind", ["/retract {id}", "/retract {id} no longer true"])
def test_undo_takes_a_command_back_too(partner: Partner, kind: str) -> None:
    said: list[str] = []
    commands = Commands(partner, write=said.append)
    list(partner.turn("The alarm engineer comes on 3 May."))
    before = holding(partner)
    commands.run(kind.format(id=partner.state()["concluded"][0].id))
    assert holding(partner) == []
    commands.run("/undo")
    assert holding(partner) == before


def test_an_undone_rule_is_enforced_again(partner: Partner) -> None:
    said: list[str] = []
    commands = Commands(partner, write=said.append)
    commands.run("/forbid Never delete the master tapes.")
    commands.run(f"/retract {partner.state()['forbidden'][0].id}")
    assert partner.check("Delete the master tapes").allowed
    commands.run("/undo")
    assert not partner.check("Delete the master tapes").allowed
    commands.run("/undo")
    assert holding(partner) == []


def test_a_refusal_says_how_to_give_the_word_it_lacks_and_that_is_undone_too(
    partner: Partner,
) -> None:
    said: list[str] = []
    commands = Commands(partner, write=said.append)
    commands.run("/forbid Never email the client without my approval.")
    verdict = partner.check("Email the client the quote.")
    assert "/approve" in refusal(verdict)
    commands.run("/approve email to the client about the quote")
    assert "approval by operator: email to the client" in said[-1]
    assert partner.check("Email the client the quote.").allowed
    commands.run("/undo")
    assert not partner.check("Email the client the quote.").allowed


def test_undoing_twice_goes_one_message_further_back(partner: Partner) -> None:
    list(partner.turn("The hall is booked for 12 May."))
    list(partner.turn("Olga waters the tubs."))
    partner.undo()
    partner.undo()
    assert holding(partner) == []
    assert partner.undo() == []


def test_undo_says_what_it_took_back_and_what_holds_again(partner: Partner) -> None:
    said: list[str] = []
    commands = Commands(partner, write=said.append)
    list(partner.turn("The deposit for the hall is 300 euros."))
    list(partner.turn("The deposit for the hall is 350 euros now."))
    commands.run("/forbid Never delete the master tapes.")
    list(partner.turn("Is the hall booked?"))  # writes nothing that could be undone
    said.clear()
    commands.run("/undo")
    commands.run("/undo")
    commands.run("/undo")
    rule, back, gone = (text.splitlines() for text in said)
    assert rule[0] == back[0] == gone[0] == "Undone:"
    assert "prohibition no longer holds: Never delete the master tapes." in rule[1]
    assert back[1].startswith("+ ")
    assert "holds again: The deposit for the hall is 300 euros. (in place of " in back[1]
    assert "no longer holds: The deposit for the hall is 300 euros." in gone[1]
