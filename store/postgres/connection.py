"""Reaching the server: the address, sessions under the program's own role, and translated errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, exc, make_url

from store.errors import BadRequest, StoreDamaged, StoreError, StoreUnavailable
from store.postgres.migrations import GUARD_STATE

DRIVER = "postgresql+psycopg"
LOCK_TIMEOUT_MS = 60_000
CONNECT_TIMEOUT_S = 10
DEAD_PEER_MS = 30_000  # a cable pulled in mid-query is an error after this, not a hang

# The login may be anybody who was granted the writer role, or the administrator who made the store: the
# session always goes on as the writer, who may append and nothing else.
_AS_WRITER = """
SELECT set_config('role', r.rolname, false)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL pg_catalog.aclexplode(c.relacl) a
JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
WHERE n.nspname = 'engram' AND c.relname = 'log' AND a.privilege_type = 'INSERT' AND a.grantee <> c.relowner
    AND pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')
ORDER BY r.rolname LIMIT 1
"""
# A plan made for no values in particular is wrong for rare and for common words (measured: 15 times slower).
_SETTINGS = """
SELECT set_config('lock_timeout',
        CASE current_setting('lock_timeout') WHEN '0' THEN %(lock_ms)s
        ELSE current_setting('lock_timeout') END, false),
    set_config('plan_cache_mode', 'force_custom_plan', false),
    set_config('default_transaction_read_only', %(read_only)s, false),
    set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
        ELSE current_setting('synchronous_commit') END, false)
"""


def parse_address(target: str) -> URL:
    """The URL of a database; raises BadRequest (which never repeats the password) when it is none."""
    try:
        url = make_url(target).set(drivername=DRIVER)
    except (exc.ArgumentError, ValueError) as error:
        raise BadRequest(
            "that is not the address of a PostgreSQL database; one looks like postgresql://user@host/database"
        ) from error
    if not url.database:
        raise BadRequest("the address names no database; one looks like postgresql://user@host/database")
    return url


def shown(url: URL) -> str:
    """The address without its password and options."""
    host = url.host or str(url.query.get("host", ""))
    user = f"{url.username}@" if url.username else ""
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{user}{host}{port}/{url.database}"


def open_engine(url: URL, *, read_only: bool) -> Engine:
    """A SQLAlchemy engine whose sessions act as the store's writer role, where there is a store."""
    binary = _binary_cursor()
    defaults: dict[str, Any] = {
        "connect_timeout": CONNECT_TIMEOUT_S,
        "tcp_user_timeout": DEAD_PEER_MS,
        "application_name": "partner",
        "client_encoding": "utf8",
    }
    engine = create_engine(
        url,
        connect_args={key: value for key, value in defaults.items() if key not in url.query},
        pool_size=4,
        max_overflow=28,
        use_native_hstore=False,
        isolation_level="READ COMMITTED",  # whatever the default there: a writer sees what it waited for
    )

    @event.listens_for(engine, "connect")
    def _begin(driver: Any, _record: Any) -> None:
        driver.autocommit = True  # a role set inside a transaction would be undone with it
        driver.execute(
            _SETTINGS, {"lock_ms": str(LOCK_TIMEOUT_MS), "read_only": "on" if read_only else "off"}
        )
        driver.execute(_AS_WRITER)
        driver.autocommit = False
        driver.cursor_factory = binary

    return engine


def _binary_cursor() -> type:
    """Rows come in the server's binary form; as text, bytes would be hexadecimal (a third of the speed)."""
    try:
        import psycopg
    except ImportError as error:
        raise StoreUnavailable(
            "a store on PostgreSQL needs the psycopg driver: pip install 'partner[postgres]'"
        ) from error

    class BinaryCursor(psycopg.Cursor[Any]):
        def __init__(self, connection: psycopg.Connection[Any], **options: Any) -> None:
            super().__init__(connection, **options)
            self.format = psycopg.pq.Format.BINARY

    return BinaryCursor


def gone(error: BaseException) -> bool:
    """Whether a driver error says that this session is over (and a new one may work)."""
    return isinstance(error, exc.DBAPIError) and error.connection_invalidated


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Turn driver errors into the store's own, once, here."""
    try:
        yield
    except exc.DBAPIError as error:
        raise translate(error, location) from error
    except exc.TimeoutError as error:
        raise StoreUnavailable(f"{location} is asked by too many threads at once; try again") from error


_UNREACHED = {"08", "57P01", "57P02", "57P03", "57P05"}
_SENTENCES = {
    "42501": "this login may not do that in {where} ({message}); "
    "let its administrator grant it the store's writer role",
    "25006": "{where} cannot be written (it is read-only, or a standby); nothing was changed",
    "53100": "the disk of the server is full; what it was writing was not kept ({where}). "
    "Free some space there",
    "53": "the server of {where} has no room for this ({message}); try again",
    "55P03": "{where} is held by another program for too long; try again",
    "40": "{where} was wanted by two programs at once; nothing of this write was kept, try again",
    "57014": "the server of {where} cancelled this ({message}); nothing of this write was kept",
}


def translate(error: exc.DBAPIError, location: str) -> StoreError:
    """What the driver's error means to the operator, by its SQLSTATE (PostgreSQL manual, appendix A)."""
    cause = error.orig if error.orig is not None else error
    code = getattr(cause, "sqlstate", None) or ""
    message = (str(cause).strip() or type(cause).__name__).splitlines()[0]
    refusal = message.partition("FATAL:")[2].strip()
    if refusal and not code:  # the driver knows no SQLSTATE of what fails before there is a session
        return StoreUnavailable(
            f"the server of {location} refuses ({refusal}); check the user, the password and the database"
        )
    if _known(code, _UNREACHED) or (not code and isinstance(error, exc.OperationalError)):
        return StoreUnavailable(
            f"the PostgreSQL server of {location} cannot be reached ({message}); is it running?"
        )
    found = _known(code, _SENTENCES)
    if found:
        return StoreUnavailable(_SENTENCES[found].format(where=location, message=message))
    if code == GUARD_STATE:
        return StoreDamaged(f"{location}: {message}; run verify")
    if code.startswith("22") or isinstance(error, exc.DataError):
        return BadRequest(f"PostgreSQL cannot keep this text or number ({message})")
    return StoreDamaged(f"{location}: {message}")


def _known(code: str, table: Any) -> str:
    return code if code in table else code[:2] if code[:2] in table else ""
