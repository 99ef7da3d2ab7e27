"""From an address to an open log: made ready by whoever may, used by whoever was granted it.

Two roles that cannot log in own and use a store: `engram_owner_NAME` has the tables, `engram_writer_NAME` may
read everything and append (NAME is the database's). The first opening by a role that may create roles makes
both; any other login needs `GRANT engram_writer_NAME TO it`. Sessions of either act as the writer.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Engine

from store.errors import BadRequest, NewerFormat, NoStore, NotAStore, StoreUnavailable
from store.postgres.connection import open_engine, parse_address, shown, translated
from store.postgres.log import PostgresLog
from store.postgres.migrations import MIGRATIONS, RECORDS, Migration

OLDEST_SERVER = 140_000
_ONE_AT_A_TIME = 0x656E6772  # advisory lock of this database: one program makes or migrates it
_NAME_BYTES = 63
_FOUND = """
SELECT pg_get_userbyid(c.relowner) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'engram' AND c.relname = 'migration'
"""


def open_server(
    target: str, *, encrypt: bool, create: bool, read_only: bool, migrations: Sequence[Migration] = MIGRATIONS
) -> PostgresLog:
    """Open the store in a database, making or migrating it first where that is allowed.

    Raises BadRequest for an address that is none, StoreUnavailable (server, login or rights are missing),
    NoStore where none is to be made, NotAStore when another program has the schema `engram`, NewerFormat for
    a later version's store.
    """
    if encrypt:
        raise BadRequest("a store on PostgreSQL is not encrypted by this program; encrypt the server's disk")
    url = parse_address(target)
    location = shown(url)
    engine = open_engine(url, read_only=read_only)
    try:
        with translated(location):
            with engine.connect() as connection:
                _check_server(connection, location)
                number = _number(connection, location)
            if number is None and (read_only or not create):
                raise NoStore(f"in {location}")
            _check_format(number, len(migrations), location)
            if number != len(migrations):
                if read_only:
                    raise StoreUnavailable(
                        f"{location} is of store format {number}; open it once to write, to bring it to "
                        f"{len(migrations)}"
                    )
                _bring_forward(engine, location, migrations)
                engine.dispose()  # sessions from before the store was there have no role of it
        return PostgresLog(engine, location)
    except BaseException:
        engine.dispose()
        raise


def _check_server(connection: Connection, location: str) -> None:
    version = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one())
    if version < OLDEST_SERVER:
        raise StoreUnavailable(
            f"the server of {location} is PostgreSQL {version // 10_000}; a store needs "
            f"{OLDEST_SERVER // 10_000} or newer"
        )
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != "UTF8":
        raise StoreUnavailable(f"{location} keeps text as {encoding}; a store needs a database in UTF8")


def _number(connection: Connection, location: str) -> int | None:
    """The format of the store there, None when the schema is not there either."""
    if connection.exec_driver_sql(_FOUND).scalar() is not None:
        return connection.exec_driver_sql("SELECT max(number) FROM engram.migration").scalar()
    if connection.exec_driver_sql("SELECT FROM pg_namespace WHERE nspname = 'engram'").rowcount:
        raise NotAStore(f"{location} has a schema engram of another program; nothing was changed")
    return None


def _check_format(number: int | None, newest: int, location: str) -> None:
    if number is not None and number > newest:
        raise NewerFormat(
            f"{location} was written by a newer version (store format {number}, this program reads up to "
            f"{newest}); update this program, nothing was changed"
        )


def _bring_forward(engine: Engine, location: str, migrations: Sequence[Migration]) -> None:
    """Run the missing steps and their records in one transaction, as the owner role."""
    with engine.connect() as connection, connection.begin():
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (_ONE_AT_A_TIME,))
        number = _number(connection, location)
        _check_format(number, len(migrations), location)
        owner, writer = _role_names(connection)
        if number is None:
            _make_roles(connection, owner, writer)
            _as_role(connection, owner)
            connection.exec_driver_sql(RECORDS)
        else:
            _as_role(connection, connection.exec_driver_sql(_FOUND).scalar_one())
        for at, step in enumerate(migrations, start=1):
            if at <= (number or 0):
                continue
            for statement in step.statements:
                _run(connection, statement.replace("{writer}", _quoted(writer)))
            connection.exec_driver_sql(
                "INSERT INTO engram.migration (number, name) VALUES (%s, %s)", (at, step.name)
            )


def _role_names(connection: Connection) -> tuple[str, str]:
    """Roles belong to the whole server, so their names carry the database's (or its number, if too long)."""
    name, number = connection.exec_driver_sql(
        "SELECT datname, oid FROM pg_database WHERE datname = current_database()"
    ).one()
    fits = len(f"engram_writer_{name}".encode()) <= _NAME_BYTES
    suffix = name if fits else str(number)
    return f"engram_owner_{suffix}", f"engram_writer_{suffix}"


def _make_roles(connection: Connection, owner: str, writer: str) -> None:
    """Make the two roles unless an administrator has, and the schema; 42501 where this login may not."""
    all_powerful = connection.exec_driver_sql(
        "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
    ).scalar_one()
    for role in (owner, writer):
        if connection.exec_driver_sql("SELECT FROM pg_roles WHERE rolname = %s", (role,)).rowcount:
            continue
        _run(connection, f"CREATE ROLE {_quoted(role)} NOLOGIN")
        if not all_powerful:  # who makes a role may give it away, and since PostgreSQL 16 no more than that
            _run(connection, f"GRANT {_quoted(role)} TO CURRENT_USER")
    _run(connection, f"CREATE SCHEMA engram AUTHORIZATION {_quoted(owner)}")


def _as_role(connection: Connection, role: str) -> None:
    connection.exec_driver_sql("SELECT set_config('role', %s, true)", (role,))


def _run(connection: Connection, sql: str) -> None:
    """A statement without parameters, in which a percent sign is one."""
    connection.exec_driver_sql(sql, execution_options={"no_parameters": True})


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
