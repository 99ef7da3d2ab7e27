"""The engine may propose; what it adds to the operator's words never gets in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from remembering import START, Memory, heard

from partner.formation import PROPOSAL_SCHEMA, MemoryHolds, accepted, propose
from partner.formation.proposals import INBOX, Proposals
from store.model import EngramType, ProvenanceKind

TURN = "Lena paints the shop sign in May. Should Omar help? The sign costs 310 euros, not 350."


def proposing(output: str, turn: str = TURN, holds: MemoryHolds | None = None) -> Proposals:
    def ask(instruction: str, message: str, schema: Mapping[str, Any]) -> str:
        assert schema is PROPOSAL_SCHEMA
        return output

    return propose(turn, ask, engine="scripted", at=START, holds=holds or MemoryHolds())


def claim(proposition: str, evidence: str, type_: str = "conclusion") -> str:
    return json.dumps({"claims": [{"proposition": proposition, "type": type_, "evidence": evidence}]})


def test_a_proposal_that_its_evidence_carries_waits_in_the_inbox() -> None:
    made = proposing(claim("Lena paints the shop sign in May.", "Lena paints the shop sign in May"))
    assert [d.content for d in made.drafts] == ["Lena paints the shop sign in May."]
    draft = made.drafts[0]
    assert draft.provenance.kind is ProvenanceKind.INFERENCE
    assert draft.metadata[INBOX] == "open"


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (claim("Lena paints the sign in May.", "Lena will paint the sign"), "word for word"),
        (claim("The sign costs 350 euros.", "The sign costs 310 euros"), "figure"),
        (claim("Omar paints the shop sign.", "paints the shop sign in May"), "more than|name"),
        (claim("Pablo paints the shop sign.", "Lena paints the shop sign in May"), "name"),
        (claim("Lena does not paint the shop sign in May.", "Lena paints the shop sign in May"), "negation"),
        (claim("Omar helps.", "Should Omar help"), "settled"),
        (claim("Never paint the sign.", "paints the shop sign", "prohibition"), "operator"),
        (claim("Lena paints the shop sign.", "Lena paints the shop sign", "erasure"), "type"),
        (claim("The moon is made of fine old cheese.", "The sign costs 310 euros"), "more than"),
        (claim("", "Lena paints"), "no proposition"),
    ],
)
def test_a_proposal_that_adds_something_is_refused_with_its_reason(output: str, reason: str) -> None:
    made = proposing(output)
    assert made.drafts == ()
    assert len(made.refused) == 1
    assert any(part in made.refused[0].reason for part in reason.split("|"))


@pytest.mark.parametrize(
    "output",
    [
        "",
        "   ",
        "Sure! Here is what I found.",
        '{"claims": [{"proposition": "Lena',
        "[]",
        '{"claims": "none"}',
        "null",
    ],
)
def test_unusable_output_is_a_visible_failure_and_loses_nothing(output: str) -> None:
    made = proposing(output)
    assert made.drafts == ()
    assert made.failure


def test_an_empty_list_is_an_answer_not_a_failure() -> None:
    assert proposing('{"claims": []}') == Proposals()


def test_what_holds_already_is_not_proposed_again() -> None:
    memory = heard("Lena paints the shop sign in May.")
    output = claim("Lena paints the shop sign in May.", "Lena paints the shop sign in May")
    assert proposing(output, holds=memory.holds()).refused[0].reason == "known already"


def test_the_engine_never_sees_a_secret() -> None:
    seen: list[str] = []

    def ask(instruction: str, message: str, schema: Mapping[str, Any]) -> str:
        seen.append(message)
        return '{"claims": []}'

    propose("The wifi password is marmalade7.", ask, engine="scripted", at=START, holds=MemoryHolds())
    assert "marmalade7" not in seen[0]


def test_accepting_makes_it_the_operators_own() -> None:
    memory = Memory()
    engram = memory._write(
        proposing(claim("Lena paints the shop sign in May.", "Lena paints the shop sign in May")).drafts[0]
    )
    draft = accepted(engram, text="Lena paints the shop sign in June.")
    assert draft.provenance.kind is ProvenanceKind.OPERATOR
    assert draft.content.endswith("June.")
    assert draft.type is EngramType.CONCLUSION
    assert INBOX not in draft.metadata
