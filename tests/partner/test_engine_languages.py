"""A model that writes English only is not asked in German what a note of memory answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from partner.bootstrap import open_partner
from partner.events import Replied
from partner.notes_reply import writes
from partner.operations import Partner
from partner.settings import Settings
from router import Ledger
from router.config import build, load_config
from router.engines.llama_cpp import SMALL_FILE_BYTES, LlamaCppEngine
from router.engines.scripted import ScriptedEngine
from router.model import Capabilities
from router.models import LANGUAGE

ENGLISH_ONLY = Capabilities(local=True, window=2048, notes_in_user=True, languages=("en",))


@pytest.fixture
def opened(tmp_path: Path, clock) -> Iterator[Callable[[Capabilities], tuple[Partner, ScriptedEngine]]]:
    with ExitStack() as stack:

        def open_(capabilities: Capabilities) -> tuple[Partner, ScriptedEngine]:
            engine = ScriptedEngine("It is Murmel.", capabilities=capabilities)
            settings = Settings(
                home=tmp_path, models_dir=tmp_path / "models", store=str(tmp_path / "identity.partner")
            )
            partner = stack.enter_context(open_partner(settings, clock=clock, engines={"scripted": engine}))
            return partner, engine

        yield open_


def reply(partner: Partner, text: str) -> str:
    return next(event.text for event in partner.turn(text) if isinstance(event, Replied))


def test_memory_answers_with_the_note_where_the_model_does_not_write_the_language(opened):
    partner, engine = opened(ENGLISH_ONLY)
    for said in ("Die Katze heißt Murmel.", "La furgoneta blanca es de Maite."):
        reply(partner, said)
    assert "- Die Katze heißt Murmel." in reply(partner, "Wie heißt die Katze?")
    assert "es de Maite." in reply(partner, "¿De quién es la furgoneta blanca?")
    assert engine.requests == []


def test_where_nothing_is_noted_it_is_not_asked_in_a_language_that_it_garbles(opened):
    partner, engine = opened(ENGLISH_ONLY)
    for asked in ("Darf ich untervermieten?", "Wie kocht man Reis?"):
        assert reply(partner, asked) == "Nichts, woran ich mich erinnere, hat damit zu tun."
    assert engine.requests == []


def test_in_a_language_that_it_writes_the_model_is_asked(opened):
    partner, engine = opened(ENGLISH_ONLY)
    reply(partner, "The cat is called Murmel.")
    assert reply(partner, "What is the cat called?") == "It is Murmel."
    assert engine.requests[-1].notes == "- The cat is called Murmel."


def test_a_model_that_names_no_languages_is_asked_in_any(opened):
    partner, engine = opened(Capabilities(local=True, window=2048, notes_in_user=True))
    reply(partner, "Die Katze heißt Murmel.")
    assert reply(partner, "Wie heißt die Katze?") == "It is Murmel."
    assert len(engine.requests) == 1


def test_a_small_model_gets_the_note_that_answers_and_no_disposition_beside_it(opened):
    partner, engine = opened(ENGLISH_ONLY)
    reply(partner, "I prefer short answers with the numbers first.")
    reply(partner, "The boiler was serviced by Teklu Heating.")
    reply(partner, "Who serviced the boiler?")
    assert engine.requests[-1].notes == "- The boiler was serviced by Teklu Heating."


@pytest.mark.parametrize(
    ("languages", "text", "written"),
    [
        (("en",), "When does the van go back?", True),
        (("en",), "猫の名前は何ですか", False),
        (("en", "ja"), "猫の名前は何ですか", True),
        (("de",), "Wann fährt der Wagen zurück?", True),
        (("en",), "Wann fährt der Wagen zurück?", False),
        ((), "Wie heißt die Katze?", True),
        (("en",), "42?", True),
    ],
)
def test_the_language_of_a_message_is_told_by_its_words_and_its_script(languages, text, written):
    engine = Capabilities(local=True, window=2048, languages=languages)
    assert writes(engine, text) is written


def test_a_model_is_small_by_its_file_unless_the_configuration_says(tmp_path):
    small, large = tmp_path / "small.gguf", tmp_path / "large.gguf"
    small.write_bytes(b"GGUF")
    with large.open("wb") as file:
        file.truncate(SMALL_FILE_BYTES)  # sparse: it takes no room
    assert [LlamaCppEngine(path).capabilities().notes_in_user for path in (small, large)] == [True, False]
    assert LlamaCppEngine(large, notes_in_user=True).capabilities().notes_in_user
    assert not LlamaCppEngine(small, notes_in_user=False).capabilities().notes_in_user


def test_what_the_embedded_model_writes_is_known_and_the_configuration_has_the_last_word(tmp_path, clock):
    (tmp_path / LANGUAGE.file).touch()

    def languages(line: str) -> tuple[str, ...]:
        config = load_config(f'[router]\norder = ["local"]\n[engines.local]\nkind = "llama_cpp"\n{line}')
        router = build(config, models_dir=tmp_path, ledger=Ledger("memory:", clock=clock))
        return router.capabilities("local").languages

    assert languages("") == ("en",)
    assert languages('languages = ["en", "de"]') == ("en", "de")
    assert languages(f'model = "{tmp_path / "other.gguf"}"') == ()
