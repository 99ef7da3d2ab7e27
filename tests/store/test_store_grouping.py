"""Threads that append at once share a transaction; each is answered for itself, once it is durable."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from drafting import contents, draft, opened, ticking

from store import Store
from store.errors import NotFound, StoreUnavailable
from store.grouping import GroupCommit
from store.model import Draft, Link, Relation

LOST = Link(relation=Relation.REFERENCES, target="00000000-0000-7000-8000-000000000000")


class Disk:
    """A transaction that threads can be made to wait for, and that counts and fails as it is told."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.kept: list[list[str]] = []
        self.fails_at_commit = 0

    @contextmanager
    def writing(self) -> Iterator[Any]:
        self.free.wait(30)
        written: list[str] = []
        yield written
        if self.fails_at_commit:
            self.fails_at_commit -= 1
            raise StoreUnavailable("the disk is full")
        self.kept.append(written)

    def append(self, written: Any, drafts: Sequence[Draft], author: str | None = None) -> Any:
        for found in drafts:
            if found.content == "breaks":
                raise ZeroDivisionError
            if found.content == "refused":
                raise NotFound("nothing")
            written.append(found.content)
        return [found.content for found in drafts]


def wait_for(group: GroupCommit, requests: int) -> None:
    while len(group._waiting) < requests:
        time.sleep(0.001)


def queued(group: GroupCommit, disk: Disk, wanted: list[str]) -> list[Future[Any]]:
    """Threads that ask for one draft each, all of them waiting before the transaction is to be had."""
    pool = ThreadPoolExecutor(len(wanted))
    asked = [pool.submit(group.append, [draft(content)]) for content in wanted]
    wait_for(group, len(wanted))
    disk.free.set()
    pool.shutdown(wait=True)
    return asked


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def group(disk: Disk) -> GroupCommit:
    return GroupCommit(disk.writing, disk.append)


def test_what_waits_for_the_transaction_is_written_in_one(disk: Disk, group: GroupCommit) -> None:
    asked = queued(group, disk, ["a", "b", "c", "d"])
    assert sorted(f.result()[0] for f in asked) == ["a", "b", "c", "d"]
    assert [sorted(written) for written in disk.kept] == [["a", "b", "c", "d"]]


def test_who_is_refused_hinders_nobody_else(disk: Disk, group: GroupCommit) -> None:
    good, bad, other = queued(group, disk, ["a", "refused", "b"])
    with pytest.raises(NotFound):
        bad.result()
    assert (good.result(), other.result()) == (["a"], ["b"])
    assert [sorted(written) for written in disk.kept] == [["a", "b"]]


def test_where_one_breaks_the_transaction_the_others_are_written_without_it(
    disk: Disk, group: GroupCommit
) -> None:
    good, bad, other = queued(group, disk, ["a", "breaks", "b"])
    with pytest.raises(ZeroDivisionError):
        bad.result()
    assert (good.result(), other.result()) == (["a"], ["b"])
    assert sorted(word for written in disk.kept for word in written) == ["a", "b"]


def test_a_commit_that_fails_is_told_to_all_and_not_tried_again(disk: Disk, group: GroupCommit) -> None:
    disk.fails_at_commit = 1
    for asked in queued(group, disk, ["a", "b"]):
        with pytest.raises(StoreUnavailable):
            asked.result()
    assert disk.kept == []
    assert group.append([draft("after")]) == ["after"]


def test_an_interrupted_writer_leaves_the_waiting_to_the_next(disk: Disk) -> None:
    interrupted = iter([True])

    def append(written: Any, drafts: Sequence[Draft], author: str | None = None) -> Any:
        if next(interrupted, False):
            raise KeyboardInterrupt
        return disk.append(written, drafts)

    group = GroupCommit(disk.writing, append)
    results = []
    for asked in queued(group, disk, ["a", "b", "c"]):
        try:
            results += asked.result()
        except KeyboardInterrupt:
            results.append("interrupted")
    assert sorted(results) == sorted([*disk.kept[0], "interrupted"])
    assert len(disk.kept[0]) == 2


def test_threads_that_write_while_a_transaction_is_open_are_written_after_it(tmp_path: Path) -> None:
    with opened(tmp_path / "identity.partner", ticking()) as store, ThreadPoolExecutor(4) as pool:
        with store.transaction():
            store.write(draft("first"))
            asked = [pool.submit(writing(store, f"{number}")) for number in range(3)]
            lost = pool.submit(lambda: store.write(draft("lost", links=(LOST,))))
            wait_for(store._group, 4)
            store.write(draft("second"))
        ids = {future.result() for future in asked}
        with pytest.raises(NotFound):
            lost.result()
        assert contents(store.log())[:2] == ["first", "second"]
        assert {engram.id for engram in list(store.log())[2:]} == ids
        assert store.verify(full=True).ok


def writing(store: Store, content: str) -> Callable[[], str]:
    return lambda: store.write(draft(content)).id
