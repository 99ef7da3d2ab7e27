"""The engine may propose; what it adds to the operator's words never gets in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from remembering import START, Memory, heard

from partner.formation import MemoryHolds, accepted, propose
from partner.formation.proposals import INBOX, Proposals, quotable, schema_for
from store.model import EngramType, ProvenanceKind

TURN = "Lena paints the shop sign in May. Should Omar help? The sign costs 310 euros, not 350."


def proposing(output: str, turn: str = TURN, holds: MemoryHolds | None = None) -> Proposals:
    def ask(instruction: str, message: str, schema: Mapping[str, Any]) -> str:
        assert schema == schema_for(pieces_of(schema), schema["properties"]["claims"]["maxItems"])
        return output

    return propose(turn, ask, engine="scripted", at=START, holds=holds or MemoryHolds())


def pieces_of(schema: Mapping[str, Any]) -> list[str]:
    return schema["properties"]["claims"]["items"]["properties"]["evidence"]["enum"]


def asked_over(turn: str) -> list[Mapping[str, Any]]:
    """The schemas that an engine is given over a turn."""
    seen: list[Mapping[str, Any]] = []

    def ask(instruction: str, message: str, schema: Mapping[str, Any]) -> str:
        seen.append(schema)
        return '{"claims": []}'

    propose(turn, ask, engine="scripted", at=START, holds=MemoryHolds())
    return seen


def test_an_engine_chooses_its_evidence_among_pieces_of_what_is_settled() -> None:
    (schema,) = asked_over(TURN)
    pieces = pieces_of(schema)
    assert "Lena paints the shop sign in May." in pieces
    assert "The sign costs 310 euros" in pieces
    assert all(piece in TURN for piece in pieces)
    assert not [piece for piece in pieces if "Omar" in piece]


def test_a_long_sentence_can_be_quoted_in_parts() -> None:
    assert quotable("Well, Lena, who paints the shop sign in May, wants 310 euros for it, not 350.") == [
        "Well, Lena, who paints the shop sign in May, wants 310 euros for it, not 350.",
        "Lena, who paints the shop sign in May",
        "who paints the shop sign in May, wants 310 euros for it",
        "wants 310 euros for it, not 350.",
        "who paints the shop sign in May",
        "wants 310 euros for it",
    ]


@pytest.mark.parametrize("turn", ["Thanks!", "Should Omar help her?", "Maybe we rent the barn.", "  "])
def test_no_engine_is_asked_about_a_turn_that_settles_nothing(turn: str) -> None:
    assert asked_over(turn) == []


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
        (claim("She paints the shop sign.", "Lena paints the shop sign in May"), "She"),
        (claim("Lena has a shop sign.", "Lena paints the shop sign in May"), "has"),
        (claim("Never paint the shop sign.", "Lena paints the shop sign in May"), "operator"),
        (claim("Lena, who paints the shop sign", "Lena paints the shop sign in May"), "no sentence"),
    ],
)
def test_a_proposal_that_adds_something_is_refused_with_its_reason(output: str, reason: str) -> None:
    made = proposing(output)
    assert made.drafts == ()
    assert len(made.refused) == 1
    assert any(part in made.refused[0].reason for part in reason.split("|"))


def test_one_proposition_holds_one_claim() -> None:
    turn = "The ferry leaves at 6:20 and the stand costs 85 euros."
    assert proposing(claim(turn, turn), turn).refused[0].reason == "more than one claim"
    assert proposing(claim("The stand costs 85 euros.", turn), turn).drafts


def test_what_somebody_else_says_is_no_claim() -> None:
    turn = "My sister says the barn is haunted. The barn stands by the road."
    assert "others" in proposing(claim("The barn is haunted.", "the barn is haunted"), turn).refused[0].reason
    assert asked_over("My sister says the barn is haunted.") == []


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

    propose(
        "The wifi password is marmalade7. Lena paints the sign.",
        ask,
        engine="scripted",
        at=START,
        holds=MemoryHolds(),
    )
    assert "Lena paints the sign." in seen[0]
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
