"""FORMAT.md is enough: a second implementation verifies what the first wrote; old formats still open."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from drafting import INFERENCE, draft, opened

from store import open_store
from store.errors import NewerFormat, StoreUnavailable
from store.files import wipe
from store.model import CLASS_OF, EngramType, Link, Relation
from store.sqlite import migrating
from store.sqlite.connection import open_engine
from store.sqlite.driver import dbapi2
from store.sqlite.marks import FORMAT_NUMBER

TESTS = Path(__file__).resolve().parents[1]
READER = TESTS / "independent_reader.py"
FORMAT = TESTS.parent / "store" / "FORMAT.md"
OLD = {1: TESTS / "data" / "store-format-1.partner"}
OLD_HEAD = "e1:5875fd1b4ba11cc87007338c6d62455e4363f7cabc252deb5d8ced91f48ccc16"


def read_independently(path: Path, *more: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(READER), str(path), *map(str, more)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def lively(path: Path, clock) -> None:
    """A store in which every rule of the fold is at work."""
    with opened(path, clock) as store:
        a, b, c, d = store.write_many([draft(f"claim {n}") for n in "abcd"])
        store.supersede(a.id, draft("a again"))
        store.supersede(a.id, draft("a once more"))
        store.supersede(a.id, draft("a, perhaps", provenance=INFERENCE))
        store.supersede(b.id, draft("b, perhaps", provenance=INFERENCE))
        store.retract(c.id, "no more")
        store.link(d.id, "contradicts", store.write(draft("guess", provenance=INFERENCE)).id)
        store.write(draft("both", links=(Link(relation=Relation.CONTRADICTS, target=d.id),)))
        old, new = store.write_many([draft("old"), draft("new")])
        store.link(new.id, "supersedes", old.id)
        store.erase(store.write(draft("secret", EngramType.NOTE)).id, "gone")
        store.retract(store.link(a.id, "blocks", d.id).claim)


def test_the_reader_is_short_and_imports_nothing_of_the_project() -> None:
    text = READER.read_text()
    assert len(text.splitlines()) <= 150
    assert not [line for line in text.splitlines() if line.startswith(("from store", "import store"))]


def test_an_independent_reader_verifies_a_store_and_agrees_on_what_holds(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    lively(path, clock)
    with opened(path, clock) as store:
        (tmp_path / "checkpoint.json").write_text(store.checkpoint().json())
        expected = [engram.id for engram in store.current(newest_first=False)]
        head = store.head()
    done = read_independently(path, tmp_path / "checkpoint.json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"entries": head.seq, "head": head.hash, "holds": expected}


def test_the_independent_reader_finds_what_was_altered(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    lively(path, clock)
    raw = dbapi2.connect(str(path), isolation_level=None)
    raw.execute("DROP TRIGGER log_no_update")
    raw.execute("UPDATE log SET body = CAST(replace(body, 'claim b', 'claim B') AS BLOB) WHERE seq = 2")
    raw.close()
    done = read_independently(path)
    assert (done.returncode, done.stderr) == (1, "does not verify: 2: content altered\n")


def test_the_format_document_names_every_type_relation_table_and_format_number() -> None:
    text = FORMAT.read_text()
    for name in [*EngramType, *set(CLASS_OF.values()), *Relation, "log", "meta", "state", "edge", "terms"]:
        assert str(name) in text
    assert f"- {FORMAT_NUMBER}:" in text


@pytest.mark.parametrize("number", sorted(OLD))
def test_a_store_of_every_earlier_format_opens_and_a_copy_is_kept_first(
    tmp_path: Path, clock, number
) -> None:
    path = Path(shutil.copy(OLD[number], tmp_path / "identity.partner"))
    with pytest.raises(StoreUnavailable, match="open it once to write"):
        opened(path, clock, read_only=True)
    with opened(path, clock, seed=None) as store:
        assert (store.head().seq, store.head().hash) == (9, OLD_HEAD)
        assert store.verify(full=True).ok
        assert [e.content for e in store.current()] == [
            "Ship the ledger by May.",
            "Never deploy on Fridays.",
            "Bo owns the schema.",
        ]
        assert store.write(draft("still the same identity")).seq == 10
        assert store.verify(full=True).ok
    kept = migrating.kept_copy(path, number)
    assert read_independently(kept).returncode == 0
    assert int.from_bytes(kept.read_bytes()[60:64], "big") == number
    assert int.from_bytes(path.read_bytes()[60:64], "big") == FORMAT_NUMBER


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path: Path, clock) -> None:
    path = Path(shutil.copy(OLD[1], tmp_path / "identity.partner"))

    def fails(driver) -> None:
        driver.execute("CREATE TABLE half_done (x)")
        raise ZeroDivisionError

    steps = [*migrating.MIGRATIONS, migrating.Migration(FORMAT_NUMBER + 1, "fails", fails)]
    engine = open_engine(path, key=None, read_only=False)
    with pytest.raises(ZeroDivisionError):
        migrating.migrate(engine, path, read_only=False, migrations=steps)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA user_version").scalar() == 1
        assert not connection.exec_driver_sql("SELECT 1 FROM sqlite_schema WHERE name = 'half_done'").all()
    engine.dispose()
    with opened(path, clock) as store:
        assert store.verify(full=True).ok


def test_a_store_of_a_newer_version_is_refused_and_not_touched(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    opened(path, clock).close()
    raw = dbapi2.connect(str(path), isolation_level=None)
    raw.execute(f"PRAGMA user_version = {FORMAT_NUMBER + 1}")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(NewerFormat, match="newer version"):
        open_store(path, clock=clock, author="operator")
    assert path.read_bytes() == before


def test_wiping_a_file_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    wipe(tmp_path / "nothing")
