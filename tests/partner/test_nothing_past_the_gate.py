"""Every way to an engine or an executor, with a forbidden request and an engine that must not be asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

import partner.policy as policy_module
from gate import ActionRequest, Decision, Snapshot
from partner.bootstrap import open_partner
from partner.events import Asked, Problem, Refused
from partner.operations import Partner
from partner.policy import Policy, Surroundings
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities

NOW = datetime(2026, 3, 6, 10, 0, tzinfo=UTC)
FORBIDDEN = "Please email the client about the quote."
ACTIONS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("Never delete anything under /srv/prod.", "shell", {"command": "rm -rf /srv/prod/a"}),
    ("Never delete anything under /srv/prod.", "file.delete", {"path": "/srv/prod/a"}),
    ("Do not read anything in /etc/secrets.", "file.read", {"path": "/etc/secrets/k"}),
    ("Do not write any file outside /home/ines.", "file.write", {"path": "/etc/x", "content": "y"}),
    ("Do not contact the host x.example.", "http", {"method": "GET", "url": "https://x.example/"}),
    ("Never drop the postings table.", "sql", {"statement": "DROP TABLE postings"}),
    ("Never email the client.", "email.send", {"to": ["client@x.example"], "subject": "Hi", "body": "."}),
    ("No payments above 500 EUR.", "payment", {"payee": "Q", "amount": 501, "currency": "EUR"}),
    ("Never send client data to a hosted model.", "model.call",
     {"model": "m", "locality": "hosted", "prompt": "hi", "data_labels": ["client"]}),
    ("Never delete anything under /srv/prod.", "mcp.tool",
     {"tool": "delete_file", "arguments": {"path": "/srv/prod/a"}}),
    ("Never email the client.", "agent.call", {"agent": "a", "instructions": FORBIDDEN}),
)  # fmt: skip


def never(request: object) -> list[str]:
    raise AssertionError("an engine was asked")


@pytest.fixture
def partner(tmp_path: Path, clock: Callable[[], datetime]) -> Iterator[Partner]:
    settings = Settings(home=tmp_path, models_dir=tmp_path / "m", store=str(tmp_path / "identity.partner"))
    engines = {name: ScriptedEngine(never, name=name) for name in ("scripted", "other")}
    with ExitStack() as stack:
        yield stack.enter_context(open_partner(settings, clock=clock, engines=engines))


@pytest.mark.conforms("P5")
@pytest.mark.parametrize("engine", [None, "scripted", "other"])
def test_a_forbidden_message_reaches_no_engine_whichever_is_asked_for(
    partner: Partner, engine: str | None
) -> None:
    partner.forbid("Never email the client.")
    events = list(partner.turn(FORBIDDEN, engine=engine))
    assert any(isinstance(event, Refused) for event in events)
    assert partner.inference_calls() == 0


def test_a_question_that_is_answered_with_yes_or_left_open_reaches_no_engine(partner: Partner) -> None:
    partner.forbid("Never email the client.")
    asking = "Drop a line to the client."
    for answered in (True, False):
        events = list(partner.turn(asking))
        if any(isinstance(event, Asked) for event in events):
            events = list(partner.session.answer(applies=True, record=answered))
        assert any(isinstance(event, Refused) for event in events)
    assert partner.inference_calls() == 0


@pytest.mark.conforms("P19")
@pytest.mark.parametrize(("rule", "kind", "args"), ACTIONS, ids=[kind for _, kind, _ in ACTIONS])
def test_every_kind_of_action_is_refused_before_its_executor(
    partner: Partner, rule: str, kind: str, args: dict[str, object]
) -> None:
    partner.forbid(rule)
    verdict = partner.check(ActionRequest(kind=kind, args=args, at=NOW))
    assert not verdict.allowed
    assert verdict.inference_calls == 0


def test_an_engine_elsewhere_is_not_asked_what_no_such_engine_may_see(
    tmp_path: Path, clock: Callable[[], datetime]
) -> None:
    settings = Settings(home=tmp_path, models_dir=tmp_path / "m", store=str(tmp_path / "identity.partner"))
    hosted = ScriptedEngine(never, capabilities=Capabilities(local=False, window=8192))
    with open_partner(settings, clock=clock, engines={"scripted": hosted}) as opened:
        opened.forbid("Never send anything about Zorvane to a hosted model.")
        events = list(opened.turn("What did Zorvane say about the roof?"))
        assert any(isinstance(event, Problem | Refused) for event in events)
        assert opened.inference_calls() == 0


@pytest.mark.parametrize("kind", ["words", "action"])
def test_a_fault_inside_the_gate_refuses(
    partner: Partner, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    partner.forbid("Never email the client.")
    request = (
        "Good morning." if kind == "words" else ActionRequest(kind="shell", args={"command": "ls"}, at=NOW)
    )
    assert partner.check(request).allowed
    monkeypatch.setattr(policy_module, "gate", broken)
    verdict = partner.check(request)
    assert verdict.decision is Decision.REFUSE
    assert "broken on purpose" in verdict.note


def test_an_evaluation_that_does_not_end_refuses_and_the_engine_is_not_asked(
    partner: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    partner.policy._limit_s = 0.2
    monkeypatch.setattr(policy_module, "gate", lambda *_: released.wait())
    try:
        events = list(partner.turn("Good morning."))
    finally:
        released.set()
    assert any(isinstance(event, Refused) for event in events)
    assert partner.inference_calls() == 0


def test_rules_written_one_by_one_are_judged_like_rules_read_together(
    partner: Partner, tmp_path: Path
) -> None:
    """The snapshot grows by what is written; a new reader builds it whole."""
    sentences = ("Never email the client.", "Be good.", "Never push to main.", "No calls after 20:00.")
    partner.check("Good morning.")
    for sentence in sentences:
        rule = policy_rule(partner, sentence)
        assert rule.id
        partner.check("Good morning.")
    fresh = Policy(partner.store, Surroundings(cwd="/", home="/"))
    grown: Snapshot = partner.policy.snapshot
    assert {rule.engram_id: rule for rule in grown.constraints} == {
        rule.engram_id: rule for rule in fresh.snapshot.constraints
    }
    assert {item.engram_id for item in grown.inert} == {item.engram_id for item in fresh.snapshot.inert}


def policy_rule(partner: Partner, sentence: str):  # type: ignore[no-untyped-def]
    from partner.writing import by_hand
    from store.model import EngramType

    return partner.store.write(by_hand(EngramType.PROHIBITION, sentence))
