"""A long talk leaves its facts, once each, and nothing of the chatter.

FORMATION_TEST_FULL=1 makes it 10,000 turns (make test-formation-full).
"""

from __future__ import annotations

import os

import pytest

from benchmarks.formation import long_talk

TURNS = 10_000 if os.environ.get("FORMATION_TEST_FULL") == "1" else 120


@pytest.mark.timeout(1800)
@pytest.mark.conforms("F2")
def test_small_talk_questions_and_what_is_said_again_add_nothing() -> None:
    left = long_talk(TURNS)
    assert left["junk"] == 0
    assert left["duplicates"] == 0
    assert left["holding"] == left["facts"]
