"""What answers and corrections teach stands for act and thing; what else a rule says goes on holding."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from gate import Decision, Facts, Snapshot, TextRequest, gate
from gate.learning import answer_draft, wording_draft
from gate.model import Approval
from store.model import Draft, Engram, EngramType, Provenance, ProvenanceKind

MORNING = datetime(2026, 3, 6, 10, 15, tzinfo=UTC)
NIGHT = datetime(2026, 3, 6, 23, 30, tzinfo=UTC)
OPERATOR = Provenance(kind=ProvenanceKind.OPERATOR)


def rule(sentence: str) -> Engram:
    return Engram(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, sentence)), seq=1, type=EngramType.PROHIBITION,
        content=sentence, author="operator", provenance=OPERATOR, created_at=MORNING,
    )  # fmt: skip


def written(draft: Draft) -> Engram:
    return Engram(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, draft.content)), seq=2, type=draft.type, content=draft.content,
        author="operator", provenance=draft.provenance, created_at=MORNING, links=draft.links,
        metadata=draft.metadata,
    )  # fmt: skip


def taught(sentence: str, said: str) -> Snapshot:
    """A rule of which the operator said that it means `said`."""
    prohibition = rule(sentence)
    answers = [written(wording_draft(prohibition, said, means=True))]
    return Snapshot.build([prohibition], head="h", answers=answers)


def decided(snapshot: Snapshot, text: str, at: datetime = MORNING, facts: Facts | None = None) -> Decision:
    return gate(TextRequest(text=text, at=at), facts or Facts(), snapshot).decision


def test_a_learned_wording_refuses_only_in_the_hours_of_its_rule() -> None:
    snapshot = taught("Never switch on the dome lamps after 22:00.", "Give us some brightness up there.")
    assert decided(snapshot, "Please give us some brightness up there.", NIGHT) is Decision.REFUSE
    assert decided(snapshot, "Please give us some brightness up there.", MORNING) is Decision.ALLOW


@pytest.mark.parametrize(
    ("sentence", "said", "opposite"),
    [
        ("Never switch on the dome lamps.", "Flip the big bulbs on.", "Flip the big bulbs off."),
        (
            "Die Kuppellampen dürfen nicht eingeschaltet werden.",
            "Knips die Birnen an.",
            "Knips bitte die Birnen aus.",
        ),
    ],
)
def test_a_learned_wording_does_not_refuse_its_opposite(sentence: str, said: str, opposite: str) -> None:
    snapshot = taught(sentence, said)
    assert decided(snapshot, said) is Decision.REFUSE
    assert decided(snapshot, opposite) is not Decision.REFUSE


def test_a_learned_wording_does_not_refuse_to_leave_it() -> None:
    snapshot = taught("Nothing about the recast goes out.", "Let the troupe in on the swap.")
    assert decided(snapshot, "Let the troupe in on the swap tonight.") is Decision.REFUSE
    assert decided(snapshot, "Don't let the troupe in on the swap.") is Decision.ALLOW


def test_an_approval_on_record_lifts_a_learned_wording_too() -> None:
    snapshot = taught("Never email the client without Ana's approval.", "Drop the customer a line.")
    approval = Approval(
        id="a1", by="Ana", subject="drop the customer a line", until=datetime(2026, 3, 7, tzinfo=UTC)
    )
    assert decided(snapshot, "Drop the customer a line.") is Decision.REFUSE
    facts = Facts(approvals=(approval,))
    verdict = gate(TextRequest(text="Drop the customer a line.", at=MORNING), facts, snapshot)
    assert verdict.decision is Decision.ALLOW
    assert verdict.facts_used == ("approval:a1",)


@pytest.mark.parametrize(
    "said",
    [
        'Poster for October, in red capitals: "MACBETH".',
        "The one with the stripes, as on Tuesday.",
        "So be it.",
    ],
)
def test_a_text_that_orders_nothing_is_refused_once_the_operator_said_that_it_is_meant(said: str) -> None:
    snapshot = taught("Never print the name Hamlet on a flyer.", said)
    assert decided(snapshot, said) is Decision.REFUSE
    assert decided(snapshot, "Is it going to rain on Tuesday?") is Decision.ALLOW


def test_a_question_answered_with_yes_is_not_asked_again_and_its_answer_is_an_engram() -> None:
    prohibition = rule("Never sell the old piano.")
    request = TextRequest(text="Could the instrument go to whoever offers most?", at=MORNING)
    first = gate(request, Facts(), Snapshot.build([prohibition], head="h"))
    assert first.decision is Decision.ASK
    answers = [written(answer_draft(match, request, True)) for match in first.matches]
    assert all(answer.metadata["rule"] == prohibition.id for answer in answers)
    again = Snapshot.build([prohibition], head="h", answers=answers)
    assert gate(request, Facts(), again).decision is Decision.REFUSE
