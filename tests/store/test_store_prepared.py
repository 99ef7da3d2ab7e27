"""What is asked all the time is prepared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from drafting import draft, opened

from store import Store
from store.model import Klass
from store.sqlite.driver import dbapi2
from store.sqlite.log import SqliteLog

QUESTIONS: dict[str, Callable[[Store], object]] = {
    "what holds": lambda store: store.current(klass=Klass.CONCLUSION, limit=2),
    "what held at a position": lambda store: store.as_of(3, klass=Klass.CONCLUSION, limit=2),
    "what held at a time": lambda store: store.as_of(
        store.current(limit=1)[0].created_at, klass=Klass.CONCLUSION, limit=2
    ),
    "of a subject": lambda store: store.current(subject="office", limit=2),
    "the log": lambda store: list(store.log(limit=2)),
    "its end": lambda store: list(store.log(limit=2, newest_first=True)),
    "all rows": lambda store: list(store.backend.rows()),
    "one engram": lambda store: store.read(store.current(limit=1)[0].id),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_that_is_asked_again_is_not_prepared_again(tmp_path: Path, clock, name: str) -> None:
    """The authorizer hears of every statement that is prepared, and of nothing else."""
    heard: list[object] = []

    def authorizer(*what: object) -> int:
        heard.append(what)
        return dbapi2.SQLITE_OK

    with opened(tmp_path / "a.partner", clock) as store:
        store.write_many([draft(f"claim {i}", metadata={"subject": "office"}) for i in range(5)])
        assert isinstance(store.backend, SqliteLog)
        with store.backend.unguarded() as driver:
            pass
        driver.set_authorizer(authorizer)
        for _ in range(4):  # whichever connection of the pool it falls to
            QUESTIONS[name](store)
        assert heard, "the first time it is"
        heard.clear()
        for _ in range(4):
            QUESTIONS[name](store)
    assert heard == []
