"""Many writers, many readers: nothing lost, no gap, nobody told that the database is locked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from drafting import draft, opened, ticking

FULL = os.environ.get("STORE_TEST_FULL") == "1"
TOTAL, PATIENCE_S = (10_000, 1_200) if FULL else (1_200, 240)
THREADS = 8
WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from drafting import draft, opened, ticking

path, name, threads, each = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def write(thread):
    return [store.write(draft(f"{name} {thread} {i}")).id for i in range(each)]

with opened(path, ticking(), seed=None) as store, ThreadPoolExecutor(threads) as pool:
    for ids in pool.map(write, range(threads)):
        print(*ids, sep="\\n")
"""


@pytest.mark.timeout(PATIENCE_S + 60)
def test_two_processes_with_eight_threads_each_lose_nothing(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    each = TOTAL // (2 * THREADS)
    tests = Path(__file__).resolve().parents[1]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(tests.parent), str(tests)])}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name, str(THREADS), str(each)],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("first", "second")  # both also race to make the store
    ]
    acknowledged: list[str] = []
    try:
        for process in processes:
            out, err = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 0, err
            acknowledged += out.split()
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    with opened(path, clock, seed=None) as store:
        entries = list(store.log())
        assert [engram.seq for engram in entries] == list(range(1, 2 * THREADS * each + 1))
        assert {engram.id for engram in entries} == set(acknowledged)
        assert len({engram.content for engram in entries}) == len(entries)
        assert store.verify(full=True).ok


def test_many_may_make_the_same_new_store_at_once(tmp_path: Path, clock) -> None:
    for number in range(10):
        start = threading.Barrier(6)

        def make(_: int, number: int = number, start: threading.Barrier = start) -> str:
            start.wait()
            with opened(tmp_path / f"{number}.partner", clock, seed=None) as store:
                return store.identity.device

        with ThreadPoolExecutor(6) as pool:
            assert len(set(pool.map(make, range(6)))) == 1


@pytest.mark.conforms("E15")
def test_readers_beside_a_writer_see_whole_transactions_only(tmp_path: Path) -> None:
    done = threading.Event()
    with opened(tmp_path / "identity.partner", ticking()) as store:
        first = store.write(draft("claim 0"))

        def write() -> None:
            last = first
            for i in range(1, 60):
                with store.transaction():
                    last = store.supersede(last.id, draft(f"claim {i}"))
                    store.write(draft(f"aside {i}"))
            done.set()

        def read() -> int:
            rounds = 0
            while not done.is_set() or rounds == 0:
                held = [e.content for e in store.current(limit=1000)]
                claims = [content for content in held if content.startswith("claim")]
                assert len(claims) == 1, claims
                number = int(claims[0].split()[1])
                assert len(held) == 1 + number, "the two writes of a transaction are seen together"
                head = store.head()
                assert [e.seq for e in store.log(after=head.seq - 1, limit=1)] == [head.seq]
                assert isinstance(store.search("claim"), list)
                rounds += 1
            return rounds

        with ThreadPoolExecutor(4) as pool:
            readers = [pool.submit(read) for _ in range(3)]
            pool.submit(write).result(timeout=120)
            assert all(reader.result(timeout=60) for reader in readers)
        assert store.verify(full=True).ok


def test_threads_that_race_to_supersede_the_same_claim_leave_one_answer(tmp_path: Path) -> None:
    with opened(tmp_path / "identity.partner", ticking()) as store:
        old = store.write(draft("Ana owns it."))
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda i: store.supersede(old.id, draft(f"{i} owns it.")), range(24)))
        assert len(store.status(old.id).superseded_by) == 24
        assert len(store.current()) == 1
        assert store.current()[0].seq == 25
        assert store.verify(full=True).ok
