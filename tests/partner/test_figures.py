"""A small model's answer with a figure that it was not given is not left to stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.events import Notice
from partner.figures import made_up
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities

SMALL = Capabilities(local=True, window=2048, notes_in_user=True)
LARGE = Capabilities(local=True, window=8192)


@pytest.fixture
def notices(tmp_path: Path, clock) -> Iterator[Callable[[str, Capabilities], list[str]]]:
    with ExitStack() as stack:

        def told(answer: str, capabilities: Capabilities) -> list[str]:
            engine = ScriptedEngine(answer, capabilities=capabilities)
            settings = Settings(
                home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
            )
            partner = stack.enter_context(open_partner(settings, clock=clock, engines={"scripted": engine}))
            list(partner.turn("The saw blade is 254 mm wide."))
            asked = partner.turn("How wide is the saw blade?")
            return [event.message for event in asked if isinstance(event, Notice)]

        yield told


def test_what_a_small_model_made_up_is_named_beside_the_note(notices):
    (message,) = notices("It is 254 mm, about 1.8 cm more than 90.", SMALL)
    assert message == (
        "1.8, 90 are in nothing scripted was given. What I know: The saw blade is 254 mm wide."
    )


def test_an_answer_with_the_figures_of_its_note_is_left_alone(notices):
    assert notices("It is 254 mm wide.", SMALL) == []


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
