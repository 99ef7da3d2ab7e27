"""Stopped at any step of making, rekeying, moving, copying, importing: what was is there, or what was to be.

The process is ended in the middle (as by kill -9) at every so many calls that the store's own code makes,
counted in a run that is let through; what SQLite does inside one call is its own, and `test_store_crashes`.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from drafting import draft, opened, ticking

from store import create_store, export_store, import_store, move_store, protection, rekey_store
from store.errors import Locked, StoreUnavailable
from store.files import placing
from store.sqlite.maintenance import alone

FULL = os.environ.get("STORE_TEST_FULL") == "1"
MOMENTS = 150 if FULL else 14
WORDS = b"zqxcanaryzqx"
HERE = f"{os.sep}store{os.sep}"
Work = Callable[[], object]


def stopped_after(calls: int | None, work: Work) -> int:
    """Run `work` in a process that ends at its so-manieth call; how many it made, when let through."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        made = 0

        def count(frame: Any, event: str, _: object) -> None:
            nonlocal made
            if event in ("call", "c_call") and HERE in frame.f_code.co_filename:
                made += 1
                if made == calls:
                    os._exit(9)

        sys.setprofile(count)
        try:
            work()
        finally:
            sys.setprofile(None)
            os.write(write, str(made).encode())
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        return int(pipe.read() or 0)


def moments(work: Callable[[Path], object], fresh: Callable[[str], Path]) -> Iterator[Path]:
    """Folders in which `work` was stopped, from its first call to its last."""
    whole = fresh("whole")
    total = stopped_after(None, partial(work, whole))
    assert total > 20, "it was let through and did something"
    for n in range(MOMENTS):
        folder = fresh(str(n))
        # its last calls, where files change places, are looked at one by one
        at = total - n if n < MOMENTS // 2 else 1 + (total * (n - MOMENTS // 2)) // (MOMENTS // 2)
        stopped_after(at, partial(work, folder))
        yield folder


@pytest.fixture
def filled(tmp_path: Path) -> Callable[[str], Path]:
    """Makes a folder with the same small store in it."""
    first = tmp_path / "first"
    first.mkdir()
    with opened(first / "a.partner", ticking()) as store:
        store.write_many([draft(f"claim {n} {WORDS.decode()}") for n in range(5)])
        export_store(store, first / "export.jsonl")

    def fresh(name: str) -> Path:
        return Path(shutil.copytree(first, tmp_path / name))

    return fresh


def whole(path: Path, passphrase: str | None = None) -> None:
    with opened(path, ticking(), seed=None, passphrase=passphrase, create=False) as store:
        assert store.head().seq == 5
        assert store.verify(full=True).ok
        store.write(draft("written afterwards"))


@pytest.mark.conforms("E23")
@pytest.mark.parametrize("encrypt", [True, False])
def test_a_rekey_that_is_stopped_leaves_one_whole_store_and_no_bytes_beside_it(filled, encrypt: bool) -> None:
    def rekey(folder: Path) -> None:
        rekey_store(folder / "a.partner", passphrase=None, new_passphrase="sesame", encrypt=encrypt)

    found = set()
    for folder in moments(rekey, filled):
        (folder / "export.jsonl").unlink()
        kind = protection(folder / "a.partner")
        found.add(kind)
        whole(folder / "a.partner", None if kind == "none" else "sesame")
        assert [p.name for p in folder.iterdir()] == ["a.partner"]
        assert (WORDS in (folder / "a.partner").read_bytes()) == (kind != "file")
    assert found == {"none", "file" if encrypt else "keys"}, "the moments lie on both sides"


@pytest.mark.conforms("E23", "P17")
def test_a_move_that_is_stopped_leaves_one_whole_store(filled) -> None:
    def move(folder: Path) -> None:
        move_store(folder / "a.partner", folder / "b.partner")

    found = set()
    for folder in moments(move, filled):
        (place,) = folder.glob("[ab].partner")
        found.add(place.name)
        whole(place)
    assert found == {"a.partner", "b.partner"}


@pytest.mark.conforms("E23")
@pytest.mark.parametrize("kind", ["none", "keys", "file"])
def test_a_store_that_is_stopped_in_the_making_is_there_as_it_was_wanted_or_not_at_all(
    tmp_path: Path, kind: str
) -> None:
    said = None if kind == "none" else "sesame"

    def make(folder: Path) -> None:
        with create_store(
            folder / "a.partner", clock=ticking(), author="operator", passphrase=said, encrypt=kind == "file"
        ) as store:
            store.head()

    def fresh(name: str) -> Path:
        (tmp_path / name).mkdir()
        return tmp_path / name

    for folder in moments(make, fresh):
        if not (folder / "a.partner").exists():
            make(folder)
        assert protection(folder / "a.partner") == kind
        with opened(folder / "a.partner", ticking(), passphrase=said) as store:
            store.write(draft("a claim"))
        assert [p.name for p in folder.iterdir()] == ["a.partner"]


@pytest.mark.conforms("E23")
def test_an_import_that_is_stopped_leaves_no_part_of_a_store(filled) -> None:
    def load(folder: Path) -> None:
        with closing(
            import_store(folder / "export.jsonl", folder / "b.partner", clock=ticking(), author="operator")
        ) as store:
            store.head()

    for folder in moments(load, filled):
        if not (folder / "b.partner").exists():
            load(folder)
        whole(folder / "b.partner")
        assert sorted(p.name for p in folder.iterdir()) == ["a.partner", "b.partner", "export.jsonl"]


@pytest.mark.conforms("E23")
def test_a_backup_that_is_stopped_is_whole_or_has_no_name(filled) -> None:
    def copy(folder: Path) -> None:
        with opened(folder / "a.partner", ticking(), seed=None) as store:
            store.backup(folder / "b.partner")
            export_store(store, folder / "c.jsonl")

    for folder in moments(copy, filled):
        if (folder / "c.jsonl").exists():
            import_store(folder / "c.jsonl", folder / "d.partner", clock=ticking(), author="operator").close()
            whole(folder / "d.partner")
        if (folder / "b.partner").exists():
            whole(folder / "b.partner")
        whole(folder / "a.partner")


def test_a_database_whose_journal_could_not_be_folded_in_gets_no_name(tmp_path: Path) -> None:
    """As on a disk that is full when the last connection closes, of which SQLite says nothing."""

    def write() -> None:
        with placing(tmp_path / "a") as unfinished:
            unfinished.write_bytes(b"SQLite format 3\x00")
            unfinished.with_name(unfinished.name + "-wal").write_bytes(b"what is not in it")

    with pytest.raises(StoreUnavailable, match="nothing was kept"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_rekey_stopped_just_before_the_files_change_places_has_not_lost_the_store(filled) -> None:
    """The old file has two names then: neither may be wiped as the one that was replaced."""
    folder = filled("linked")
    os.link(folder / "a.partner", folder / ".a.partner.replaced")
    whole(folder / "a.partner")
    assert not (folder / ".a.partner.replaced").exists()


def test_what_waits_while_a_store_is_rekeyed_writes_nothing_into_the_file_that_was(filled) -> None:
    """Another process that has opened the old file, and gets its turn when that is no longer the store."""
    folder = filled("waiting")
    path = folder / "a.partner"
    (opened_here, tell), (held, let_go) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            from store.sqlite import driving

            known = driving.prepare

            def prepare(driver: Any, **options: Any) -> None:
                os.write(tell, b".")  # the file is open here, and no lock is held yet
                os.read(held, 1)
                known(driver, **options)

            driving.prepare = prepare
            with opened(path, ticking(), seed=None) as store:
                store.write(draft("into the void"))
        except Locked:
            os._exit(3)
        except Exception as error:  # noqa: BLE001 - told to the parent by its name
            os._exit(4 if "just moved" in str(error) else 5)
        os._exit(0)
    os.close(tell)
    assert os.read(opened_here, 1) == b"."
    with alone(path, None):
        os.write(let_go, b".")
        fresh = filled("fresh") / "a.partner"
        os.replace(fresh, path)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 4
    for descriptor in (opened_here, held, let_go):
        os.close(descriptor)
    whole(path)
