"""`EngramLog` over SQLite: SQLModel's tables asked by SQLAlchemy; writes and what is asked all the time as
prepared text, through the driver."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, func, select
from sqlmodel import col

from store.copies import prove
from store.files import kept_copies, placing, wipe
from store.ids import TAIL_DIGITS, canonical_id, tail_range
from store.model import Klass, Relation
from store.port import EdgeRow, LogEntry, Reopening, Row, Selection, Standing
from store.rows import EDGE_COLUMNS, as_edge, as_standing
from store.sqlite import guard
from store.sqlite.connection import begin_writing, open_engine, translated
from store.sqlite.lexical import BEST, FREQUENCY, LOOKED_AT, ranked_of
from store.sqlite.prepared import (
    ACCESSES,
    ENDED,
    ENTRIES_AT,
    LAST_ENTRY,
    META,
    VECTORS,
    edges_of,
    entries_of,
    moments_of,
    within_of,
)
from store.sqlite.scanning import AT_MOST, ENTRIES, HASHES, LAST, PAGE, pages
from store.sqlite.schema import EdgeTable, MetaRow, StateRow, VectorRow
from store.sqlite.selecting import TABLES, apart, by_subject
from store.sqlite.writer import SqliteWriter, read_standing, unpack_times

_CHUNK = 2000
_as_entry: Callable[[tuple[Any, ...]], LogEntry] = partial(tuple.__new__, LogEntry)  # `_make`, unchecked
_STATE = TABLES.state.c
_EDGE = EdgeTable.metadata.tables["edge"].c


class SqliteLog:
    """One file. Readers take pooled connections and see the last commit; writers queue on one lock."""

    def __init__(self, path: Path, engine: Engine, *, read_only: bool, key: bytes | None) -> None:
        self._path = path
        self._engine = engine
        self._read_only = read_only
        self._key = key  # of a file that is encrypted whole
        self._write_lock = threading.RLock()
        self._local = threading.local()  # the connection of `together`

    @property
    def location(self) -> str:
        return str(self._path)

    @property
    def path(self) -> Path:
        return self._path

    @property
    def encrypted(self) -> bool:
        return self._key is not None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with translated(self.location), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[SqliteWriter]:
        """One exclusive transaction: committed when the block ends, undone when it raises."""
        with self._write_lock, self._driving() as driver:
            begin_writing(driver)
            try:
                yield SqliteWriter(driver)
                driver.execute("COMMIT")
            except BaseException:
                if driver.in_transaction:  # a full disk may have undone it already
                    driver.execute("ROLLBACK")
                raise

    def _rows(self, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """What prepared text finds."""
        with self._driving() as driver:
            return driver.execute(text, values).fetchall()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread reads in the block goes over one connection: a search makes a dozen small reads,
        and taking a connection from the pool costs about as much as one of them."""
        if self._kept() is not None:
            yield
            return
        with self._driving() as driver:
            self._local.driver = driver
            try:
                yield
            finally:
                self._local.driver = None

    def _kept(self) -> Any:
        return getattr(self._local, "driver", None)

    @contextmanager
    def _driving(self) -> Iterator[Any]:
        """The driver's own connection, from the pool: most reads and single appends take less time than the
        layers over it do."""
        with translated(self.location):
            if (kept := self._kept()) is not None:
                yield kept
                return
            pooled = self._engine.raw_connection()
            try:
                yield pooled.driver_connection
            finally:
                pooled.close()

    def head(self) -> tuple[int, bytes]:
        rows = self._rows(LAST_ENTRY)
        return rows[0] if rows else (0, b"")

    def meta(self, key: str) -> bytes | None:
        rows = self._rows(META, (key,))
        return rows[0][0] if rows else None

    def metas(self, prefix: str) -> dict[str, bytes]:
        query = select(col(MetaRow.key), col(MetaRow.value)).where(
            col(MetaRow.key).startswith(prefix, autoescape=True)
        )
        with self.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def entries(
        self, *, after: int = 0, upto: int | None = None, limit: int | None = None, newest_first: bool = False
    ) -> Iterator[LogEntry]:
        """Entries with `after < seq <= upto`, read in pages so that no reader pins the WAL."""
        if limit is None and not newest_first:
            return map(_as_entry, self.rows(after=after, upto=upto))
        return chain.from_iterable(self._pages(after, LAST if upto is None else upto, limit, newest_first))

    def rows(self, *, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        return chain.from_iterable(pages(self._rows, after, upto))

    def reopening(self) -> Reopening:
        key = None if self._key is None else self._key.hex()
        return Reopening("store.sqlite.scanning", {"path": str(self._path.absolute()), "key": key})

    def _pages(
        self, low: int, high: int, left: int | None, newest_first: bool
    ) -> Iterator[Iterable[LogEntry]]:
        sql = ENTRIES + ("DESC " if newest_first else "") + AT_MOST
        while left is None or left > 0:
            size = PAGE if left is None else min(PAGE, left)
            rows = self._rows(sql, (low, high, size))
            yield map(_as_entry, rows)
            if len(rows) < size:
                return
            left = None if left is None else left - len(rows)
            if newest_first:
                high = rows[-1][0] - 1
            else:
                low = rows[-1][0]

    def entries_at(self, seqs: Iterable[int]) -> list[LogEntry]:
        wanted = list(seqs)
        found = {row[0]: _as_entry(row) for row in self._rows(ENTRIES_AT, (json.dumps(wanted),))}
        return [found[seq] for seq in wanted if seq in found]

    def hashes(self, seqs: Collection[int]) -> dict[int, bytes]:
        return dict(self._rows(HASHES, (json.dumps(list(seqs)),))) if seqs else {}

    def ended(self, ids: Collection[str]) -> set[str]:
        return {dst for (dst,) in self._rows(ENDED, (json.dumps(list(ids)),))} if ids else set()

    def standing(self, ids: Iterable[str]) -> dict[str, Standing]:
        with self._driving() as driver:
            return read_standing(driver, ids)

    def standings_at(self, seqs: Sequence[int]) -> list[Standing]:
        with self.reading() as connection:
            return [as_standing(row) for row in connection.execute(TABLES.standings_at(seqs))]

    def standings(self) -> Iterator[Standing]:
        low = 0
        while True:
            with self.reading() as connection:
                page = [as_standing(row) for row in connection.execute(TABLES.standings_after(low, _CHUNK))]
            yield from page
            if len(page) < _CHUNK:
                return
            low = page[-1].seq

    def find(self, digits: str, limit: int) -> list[str]:
        if len(digits) == 32:
            return list(self.standing([canonical_id(digits)]))
        low, high = digits.ljust(32, "0"), digits.ljust(32, "f")
        tail_low, tail_high = tail_range(digits)
        head = col(StateRow.id).between(canonical_id(low), canonical_id(high))
        tail = col(StateRow.tail).between(tail_low, tail_high)
        if len(digits) > TAIL_DIGITS:
            tail &= func.replace(StateRow.id, "-", "").like("%" + digits)
        short = col(StateRow.id).like("%" + digits.ljust(TAIL_DIGITS, "_"))  # no index: the last resort
        ids: set[str] = set()
        with self.reading() as connection:
            for condition in (head, tail, short):
                if condition is short and (ids or len(digits) >= TAIL_DIGITS):
                    break
                found = select(col(StateRow.id)).where(condition).limit(limit)
                ids |= set(connection.execute(found).scalars())
        return sorted(ids)[:limit]

    def select(self, selection: Selection) -> list[LogEntry]:
        """Where no index gives the order, positions are sorted, not entries."""
        if selection.instant_us is not None or by_subject(selection) or len(apart(selection)) > 1:
            return self.entries_at(self.select_seqs(selection))
        return list(map(_as_entry, self._rows(*entries_of(selection))))

    def select_seqs(self, selection: Selection) -> list[int]:
        parts = apart(selection)
        if len(parts) == 1:
            return [key[-1] for key in self._rows(*moments_of(selection))]
        with self._one_snapshot() as driver:
            found = [row for part in parts for row in driver.execute(*moments_of(part))]
        found.sort(reverse=selection.newest_first)
        return [key[-1] for key in found][: selection.limit]

    @contextmanager
    def _one_snapshot(self) -> Iterator[Any]:
        """The driver's connection, for several questions that are all asked of one moment."""
        with self._driving() as driver:
            driver.execute("BEGIN")
            try:
                yield driver
            finally:
                driver.execute("ROLLBACK")

    def holding(self, seqs: Sequence[int], selection: Selection) -> set[int]:
        return {seq for (seq,) in self._rows(*within_of(seqs, selection))}

    def edges(
        self,
        ids: Sequence[str] | None = None,
        relation: Relation | None = None,
        *,
        include_ended: bool = False,
    ) -> list[EdgeRow]:
        if ids is not None:
            with self._driving() as driver:
                return edges_of(driver, ids, relation, include_ended=include_ended)
        query = select(*(_EDGE[name] for name in EDGE_COLUMNS))
        if relation is not None:
            query = query.where(_EDGE.relation == relation.value)
        if not include_ended:
            query = query.where(_EDGE.ended_seq.is_(None))
        with self.reading() as connection:
            return [as_edge(r) for r in connection.execute(query.order_by(_EDGE.row))]

    def lexical(self, match: str, selection: Selection) -> list[tuple[int, float]]:
        """First the best of all, and who of them is within the selection; where that is too few, the best of
        those within."""
        if not match:
            return []
        if (limit := selection.limit) is not None:
            best = self._rows(BEST, (match, LOOKED_AT * limit))
            within = self.holding([seq for seq, _ in best], replace(selection, limit=None)) if best else ()
            found = [(seq, -rank) for seq, rank in best if seq in within][:limit]
            if len(found) == limit or len(best) < LOOKED_AT * limit:
                return found
        return [(seq, -rank) for seq, rank in self._rows(*ranked_of(match, selection))]

    def frequencies(self, terms: Sequence[str], cap: int) -> list[int]:
        with self._driving() as driver:
            found = (driver.execute(FREQUENCY, (f'"{term}"', cap)).fetchone() for term in terms)
            return [count for (count,) in found]

    def vectors(self, model: str, *, after: int = 0) -> Iterator[tuple[int, int, Klass, bytes]]:
        while True:
            rows = self._rows(VECTORS, (model, after, _CHUNK))
            page = [(place, seq, Klass(klass), blob) for place, seq, klass, blob in rows]
            yield from page
            if len(page) < _CHUNK:
                return
            after = page[-1][0]

    def models(self) -> list[tuple[str, int]]:
        query = select(col(VectorRow.model), func.count()).group_by(VectorRow.model).order_by(VectorRow.model)
        with self.reading() as connection:
            return [(model, count) for model, count in connection.execute(query)]

    def missing_vectors(self, model: str, limit: int) -> list[LogEntry]:
        with self.reading() as connection:
            rows = connection.execute(TABLES.without_vector(model, limit))
            return [_as_entry(row) for row in rows]

    def accesses(self, seqs: Sequence[int]) -> dict[int, tuple[int, ...]]:
        rows = self._rows(ACCESSES, (json.dumps(list(seqs)),))
        return {seq: unpack_times(times) for seq, times in rows}

    def scrub(self) -> bool:
        """Rebuild the file without free space, then empty the write-ahead log.

        `secure_delete` zeroes what is freed; without free pages nothing rests on that alone.
        """
        with self._write_lock, self.unguarded() as driver:
            driver.execute("VACUUM")
            busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        for kept in kept_copies(self._path):
            wipe(kept)  # from before the erasure
        return not busy

    @contextmanager
    def unguarded(self) -> Iterator[Any]:
        """A driver connection without the authorizer, for maintenance that rebuilds whole tables."""
        with self.reading() as connection:
            driver: Any = connection.connection.driver_connection
            driver.set_authorizer(None)
            try:
                yield driver
            finally:
                guard.install(driver)

    def copy_to(self, target: Path) -> Path:
        """VACUUM INTO: one read transaction, no journal beside the copy, the same encryption. The copy is
        read back and proved before it has its name."""
        with placing(target) as unfinished:
            with self.unguarded() as driver:
                driver.execute("VACUUM INTO ?", (str(unfinished),))
            engine = open_engine(unfinished, key=self._key, read_only=True)
            copy = SqliteLog(unfinished, engine, read_only=True, key=self._key)
            with closing(copy):
                prove(copy)
        return target

    def close(self) -> None:
        self._engine.dispose()
