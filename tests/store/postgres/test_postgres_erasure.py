"""What is erased is in no table file of the server afterwards, also when a reader stood in the way."""

from __future__ import annotations

import psycopg
import pytest
from drafting import contents, draft, opened
from postgres_server import Server

pytestmark = pytest.mark.xdist_group("postgres")
CANARY = "xylophone-hunter2-canary"


def holders(server: Server, needle: bytes) -> list[str]:
    """Table files with these bytes, everything being written out. The write-ahead log is the server's own."""
    server.sql("CHECKPOINT")
    files = [path for path in (server.data / "base").rglob("*") if path.is_file()]
    return [path.name for path in files if needle in path.read_bytes()]


def erased_canary(store, *, vector: bool = True) -> None:
    secret = store.write(
        draft(f"The password is {CANARY}.", metadata={"subject": CANARY, "keys": "canarywords"})
    )
    store.write(draft("Ana owns the schema."))
    if vector:
        store.put_vectors("m", [(secret.id, b"vector of " + CANARY.encode())])
    store.erase(secret.id, "a secret")


@pytest.mark.conforms("S10")
def test_an_erased_secret_is_in_no_file_of_any_table(database: str, postgres: Server, clock) -> None:
    with opened(database, clock) as store:
        erased_canary(store)
        assert store.backend.meta("scrub") is None
        for needle in (CANARY.encode(), b"canarywords", b"xylophon"):
            assert holders(postgres, needle) == []
        assert store.verify(full=True).ok
        assert contents(store.current()) == ["Ana owns the schema."]


def test_an_erasure_that_a_reader_holds_up_is_finished_at_the_next_write(
    database: str, postgres: Server, clock
) -> None:
    with opened(database, clock) as store:
        store.write(draft("something"))
        with psycopg.connect(database) as reader:  # a dump, say: one snapshot from before the erasure
            reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            reader.execute("SELECT 1 FROM pg_class").fetchall()
            erased_canary(store)
            assert store.backend.meta("scrub") == b"1"
            assert holders(postgres, CANARY.encode()) != []
            assert store.verify(full=True).ok
        store.write(draft("the next write"))
        assert store.backend.meta("scrub") is None
        assert holders(postgres, CANARY.encode()) == []


def test_a_reader_that_holds_the_tables_is_waited_for_no_longer_than_five_seconds(
    database: str, postgres: Server, clock
) -> None:
    with opened(database, clock) as store:
        store.write(draft("something"))
        with psycopg.connect(database) as reader:
            reader.execute("SELECT 1 FROM engram.log").fetchall()
            erased_canary(store, vector=False)
            assert store.backend.meta("scrub") == b"1"
    with opened(database, clock) as store:
        assert store.backend.meta("scrub") is None
        assert holders(postgres, CANARY.encode()) == []


def test_a_key_sealed_by_a_passphrase_leaves_no_open_copy(database: str, postgres: Server, clock) -> None:
    with opened(database, clock) as store:
        seed = store.backend.meta(f"secret:{store.identity.device}")
        assert seed is not None
        assert holders(postgres, seed) != []
        store.set_passphrase("open sesame")
        assert holders(postgres, seed) == []
    with opened(database, clock, passphrase="open sesame") as store:
        assert store.write(draft("unsealed")).seq == 1
