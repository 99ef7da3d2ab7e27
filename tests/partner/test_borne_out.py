"""A small model's answer that what it was given does not bear out is not left to stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.borne_out import made_up
from partner.events import Notice
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities

SMALL = Capabilities(local=True, window=2048, notes_in_user=True)
LARGE = Capabilities(local=True, window=8192)


@pytest.fixture
def notices(tmp_path: Path, clock) -> Iterator[Callable[[str, Capabilities], list[str]]]:
    with ExitStack() as stack:

        def told(
            answer: str, capabilities: Capabilities, asked: str = "How wide is the saw blade?"
        ) -> list[str]:
            engine = ScriptedEngine(answer, capabilities=capabilities)
            settings = Settings(
                home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
            )
            partner = stack.enter_context(open_partner(settings, clock=clock, engines={"scripted": engine}))
            list(partner.turn("The saw blade is 254 mm wide."))
            return [event.message for event in partner.turn(asked) if isinstance(event, Notice)]

        yield told


@pytest.mark.parametrize(
    ("answer", "against"),
    [
        ("It is 254 mm, about 1.8 cm more than 90.", "1.8, 90 are in nothing it was given"),
        ("How wide is the saw blade?", "it only says the question back"),
        ("A famous brand from Sweden makes excellent tools.", "it does not say what I have noted"),
    ],
)
def test_what_speaks_against_a_small_models_answer_is_said_beside_the_note(notices, answer, against):
    (message,) = notices(answer, SMALL)
    assert message == (f"Don't rely on scripted here: {against}. What I know: The saw blade is 254 mm wide.")


@pytest.mark.parametrize(
    "answer", ["It is 254 mm wide.", "254 mm.", "The blade of the saw has a width of 254 mm."]
)
def test_an_answer_that_its_note_bears_out_is_left_alone(notices, answer):
    assert notices(answer, SMALL) == []


def test_what_is_no_question_may_be_answered_freely(notices):
    poem = "Silver teeth that sing through timber, bright as morning."
    assert notices(poem, SMALL, "Write a line on the saw blade, please.") == []


def test_a_large_model_may_reckon(notices):
    assert notices("It is 254 mm, that is 10 inches.", LARGE) == []


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
