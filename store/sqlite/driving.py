"""One connection of the driver to the file, with its pragmas; without the layers over it, which take longer
to load than a helping process works."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from store.errors import StoreUnavailable
from store.files import beside, can_write, uri_path
from store.sqlite import guard
from store.sqlite.driver import dbapi2
from store.sqlite.handles import FileKey, file_key

BUSY_TIMEOUT_MS = 60_000


def connect(path: Path, *, key: bytes | None, read_only: bool) -> Any:
    """A connection that any thread may use, without transactions of the driver's own. `key` is the raw key
    (SQLCipher's) to a file that is encrypted whole.

    Raises StoreUnavailable where the file cannot be read as it lies there, and the driver's errors.
    """
    before = file_key(path)
    uri = f"file:{uri_path(path)}?mode={'ro' if read_only else 'rw'}"
    if read_only and not can_write(path):
        uri += _as_it_is(path)
    connection = dbapi2.connect(
        uri, uri=True, check_same_thread=False, isolation_level=None, cached_statements=256
    )
    try:
        prepare(connection, key=key, read_only=read_only)
        _still_there(path, before)
    except BaseException:
        connection.close()
        _still_there(path, before)  # else what was found wrong is the file that was put away
        raise
    return connection


def _still_there(path: Path, before: FileKey | None) -> None:
    """A writer who waited while the store was moved or rekeyed has the file of before in its hands, where
    nothing would be found again. From here on SQLite's own lock keeps others from doing so."""
    if file_key(path) != before:
        raise StoreUnavailable(
            f"{path} was just moved, or given another passphrase, by another program; nothing was written. "
            "Try again"
        )


def _as_it_is(path: Path) -> str:
    """How to read a file beside which nothing can be written: with the journal of a writer who is at it
    elsewhere, else as it lies there. Raises StoreUnavailable where it needs its journal and cannot use it."""
    journal, index = beside(path)
    if index.exists():
        return ""
    if journal.exists() and journal.stat().st_size:
        raise StoreUnavailable(
            f"{path} was not closed where it was written last, and its journal cannot be folded in here; "
            "open it once where it can be written"
        )
    return "&immutable=1"


def prepare(connection: Any, *, key: bytes | None, read_only: bool) -> None:
    """Pragmas of every connection. FULL loses nothing acknowledged in a power cut, NORMAL does."""
    if key is not None:
        connection.execute("PRAGMA cipher_log_level = NONE")  # a wrong passphrase is reported by us, once
        connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
        connection.execute("PRAGMA cipher_memory_security = OFF")
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    if not read_only:
        mode = _write_ahead(connection)
        if mode != "wal":
            raise StoreUnavailable(f"the file system refuses write-ahead logging (journal mode {mode})")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA cache_size = -16000")
    connection.execute("PRAGMA trusted_schema = OFF")
    guard.install(connection)


def begin_writing(driver: Any) -> None:
    """BEGIN IMMEDIATE, asked for again every few milliseconds while another process has the write lock.

    SQLite's own handler comes to wait 100 ms between tries, and a process whose threads write all the time
    leaves the lock free for less than one: the other would hardly ever find it so.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    pause_s = 0.0005
    driver.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                driver.execute("BEGIN IMMEDIATE")
                return
            except dbapi2.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
            time.sleep(pause_s)
            pause_s = min(pause_s * 1.5, 0.004)
    finally:
        driver.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")


def _write_ahead(connection: Any) -> str:
    """Switch to a write-ahead log; the mode that is set. Waits here, as SQLite's busy handler is not called
    when two connections change the mode of a new file at once (sqlite.org/c3ref/busy_handler.html).
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            return connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except dbapi2.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
