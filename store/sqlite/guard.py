"""What connections of this program may not do, beside what the triggers refuse to everybody.

Triggers fall to whoever may drop them; the authorizer keeps this program's own connections from doing so.
"""

from __future__ import annotations

from typing import Any

from store.sqlite.driver import dbapi2

_NEVER = {
    dbapi2.SQLITE_DROP_TABLE,
    dbapi2.SQLITE_DROP_TRIGGER,
    dbapi2.SQLITE_DROP_INDEX,
    dbapi2.SQLITE_DROP_VTABLE,
    dbapi2.SQLITE_ALTER_TABLE,
    dbapi2.SQLITE_CREATE_TRIGGER,
    dbapi2.SQLITE_CREATE_TEMP_TRIGGER,
}
_LOG_TABLES = {"log"}
_FORBIDDEN_PRAGMAS = {"writable_schema", "ignore_check_constraints", "recursive_triggers", "defensive"}


def _allowed(action: int, first: str | None, second: str | None, _db: str | None, _by: str | None) -> int:
    if action in _NEVER:
        return dbapi2.SQLITE_DENY
    if first in _LOG_TABLES:
        if action == dbapi2.SQLITE_DELETE:
            return dbapi2.SQLITE_DENY
        if action == dbapi2.SQLITE_UPDATE and second != "body":
            return dbapi2.SQLITE_DENY
    if action == dbapi2.SQLITE_PRAGMA and (first or "").lower() in _FORBIDDEN_PRAGMAS:
        return dbapi2.SQLITE_DENY
    return dbapi2.SQLITE_OK


def install(connection: Any) -> None:
    """Put the authorizer on a DB-API connection; maintenance that rebuilds tables uses its own."""
    connection.set_authorizer(_allowed)
