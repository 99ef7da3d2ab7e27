"""Forming is pure: no input breaks it, the same words give the same claims, and evidence is word for word."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembering import START, Memory, heard

from partner.formation import ChangeKind, MemoryHolds, form
from store.model import EngramType, Klass, ProvenanceKind

PIECES = st.sampled_from(
    [
        "We decided to ",
        "never ",
        "the boat",
        " is ",
        "at 7:30",
        ". ",
        "? ",
        "\n- ",
        "```\n",
        "“",
        "'",
        "https://x.example/a",
        "Actually, ",
        "forget that",
        "my goal is ",
        " and ",
        "; ",
        ": ",
        "not ",
        "明日",
        "です。",
        "Ich heiße ",
        "¿",
        "| a | b |\n",
        "\u200d",
        "🙄",
        "[secret: password]",
        "no longer ",
        "instead of ",
        "5,5 kg",
        "it ",
        "that was wrong",
        "\t",
        "a" * 40,
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=25).map("".join)))
def test_no_message_breaks_forming_and_evidence_is_word_for_word(text: str) -> None:
    holds = heard("The boat is red.", "My goal is to sail.", "Never sell the boat.").holds()
    formed = form(text, at=START, holds=holds)
    for change in formed.changes:
        if change.draft is not None:
            assert (change.draft.provenance.evidence or "") in formed.utterance_text
            assert change.draft.provenance.kind is ProvenanceKind.OPERATOR
    assert form(text, at=START, holds=holds) == formed


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "\x00", "```\nnever do this\n```", "> never do this", "🙂", "....", "!!!"]
)
def test_a_message_without_words_of_the_operator_forms_nothing(text: str) -> None:
    assert form(text, at=START, holds=MemoryHolds()).changes == ()


def test_a_long_paste_is_formed_at_its_edges() -> None:
    paste = "\n".join(f"2026-01-01 worker {i} is idle" for i in range(4_000))
    memory = heard(f"The depot is in Ulm.\n\n{paste}\n\nThe depot closes at 19:00.")
    assert {"The depot is in Ulm.", "The depot closes at 19:00."} <= set(memory.contents())
    assert len(memory.log) < 700


def test_met_again_is_not_written_again() -> None:
    memory = heard("The depot is in Ulm.")
    formed = memory.says("By the way, the depot is in Ulm.")
    assert [c.kind for c in formed.changes] == [ChangeKind.SAME]


def test_a_document_and_a_tool_stand_beside_the_operators_word() -> None:
    memory = heard("The silo holds 40 tonnes.")
    memory.document("manual", "The silo holds 44 tonnes. Ladders are checked yearly.")
    memory.tool("scale", "The silo holds 39 tonnes.")
    assert [e.klass for e in memory.current()] == [
        Klass.CONCLUSION,
        Klass.KNOWLEDGE,
        Klass.KNOWLEDGE,
        Klass.OBSERVATION,
    ]


def test_a_document_read_twice_adds_nothing() -> None:
    memory = Memory()
    memory.document("manual", "The silo holds 44 tonnes. Ladders are checked yearly.")
    memory.document("manual", "The silo holds 44 tonnes. Ladders are checked yearly.")
    assert len(memory.log) == 2


def test_a_later_result_of_the_same_tool_replaces_the_earlier_figure() -> None:
    memory = Memory()
    memory.tool("scale", "The silo holds 39 tonnes.")
    memory.tool("scale", "The silo holds 35 tonnes.")
    assert memory.contents() == ["The silo holds 35 tonnes."]


def test_a_prohibition_in_passing_can_be_read_alone() -> None:
    memory = heard("The visitor book is in the hall. By the way, never lend it to tourists, they tear pages.")
    assert memory.contents(Klass.PROHIBITION) == ["Never lend the visitor book to tourists."]


def test_a_reminder_is_a_directive_and_no_prohibition() -> None:
    memory = heard("Don't forget to oil the hinges.")
    assert [e.type for e in memory.current()] == [EngramType.DIRECTIVE]


@pytest.mark.parametrize(
    ("turn", "claims"),
    [
        ("By way of introduction, I'm a farrier.", ["I'm a farrier."]),
        ("We're spending the outing at the salt mine.", ["We're spending the outing at the salt mine."]),
        (
            "I've been left-handed all my life, so mirror the sketches.",
            ["I've been left-handed all my life."],
        ),
        ("My mistake, misread her note: Greta charges 47.", ["Greta charges 47."]),
        ("Take the order Mr Laing phoned in.", []),
        ("I'll turn it over in my mind.", []),
        ("Please never give the dog ham, it nearly finished him.", ["Never give the dog ham."]),
    ],
)
def test_what_leads_up_orders_once_or_puts_off_is_no_claim(turn: str, claims: list[str]) -> None:
    assert heard(turn).contents() == claims


def test_who_does_something_to_a_thing_has_that_trade() -> None:
    trades = {
        turn: heard(turn).current()[0].metadata["attribute"]
        for turn in ("I'm a piano tuner.", "I'm a heavy sleeper.")
    }
    assert trades == {"I'm a piano tuner.": "occupation", "I'm a heavy sleeper.": "be:value"}


def test_a_duty_said_the_other_way_round_is_the_same_duty() -> None:
    memory = heard(
        "Oskar looks after the pump.", "The pump is looked after by Oskar.", "Wanda looks after the pump now."
    )
    assert memory.contents() == ["Wanda looks after the pump now."]


def test_a_retraction_that_could_mean_several_asks_back() -> None:
    memory = heard("The hall costs 600. The band costs 900.")
    formed = memory.says("That was wrong.")
    assert formed.changes == ()
    assert formed.question is not None
    assert "hall" in formed.question
    assert "band" in formed.question


def test_formation_loads_no_database_no_network_and_no_model() -> None:
    heavy = "sqlcipher3 sqlmodel sqlalchemy httpx litellm llama_cpp torch numpy"
    code = f"import sys, partner.formation; print([m for m in {heavy.split()!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
