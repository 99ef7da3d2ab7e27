"""From a path to an open SQLite log: created, or checked and opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.schema import CreateIndex, CreateTable

from store.errors import Locked, NoStore, NotAStore, StoreUnavailable
from store.files import can_write, real, wipe_leftovers
from store.keys import Passphrase, given, stretch
from store.sqlite.connection import create_file, open_engine, refuse_network, translated
from store.sqlite.log import SqliteLog
from store.sqlite.marks import (
    APPLICATION_ID,
    FORMAT_NUMBER,
    SALT_BYTES,
    check_format,
    inspect,
    read_salt,
)
from store.sqlite.migrating import migrate
from store.sqlite.schema import FULL_TEXT, GUARDS, STATE_TYPE_INDEX, TABLES


def open_file(
    path: Path,
    *,
    rng: Callable[[int], bytes],
    passphrase: Passphrase,
    encrypt: bool,
    create: bool,
    read_only: bool,
) -> SqliteLog:
    """Open or create the file; see `store.open_store` for what is raised."""
    path = real(path)  # what is put beside it belongs to the file, not to a link to it
    found = inspect(path)
    if found == "absent" and (read_only or not create):
        raise NoStore(f"at {path}")
    refuse_network(path if found != "absent" else path.parent)
    fresh = found in ("absent", "empty")
    key = None
    if fresh and encrypt:
        if not (said := given(passphrase)):
            raise Locked("an encrypted store needs a passphrase")
        key = file_key(said, rng(SALT_BYTES))
    elif found == "sealed":
        if not (said := given(passphrase)):
            raise Locked(f"{path} is encrypted (or is not a store): its passphrase is needed")
        key = file_key(said, read_salt(path))
    if found == "absent":
        create_file(path)
    elif not read_only and not can_write(path):
        raise StoreUnavailable(f"{path} cannot be written (read-only file or folder); nothing was changed")
    engine = open_engine(path, key=key, read_only=read_only)
    try:
        with translated(str(path)):
            _check_or_create(engine, path, read_only=read_only)
            if not read_only:
                _wipe_leftovers(engine, path)
        return SqliteLog(path, engine, read_only=read_only, key=key)
    except BaseException:
        engine.dispose()
        raise


def _wipe_leftovers(engine: Engine, path: Path) -> None:
    """With a connection at the file, so that its lock keeps a rekey by others away meanwhile."""
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA user_version").scalar()
        wipe_leftovers(path)


def file_key(passphrase: str, salt: bytes) -> bytes:
    """SQLCipher's raw key: 32 bytes of Argon2id and the salt that the file itself begins with."""
    return stretch(passphrase, salt) + salt


def _check_or_create(engine: Engine, path: Path, *, read_only: bool) -> None:
    with engine.connect() as connection:
        application, number = _marks(connection)
    if application == APPLICATION_ID:
        check_format(path, number)
        migrate(engine, path, read_only=read_only)
        return
    if read_only:
        raise NotAStore(f"{path} holds no store")
    with engine.connect() as raw:
        connection = raw.execution_options(begin="IMMEDIATE")
        with connection.begin():
            if _marks(connection)[0] == 0:  # another process may have been first
                create_tables(connection)


def _marks(connection: Any) -> tuple[int, int]:
    application = connection.exec_driver_sql("PRAGMA application_id").scalar()
    return application, connection.exec_driver_sql("PRAGMA user_version").scalar()


def create_tables(connection: Any) -> None:
    """Tables, full-text index, guards and the marks of the format, in the caller's transaction."""
    if connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema").scalar():
        raise NotAStore("this is a SQLite database of another program, not a store; nothing was changed")
    for table in TABLES.sorted_tables:
        connection.execute(CreateTable(table))
        for index in sorted(table.indexes, key=lambda i: str(i.name)):
            connection.execute(CreateIndex(index))
    connection.exec_driver_sql(STATE_TYPE_INDEX)
    connection.exec_driver_sql(FULL_TEXT)
    # the guards are made by the one connection that may: the authorizer refuses CREATE TRIGGER afterwards
    driver = connection.connection.driver_connection
    driver.set_authorizer(None)
    try:
        for trigger in GUARDS:
            connection.exec_driver_sql(trigger)
    finally:
        from store.sqlite import guard

        guard.install(driver)
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.exec_driver_sql(f"PRAGMA user_version = {FORMAT_NUMBER}")
