"""`partner recall` as the operator types it: any text is a question, and an empty one is told so."""

from __future__ import annotations

import pytest
from surroundings import Program

SAID = ("O'Brien's boat lies at /srv/quay \"west\".", "会議は三階の会議室で行われます。")


@pytest.fixture
def remembering(program: Program) -> Program:
    def run(*argv: str, **options: object):  # type: ignore[no-untyped-def]
        return program(*argv, **options, env={"PARTNER_ENGINE": "none"})

    for text in SAID:
        assert run("remember", text).returncode == 0
    return run


def test_text_of_the_world_is_found_or_answered_in_words_by_the_command(remembering: Program) -> None:
    megabyte = "Nothing to see here. " * 50_000 + "O'Brien's boat?"
    for question, wanted in (
        ("O'Brien's boat", SAID[0]),
        ('/srv/quay "west"', SAID[0]),
        ("boat AND NOT quay", SAID[0]),
        ("会議室", SAID[1]),
    ):
        done = remembering("recall", question, "--limit", "1")
        assert (done.returncode, done.stderr) == (0, "")
        assert wanted in done.stdout, question
    done = remembering("recall", "-", "--explain", stdin=megabyte.encode())
    assert (done.returncode, SAID[0] in done.stdout) == (0, True)
    assert "half at either end" in done.stdout
    assert "close to this" not in remembering("recall", "O'Brien's boat").stdout
    for nothing in ("*", "\u200f\u202e", "cafe\u0301 🎷 חיפה"):
        done = remembering("recall", nothing)
        assert (done.returncode, done.stderr) == (0, "")
    done = remembering("recall", "  ")
    assert (done.returncode, "empty" in done.stderr) == (2, True)
