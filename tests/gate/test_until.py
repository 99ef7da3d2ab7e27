"""When a permission ends, said with it."""

from __future__ import annotations

from datetime import datetime

import pytest

from gate.language.until import without_end

AT = datetime.fromisoformat("2026-05-12T10:00:00+02:00")


@pytest.mark.parametrize(
    ("text", "subject", "end"),
    [
        ("mow the lawn until tomorrow", "mow the lawn", "2026-05-14T00:00"),
        ("mow the lawn until Friday.", "mow the lawn", "2026-05-16T00:00"),
        ("Ana: call the plumber until 6 pm", "Ana: call the plumber", "2026-05-12T18:00"),
        ("mow the lawn until this evening", "mow the lawn", "2026-05-12T22:00"),
        ("den Rasen mähen bis Freitag 18 Uhr", "den Rasen mähen", "2026-05-15T18:00"),
        ("publier les photos jusqu'à demain", "publier les photos", "2026-05-14T00:00"),
        ("publicar las fotos hasta mañana", "publicar las fotos", "2026-05-14T00:00"),
    ],
)
def test_a_time_behind_until_at_the_end_is_the_permissions_end(text: str, subject: str, end: str) -> None:
    assert without_end(text, AT) == (subject, datetime.fromisoformat(end + "+02:00"))


@pytest.mark.parametrize(
    "text",
    [
        "keep the shop open until the stairs are done",
        "wait until tomorrow to ship",
        "mow the lawn until yesterday",
        "mow the lawn tomorrow",
    ],
)
def test_what_is_no_time_to_come_ends_nothing(text: str) -> None:
    assert without_end(text, AT) == (text, None)
