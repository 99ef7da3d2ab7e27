"""What is done to the file as a whole, while nobody else has it open: move, encrypt, decrypt."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from store.errors import BadRequest, Locked, NoStore, StoreUnavailable
from store.files import (
    can_write,
    journals,
    kept_copies,
    placing,
    real,
    replaced,
    sync,
    wipe,
)
from store.keys import Passphrase, given, seal, unseal
from store.sqlite.connection import open_engine, translated
from store.sqlite.driver import dbapi2
from store.sqlite.marks import (
    APPLICATION_ID,
    SALT_BYTES,
    check_format,
    inspect,
    read_salt,
)
from store.sqlite.opening import file_key

_BLOCK = 1 << 20


@contextmanager
def alone(path: Path, passphrase: Passphrase) -> Iterator[Any]:
    """A driver connection that keeps everybody else out of the file until the block ends; the write-ahead log
    is folded in and gone. No descriptor of the file may be closed meanwhile: that would let them in.

    Raises StoreUnavailable when another program has the store open.
    """
    found = inspect(path)
    if found in ("absent", "empty"):
        raise NoStore(f"at {path}")
    key = None
    if found == "sealed":
        if not (said := given(passphrase)):
            raise Locked(f"{path} is encrypted: its passphrase is needed")
        key = file_key(said, read_salt(path))
    _must_be_writable(path)
    engine = open_engine(path, key=key, read_only=False)
    try:
        with translated(str(path)), engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            driver.set_authorizer(None)
            driver.execute("PRAGMA busy_timeout = 2000")
            driver.execute("PRAGMA locking_mode = EXCLUSIVE")
            try:
                mode = driver.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
                driver.execute("BEGIN EXCLUSIVE")  # and in this locking mode it stays so
                driver.execute("COMMIT")
            except dbapi2.OperationalError as error:
                if "locked" not in str(error):
                    raise
                raise StoreUnavailable(f"{path} is open in another program; close that first") from error
            if mode != "delete":
                raise StoreUnavailable(f"{path} is open in another program; close that first")
            check_format(path, driver.execute("PRAGMA user_version").fetchone()[0])
            yield driver
    finally:
        engine.dispose()


def move_store(source: Path | str, target: Path | str, *, passphrase: Passphrase = None) -> Path:
    """Move the one file, whole: no journal is left behind or needed at the other end.

    Within a file system it is renamed, and there is one file at every moment; to another one it is copied,
    and the old one is wiped once the copy is durable. A copy that a migration kept is wiped, too: it would
    be the identity, left behind. Raises BadRequest when the target exists, StoreUnavailable when the store
    is open elsewhere or cannot be written there.
    """
    named, start, end = Path(source).expanduser(), real(source), Path(target).expanduser()
    if end.is_dir():
        end = end / named.name
    if os.path.lexists(end):
        raise BadRequest(f"{end} exists already; nothing was moved")
    if not end.parent.is_dir():
        raise BadRequest(f"there is no folder {end.parent}; nothing was moved")
    with _looking(start) as descriptor, alone(start, passphrase):
        try:
            start.rename(end)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise StoreUnavailable(f"cannot move to {end}: {error.strerror}") from error
            _copy_over(descriptor, start, end)
        for left in (*journals(start), *kept_copies(start), *([named] if named.is_symlink() else [])):
            wipe(left)
        sync(end.parent)
        sync(start.parent)
    return end


@contextmanager
def _looking(path: Path) -> Iterator[int]:
    """A descriptor of the file that is closed last of all (see `alone`)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise NoStore(f"at {path}") from error
    except OSError as error:
        raise StoreUnavailable(f"cannot read {path}: {error.strerror}") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _copy_over(descriptor: int, start: Path, end: Path) -> None:
    with placing(end) as unfinished, unfinished.open("r+b") as copy:
        at = 0
        while block := os.pread(descriptor, _BLOCK, at):
            copy.write(block)
            at += len(block)
    wipe(start)


def rekey_store(
    path: Path | str,
    *,
    passphrase: Passphrase,
    new_passphrase: str | None,
    encrypt: bool = True,
    rng: Callable[[int], bytes] = os.urandom,
) -> None:
    """Change what protects a store: `new_passphrase` seals its keys and, with `encrypt`, the whole file.

    None takes every protection off. `passphrase` is the present one (or who is asked for it, if there is
    one). The old bytes are wiped, and so is a copy that a migration kept. Stopped at any moment it leaves the
    store as it was or as it is to be. Raises Locked when the present passphrase is wrong, StoreUnavailable
    when the store is open elsewhere.
    """
    file = real(path)
    _must_be_writable(file)
    key = file_key(new_passphrase, rng(SALT_BYTES)) if new_passphrase and encrypt else b""
    with alone(file, passphrase) as driver:
        with placing(file, replace=True) as unfinished, translated(str(file)):
            driver.execute(
                "ATTACH DATABASE ? AS rekeyed KEY ?", (str(unfinished), f"x'{key.hex()}'" if key else "")
            )
            try:
                _write_anew(driver, passphrase, new_passphrase, rng)
            except BaseException:
                with suppress(dbapi2.Error):
                    driver.execute("DETACH DATABASE rekeyed")
                raise
            driver.execute("DETACH DATABASE rekeyed")
            with suppress(OSError):  # a file system without links: then the old bytes are only freed
                os.link(file, replaced(file))  # wiped at the next opening, should the machine stop before
        wipe(replaced(file))
        for kept in kept_copies(file):
            wipe(kept)


def _write_anew(
    driver: Any, passphrase: Passphrase, new_passphrase: str | None, rng: Callable[[int], bytes]
) -> None:
    """Copy the store into the database attached as `rekeyed`, with its keys sealed anew."""
    driver.execute("SELECT sqlcipher_export('rekeyed')").fetchall()
    secrets = driver.execute("SELECT key, value FROM rekeyed.meta WHERE key LIKE 'secret:%'").fetchall()
    for name, record in secrets:
        seed = unseal(record, passphrase)
        sealed = seal(seed, new_passphrase, rng) if new_passphrase else seed
        driver.execute("UPDATE rekeyed.meta SET value = ? WHERE key = ?", (sealed, name))
    driver.execute(f"PRAGMA rekeyed.application_id = {APPLICATION_ID}")
    # a store of an earlier format stays one, to be migrated when it is opened
    number = driver.execute("PRAGMA main.user_version").fetchone()[0]
    driver.execute(f"PRAGMA rekeyed.user_version = {number}")


def _must_be_writable(path: Path) -> None:
    if path.exists() and not can_write(path):
        raise StoreUnavailable(f"{path} cannot be written (read-only file or folder); nothing was changed")
