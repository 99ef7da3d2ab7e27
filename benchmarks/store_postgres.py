"""Speed and size of the store on PostgreSQL, beside the same server written to directly.

    python -m benchmarks.store_postgres [--entries 100000] [--json]

A real server is started on a temporary folder, with its durability as installed (fsync on) and no port. The
peer writes the same rows to tables of the same columns and indexes through psycopg's own `executemany` (one
journey a batch), without guards, ids, canonical bytes, hashes or signatures.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.store import WORDS, UnsignedKey, clock, drafts, timed, verifying
from store import Store, open_store
from store.appending import indexed_text
from store.codec import read_back
from store.ids import tail_key
from store.model import Draft, Klass
from store.port import LogEntry, Standing
from store.postgres.lexical import postings
from store.retrieval.text import index_terms

SERVER = Path(__file__).resolve().parents[1] / "tests" / "postgres_server.py"
_LOG = "INSERT INTO engram.log VALUES (%s, %s, %s, %s, %s, %s)"
_STATE = (
    "INSERT INTO engram.state (seq, id, tail, klass, type, author, authority, created_us, effective_us, "
    "subject, attribute) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
_POSTING = "INSERT INTO engram.posting VALUES (%s, %s, %s, %s)"


def started(folder: Path) -> Any:
    """The server that the tests use, on `folder`."""
    spec = importlib.util.spec_from_file_location("postgres_server", SERVER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = module.Server(folder)
    server.start(fsync="on", autovacuum="on", shared_buffers="256MB")
    return server


def make(address: str, *, signed: bool = True) -> Store:
    store = open_store(address, clock=clock(), author="operator")
    if not signed:
        key = UnsignedKey(bytes(32))
        store._appender._key = lambda: key
    return store


def rate(store: Store, wanted: list[Draft], batch: int) -> float:
    """Entries a second, in transactions of `batch`."""
    start = time.perf_counter()
    for at in range(0, len(wanted), batch):
        store.write_many(wanted[at : at + batch])
    return len(wanted) / (time.perf_counter() - start)


class Trial:
    """Databases of one server, new for every round."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._made = 0

    def new(self) -> str:
        self._made += 1
        self._server.sql(f"CREATE DATABASE b{self._made}")
        return self._server.address(f"b{self._made}")

    def size(self) -> int:
        return self._server.sql(f"SELECT pg_database_size('b{self._made}')")[0][0]

    def settle(self) -> None:
        """What autovacuum does in its own time: statistics, and pages marked as all visible."""
        self._server.sql("VACUUM ANALYZE", f"b{self._made}")


def raw_rate(
    trial: Trial, rows: tuple[list[LogEntry], list[Standing], list[tuple[int, str]]], batch: int
) -> float:
    """The same rows, computed beforehand, through the driver alone."""
    import psycopg

    entries, standings, texts = rows
    state = [
        (s.seq, s.id, tail_key(s.id), s.klass.value, s.type.value, s.author, int(s.authority))
        for s in standings
    ]
    when = [(s.created_us, s.effective_us, s.subject, s.attribute) for s in standings]
    states = [a + b for a, b in zip(state, when, strict=True)]
    words = [list(zip(*postings([text])[0], strict=True)) for text in texts]
    address = trial.new()
    make(address).close()
    with psycopg.connect(address) as connection:
        connection.execute("SET session_replication_role = replica")  # no guards
        connection.commit()
        cursor = connection.cursor()
        start = time.perf_counter()
        for at in range(0, len(entries), batch):
            cursor.executemany(_LOG, entries[at : at + batch])
            cursor.executemany(_STATE, states[at : at + batch])
            cursor.executemany(_POSTING, [row for some in words[at : at + batch] for row in some])
            connection.commit()
        return len(entries) / (time.perf_counter() - start)


def appending(trial: Trial) -> dict[str, Any]:
    """Append singly and in hundreds beside the raw peer; medians of three alternating rounds."""
    found: dict[str, list[float]] = {}
    for turn in range(3):
        for name, batch, n in (("single", 1, 300), ("hundreds", 100, 5_000)):
            wanted = list(drafts(n, seed=turn))
            with make(trial.new(), signed=False) as store:
                found.setdefault(f"{name}_unsigned", []).append(rate(store, wanted, batch))
                entries = list(store.backend.entries())
                texts = [(e.seq, index_terms(indexed_text(read_back(e)))) for e in entries]
                rows = (entries, list(store.backend.standings()), texts)
            found.setdefault(f"{name}_peer", []).append(raw_rate(trial, rows, batch))
            with make(trial.new()) as store:
                found.setdefault(f"{name}_signed", []).append(rate(store, wanted, batch))
    pairs = zip(found["hundreds_unsigned"], found["hundreds_peer"], strict=True)
    singles = zip(found["single_unsigned"], found["single_peer"], strict=True)
    return {
        **{f"append_{name}_per_s": round(statistics.median(values)) for name, values in found.items()},
        "append_hundreds_ratio": round(statistics.median(ours / raw for ours, raw in pairs), 3),
        "append_single_ratio": round(statistics.median(ours / raw for ours, raw in singles), 3),
    }


def at_size(trial: Trial, n: int) -> dict[str, Any]:
    """Opening, reading and verifying a store of `n` entries."""
    address = trial.new()
    with make(address) as store:
        batch = []
        for draft in drafts(n):
            batch.append(draft)
            if len(batch) == 2_000:
                store.write_many(batch)
                batch.clear()
        store.write_many(batch)
        for engram in store.current(klass=Klass.CONCLUSION, limit=100):
            store.supersede(engram.id, next(drafts(1, seed=engram.seq)))
        middle = next(iter(store.log(after=n // 2, limit=1)))
    trial.settle()
    newest = {"klass": Klass.CONCLUSION, "limit": 20}
    out: dict[str, Any] = {"entries": n, "open_ms": round(timed(lambda: make(address).close(), 10), 2)}
    with make(address) as store:
        out |= {
            "current_by_class_ms": round(timed(lambda: store.current(**newest)), 3),
            "as_of_position_ms": round(timed(lambda: store.as_of(n // 2, **newest)), 3),
            "as_of_time_ms": round(timed(lambda: store.as_of(middle.created_at, **newest)), 3),
            "by_subject_ms": round(timed(lambda: store.current(subject="subject 7", limit=20)), 3),
            "read_by_id_ms": round(timed(lambda: store.read(middle.id)), 3),
            "search_ms": round(timed(lambda: store.search(f"{WORDS[40]} {WORDS[400]} {WORDS[4000]}"), 5), 1),
            "bytes_an_entry": round(trial.size() / n),
        }
        out |= verifying(store, rounds=1)
    return out


def measure(entries: int) -> dict[str, Any]:
    """All figures, on a server that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    server = started(folder)
    try:
        trial = Trial(server)
        version = server.sql("SHOW server_version")[0][0]
        return {"server": version, **appending(trial), **at_size(trial, entries)}
    finally:
        server.stop()
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=100_000, help="size of the large store")
    parser.add_argument("--json", action="store_true", help="only the last line")
    options = parser.parse_args()
    result = measure(options.entries)
    if not options.json:
        for key, value in result.items():
            print(f"{key:32} {value}")
    print(json.dumps(result))


if __name__ == "__main__":
    sys.exit(main())
