"""Chatter and what settles: how much of the one forms something, how much of the other nothing."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from partner.formation import MemoryHolds, form

DATA = Path(__file__).parents[2] / "data"
AT = datetime.fromisoformat("2024-05-14T10:00:00+02:00")


def turns(name: str) -> list[str]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines if line and not line.startswith("# ")]


def forms(turn: str) -> bool:
    return any(change.draft is not None for change in form(turn, at=AT, holds=MemoryHolds()).changes)


@pytest.mark.conforms("P1")
def test_of_five_hundred_turns_of_chatter_at_most_one_in_fifteen_forms_anything() -> None:
    """The rest are lyrics, jokes told with a straight face and stories about others: nothing in their words
    tells them from a claim."""
    chatter = turns("chatter.txt")
    junk = [turn for turn in chatter if forms(turn)]
    assert len(junk) * 15 <= len(chatter), junk


@pytest.mark.conforms("P1")
def test_turns_that_settle_something_form_it() -> None:
    missed = [turn for turn in turns("settling.txt") if not forms(turn)]
    assert missed == []


@pytest.mark.conforms("P1")
def test_of_small_talk_that_was_written_apart_at_most_one_in_five_forms_anything() -> None:
    chatter = turns("chatter-unseen.txt")
    junk = [turn for turn in chatter if forms(turn)]
    assert len(junk) * 5 <= len(chatter), junk
    assert [turn for turn in turns("settling-unseen.txt") if not forms(turn)] == []


@pytest.mark.parametrize(
    "turn",
    [
        "Thanks, Mona! Your advice really helped me. It's been a rough ride, but I keep trying!",
        "Wow, that's great! Baking bread is such fun, isn't it? It really calms me down. You should try it!",
        "Hey Tom! Good to hear from you. Glad you liked it! I'll let you know how it turns out.",
        "No worries, I'm here for you! Let's do it. I'd love to!",
    ],
)
def test_being_sociable_settles_nothing(turn: str) -> None:
    assert not forms(turn)


def test_what_is_told_between_pleasantries_is_kept() -> None:
    said = "Hi! How are you? The spare key hangs in the barn. Thanks, you're the best!"
    made = [c.draft.content for c in form(said, at=AT, holds=MemoryHolds()).changes if c.draft]
    assert made == ["The spare key hangs in the barn."]


@pytest.mark.parametrize(
    "turn",
    [
        "Translate into German:\nThe mill is closed on Mondays.\nIt opens at nine.",
        "Please proofread: Our prices will rise by 5 percent in May.",
        "2024-05-02 11:20:14 ERROR worker-3 connection refused to 10.0.0.7:5432",
        "Subject: Re: invoice\nFrom: carla@example.com\nDear Sir, we never received your 30 euros.",
        "Hi Bob,\nthe rent goes up to 900 in May.\nRegards, Ina",
        "Let's play a game: you are a pirate and I am the governor.",
    ],
)
def test_what_is_pasted_handed_over_or_played_is_no_claim(turn: str) -> None:
    assert not forms(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "Translate this: never lend the trailer.",
        "Here is the log:\n```\nERROR 3\n```\nThe retry limit is 5.",
        "ERROR 17 came up again.\nThe pump is now set to 3 bar.",
        "Never restart the pump.\n2024-05-02 11:20:14 ERROR pump stopped",
    ],
)
def test_what_stands_beside_it_is_heard(turn: str) -> None:
    assert forms(turn)
