"""Relative dates are resolved at the operator's own offset and put beside the words."""

from __future__ import annotations

from datetime import datetime

import pytest
from remembering import Memory

from partner.formation.dates import resolve

WEDNESDAY = datetime.fromisoformat("2026-03-04T10:00:00+01:00")


@pytest.mark.parametrize(
    ("words", "date"),
    [
        ("The glazier comes tomorrow.", "2026-03-05"),
        ("The glazier came yesterday.", "2026-03-03"),
        ("The glazier comes the day after tomorrow.", "2026-03-06"),
        ("The glazier comes next Tuesday.", "2026-03-10"),
        ("The glazier comes on Friday.", "2026-03-06"),
        ("The glazier came on Friday.", "2026-02-27"),
        ("The glazier came last Monday.", "2026-03-02"),
        ("The glazier comes in three weeks.", "2026-03-25"),
        ("The glazier came ten days ago.", "2026-02-22"),
        ("The glazier comes two weeks from today.", "2026-03-18"),
        ("The glazier comes in a month.", "2026-04-04"),
        ("Der Glaser kommt übermorgen.", "2026-03-06"),
        ("Der Glaser kommt nächsten Dienstag.", "2026-03-10"),
        ("Der Glaser kam vor drei Tagen.", "2026-03-01"),
        ("El vidriero viene mañana.", "2026-03-05"),
        ("El vidriero viene el próximo martes.", "2026-03-10"),
        ("Le vitrier vient mardi prochain.", "2026-03-10"),
        ("Le vitrier vient dans deux semaines.", "2026-03-18"),
        ("ガラス屋は来週の火曜日に来ます。", "2026-03-10"),
        ("玻璃工下周二来。", "2026-03-10"),
    ],
)
def test_a_relative_date_gets_its_day(words: str, date: str) -> None:
    assert resolve(words, WEDNESDAY).resolved == (date,)


@pytest.mark.parametrize(
    "words",
    [
        "The choir meets on Fridays.",
        "The bin is emptied every Tuesday.",
        "Climbing moved from Sunday to Monday.",
        "La clase es por la mañana.",
        "Ich jogge am Morgen.",
        "The letter is dated 4 May.",
    ],
)
def test_what_recurs_or_is_dated_already_is_left_alone(words: str) -> None:
    assert resolve(words, WEDNESDAY).text == words


def test_the_day_is_the_operators_not_greenwichs() -> None:
    memory = Memory()
    memory.says("The tide gauge broke yesterday.", "2026-06-12T23:40:00-07:00")
    memory.says("The new gauge arrives tomorrow.", "2026-06-13T06:15:00+09:00")
    assert memory.contents() == [
        "The tide gauge broke yesterday (2026-06-11).",
        "The new gauge arrives tomorrow (2026-06-14).",
    ]


def test_since_when_it_is_true_is_kept_where_the_words_say_so() -> None:
    memory = Memory()
    memory.says("The mill has been closed since 2019.", WEDNESDAY)
    memory.says("From next Monday the dairy opens at 7:00.", WEDNESDAY)
    memory.says("The dairy sells butter.", WEDNESDAY)
    days = [e.valid_from and e.valid_from.date().isoformat() for e in memory.current()]
    assert days == ["2019-01-01", "2026-03-09", None]


def test_the_end_of_the_calendar_is_no_error() -> None:
    assert (
        resolve("It ends in 900 years.", datetime.fromisoformat("9500-01-01T00:00:00+00:00")).resolved == ()
    )
