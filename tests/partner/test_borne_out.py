"""A small model's answer that what it was given does not bear out is not left to stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.borne_out import doubt, made_up
from partner.documents import ingest
from partner.events import EngineEvent, Notice, Replied, TurnEvent
from partner.manners import inquires
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


FLATS = "- Flat 4 is a nurse called Denise."
RENT = "- The rent for flat 2 is 625."


@pytest.mark.parametrize(
    ("answer", "notes", "question", "against"),
    [
        ("Denise lives in flat 3.", FLATS, "who lives in flat 3?", "3 is not in what I have noted"),
        ("Denise lives in flat 4.", FLATS, "who lives in flat 4?", ""),
        (
            "Bea lives there.",
            "- Ana lives there.",
            "Does Bea live there?",
            "it only says the question back",
        ),
        ("Bea earns 500.", "- Ana earns 500.", "What does Bea earn?", "Bea is not in what I have noted"),
        ("It is 625 dollars.", RENT, "What is the rent for flat 2?", "dollars is not in what I have noted"),
        ("It is $625.", RENT, "What is the rent for flat 2?", "$ is not in what I have noted"),
        ("It is 625 euros.", RENT, "How many euros is the rent for flat 2?", ""),
        ("It takes 14 hours.", "- It takes 14 h to Oban.", "How long does it take to Oban?", ""),
        ("The flat is 2.", RENT, "how much is flat 2", "it only says the question back"),
        ("It is on March 5th.", "- The viewing is on Thursday (2026-03-05).", "when is the viewing?", ""),
        (
            "She takes 5 mg in the evening.",
            "- Mum takes 5 mg of A in the morning and 2.5 mg of B in the evening.",
            "What does Mum take in the evening?",
            "of what I have noted it leaves out 2.5 mg",
        ),
        (
            "Mum takes 5 mg in the morning, 2.5 mg in the evening.",
            "- Mum takes 5 mg in the morning and 2.5 mg in the evening.",
            "What does Mum take?",
            "",
        ),
        (
            "Frau Peters of Lingua Nord is a famous diplomat.",
            "- Frau Peters von Lingua Nord ist im Urlaub.",
            "who is my contact at Lingua Nord?",
            "it does not say what I have noted",
        ),
    ],
)
def test_what_an_answer_puts_beside_its_note_is_made_up(answer, notes, question, against):
    assert doubt(answer, notes, question, f"{notes}\n{question}") == against


def test_a_question_without_its_mark_is_one(heard):
    events = heard("A famous brand from Sweden makes excellent tools.", SMALL, "how wide is the saw blade")
    assert told(events) == ["What scripted made of it is left out: it does not say what I have noted."]


ORDER = "Call the saw maker tomorrow about the blade."


@pytest.mark.parametrize("asked", ["whats the saw blade made of", "who sells saw blades like these"])
def test_a_question_typed_in_haste_is_one_too(asked):
    assert inquires(asked)


@pytest.mark.parametrize("said", ["what a saw blade", "who cares", "Wheres is a village in Norfolk."])
def test_what_only_begins_like_a_question_is_none(said):
    assert not inquires(said)


@pytest.mark.parametrize(
    "order", [ORDER, "pay Steve 140 for the saw blade", "Can you ring Ana about the saw?"]
)
def test_what_nothing_here_can_do_is_said_and_no_small_model_says_that_it_is_done(heard, order):
    events = heard("The saw maker is called tomorrow.", SMALL, order)
    assert shown(events) == ""
    assert events[-1].text == "That I cannot do myself: nothing here acts on it. Your words are kept."


def test_a_large_model_may_have_its_own_way_to_do_it(heard):
    assert shown(heard("Done.", LARGE, ORDER)) == "Done."


def test_a_note_in_a_language_that_the_small_model_does_not_write_is_given_as_it_is(heard_of_peters):
    assert "Herr Okoye" in heard_of_peters("Who is my contact at Lingua Nord?")


@pytest.fixture
def heard_of_peters(tmp_path: Path, clock) -> Iterator[Callable[[str], str]]:
    able = Capabilities(local=True, window=2048, notes_in_user=True, languages=("en",))
    engine = ScriptedEngine("My contact at Lingua Nord is Herr Okoye, a diplomat.", capabilities=able)
    settings = Settings(
        home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
    )
    with open_partner(settings, clock=clock, engines={"scripted": engine}) as partner:
        list(partner.turn("Bei der Agentur Lingua Nord ist jetzt Herr Okoye für mich zuständig."))

        def asked(question: str) -> str:
            events = list(partner.turn(question))
            assert shown(events) == ""
            return events[-1].text  # type: ignore[union-attr]

        yield asked
