"""A small SQLite file of the router's own: the ledger.

sqlcipher3's library, because the system's SQLite can corrupt a write-ahead log (3.7.0 to 3.51.2). WAL with
synchronous=NORMAL: a power cut may lose the last rows, a killed process loses none. The file is
the operator's alone (0600). Several processes may write; within one, whoever uses a connection takes turns.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

IN_MEMORY = "memory:"
BUSY_S = 5.0


def driver() -> Any:
    """The library, imported on first use; untyped, and its names are set at run time."""
    from sqlcipher3 import dbapi2

    return dbapi2


def opened(path: Path | str, schema: str, *, before: str = "") -> Any:
    """A connection without transactions of the driver's own, `schema` in place. `before` are pragmas that
    only a new file takes.

    Raises the driver's errors, and OSError.
    """
    dbapi2 = driver()
    target = ":memory:" if path == IN_MEMORY else str(path)
    if target != ":memory:":
        os.close(os.open(target, os.O_CREAT | os.O_RDWR, 0o600))
    connection = dbapi2.connect(target, isolation_level=None, check_same_thread=False, timeout=BUSY_S)
    try:
        connection.executescript(before)
        _write_ahead(connection, dbapi2)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(schema)
    except BaseException:
        connection.close()
        raise
    return connection


def _write_ahead(connection: Any, dbapi2: Any) -> None:
    """SQLite's busy handler is not called when two connections change the mode of a new file at once
    (sqlite.org/c3ref/busy_handler.html), so the waiting is done here.
    """
    deadline = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except dbapi2.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
