"""Seeing and correcting what the gate understood of a rule, and permissions that end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest

from gate.errors import BadConstraint
from gate.model import ActionRequest, Decision
from partner import rules
from partner.bootstrap import open_partner
from partner.errors import UsageError
from partner.operations import Partner
from partner.settings import load
from partner.terminal.correcting import correct
from partner.terminal.piped import converse_lines
from partner.terminal.slash import Commands

NOW = datetime(2026, 3, 6, 10, 0, tzinfo=UTC)


@pytest.fixture
def partner(tmp_path: Path) -> Iterator[Partner]:
    with open_partner(load({}, home=tmp_path), clock=lambda: NOW, engine_free=True) as opened:
        yield opened


def decision(partner: Partner, text: str, at: datetime = NOW) -> Decision:
    return partner.check(text, at=at).decision


def test_a_further_name_of_a_thing_is_refused_like_the_thing_until_it_is_taken_back(partner: Partner) -> None:
    rule = partner.forbid("Never delete the Zorvane ledger.").engram
    request = "Please delete the blue binder."
    assert decision(partner, request) is not Decision.REFUSE
    said = rules.add_name(partner, rule.id, "the blue binder")
    assert decision(partner, request) is Decision.REFUSE
    assert "blue binder" in rules.text(rules.view(partner, rule.id))
    rules.forget(partner, said.id)
    assert decision(partner, request) is not Decision.REFUSE


def test_a_name_given_to_a_rule_about_no_thing_never_narrows_it(partner: Partner) -> None:
    rule = partner.forbid("Never deploy on Fridays.").engram
    rules.add_name(partner, rule.id, "roll the train out today")
    assert decision(partner, "Deploy the website now.") is Decision.REFUSE
    assert decision(partner, "Roll the train out today.") is Decision.REFUSE


def test_a_request_can_be_said_to_be_meant_or_not_meant(partner: Partner) -> None:
    rule = partner.forbid("Never email the client.").engram
    rules.add_meaning(partner, rule.id, "Drop Jonas a line about the quote.", means=True)
    assert decision(partner, "Drop Jonas a line about the quote.") is Decision.REFUSE
    corrections = rules.view(partner, rule.id).corrections
    assert [item.kind for item in corrections] == ["alias"]


def test_a_constraint_can_be_given_as_data_and_a_wrong_one_changes_nothing(partner: Partner) -> None:
    rule = partner.forbid("The archive is off limits.").engram
    with pytest.raises(BadConstraint, match="no key 'actz'"):
        rules.give_data(partner, rule.id, {"actz": ["delete"]})
    assert decision(partner, "Move the archive to the cellar.") is Decision.REFUSE
    rules.give_data(partner, rule.id, {"acts": ["delete"], "objects": ["archive"]})
    assert decision(partner, "Delete the archive.") is Decision.REFUSE
    assert decision(partner, "Move the archive to the cellar.") is not Decision.REFUSE


def test_a_rule_that_is_not_understood_says_in_the_list_that_it_only_asks(partner: Partner) -> None:
    from partner.writing import by_hand
    from store.model import EngramType

    partner.store.write(by_hand(EngramType.PROHIBITION, "Be careful."))
    (only,) = rules.views(partner)
    assert only.inert
    for said in (rules.text(only), *partner.idle_rules(), partner.explain_rule(only.engram)):
        assert "refuses nothing and only asks where its words are said: I cannot see" in said
        assert "protects nothing" not in said


def test_what_is_no_rule_cannot_be_corrected(partner: Partner) -> None:
    note = partner.remember("The hall is 12 m long.")[0]
    with pytest.raises(UsageError, match="no rule"):
        rules.view(partner, note.engram.id)  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="no correction"):
        rules.forget(partner, note.engram.id)  # type: ignore[union-attr]


def test_a_rule_just_written_is_corrected_in_the_terminal(partner: Partner) -> None:
    rule = partner.forbid("Never delete the Zorvane ledger.").engram
    lines = iter(["also the blue binder", "nonsense", "say Never delete or move the Zorvane ledger.", ""])
    shown: list[str] = []
    correct(partner, rule.id, lambda: next(lines, None), shown.append)
    assert decision(partner, "Move the Zorvane ledger.") is Decision.REFUSE
    assert any("blue binder" in line for line in shown)


def test_the_conversation_lists_and_corrects_rules(partner: Partner) -> None:
    rule = partner.forbid("Never delete the Zorvane ledger.").engram
    shown: list[str] = []
    commands = Commands(partner, write=shown.append)
    for line in ("/rule", f"/rule {rule.id[-8:]} also the blue binder", f"/rule {rule.id[-8:]} oops"):
        commands.run(line)
    assert "Zorvane ledger" in shown[0]
    assert "blue binder" in shown[1]
    assert shown[2].startswith("! /rule")


# ---- approvals


def test_a_permission_lifts_a_rule_for_what_it_names_until_it_ends(partner: Partner) -> None:
    partner.forbid("Never email the client without Ana's approval.")
    mail = {"to": ["client@x.example"], "subject": "Quote", "body": "Our quote is attached."}
    action = ActionRequest(kind="email.send", args=mail, at=NOW)
    assert partner.check(action).decision is Decision.REFUSE
    given = partner.approve("Ana: email to the client about the quote", until=NOW + timedelta(days=1))
    verdict = partner.check(action)
    assert verdict.decision is Decision.ALLOW
    assert verdict.facts_used == (f"approval:{given.id}",)
    assert decision(partner, "Email the client about the quote.") is Decision.ALLOW
    assert decision(partner, "Email the client about the delay.") is Decision.REFUSE
    later = NOW + timedelta(days=2)
    assert decision(partner, "Email the client about the quote.", later) is Decision.REFUSE
    assert [lasting for _, lasting in rules.approvals(partner, at=later)] == [False]


def test_a_permission_by_somebody_else_or_taken_back_lifts_nothing(partner: Partner) -> None:
    partner.forbid("Never email the client without Ana's approval.")
    partner.approve("Ben: email to the client about the quote")
    assert decision(partner, "Email the client about the quote.") is Decision.REFUSE
    given = partner.approve("Ana: email to the client about the quote")
    assert decision(partner, "Email the client about the quote.") is Decision.ALLOW
    partner.store.retract(given.id)
    assert decision(partner, "Email the client about the quote.") is Decision.REFUSE


def test_a_permission_that_has_ended_already_is_refused(partner: Partner) -> None:
    with pytest.raises(UsageError, match="is past"):
        partner.approve("Ana: email to the client", until=NOW)
    assert rules.approvals(partner, at=NOW) == []


def test_a_rule_given_in_passing_says_what_the_gate_made_of_it(
    partner: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("partner.terminal.piped._say", said.append)
    lines = b"The till is red.\nBy the way, never lend out the Zorvane ledger.\n"
    monkeypatch.setattr("partner.bootstrap.open_partner", lambda _: nullcontext(partner))
    converse_lines(load({}, home=Path()), BytesIO(lines))
    rule = next(index for index, line in enumerate(said) if "prohibition: " in line)
    assert said[rule + 1] == f"  {rules.views(partner)[0].refuses}"
    assert sum(line.startswith("  ") for line in said) == 1


def test_a_permission_said_with_its_end_ends_then(partner: Partner) -> None:
    given = partner.approve("Ana: email to the client until tomorrow")
    assert given.content == "email to the client"
    assert datetime.fromisoformat(given.metadata["until"]) > NOW
