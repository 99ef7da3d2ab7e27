"""A server that is away, busy, foreign or newer is a clear sentence, and the store goes on afterwards."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import psycopg
import pytest
from drafting import contents, draft, opened
from postgres_server import Server
from psycopg import errors
from sqlalchemy import exc

from store import Store
from store.errors import BadRequest, NewerFormat, NotAStore, StoreDamaged, StoreError, StoreUnavailable
from store.postgres.connection import translate
from store.postgres.migrations import MIGRATIONS, Migration
from store.postgres.opening import open_server

pytestmark = pytest.mark.xdist_group("postgres")
conforms = pytest.mark.conforms


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://",
        "postgresql://host",
        "postgresql://host:port/db",
        "postgres://u:hunter2@[::/db",
        "postgresql:///",
    ],
)
def test_an_address_that_is_none_is_refused_without_repeating_its_password(address: str, clock) -> None:
    with pytest.raises(BadRequest) as caught:
        opened(address, clock)
    assert "hunter2" not in str(caught.value)
    assert "postgresql://user@host/database" in str(caught.value)


def test_a_server_that_does_not_answer_is_named_without_the_password(tmp_path, clock) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        opened(f"postgresql://ana:hunter2@/diary?host={tmp_path}", clock)
    assert "is it running?" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_database_or_a_login_that_is_not_there_is_said_so(postgres: Server, clock) -> None:
    with pytest.raises(StoreUnavailable, match=r'database "nowhere" does not exist.*check the user'):
        opened(postgres.address("nowhere"), clock)
    with pytest.raises(StoreUnavailable, match=r'role "nobody_here" does not exist'):
        opened(postgres.address("postgres", "nobody_here"), clock)


def test_opening_without_creating_needs_a_store_that_is_there(database: str, postgres: Server, clock) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreUnavailable, match="there is no store in"):
            opened(database, clock, **options)
    assert postgres.sql("SELECT 1 FROM pg_namespace WHERE nspname = 'engram'", "trial") == []
    with pytest.raises(BadRequest, match="encrypt the server's disk"):
        opened(database, clock, passphrase="x", encrypt=True)


def test_another_program_s_schema_is_left_alone(database: str, postgres: Server, clock) -> None:
    postgres.sql("CREATE SCHEMA engram; CREATE TABLE engram.log (seq int)", "trial")
    with pytest.raises(NotAStore, match="nothing was changed"):
        opened(database, clock)
    assert postgres.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'engram'", "trial") == [(1,)]


def test_a_database_that_does_not_keep_unicode_is_refused(postgres: Server, clock) -> None:
    postgres.sql("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try:
        with pytest.raises(StoreUnavailable, match="needs a database in UTF8"):
            opened(postgres.address("ascii"), clock)
    finally:
        postgres.sql("DROP DATABASE ascii WITH (FORCE)")


def test_nothing_acknowledged_is_lost_when_the_server_is_killed_and_the_store_goes_on(
    database: str, postgres: Server, clock
) -> None:
    with opened(database, clock) as store:
        store.write_many([draft(f"claim {i}") for i in range(20)])
        postgres.kill()
        try:
            for attempt in (lambda: store.write(draft("lost")), store.current, store.head):
                with pytest.raises(StoreUnavailable, match=r"is it running\?"):
                    attempt()
        finally:
            postgres.start()
        assert len(store.current()) == 20
        assert store.write(draft("after the crash")).seq == 21
        assert store.verify(full=True).ok


def test_a_crash_under_load_loses_nothing_acknowledged_and_leaves_no_gap(
    database: str, postgres: Server, clock
) -> None:
    kept: list[str] = []

    def write_until_it_is_gone(store: Store, thread: int) -> None:
        for i in count():
            try:
                store.write(draft(f"{thread}/{i}"))
            except StoreUnavailable:
                return
            kept.append(f"{thread}/{i}")

    with opened(database, clock) as store:
        for crash in range(2):
            with ThreadPoolExecutor(4) as pool:
                running = [pool.submit(write_until_it_is_gone, store, 4 * crash + t) for t in range(4)]
                while len(kept) < 20 * (crash + 1):
                    time.sleep(0.01)
                postgres.kill()
                for writer in running:
                    writer.result()
            postgres.start()
        engrams = list(store.log())
        assert [engram.seq for engram in engrams] == list(range(1, len(engrams) + 1))
        assert set(kept) <= {engram.content for engram in engrams}
        assert len(engrams) <= len(kept) + 2 * 4  # each crash may find one write of each thread in its commit
        assert store.verify(full=True).ok


def test_a_session_that_died_while_idle_is_replaced_without_a_word(
    database: str, postgres: Server, clock
) -> None:
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'trial'"
    with opened(database, clock) as store:
        store.write(draft("first"))
        postgres.sql(end)
        assert store.write(draft("second")).seq == 2
        postgres.sql(end)
        assert contents(store.current()) == ["second", "first"]


def test_a_write_whose_session_dies_in_the_middle_is_not_there(
    database: str, postgres: Server, clock
) -> None:
    with opened(database, clock) as store:
        store.write(draft("kept"))

        def cut_off() -> None:
            with store.transaction():
                store.write(draft("lost"))
                postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'trial'")
                store.write(draft("lost too"))

        with pytest.raises(StoreUnavailable):
            cut_off()
        assert contents(store.current()) == ["kept"]
        assert store.write(draft("next")).seq == 2


def test_a_server_lost_while_it_commits_leaves_the_question_open_and_says_so(
    database: str, postgres: Server, clock
) -> None:
    def loses_the_server(store: Store) -> None:
        with store.backend.writing() as writer:
            writer.set_meta({"trial": b"1"})
            postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'trial'")

    with opened(database, clock) as store:
        with pytest.raises(StoreUnavailable, match="may or may not be there"):
            loses_the_server(store)
        assert store.write(draft("goes on")).seq == 1


def test_a_writer_that_waits_too_long_for_another_is_told(database: str, clock) -> None:
    impatient = f"{database}&options=-c%20lock_timeout%3D100"
    with (
        opened(database, clock) as one,
        opened(impatient, clock) as two,
        one.backend.writing(),
        pytest.raises(StoreUnavailable, match="held by another program"),
    ):
        two.write(draft("waits"))


def test_a_store_opened_to_read_only_reads_and_never_writes(database: str, clock) -> None:
    with opened(database, clock) as store:
        store.write(draft("a claim"))
    with opened(database, clock, read_only=True) as store:
        assert contents(store.current()) == ["a claim"]
        assert store.verify(full=True).ok
        with pytest.raises(StoreUnavailable):
            store.write(draft("no"))
        with pytest.raises(StoreUnavailable, match="read-only"), store.backend.writing():
            pass


def test_a_closed_store_says_so(database: str, clock) -> None:
    store = opened(database, clock)
    store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        store.current()


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (errors.DiskFull("no space left"), StoreUnavailable, "disk of the server is full"),
        (errors.TooManyConnections("sorry"), StoreUnavailable, "no room for this"),
        (errors.ReadOnlySqlTransaction("standby"), StoreUnavailable, "cannot be written"),
        (errors.DeadlockDetected("deadlock"), StoreUnavailable, "try again"),
        (errors.QueryCanceled("timeout"), StoreUnavailable, "cancelled this"),
        (errors.AdminShutdown("terminating"), StoreUnavailable, "is it running"),
        (errors.InsufficientPrivilege("denied"), StoreUnavailable, "writer role"),
        (errors.UntranslatableCharacter("NUL"), BadRequest, "cannot keep this text"),
        (errors.DataCorrupted("invalid page"), StoreDamaged, "invalid page"),
        (errors.UniqueViolation("twice"), StoreDamaged, "twice"),
    ],
)
def test_what_the_server_says_becomes_one_of_the_store_s_own_errors(
    error: psycopg.Error, kind: type[StoreError], says: str
) -> None:
    found = translate(exc.DBAPIError("SELECT secret", None, error), "postgresql://ana@host/diary")
    assert type(found) is kind
    assert says in str(found)
    assert "SELECT secret" not in str(found)


def test_a_missing_driver_is_named_with_what_to_install(database: str, clock, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreUnavailable, match=r"pip install 'partner\[postgres\]'"):
        opened(database, clock)


LATER = (*MIGRATIONS, Migration("a further index", "CREATE INDEX later ON engram.state (author)"))


def options(*, read_only: bool = False) -> dict[str, bool]:
    return {"encrypt": False, "create": True, "read_only": read_only}


def test_an_older_store_is_brought_forward_once_with_its_record(
    database: str, postgres: Server, clock
) -> None:
    with opened(database, clock) as store:
        store.write(draft("from before"))
        head = store.head()
    with pytest.raises(StoreUnavailable, match="open it once to write"):
        open_server(database, **options(read_only=True), migrations=LATER)
    for _ in range(2):
        log = open_server(database, **options(), migrations=LATER)
        assert log.head()[0] == head.seq
        log.close()
    assert postgres.sql("SELECT number, name FROM engram.migration ORDER BY number", "trial") == [
        (1, "first tables"),
        (2, "a further index"),
    ]
    with pytest.raises(NewerFormat, match="update this program"):
        opened(database, clock)


def test_a_migration_that_fails_leaves_the_store_as_it_was(database: str, clock) -> None:
    with opened(database, clock) as store:
        store.write(draft("from before"))
    broken = Migration("broken", "CREATE TABLE engram.half (x int)\n\nSELECT 1/0")
    with pytest.raises(BadRequest):
        open_server(database, **options(), migrations=(*MIGRATIONS, broken))
    with opened(database, clock) as store:
        assert contents(store.current()) == ["from before"]
        assert store.verify(full=True).ok
