"""A small model's answer that what it was given does not bear out is not left to stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.borne_out import made_up
from partner.documents import ingest
from partner.events import EngineEvent, Notice, Replied, TurnEvent
from partner.operations import Partner
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities, Text
from store.model import Klass

SMALL = Capabilities(local=True, window=2048, notes_in_user=True)
LARGE = Capabilities(local=True, window=8192)


Heard = Callable[..., list[TurnEvent]]


@pytest.fixture
def heard(tmp_path: Path, clock) -> Iterator[Heard]:
    """What comes of a question when an engine of some kind answers so."""
    with ExitStack() as stack:

        def asked(
            answer: str,
            capabilities: Capabilities,
            question: str = "How wide is the saw blade?",
            *,
            only: bool = False,
        ) -> list[TurnEvent]:
            engine = ScriptedEngine(answer, capabilities=capabilities)
            settings = Settings(
                home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
            )
            partner = stack.enter_context(open_partner(settings, clock=clock, engines={"scripted": engine}))
            list(partner.turn("The saw blade is 254 mm wide."))
            if only:
                partner.session.engine = "scripted"
                partner.session.only = True
            events = list(partner.turn(question))
            kept = [e.content for e in partner.store.current(klass=Klass.OBSERVATION)]
            assert (answer in kept) == (shown(events) == answer)
            return events

        yield asked


def shown(events: list[TurnEvent]) -> str:
    """The text that streamed past."""
    texts = [event.event for event in events if isinstance(event, EngineEvent)]
    return "".join(text.text for text in texts if isinstance(text, Text))


def told(events: list[TurnEvent]) -> list[str]:
    return [event.message for event in events if isinstance(event, Notice)]


AGAINST = [
    ("It is 254 mm, about 1.8 cm more than 90.", "1.8, 90 are in nothing it was given"),
    ("The saw blade is the one that is wide.", "it only says the question back"),
    ("A famous brand from Sweden makes excellent tools.", "it does not say what I have noted"),
    ("The width of the saw blade is not provided.", "it does not say what I have noted"),
]


@pytest.mark.parametrize(("answer", "against"), AGAINST)
def test_an_answer_of_a_small_model_that_says_nothing_of_its_note_is_not_given(heard, answer, against):
    events = heard(answer, SMALL)
    assert told(events) == [f"What scripted made of it is left out: {against}."]
    assert shown(events) == ""
    replied = events[-1]
    assert isinstance(replied, Replied)
    assert replied.engine is None
    assert "The saw blade is 254 mm wide." in replied.text


@pytest.mark.parametrize(("answer", "against"), AGAINST)
def test_who_wants_that_engine_alone_gets_its_answer_and_what_speaks_against_it(heard, answer, against):
    events = heard(answer, SMALL, only=True)
    assert shown(events) == answer
    note = "What I know: The saw blade is 254 mm wide."
    assert told(events) == [f"Don't rely on scripted here: {against}. {note}"]


@pytest.mark.parametrize(
    "answer", ["It is 254 mm wide.", "254 mm.", "The blade of the saw has a width of 254 mm."]
)
def test_an_answer_that_its_note_bears_out_is_left_alone(heard, answer):
    events = heard(answer, SMALL)
    assert told(events) == []
    assert shown(events) == answer


def test_what_is_no_question_may_be_answered_freely(heard):
    poem = "Silver teeth that sing through timber, bright as morning."
    assert told(heard(poem, SMALL, "Write a line on the saw blade, please.")) == []


def test_a_large_model_may_reckon(heard):
    assert told(heard("It is 254 mm, that is 10 inches.", LARGE)) == []


@pytest.mark.parametrize(
    ("answer", "given", "strange"),
    [
        ("The rent is 1,240 EUR.", "Rent: 1240 EUR", []),
        ("The rent is 1.240 EUR.", "Rent: 1 240 EUR", ["1.240"]),
        ("It opens at 8:00.", "It opens at 8.", []),
        ("It opens at 8:30.", "It opens at 8.", ["8:30"]),
        ("1. Flour\n2. Salt", "flour and salt", []),
        ("Call 0478 12 34 56.", "Els: 0478 12 34 56", []),
        ("In 2019, in 2019 and in 2020.", "since 2020", ["2019"]),
    ],
)
def test_figures_are_compared_as_numbers(answer, given, strange):
    assert made_up(answer, given) == strange


def test_what_the_operator_has_said_since_stands_before_a_document(heard_of_bees: Callable[[str], str]):
    """A document knows nothing of what was said afterwards."""
    answer = heard_of_bees("Who looks after the bees?")
    assert "Hughes" in answer
    assert "Nair" not in answer.partition("Hughes")[0]


@pytest.fixture
def heard_of_bees(unaided: Partner, tmp_path: Path) -> Callable[[str], str]:
    minutes = tmp_path / "minutes.md"
    minutes.write_text("Bees. Ms Nair looks after the bees.\n\nKeys. Lost keys cost 40 euros.\n")
    ingest(unaided, minutes)
    list(unaided.turn("Hughes now handles the bees."))
    return lambda question: list(unaided.turn(question))[-1].text  # type: ignore[union-attr]
