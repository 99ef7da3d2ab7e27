"""Many writers at once: positions without gaps, nothing lost, one identity, readers that never wait."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from drafting import draft, opened, ticking
from postgres_server import Server

pytestmark = pytest.mark.xdist_group("postgres")
PROCESSES, THREADS, EACH = 2, 8, 60
ROOT = Path(__file__).resolve().parents[3]

WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from drafting import draft, opened, ticking

address, name, threads, each = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def run(store, thread):
    for i in range(0, each, 3):
        store.write(draft(f"{name}/{thread}/{i}"))
        store.write_many([draft(f"{name}/{thread}/{i + 1}"), draft(f"{name}/{thread}/{i + 2}")])

with opened(address, ticking(), seed=None) as store:
    print("open", flush=True)
    sys.stdin.readline()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda thread: run(store, thread), range(threads)))
"""


def start(address: str, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, address, name, str(THREADS), str(EACH)],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.conforms("E15")
def test_two_processes_of_eight_threads_lose_nothing_and_leave_no_gap(database: str, clock) -> None:
    writers = [start(database, f"p{i}") for i in range(PROCESSES)]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    seen = 0
    with opened(database, clock) as store:
        while any(writer.poll() is None for writer in writers):
            seqs = [engram.seq for engram in store.log(after=seen)]
            assert seqs == list(range(seen + 1, seen + 1 + len(seqs)))  # a cursor never skips one
            seen += len(seqs)
        for writer in writers:
            writer.communicate()
            assert writer.returncode == 0
        expected = {f"p{p}/{t}/{i}" for p in range(PROCESSES) for t in range(THREADS) for i in range(EACH)}
        engrams = list(store.log())
        assert {engram.content for engram in engrams} == expected
        assert [engram.seq for engram in engrams] == list(range(1, len(expected) + 1))
        assert store.verify(full=True).ok


def test_several_who_make_a_store_at_once_make_one(database: str) -> None:
    gate = threading.Barrier(4)

    def make(_: int) -> str:
        gate.wait()
        with opened(database, ticking(), seed=None) as store:
            store.write(draft("here"))
            return store.identity.store_id

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(make, range(4)))) == 1
    with opened(database, ticking()) as store:
        assert store.head().seq == 4
        assert store.verify(full=True).ok


def test_a_reader_sees_the_last_commit_and_does_not_wait_for_a_writer(database: str, clock) -> None:
    with opened(database, clock) as one, opened(database, clock) as two:
        kept = one.write(draft("kept"))
        with one.transaction():
            one.write(draft("not yet"))
            assert two.current() == [kept]
            assert two.head().seq == 1
        assert two.head().seq == 2


def test_a_server_whose_default_is_serializable_makes_no_difference(
    database: str, postgres: Server, clock
) -> None:
    postgres.sql("ALTER DATABASE trial SET default_transaction_isolation = 'serializable'")
    try:
        with opened(database, clock) as one, opened(database, clock, seed=8) as two:
            one.write(draft("first"))
            with ThreadPoolExecutor(2) as pool, one.transaction():
                waiting = pool.submit(two.write, draft("third"))
                one.write(draft("second"))
                assert not waiting.done()
            assert waiting.result().seq == 3
            assert one.verify(full=True).ok
    finally:
        postgres.sql("ALTER DATABASE trial RESET default_transaction_isolation")


def test_more_threads_than_sessions_still_all_write(database: str, clock) -> None:
    with opened(database, clock) as store, ThreadPoolExecutor(48) as pool:
        seqs = list(
            pool.map(
                lambda i: store.supersede(store.write(draft(f"{i}")).id[-12:], draft("n")).seq, range(48)
            )
        )
        assert len(set(seqs)) == 48
        assert store.head().seq == 96
        assert len(store.current()) == 48
