"""Whatever is written is found by its own words, and no question makes the engine below complain."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from store import Store, open_store
from store.model import Draft, EngramType, Provenance, ProvenanceKind

NOW = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
TEXTS = {
    "O'Brien's oven/grill is new": "O'Brien's oven/grill",
    'He calls it "the beast" (v2.0)': '"the beast"',
    "The NEAR gate AND the OR gate": "NEAR( AND OR",
    unicodedata.normalize("NFD", "Café Müller opens at nine"): "café müller",
    "The party is on 🎉 street": "🎉",
    "東京の天気は晴れです": "東京の天気",
    "הפגישה בחיפה ביום שני": "חיפה",
    "الاجتماع في الرياض": "الرياض",
}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with open_store("memory:", clock=lambda: NOW, author="me") as opened:
        operator = Provenance(kind=ProvenanceKind.OPERATOR)
        opened.write_many(
            [Draft(type=EngramType.CONCLUSION, content=text, provenance=operator) for text in TEXTS]
        )
        yield opened


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_found_by_a_part_of_it(store: Store, text: str) -> None:
    assert store.search(TEXTS[text], limit=1)[0].engram.content == text


@pytest.mark.parametrize("question", ["", " \n", "^*:()-{}\"'\\", "\x00\u202e", "\ud800"], ids=repr)
def test_a_question_without_a_word_finds_nothing_and_breaks_nothing(store: Store, question: str) -> None:
    assert store.search(question) == []


def test_a_question_of_a_megabyte_is_read_at_its_ends(store: Store) -> None:
    hits = store.search(f"{'filling ' * 125_000} O'Brien's oven", limit=1)
    assert hits[0].engram.content.startswith("O'Brien")
    assert "1,000,0" in hits[0].route
