"""Questions on what was so before are answered with what held then, and no other question is."""

from __future__ import annotations

import pytest

from partner import earlier
from partner.context import Limits, compile_for, gather
from partner.events import Replied
from partner.operations import Partner
from router.model import Capabilities
from store.retrieval.fakes import WordEmbedder

LIMITS = Limits(budget_tokens=1500, reply_tokens=200, retrieved=12, last_turns=4)
RATE = ("We charge 48 pounds an hour for framing.", "Actually, we charge 52 pounds an hour for framing.")


@pytest.fixture
def partner(unaided: Partner) -> Partner:
    unaided.store.use_embedder(WordEmbedder())
    return unaided


def say(partner: Partner, *lines: str) -> None:
    for line in lines:
        list(partner.turn(line))
        while partner.store.embed_missing():
            pass


def answer(partner: Partner, question: str) -> str:
    (reply,) = [event for event in partner.turn(question) if isinstance(event, Replied)]
    while partner.store.embed_missing():
        pass
    return reply.text


def test_a_past_value_is_told_with_when_it_held_and_the_present_one_to_every_other_question(
    partner: Partner,
) -> None:
    say(partner, *RATE)
    past = answer(partner, "What did we charge an hour for framing before?")
    assert "48" in past
    assert "held " in past
    assert "replaced since" in past
    now = answer(partner, "What do we charge an hour for framing?")
    assert "52" in now
    assert "48" not in now


def test_the_same_question_is_answered_each_time_it_is_asked(partner: Partner) -> None:
    say(partner, *RATE, "The oven was serviced by Kral in March.")
    answers = [answer(partner, "What do we charge an hour for framing?") for _ in range(5)]
    assert all("52" in text for text in answers), answers


def test_of_several_values_the_last_comes_first_unless_the_first_is_asked_for(partner: Partner) -> None:
    say(
        partner,
        "The kickoff is on 12 June.",
        "The kickoff moves to 17 June.",
        "The kickoff moves to 24 June.",
    )
    assert "17 June" in answer(partner, "On which day was the kickoff before?").split("\n")[1]
    assert "12 June" in answer(partner, "On which day was the kickoff originally?").split("\n")[1]


def test_what_was_taken_back_never_counts_as_a_past_value(partner: Partner) -> None:
    say(partner, "The crane costs 480 a day.", "Scratch that, that was the wrong line.")
    assert "480" not in answer(partner, "What did the crane cost a day before?")


def test_a_large_engine_gets_the_past_under_its_own_heading_and_a_small_one_gets_it_alone(
    partner: Partner,
) -> None:
    say(partner, "I prefer short answers.", *RATE)
    parts = gather(partner.store, "What did we charge an hour for framing before?", LIMITS)

    def notes(*, small: bool) -> str:
        capabilities = Capabilities(local=True, window=4096, notes_in_user=small)
        context = compile_for(
            parts, "before?", (), capabilities=capabilities, count=lambda text: len(text) // 4, limits=LIMITS
        )
        assert any("48" in engram.content for engram in context.engrams)
        return context.request.notes

    whole = notes(small=False)
    assert (
        whole.index("52 pounds")
        < whole.index("What held before and no longer does:")
        < whole.index("48 pounds")
    )
    assert notes(small=True) == "- Before: We charge 48 pounds an hour for framing."


@pytest.mark.parametrize(
    "question",
    [
        "What did we charge before?",
        "How much did we use to pay?",
        "Who owned the schema until March?",
        "Tell me our previous rate.",
        "Was hat die Stunde früher gekostet?",
        "¿Cuánto cobrábamos antes?",
        "Quel était l'ancien tarif ?",
        "Qual era la tariffa precedente?",
        "Quanto cobrávamos anteriormente?",
    ],
)
def test_a_question_for_the_past_is_seen_in_six_languages(question: str) -> None:
    assert earlier.asked(question)


@pytest.mark.parametrize(
    "words",
    [
        "What do we charge?",
        "We used to charge 48.",
        "How old is Ruth?",
        "Wer macht die Lohnabrechnung?",
        "Before noon.",
    ],
)
def test_a_question_for_today_and_a_statement_are_not_questions_for_the_past(words: str) -> None:
    assert not earlier.asked(words)
