"""What is done to the file as a whole, while nobody else has it open: move, encrypt, decrypt."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from store.errors import BadRequest, Locked, StoreUnavailable
from store.files import beside, can_write, placing, replaced, sync, wipe
from store.keys import Passphrase, given, seal, unseal
from store.sqlite.connection import open_engine, translated
from store.sqlite.driver import dbapi2
from store.sqlite.marks import APPLICATION_ID, FORMAT_NUMBER, SALT_BYTES, inspect, read_salt
from store.sqlite.opening import file_key


@contextmanager
def alone(path: Path, passphrase: Passphrase) -> Iterator[Any]:
    """A driver connection that holds the only one to the file; the write-ahead log is folded in and gone.

    Raises StoreUnavailable when another program has the store open.
    """
    found = inspect(path)
    if found in ("absent", "empty"):
        raise StoreUnavailable(f"there is no store at {path}")
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
            try:
                mode = driver.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
            except dbapi2.OperationalError as error:
                raise StoreUnavailable(f"{path} is open in another program; close that first") from error
            if mode != "delete":
                raise StoreUnavailable(f"{path} is open in another program; close that first")
            driver.execute("PRAGMA locking_mode = EXCLUSIVE")
            yield driver
    finally:
        engine.dispose()


def move_store(source: Path | str, target: Path | str, *, passphrase: Passphrase = None) -> Path:
    """Move the one file, whole: no journal is left behind or needed at the other end."""
    start, end = Path(source).expanduser(), Path(target).expanduser()
    if end.is_dir():
        end = end / start.name
    if end.exists():
        raise BadRequest(f"{end} exists already; nothing was moved")
    with alone(start, passphrase):
        pass
    with placing(end) as unfinished:
        shutil.copyfile(start, unfinished)
    for left in (*beside(start), start):
        left.unlink(missing_ok=True)
    sync(start.parent)
    return end


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
    one). The old bytes are wiped. Raises Locked
    when the present passphrase is wrong, StoreUnavailable when the store is open elsewhere.
    """
    file = Path(path).expanduser()
    _must_be_writable(file)
    key = file_key(new_passphrase, rng(SALT_BYTES)) if new_passphrase and encrypt else b""
    rekeyed = file.with_name(f".{file.name}.rekeyed")
    with (
        placing(rekeyed, replace=True) as unfinished,
        alone(file, passphrase) as driver,
        translated(str(file)),
    ):
        driver.execute(
            "ATTACH DATABASE ? AS rekeyed KEY ?", (str(unfinished), f"x'{key.hex()}'" if key else "")
        )
        driver.execute("SELECT sqlcipher_export('rekeyed')").fetchall()
        secrets = driver.execute("SELECT key, value FROM rekeyed.meta WHERE key LIKE 'secret:%'").fetchall()
        for name, record in secrets:
            seed = unseal(record, passphrase)
            sealed = seal(seed, new_passphrase, rng) if new_passphrase else seed
            driver.execute("UPDATE rekeyed.meta SET value = ? WHERE key = ?", (sealed, name))
        driver.execute(f"PRAGMA rekeyed.application_id = {APPLICATION_ID}")
        driver.execute(f"PRAGMA rekeyed.user_version = {FORMAT_NUMBER}")
        driver.execute("DETACH DATABASE rekeyed")
    os.link(file, replaced(file))  # wiped at the next opening, should the machine stop before the last line
    rekeyed.replace(file)
    sync(file.parent)
    for left in beside(file):
        left.unlink(missing_ok=True)
    wipe(replaced(file))


def _must_be_writable(path: Path) -> None:
    if path.exists() and not can_write(path):
        raise StoreUnavailable(f"{path} cannot be written (read-only file or folder); nothing was changed")
