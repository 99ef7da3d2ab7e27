"""Opening the one file: what is refused before a byte is touched, pragmas, and translated errors."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, exc
from sqlalchemy.pool import QueuePool

from store.errors import Locked, StoreDamaged, StoreUnavailable
from store.files import beside, can_write, sync, uri_path
from store.sqlite import guard
from store.sqlite.driver import dbapi2

BUSY_TIMEOUT_MS = 60_000
_NETWORK = {"nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "ncpfs", "ceph", "glusterfs"}
_NETWORK |= {"lustre", "beegfs", "fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.s3fs", "fuse.gcsfuse"}
MOUNTS = Path("/proc/self/mounts")


def filesystem_of(path: Path, mounts: str) -> str:
    """The type of the file system that holds `path`, from the text of /proc/self/mounts ('' if unknown)."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = fields[1].encode().decode("unicode_escape")
        if (path.is_relative_to(point)) and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind


def refuse_network(path: Path, mounts_file: Path = MOUNTS) -> None:
    """WAL needs shared memory of one machine; on a network file system it corrupts (sqlite.org/wal.html)."""
    try:
        mounts = mounts_file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux: SQLite's own locking check is what remains
        return
    kind = filesystem_of(path.resolve(), mounts)
    if kind in _NETWORK:
        raise StoreUnavailable(
            f"{path} is on a network file system ({kind}), where two machines can corrupt the store; "
            "keep it on a local disk and move or back it up to the share instead"
        )


def create_file(path: Path) -> None:
    """Make the empty file with mode 0600 (the WAL inherits it); raise StoreUnavailable where not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_EXCL, 0o600))
        sync(path.parent)
    except FileExistsError:
        return
    except OSError as error:
        raise StoreUnavailable(
            f"cannot create {path}: {error.strerror}; check the folder or PARTNER_HOME"
        ) from error


def open_engine(path: Path, *, key: bytes | None, read_only: bool) -> Engine:
    """A SQLAlchemy engine over the file. `key` (raw SQLCipher key) opens one that is encrypted whole."""

    def connect() -> Any:
        mode = "ro" if read_only else "rw"
        uri = f"file:{uri_path(path)}?mode={mode}"
        if read_only and not can_write(path):
            uri += _as_it_is(path)
        connection = dbapi2.connect(
            uri, uri=True, check_same_thread=False, isolation_level=None, cached_statements=256
        )
        try:
            prepare(connection, key=key, read_only=read_only)
        except BaseException:
            connection.close()
            raise
        return connection

    engine = create_engine(
        "sqlite://", module=dbapi2, creator=connect, poolclass=QueuePool, pool_size=8, max_overflow=24
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:  # the driver's own transactions are off (isolation_level=None)
        if connection.get_execution_options().get("begin") == "IMMEDIATE":
            begin_writing(connection.connection.driver_connection)
        else:
            connection.exec_driver_sql("BEGIN DEFERRED")

    return engine


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


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Turn driver errors into the store's own, once, here."""
    try:
        yield
    except (dbapi2.Error, exc.DBAPIError) as error:
        cause = error.orig if isinstance(error, exc.DBAPIError) and error.orig is not None else error
        raise translate(cause, location) from error


def translate(error: BaseException, location: str) -> Exception:
    message = str(error)
    lower = message.lower()
    if "file is not a database" in lower or "hmac check failed" in lower:
        return Locked(f"{location} does not open with this passphrase (or is not a store)", wrong=True)
    if "disk is full" in lower or "database or disk is full" in lower:
        return StoreUnavailable(
            f"the disk is full; nothing of this write was kept ({location}). Free some space"
        )
    if "readonly" in lower or "read-only" in lower:
        return StoreUnavailable(
            f"{location} cannot be written (read-only file or folder); nothing was changed"
        )
    if "unable to open" in lower:
        return StoreUnavailable(f"cannot open {location}: check that the folder exists and can be written")
    if "locked" in lower or "busy" in lower:
        return StoreUnavailable(f"{location} is held by another program for too long; try again")
    if "malformed" in lower or "corrupt" in lower:
        return StoreDamaged(
            f"{location} is damaged: its pages are not what was written ({message}); restore a backup"
        )
    if "disk i/o" in lower:
        return StoreUnavailable(
            f"the disk gave an error for {location} ({message}); nothing of this write was kept"
        )
    return StoreDamaged(f"{location}: {message}")
