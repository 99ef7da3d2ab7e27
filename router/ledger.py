"""Every attempt to get language: engine, tokens, cost, time, outcome. Appended, never changed.

Kept in a SQLite file of its own beside the store: it is accounting, not knowledge. Uses sqlcipher3's library
because the system's SQLite can corrupt a write-ahead log (3.7.0 to 3.51.2). WAL with synchronous=NORMAL: a
power cut may lose the last attempts, a killed process loses none, and an append stays out of the way of the
answer. Prompts, replies and keys are never in it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from router.errors import RouterError

_BUSY_S = 5.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS attempt (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL, day TEXT NOT NULL,
    engine TEXT NOT NULL, model TEXT NOT NULL, local INTEGER NOT NULL, cached INTEGER NOT NULL,
    outcome TEXT NOT NULL, detail TEXT NOT NULL,
    tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL,
    first_token_ms REAL, ms REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS attempt_day ON attempt (day);
PRAGMA user_version = 1;
"""
OK = "ok"


class LedgerUnavailable(RouterError):
    """The file cannot be opened or written; says which and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt. `outcome` is "ok", "cancelled" or a FailureKind; None means unknown, not zero."""

    engine: str
    model: str
    local: bool
    outcome: str
    ms: float
    at: datetime
    cached: bool = False
    detail: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    first_token_ms: float | None = None
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """Sums over attempts. `unknown` counts the answers of hosted engines whose cost nobody knows."""

    engine: str
    attempts: int
    answered: int
    cached: int
    tokens_in: int
    tokens_out: int
    cost_usd: float
    unknown: int


class Ledger:
    """Attempts in `path` ("memory:" keeps them in memory). Thread-safe; several processes may append.

    `clock` gives the aware time that is written; days and months of budgets are in its zone.
    """

    def __init__(self, path: Path | str, *, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._connection: Any = None
        self._driver: Any = None

    def record(
        self,
        *,
        engine: str,
        model: str,
        local: bool,
        outcome: str,
        ms: float,
        cached: bool = False,
        detail: str = "",
        tokens_in: int | None = None,
        tokens_out: int | None = None,
        cost_usd: float | None = None,
        first_token_ms: float | None = None,
    ) -> None:
        """Append one attempt.

        Raises:
            LedgerUnavailable: the file cannot be written.
        """
        at = self._clock().isoformat()
        row = (at, at[:10], engine, model, int(local), int(cached), outcome, detail)
        row += (tokens_in, tokens_out, cost_usd, first_token_ms, ms)
        self._execute(
            "INSERT INTO attempt (at, day, engine, model, local, cached, outcome, detail, tokens_in,"
            " tokens_out, cost_usd, first_token_ms, ms) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            row,
        )

    def inference_calls(self) -> int:
        """How often any model was asked; answers from the cache are none."""
        return self._execute("SELECT count(*) FROM attempt WHERE cached = 0")[0][0]

    def attempts(self, *, limit: int | None = None, newest_first: bool = False) -> list[Attempt]:
        """Attempts in order."""
        order = "DESC" if newest_first else "ASC"
        rows = self._execute(
            f"SELECT {_COLUMNS} FROM attempt ORDER BY number {order} LIMIT ?",  # noqa: S608  no value from outside
            (-1 if limit is None else limit,),
        )
        return [_attempt(row) for row in rows]

    def spent(self, *, month: bool = False) -> float:
        """US dollars of today, or of this month; unknown costs count as nothing (see `totals`)."""
        today = self._clock().date().isoformat()
        where, value = ("day LIKE ?", today[:7] + "%") if month else ("day = ?", today)
        query = f"SELECT coalesce(sum(cost_usd), 0) FROM attempt WHERE {where}"  # noqa: S608
        return float(self._execute(query, (value,))[0][0])

    def totals(self, *, since_day: str = "") -> list[Total]:
        """Sums by engine, from `since_day` (ISO date) on."""
        rows = self._execute(
            "SELECT engine, count(*), sum(outcome = 'ok'), sum(cached), coalesce(sum(tokens_in), 0),"
            " coalesce(sum(tokens_out), 0), coalesce(sum(cost_usd), 0),"
            " sum(outcome = 'ok' AND cached = 0 AND cost_usd IS NULL)"
            " FROM attempt WHERE day >= ? GROUP BY engine ORDER BY engine",
            (since_day,),
        )
        names = [field.name for field in fields(Total)]
        return [Total(**dict(zip(names, row, strict=True))) for row in rows]

    def latency_ms(self, engine: str, *, over: int = 20) -> float | None:
        """Median time to the first token of the engine's last answers; None when it has given none."""
        rows = self._execute(
            "SELECT first_token_ms FROM attempt WHERE engine = ? AND cached = 0"
            " AND first_token_ms IS NOT NULL ORDER BY number DESC LIMIT ?",
            (engine, over),
        )
        values = sorted(row[0] for row in rows)
        return values[len(values) // 2] if values else None

    def price_usd(self, engine: str, *, over: int = 20) -> float | None:
        """US dollars a million tokens of the engine's last answers whose cost is known; None without any."""
        rows = self._execute(
            "SELECT sum(cost_usd), sum(tokens) FROM"
            " (SELECT cost_usd, tokens_in + tokens_out AS tokens FROM attempt"
            " WHERE engine = ? AND cached = 0 AND cost_usd IS NOT NULL AND tokens_in + tokens_out > 0"
            " ORDER BY number DESC LIMIT ?)",
            (engine, over),
        )
        cost, tokens = rows[0]
        return None if not tokens else cost / tokens * 1_000_000

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _execute(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            if self._driver is None:
                from sqlcipher3 import dbapi2  # untyped, and its names are set at run time

                self._driver = dbapi2
            try:
                if self._connection is None:
                    self._connection = self._open(self._driver)
                return self._connection.execute(query, values).fetchall()
            except (self._driver.Error, OSError) as error:
                raise LedgerUnavailable(f"the ledger {self._path} cannot be used: {error}") from error

    def _open(self, driver: Any) -> Any:
        target = ":memory:" if self._path == "memory:" else str(self._path)
        if target != ":memory:":
            os.close(os.open(target, os.O_CREAT | os.O_RDWR, 0o600))
        connection = driver.connect(target, isolation_level=None, check_same_thread=False, timeout=_BUSY_S)
        connection.execute("PRAGMA page_size = 1024")  # of a new file: an append writes two whole pages
        _write_ahead(connection, driver)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
        return connection


def _write_ahead(connection: Any, driver: Any) -> None:
    """SQLite's busy handler is not called when two connections change the mode of a new file at once
    (sqlite.org/c3ref/busy_handler.html), so the waiting is done here.
    """
    deadline = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except driver.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                connection.close()
                raise
            time.sleep(0.005)


_COLUMNS = (
    "number, at, engine, model, local, cached, outcome, detail, tokens_in, tokens_out, cost_usd, "
    "first_token_ms, ms"
)


def _attempt(row: tuple[Any, ...]) -> Attempt:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    values["at"] = datetime.fromisoformat(values["at"])
    values["local"], values["cached"] = bool(values["local"]), bool(values["cached"])
    return Attempt(**values)
