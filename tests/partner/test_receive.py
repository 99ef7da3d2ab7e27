"""What comes in: nothing is refused without a word, nothing is changed without a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner.errors import UsageError
from partner.receive import MAX_MESSAGE_CHARS, decode, receive


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n"])
def test_an_empty_message_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        receive(text)


def test_a_message_too_long_to_be_one_is_refused_whole() -> None:
    with pytest.raises(UsageError, match="Nothing of it was kept"):
        receive("a" * (MAX_MESSAGE_CHARS + 1))


def test_nul_bytes_keep_their_place_and_are_reported() -> None:
    assert receive("dep\x00loy") == (
        "dep\N{REPLACEMENT CHARACTER}loy",
        "The message held NUL bytes: each is kept as \N{REPLACEMENT CHARACTER}. The rest is as you sent it.",
    )


def test_broken_utf8_is_kept_readable_and_reported() -> None:
    text, warning = receive(decode(b"caf\xc3\xa9 \xff\xfe ok"))
    assert text.startswith("café ")
    assert text.endswith(" ok")
    assert "not UTF-8" in warning


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_ordinary_text_passes_unchanged(text: str) -> None:
    if text.strip():
        assert receive(text) == (text, "")


@given(st.binary(min_size=1))
def test_any_bytes_become_text_that_can_be_stored(data: bytes) -> None:
    try:
        text, _ = receive(decode(data))
    except UsageError:
        return
    text.encode()
    assert "\x00" not in text
