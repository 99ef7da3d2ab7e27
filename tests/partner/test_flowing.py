"""A streamed answer breaks between words, and otherwise stays as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner.terminal.flowing import Flow


def flowed(pieces: list[str], width: int = 20) -> str:
    out: list[str] = []
    flow = Flow(out.append, lambda: width)
    for piece in pieces:
        flow.feed(piece)
    flow.end()
    return "".join(out)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("The delivery leaves at six in the morning.", "The delivery leaves\nat six in the\nmorning."),
        ("one\n\n  two  three", "one\n\n  two  three"),
        (
            "see https://example.org/a-very-long-address now",
            "see\nhttps://example.org/a-very-long-address\nnow",
        ),
        ("```\na line of code that is long\n```\n", "```\na line of code that is long\n```\n"),
        ("会議は十二月三日の午後三時からです", "会議は十二月三日の午\n後三時からです"),
    ],
)
def test_lines_break_between_words_and_never_in_code(said: str, shown: str) -> None:
    assert flowed([said]) == shown


@given(
    st.lists(st.text(alphabet="ab \n`会", max_size=12), max_size=12),
    st.integers(min_value=2, max_value=30),
)
def test_how_the_answer_is_cut_into_pieces_shows_nowhere_and_no_letter_is_lost(
    pieces: list[str], width: int
) -> None:
    whole = "".join(pieces)
    shown = flowed(pieces, width)
    assert shown == flowed([whole], width)
    assert "".join(shown.split()) == "".join(whole.split())


def test_a_word_is_held_back_until_it_is_whole() -> None:
    out: list[str] = []
    flow = Flow(out.append, lambda: 20)
    flow.feed("deliv")
    assert out == []
    assert flow.midline
    flow.feed("ery ")
    assert out == ["delivery"]
