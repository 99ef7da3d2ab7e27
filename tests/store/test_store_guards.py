"""The database refuses what would change the log, to this program's connections and to others'."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from drafting import draft, opened, ticking

from store.sqlite.driver import dbapi2
from store.store import Store

SIZE = 20


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "identity.partner"
    with opened(path, ticking()) as store:
        store.write_many([draft(f"claim number {i}") for i in range(SIZE - store.head().seq)])
        assert store.head().seq == SIZE
    return path


ATTACKS = [
    "UPDATE log SET body = NULL WHERE seq = 5",
    "UPDATE log SET hash = zeroblob(32) WHERE seq = 5",
    "UPDATE OR REPLACE log SET seq = 6 WHERE seq = 5",
    "DELETE FROM log WHERE seq = 5",
    "DELETE FROM log",
    "INSERT OR REPLACE INTO log SELECT * FROM log WHERE seq = 5",
    "REPLACE INTO log SELECT 5, header, body, body_hash, hash, signature FROM log WHERE seq = 6",
    "INSERT INTO log SELECT * FROM log WHERE seq = 5 ON CONFLICT (seq) DO UPDATE SET body = NULL",
    "INSERT INTO log SELECT seq + 10000, header, body, body_hash, hash, signature FROM log WHERE seq = 5",
    "UPDATE meta SET value = x'00' WHERE key = 'root_key'",
    "DELETE FROM meta WHERE key = 'store_id'",
    "INSERT OR REPLACE INTO meta VALUES ('store_id', x'00')",
]
OWN_ATTACKS = [
    "DROP TABLE log",
    "DROP TRIGGER log_no_delete",
    "ALTER TABLE log RENAME TO gone",
    "ALTER TABLE log DROP COLUMN signature",
    "CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM log; END",
    "PRAGMA writable_schema = ON",
    "DROP INDEX state_current",
]


@pytest.mark.conforms("S10")
@pytest.mark.parametrize("sql", ATTACKS)
def test_the_database_itself_refuses_to_change_the_log(small: Path, sql: str) -> None:
    connection = dbapi2.connect(str(small), isolation_level=None)
    with pytest.raises(dbapi2.DatabaseError):
        connection.execute(sql)
    connection.close()
    with opened(small, lambda: pytest.fail("nothing is written here")) as store:
        assert store.head().seq == SIZE


@pytest.mark.parametrize("sql", ATTACKS + OWN_ATTACKS)
def test_connections_of_this_program_may_not_even_try(small: Path, clock, sql: str) -> None:
    with opened(small, clock) as store:
        assert isinstance(store, Store)
        with store.backend.reading() as connection:  # type: ignore[attr-defined]
            driver: Any = connection.connection.driver_connection
            with pytest.raises(dbapi2.DatabaseError):
                driver.execute(sql).fetchall()


def test_any_sqlite_reads_the_file(small: Path) -> None:
    """The format is plain SQLite: the standard library's older version counts the entries too."""
    connection = sqlite3.connect(f"file:{small}?mode=ro", uri=True)
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (SIZE,)
    connection.close()
