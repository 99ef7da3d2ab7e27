"""Opening the one file: what is refused before a byte is touched, the pool, and translated errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, exc
from sqlalchemy.pool import QueuePool

from store.errors import Locked, StoreDamaged, StoreUnavailable
from store.files import sync
from store.sqlite.driver import dbapi2
from store.sqlite.driving import begin_writing, connect
from store.sqlite.handles import holding

_NETWORK = {"nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "ncpfs", "ceph", "glusterfs"}
_NETWORK |= {"lustre", "beegfs", "gpfs", "ocfs2", "gfs2", "orangefs", "pvfs2", "coda", "davfs"}
_NETWORK |= {"fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.s3fs", "fuse.gcsfuse", "fuse.davfs2"}
_NETWORK |= {"fuse.ceph", "fuse.cephfs", "fuse.juicefs", "fuse.mfs", "fuse.goofys", "fuse.gvfsd-fuse"}
_NETWORK |= {"vboxsf", "vmhgfs", "fuse.vmhgfs-fuse", "prl_fs"}  # folders of the host machine
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
    make_folder(path)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_EXCL, 0o600))
        sync(path.parent)
    except FileExistsError:
        return
    except OSError as error:
        raise StoreUnavailable(
            f"cannot create {path}: {error.strerror}; check the folder or PARTNER_HOME"
        ) from error


def make_folder(path: Path) -> None:
    """Make the folder that `path` is to be in; raise StoreUnavailable where not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreUnavailable(
            f"cannot create {path}: {error.strerror}; check the folder or PARTNER_HOME"
        ) from error


def open_engine(path: Path, *, key: bytes | None, read_only: bool) -> Engine:
    """A SQLAlchemy engine over the file. `key` (raw SQLCipher key) opens one that is encrypted whole."""

    creator = partial(connect, path, key=key, read_only=read_only)
    release = holding(path)
    engine = create_engine(
        "sqlite://", module=dbapi2, creator=creator, poolclass=QueuePool, pool_size=8, max_overflow=24
    )

    @event.listens_for(engine, "engine_disposed")
    def _disposed(_: Engine) -> None:
        release()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:  # the driver's own transactions are off (isolation_level=None)
        if connection.get_execution_options().get("begin") == "IMMEDIATE":
            begin_writing(connection.connection.driver_connection)
        else:
            connection.exec_driver_sql("BEGIN DEFERRED")

    return engine


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
