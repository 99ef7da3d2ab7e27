"""What is written down as a whole is listed by memory, and a small model makes up nothing in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner import inventory
from partner.bootstrap import open_partner
from partner.events import Replied
from partner.inventory import Part
from partner.operations import Partner
from partner.settings import Settings
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities

SMALL = Capabilities(local=True, window=2048, notes_in_user=True)
Opener = Callable[..., Partner]


@pytest.fixture
def opened(tmp_path: Path, clock) -> Iterator[Opener]:
    with ExitStack() as stack:

        def open_(engine: ScriptedEngine) -> Partner:
            settings = Settings(
                home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
            )
            return stack.enter_context(open_partner(settings, clock=clock, engines={engine.name: engine}))

        yield open_


def answer(partner: Partner, text: str) -> str:
    return next(event for event in partner.turn(text) if isinstance(event, Replied)).text


def told(partner: Partner) -> None:
    for line in (
        "My name is Nadia.",
        "I prefer short answers.",
        "I want to open a second shop by September.",
        "Never lend out the ledger.",
        "Never sell the old oven.",
    ):
        list(partner.turn(line))


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("What do you know about me?", Part.WHO),
        ("So who am I?", Part.WHO),
        ("Was weißt du über mich?", Part.WHO),
        ("¿Qué sabes de mí?", Part.WHO),
        ("Qu'est-ce que tu sais de moi ?", Part.WHO),
        ("What are my goals?", Part.PURSUED),
        ("Which of my goals are still open?", Part.PURSUED),
        ("Quali sono i miei obiettivi?", Part.PURSUED),
        ("What are you not allowed to do?", Part.FORBIDDEN),
        ("Which rules have I given you about the ledger?", Part.FORBIDDEN),
        ("Was darfst du nicht?", Part.FORBIDDEN),
        ("O que é proibido?", Part.FORBIDDEN),
        ("What do you know about the oven?", None),
        ("What are my goals worth?", None),
        ("Who am I meeting on Monday?", None),
        ("The rules are on the wall.", None),
    ],
)
def test_only_a_question_for_the_whole_is_taken_for_one(question: str, part: Part | None) -> None:
    assert inventory.asked(question) is part


def test_a_small_model_is_not_asked_what_a_list_answers(opened: Opener) -> None:
    engine = ScriptedEngine("You are a creative writing assistant.", capabilities=SMALL)
    partner = opened(engine)
    told(partner)
    assert "My name is Nadia" in answer(partner, "What do you know about me?")
    assert "short answers" in answer(partner, "What do you know about me?")
    assert "second shop" in answer(partner, "What are my goals?")
    assert engine.requests == []


@pytest.mark.conforms("P5")
def test_the_rules_are_listed_whatever_the_engine_since_no_context_holds_them(opened: Opener) -> None:
    engine = ScriptedEngine("None that I know of.")
    partner = opened(engine)
    assert answer(partner, "Which rules have I given you?") == "You have forbidden nothing so far."
    told(partner)
    assert engine.requests  # it is the kind of engine that is asked about all the rest
    before = len(engine.requests)
    every = answer(partner, "Which rules have I given you?")
    assert "lend out the ledger" in every
    assert "old oven" in every
    one = answer(partner, "Which rules have I given you about the ledger?")
    assert "lend out the ledger" in one
    assert "old oven" not in one
    assert "“the moon”" in answer(partner, "Which rules have I given you about the moon?")
    assert len(engine.requests) == before


def test_a_small_model_makes_up_nothing_about_the_operator(opened: Opener) -> None:
    engine = ScriptedEngine("Twelve.", capabilities=SMALL)
    partner = opened(engine)
    told(partner)
    assert answer(partner, "How many recipes have we got?") == "Nothing I remember bears on this."
    assert answer(partner, "Wo steht mein Fahrrad?") == "Nichts, woran ich mich erinnere, hat damit zu tun."
    assert engine.requests == []
    for question in ("What is the capital of Peru?", "What should I cook tonight?", "Tell me about my day."):
        assert answer(partner, question) == "Twelve."


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("thanks, you're great!", "You're welcome."),
        ("ok", "All right."),
        ("Vielen Dank für deine Hilfe!", "Gern."),
        ("Good morning!", "Hello."),
        ("Thanks, order the yeast.", None),
        ("Hello, how are you?", None),
        ("Good bread.", None),
    ],
)
def test_a_greeting_is_returned_without_a_small_model_and_never_hides_an_order(
    opened: Opener, said: str, back: str | None
) -> None:
    engine = ScriptedEngine("I prefer short answers.", capabilities=SMALL)
    partner = opened(engine)
    told(partner)
    assert answer(partner, said) == (back or "I prefer short answers.")
    assert len(engine.requests) == (back is None)


def test_a_small_model_is_shown_no_preference_where_it_would_only_repeat_it(opened: Opener) -> None:
    engine = ScriptedEngine("Dear Ruth!", capabilities=SMALL)
    partner = opened(engine)
    told(partner)
    answer(partner, "Write a poem on the sea.")
    assert engine.requests[-1].notes == ""
    answer(partner, "What is the capital of Peru?")
    assert "My name is Nadia" in engine.requests[-1].notes or "short answers" in engine.requests[-1].notes


def test_a_greeting_is_no_note_for_a_later_question(opened: Opener) -> None:
    engine = ScriptedEngine("Fine.")
    partner = opened(engine)
    for said in ("Good morning!", "The ledger lies in the safe, I think."):
        list(partner.turn(said))
    answer(partner, "Where does the ledger lie in the good morning light?")
    assert "ledger" in engine.requests[-1].notes
    assert "Good morning" not in engine.requests[-1].notes
