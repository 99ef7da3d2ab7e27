"""Opening the one file: what is refused before a byte is touched, pragmas, and translated errors."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, exc
from sqlalchemy.pool import QueuePool

from store.errors import Locked, NewerFormat, NotAStore, StoreDamaged, StoreUnavailable
from store.files import beside, sync
from store.sqlite import guard
from store.sqlite.driver import dbapi2
from store.sqlite.schema import APPLICATION_ID, FORMAT_NUMBER

MAGIC = b"SQLite format 3\x00"
PAGE = 4096
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


def inspect(path: Path) -> str:
    """Say what is at `path`: 'absent', 'empty', 'plain' or 'sealed' (whole-file encryption).

    Raises NotAStore for a folder, another kind of file, or another program's database; NewerFormat for a
    later version of this one.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return "absent"
    except OSError as error:
        raise StoreUnavailable(f"cannot read {path}: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise NotAStore(f"{path} is not a file, so it is not a store; give the path of an identity file")
    if status.st_size == 0:
        return "empty"
    try:
        with path.open("rb") as file:
            first = file.read(100)
    except OSError as error:
        raise StoreUnavailable(f"cannot read {path}: {error.strerror}") from error
    if first.startswith(MAGIC):
        _check_plain(path, first)
        return "plain"
    text_like = all(byte in b"\t\r\n" or 32 <= byte < 127 for byte in first)
    if status.st_size % PAGE or text_like:
        raise NotAStore(f"{path} is not a store; nothing was changed")
    return "sealed"


def _check_plain(path: Path, first: bytes) -> None:
    if len(first) < 100:
        raise NotAStore(f"{path} is cut short and is not a store any more; restore a backup")
    application, number = int.from_bytes(first[68:72], "big"), int.from_bytes(first[60:64], "big")
    # another process may be making it just now: then its first page is empty, or all is in the journal
    young = beside(path)[0].exists() or path.stat().st_size <= PAGE
    fresh = application == 0 and number == 0 and young
    if application != APPLICATION_ID and not fresh:
        raise NotAStore(f"{path} is a SQLite database of another program, not a store; nothing was changed")
    check_format(path, number)


def check_format(path: Path, number: int) -> None:
    if number > FORMAT_NUMBER:
        raise NewerFormat(
            f"{path} was written by a newer version (store format {number}, this program reads up to "
            f"{FORMAT_NUMBER}); update this program, nothing was changed"
        )


def open_engine(path: Path, *, key: bytes | None, read_only: bool) -> Engine:
    """A SQLAlchemy engine over the file. `key` (raw SQLCipher key) opens one that is encrypted whole."""

    def connect() -> Any:
        mode = "ro" if read_only else "rw"
        uri = f"file:{_uri_path(path)}?mode={mode}"
        if read_only and not os.access(path.parent, os.W_OK) and not beside(path)[0].exists():
            uri += "&immutable=1"  # nobody can write here, nor can the index of a write-ahead log be made
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
        mode = connection.get_execution_options().get("begin", "DEFERRED")
        connection.exec_driver_sql(f"BEGIN {mode}")

    return engine


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


def _uri_path(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


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
        return Locked(f"{location} does not open with this passphrase (or is not a store)")
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
        return StoreDamaged(f"{location} is damaged ({message}); run verify and restore a backup")
    if "disk i/o" in lower:
        return StoreUnavailable(
            f"the disk gave an error for {location} ({message}); nothing of this write was kept"
        )
    return StoreDamaged(f"{location}: {message}")
