"""The database itself keeps the log append-only: by grants, by triggers, and whoever is connected."""

from __future__ import annotations

import psycopg
import pytest
from drafting import draft, opened
from postgres_server import Server

from store import Store
from store.errors import StoreDamaged, StoreUnavailable
from store.port import LogEntry

pytestmark = pytest.mark.xdist_group("postgres")
conforms = pytest.mark.conforms
WRITER, OWNER = "engram_writer_trial", "engram_owner_trial"
ROW = "'\\x00', '\\x00', '\\x00', '\\x00', '\\x00'"
ATTACKS = [
    "UPDATE engram.log SET body = NULL",
    "UPDATE engram.log SET header = 'x' WHERE seq = 1",
    "UPDATE engram.log SET seq = seq + 10",
    "DELETE FROM engram.log WHERE seq = 2",
    "TRUNCATE engram.log",
    f"INSERT INTO engram.log VALUES (1, {ROW}) ON CONFLICT (seq) DO UPDATE SET body = NULL",
    "MERGE INTO engram.log l USING (SELECT 1) s ON l.seq = 1 WHEN MATCHED THEN DELETE",
    "DROP TABLE engram.log",
    "DROP SCHEMA engram CASCADE",
    "ALTER TABLE engram.log DISABLE TRIGGER ALL",
    "ALTER TABLE engram.log RENAME TO old",
    "DROP TRIGGER log_keeps ON engram.log",
    "CREATE RULE silent AS ON INSERT TO engram.log DO INSTEAD NOTHING",
    "SET session_replication_role = replica",
    "UPDATE engram.head SET seq = 1",
    "DELETE FROM engram.head",
    "UPDATE engram.state SET id = gen_random_uuid()",
    "UPDATE engram.edge SET dst = src",
    "CREATE TABLE engram.mine (x int)",
    "CREATE OR REPLACE FUNCTION engram.erase(bigint) RETURNS void LANGUAGE sql AS ''",
]


@pytest.fixture
def store(database: str, clock):
    with opened(database, clock) as made:
        made.write_many([draft(f"claim {i}") for i in range(3)])
        yield made


def refused(server: Server, sql: str, role: str) -> psycopg.Error:
    with pytest.raises(psycopg.Error) as caught:
        server.sql(f"SET ROLE {role}; {sql}", "trial")
    return caught.value


@conforms("S10")
def test_the_program_s_role_can_read_and_append_and_nothing_else(store: Store, postgres: Server) -> None:
    before = list(store.backend.entries())
    for attack in ATTACKS:
        assert refused(postgres, attack, WRITER).sqlstate == "42501", attack
    assert list(store.backend.entries()) == before
    assert store.verify(full=True).ok


@conforms("S10")
def test_not_even_the_owner_s_statements_change_or_remove_an_entry(store: Store, postgres: Server) -> None:
    before = list(store.backend.entries())
    for attack in ATTACKS[:7]:
        assert refused(postgres, attack, OWNER).sqlstate in ("EN001", "23505"), attack
    assert list(store.backend.entries()) == before


def test_an_entry_goes_to_the_end_and_leaves_no_gap(store: Store, postgres: Server) -> None:
    for rows in (f"(5, {ROW})", f"(0, {ROW})", f"(4, {ROW}), (6, {ROW})"):
        assert refused(postgres, f"INSERT INTO engram.log VALUES {rows}", WRITER).sqlstate == "EN001"
    assert store.head().seq == 3
    odd = LogEntry(7, b"{}", b"{}", b"", b"", b"")
    with pytest.raises(StoreDamaged), store.backend.writing() as writer:
        writer.append([odd], [], [], [])


@conforms("S10")
def test_a_body_goes_only_when_an_erasure_in_the_log_names_its_engram(store: Store, postgres: Server) -> None:
    assert refused(postgres, "SELECT engram.erase(1)", WRITER).sqlstate == "EN001"
    second = store.read(str(store.backend.standings_at([2])[0].id))
    store.retract(second.id)
    assert refused(postgres, "SELECT engram.erase(2)", WRITER).sqlstate == "EN001"
    store.erase(second.id, "a secret")
    assert refused(postgres, "SELECT engram.erase(3)", WRITER).sqlstate == "EN001"
    assert [entry.seq for entry in store.backend.entries() if entry.body is None] == [2]


def test_the_identity_of_a_store_does_not_change(store: Store, postgres: Server) -> None:
    for sql in ("UPDATE engram.meta SET value = ''", "DELETE FROM engram.meta"):
        for key in ("store_id", "root_key"):
            for role in (WRITER, OWNER):
                assert refused(postgres, f"{sql} WHERE key = '{key}'", role).sqlstate == "EN001"


def test_a_cut_tail_is_not_written_over(store: Store, postgres: Server) -> None:
    postgres.sql("SET session_replication_role = replica; DELETE FROM engram.log WHERE seq = 3", "trial")
    with pytest.raises(StoreDamaged, match="run verify"):
        store.write(draft("goes on as if nothing were"))
    problem = store.verify(full=True).problem
    assert problem is not None
    assert (problem.kind, problem.seq) == ("cut tail", 3)


def test_even_an_administrator_s_session_acts_as_the_writer(store: Store, database: str) -> None:
    with store.backend.writing() as writer:
        assert writer._run("SELECT session_user, current_user").one() == ("postgres", WRITER)  # type: ignore[attr-defined]


def test_a_login_with_the_writer_role_writes_and_one_without_is_told_what_it_lacks(
    store: Store, postgres: Server, clock
) -> None:
    postgres.sql("CREATE ROLE app LOGIN NOINHERIT; CREATE ROLE stranger LOGIN")
    try:
        with pytest.raises(StoreUnavailable, match="grant it the store's writer role"):
            opened(postgres.address("trial", "stranger"), clock)
        postgres.sql(f"GRANT {WRITER} TO app")
        with opened(postgres.address("trial", "app"), clock, author="app") as other:
            assert other.write(draft("by the application")).seq == 4
            other.erase(other.read(store.backend.standings_at([1])[0].id).id, "lawful")
            assert other.verify(full=True).ok
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            postgres.sql(f"SET ROLE {OWNER}", "trial", "app")
    finally:
        postgres.sql("DROP ROLE IF EXISTS app; DROP ROLE IF EXISTS stranger")


def test_a_role_that_may_not_make_roles_can_use_those_an_administrator_made(
    postgres: Server, new_database: str, clock
) -> None:
    owner, writer = f"engram_owner_{new_database}", f"engram_writer_{new_database}"
    postgres.sql("CREATE ROLE modest LOGIN")
    try:
        with pytest.raises(StoreUnavailable, match="may not do that"):
            opened(postgres.address(new_database, "modest"), clock)
        postgres.sql(
            f"CREATE ROLE {owner}; CREATE ROLE {writer}; GRANT {owner}, {writer} TO modest; "
            f"GRANT CREATE ON DATABASE {new_database} TO {owner}, modest"
        )
        with opened(postgres.address(new_database, "modest"), clock) as made:
            assert made.write(draft("a claim")).seq == 1
        postgres.sql(f"REVOKE {owner} FROM modest")
        with opened(postgres.address(new_database, "modest"), clock) as again:
            assert again.write(draft("another claim")).seq == 2
    finally:
        postgres.sql(f"REVOKE CREATE ON DATABASE {new_database} FROM {owner}, modest; DROP ROLE modest")


def test_a_role_that_may_make_roles_needs_no_superuser(postgres: Server, new_database: str, clock) -> None:
    postgres.sql(f"CREATE ROLE maker LOGIN CREATEROLE; GRANT CREATE ON DATABASE {new_database} TO maker")
    try:
        with opened(postgres.address(new_database, "maker"), clock) as made:
            assert made.write(draft("a claim")).seq == 1
            assert made.verify(full=True).ok
    finally:
        postgres.sql("DROP OWNED BY maker", new_database)
        postgres.sql(f"REVOKE CREATE ON DATABASE {new_database} FROM maker")
        postgres.sql(f"DROP DATABASE {new_database} WITH (FORCE)")
        postgres.sql(f"CREATE DATABASE {new_database}")
        postgres.sql(f"DROP ROLE engram_owner_{new_database}, engram_writer_{new_database}, maker")
