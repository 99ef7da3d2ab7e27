"""What ranking reads from an engram's words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store.model import Authority, EngramType, Klass
from store.retrieval.cues import NUMBERS, read_row, share_of_questions
from store.retrieval.ports import Row


def offered(content: str) -> dict[str, float]:
    row = Row(
        seq=1,
        id="one",
        klass=Klass.OBSERVATION,
        type=EngramType.UTTERANCE,
        content=content,
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
        salience=0.5,
        authority=Authority.OPERATOR,
    )
    return dict(zip(NUMBERS, read_row(row).numbers, strict=True))


@pytest.mark.parametrize(
    ("content", "time", "number"),
    [
        ("The choir meets in the hall.", 0, 0),
        ("We moved here in 2019.", 1, 1),
        ("Invoice 12019 is open.", 0, 1),
        ("It opens in June.", 1, 0),
        ("I may march with them.", 0, 0),
        ("She called yesterday.", 1, 0),
        ("A couple of chairs are left.", 0, 1),
        ("The room is b12.", 0, 0),
        ("The 3rd attempt worked.", 0, 1),
    ],
)
def test_a_text_offers_a_time_or_a_number_by_its_words(content, time, number):
    found = offered(content)
    assert (found["has_time"], found["has_number"]) == (time, number)


@pytest.mark.parametrize(
    ("content", "share"),
    [("It rains.", 0.0), ("Does it rain? It does.", 0.6), ("雨ですか？", 1.0), ("", 0.0)],
)
def test_how_much_of_a_text_asks_is_counted_in_words(content, share):
    assert share_of_questions(content) == pytest.approx(share)
