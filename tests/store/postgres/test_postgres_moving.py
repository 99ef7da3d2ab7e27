"""From a file to a server and back: the same identity, entries, hashes, vectors and answers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from drafting import draft, opened, ticking

from store import Store
from store.errors import BadRequest
from store.opening import import_store
from store.portable import export_store

pytestmark = pytest.mark.xdist_group("postgres")


def filled(target: str | Path, **options: str) -> Store:
    store = opened(target, ticking(), **options)
    a, b, c = store.write_many([draft("Ana owns the schema."), draft("Never on Fridays."), draft("secret")])
    store.supersede(a.id, draft("Bo owns the schema."))
    store.link(a.id, "references", b.id)
    store.retract(b.id)
    store.erase(c.id, "gone")
    store.put_vectors("m", [(a.id, b"\x00\x01"), (b.id, b"\xff")])
    store.reinforce([a.id, a.id], ticking()())
    store.reinforce([a.id], ticking()())
    return store


def everything(store: Store) -> list[object]:
    log = store.backend
    return [
        store.identity,
        store.head(),
        list(log.entries()),
        list(log.standings()),
        log.edges(include_ended=True),
        [row[1:] for row in log.vectors("m")],
        log.accesses(range(1, 20)),
        [(hit.engram.id, pytest.approx(hit.score)) for hit in store.search("schema fridays", history=True)],
    ]


@pytest.mark.conforms("P17", "S18")
def test_a_store_moves_from_a_file_to_a_server_and_back_and_stays_the_same(
    database: str, tmp_path: Path, clock
) -> None:
    with filled(tmp_path / "here.partner") as source:
        before = everything(source)
        export_store(source, tmp_path / "export.jsonl")
        checkpoint = tmp_path / "checkpoint.json"
        checkpoint.write_text(source.checkpoint().json())
    with import_store(tmp_path / "export.jsonl", database, clock=clock, author="operator") as server:
        assert everything(server) == before
        assert server.verify(full=True, against=checkpoint).ok
        back = server.backup(tmp_path / "back.partner")
        with pytest.raises(BadRequest, match="exists already"):
            server.backup(back)
    assert sorted(os.listdir(tmp_path)) == ["back.partner", "checkpoint.json", "export.jsonl", "here.partner"]
    assert back.stat().st_mode & 0o777 == 0o600
    with opened(back, clock) as store:
        assert everything(store) == before
        assert store.verify(full=True, against=checkpoint).ok
        assert store.write(draft("goes on")).seq == store.head().seq


def test_a_backup_is_of_one_moment_while_others_write(database: str, tmp_path: Path, clock) -> None:
    with filled(database) as store, opened(database, clock, seed=None) as other:
        store.backend.copy_to(tmp_path / "one.partner")
        with other.transaction():
            other.write(draft("not committed"))
            store.backup(tmp_path / "two.partner")
        head = store.head().seq
    with opened(tmp_path / "two.partner", clock) as copy:
        assert copy.head().seq == head - 1
        assert copy.verify(full=True).ok


def test_a_backup_can_be_made_by_who_may_only_read(database: str, tmp_path: Path, clock) -> None:
    filled(database).close()
    with opened(database, clock, read_only=True) as store:
        path = store.backup(tmp_path / "copy.partner")
    with opened(path, clock) as copy:
        assert copy.verify(full=True).ok


def test_a_sealed_key_stays_sealed_on_the_way(database: str, tmp_path: Path, clock) -> None:
    with filled(database, passphrase="open sesame") as store:
        store.backup(tmp_path / "copy.partner")
    with opened(tmp_path / "copy.partner", clock) as copy, pytest.raises(BadRequest, match="sealed"):
        copy.write(draft("without the passphrase"))


def test_an_import_into_a_server_that_holds_a_store_changes_nothing(
    database: str, tmp_path: Path, clock
) -> None:
    with filled(tmp_path / "here.partner") as source:
        export_store(source, tmp_path / "export.jsonl")
    with opened(database, clock, seed=8) as store:
        store.write(draft("mine"))
        before = everything(store)
    with pytest.raises(BadRequest, match="holds a store already"):
        import_store(tmp_path / "export.jsonl", database, clock=clock, author="operator")
    with opened(database, clock) as store:
        assert everything(store) == before
    with pytest.raises(BadRequest, match="names no database"):
        import_store(tmp_path / "export.jsonl", "postgresql://host", clock=clock, author="operator")
