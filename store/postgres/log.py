"""`EngramLog` over PostgreSQL: reads in their own short snapshots, writers queued on the head row."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, exc, func, select, union

from store.errors import StoreUnavailable
from store.ids import TAIL_DIGITS, canonical_id, tail_range
from store.model import Klass, Relation
from store.port import EdgeRow, LogEntry, Row, Selection, Standing
from store.postgres import lexical as ranking
from store.postgres.connection import gone, translated
from store.postgres.copying import copy_to_file
from store.postgres.schema import (
    EDGE,
    ENTRY,
    access,
    edge,
    log,
    meta,
    state,
    vector,
)
from store.postgres.scrubbing import scrub
from store.postgres.selecting import TABLES, among
from store.postgres.writer import PostgresWriter, read_head, read_standing
from store.rows import as_edge, as_standing

_PAGE = 2000


class PostgresLog:
    """One database. A process writes through one session at a time; reads take any pooled session."""

    def __init__(self, engine: Engine, location: str) -> None:
        self._engine = engine
        self._reads = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._location = location
        self._write_lock = threading.RLock()
        self._frozen = threading.local()
        self._closed = False

    @property
    def location(self) -> str:
        return self._location

    @property
    def encrypted(self) -> bool:
        """The server's disk is the server's matter; what is kept here is not encrypted by this program."""
        return False

    @contextmanager
    def writing(self) -> Iterator[PostgresWriter]:
        """One transaction that holds the head row: committed when the block ends, undone when it raises.

        Positions are given under that lock, so they have no gaps and are seen in order. When the server
        dies while it commits, nobody can tell from here whether it did: the error says so.
        """
        with self._write_lock, translated(self._location), self._head_locked() as (connection, head):
            yield PostgresWriter(connection, head)
            try:
                connection.commit()
            except exc.DBAPIError as error:
                if gone(error):
                    raise StoreUnavailable(
                        f"the server of {self._location} was lost while it kept this write; it may or may "
                        "not be there: read the log before writing it again"
                    ) from error
                raise

    @contextmanager
    def _head_locked(self) -> Iterator[tuple[Connection, tuple[int, bytes]]]:
        """A session in a transaction with the head row; a pooled one that died meanwhile is replaced."""
        for attempt in (1, 2):
            with self._connect(self._engine) as connection:
                try:
                    seq, digest = connection.exec_driver_sql("SELECT seq, hash FROM engram.lock_head()").one()
                except exc.DBAPIError as error:
                    if attempt == 2 or not gone(error):
                        raise
                    continue
                yield connection, (seq, digest)
                return

    def _connect(self, engine: Engine) -> Connection:
        if self._closed:
            raise StoreUnavailable("this store is closed")
        return engine.connect()

    def _read(self, question: Callable[[Connection], Any]) -> Any:
        """Ask in a fresh snapshot, once more when the pooled session had died (a read may be repeated)."""
        frozen: Connection | None = getattr(self._frozen, "connection", None)
        with translated(self._location):
            if frozen is not None:
                return question(frozen)
            try:
                with self._connect(self._reads) as connection:
                    return question(connection)
            except exc.DBAPIError as error:
                if not gone(error):
                    raise
            with self._connect(self._reads) as connection:
                return question(connection)

    @contextmanager
    def _one_snapshot(self) -> Iterator[None]:
        """Everything this thread reads inside is of one moment; writers go on."""
        frozen = self._engine.execution_options(isolation_level="REPEATABLE READ")
        with translated(self._location), self._connect(frozen) as connection:
            self._frozen.connection = connection
            try:
                yield
            finally:
                self._frozen.connection = None

    def _rows(self, query: Any) -> Sequence[Any]:
        return self._read(lambda connection: connection.execute(query).all())

    def _values(self, query: Any) -> list[Any]:
        return self._read(lambda connection: list(connection.execute(query).scalars()))

    def together(self) -> AbstractContextManager[None]:
        return nullcontext()

    def head(self) -> tuple[int, bytes]:
        return self._read(read_head)

    def meta(self, key: str) -> bytes | None:
        found = self._values(select(meta.c.value).where(meta.c.key == key))
        return found[0] if found else None

    def metas(self, prefix: str) -> dict[str, bytes]:
        query = select(meta.c.key, meta.c.value).where(func.starts_with(meta.c.key, prefix))
        return {row[0]: row[1] for row in self._rows(query)}

    def entries(
        self, *, after: int = 0, upto: int | None = None, limit: int | None = None, newest_first: bool = False
    ) -> Iterator[LogEntry]:
        """Entries with `after < seq <= upto`, read in pages so that no snapshot is held open."""
        left, low, high = limit, after, upto
        while left is None or left > 0:
            query = select(*ENTRY).where(log.c.seq > low)
            if high is not None:
                query = query.where(log.c.seq <= high)
            size = _PAGE if left is None else min(_PAGE, left)
            order = log.c.seq.desc() if newest_first else log.c.seq
            page = [LogEntry._make(row) for row in self._rows(query.order_by(order).limit(size))]
            yield from page
            if len(page) < size:
                return
            left = None if left is None else left - len(page)
            if newest_first:
                high = page[-1].seq - 1
            else:
                low = page[-1].seq

    def rows(self, *, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        return self.entries(after=after, upto=upto)

    def reopening(self) -> None:
        """The server has processors of its own; what is hashed here waits for it."""
        return

    def entries_at(self, seqs: Iterable[int]) -> list[LogEntry]:
        wanted = list(seqs)
        if not wanted:
            return []
        found = {
            row[0]: LogEntry._make(row) for row in self._rows(select(*ENTRY).where(among(log.c.seq, wanted)))
        }
        return [found[seq] for seq in wanted if seq in found]

    def hashes(self, seqs: Collection[int]) -> dict[int, bytes]:
        query = select(log.c.seq, log.c.hash).where(among(log.c.seq, seqs))
        return {row[0]: row[1] for row in self._rows(query)} if seqs else {}

    def ended(self, ids: Collection[str]) -> set[str]:
        relations = [Relation.SUPERSEDES.value, Relation.RETRACTS.value]
        query = select(edge.c.dst).where(among(edge.c.dst, ids), edge.c.relation.in_(relations))
        return set(self._values(query)) if ids else set()

    def standing(self, ids: Iterable[str]) -> dict[str, Standing]:
        wanted = list(ids)
        return self._read(lambda connection: read_standing(connection, wanted)) if wanted else {}

    def standings_at(self, seqs: Sequence[int]) -> list[Standing]:
        return list(map(as_standing, self._rows(TABLES.standings_at(seqs)))) if seqs else []

    def standings(self) -> Iterator[Standing]:
        low = 0
        while True:
            page = list(map(as_standing, self._rows(TABLES.standings_after(low, _PAGE))))
            yield from page
            if len(page) < _PAGE:
                return
            low = page[-1].seq

    def find(self, digits: str, limit: int) -> list[str]:
        if len(digits) == 32:
            return list(self.standing([canonical_id(digits)]))
        low, high = canonical_id(digits.ljust(32, "0")), canonical_id(digits.ljust(32, "f"))
        tail_low, tail_high = tail_range(digits)
        head = select(state.c.id).where(state.c.id.between(low, high)).limit(limit)
        tail = select(state.c.id).where(state.c.tail.between(tail_low, tail_high))
        if len(digits) > TAIL_DIGITS:
            tail = tail.where(
                func.right(func.encode(func.uuid_send(state.c.id), "hex"), len(digits)) == digits
            )
        found = self._values(union(head, tail.limit(limit)))
        if not found and len(digits) < TAIL_DIGITS:  # no index: the last resort
            plain = func.right(func.encode(func.uuid_send(state.c.id), "hex"), TAIL_DIGITS)
            found = self._values(select(state.c.id).where(plain.startswith(digits)).limit(limit))
        return sorted(found)[:limit]

    def select(self, selection: Selection) -> list[LogEntry]:
        return [LogEntry._make(row) for row in self._rows(TABLES.selected(selection))]

    def select_seqs(self, selection: Selection) -> list[int]:
        return self._values(TABLES.ordered(select(state.c.seq), selection))

    def holding(self, seqs: Sequence[int], selection: Selection) -> set[int]:
        if not seqs:
            return set()
        return set(self._values(TABLES.held(seqs, selection)))

    def edges(
        self,
        ids: Sequence[str] | None = None,
        relation: Relation | None = None,
        *,
        include_ended: bool = False,
    ) -> list[EdgeRow]:
        """In the order they were claimed."""
        query = select(*EDGE, edge.c.row)
        if relation is not None:
            query = query.where(edge.c.relation == relation.value)
        if not include_ended:
            query = query.where(edge.c.ended_seq.is_(None))
        if ids is not None:
            # two indexed scans beat one OR, and UNION leaves out the edge that both of them find
            ends = union(query.where(among(edge.c.src, ids)), query.where(among(edge.c.dst, ids)))
            found = ends.subquery()
            query = select(*found.c)
            return [as_edge(row[:-1]) for row in self._rows(query.order_by(found.c.seq, found.c.row))]
        return [as_edge(row[:-1]) for row in self._rows(query.order_by(edge.c.seq, edge.c.row))]

    def lexical(self, match: str, selection: Selection) -> list[tuple[int, float]]:
        return self._read(lambda connection: ranking.lexical(connection, match, selection))

    def frequencies(self, terms: Sequence[str], cap: int) -> list[int]:
        return self._read(lambda connection: ranking.frequencies(connection, terms, cap))

    def vectors(self, model: str, *, after: int = 0) -> Iterator[tuple[int, int, Klass, bytes]]:
        while True:
            query = TABLES.vectors_after(model, after, _PAGE)
            page = [(position, seq, Klass(klass), blob) for position, seq, klass, blob in self._rows(query)]
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def models(self) -> list[tuple[str, int]]:
        query = select(vector.c.model, func.count()).group_by(vector.c.model)
        return sorted((model, count) for model, count in self._rows(query))

    def missing_vectors(self, model: str, limit: int) -> list[LogEntry]:
        return [LogEntry._make(row) for row in self._rows(TABLES.without_vector(model, limit))]

    def accesses(self, seqs: Sequence[int]) -> dict[int, tuple[int, ...]]:
        if not seqs:
            return {}
        query = select(access.c.seq, access.c.times).where(among(access.c.seq, seqs))
        return {seq: tuple(times) for seq, times in self._rows(query)}

    def scrub(self) -> bool:
        """Write the tables anew without what was erased; False when a reader held them all the while."""
        with self._write_lock, translated(self._location), self._connect(self._reads) as connection:
            return scrub(connection)

    def copy_to(self, target: Path) -> Path:
        """The whole store as one SQLite file, which is also the way back from a server to a file."""
        with self._one_snapshot():
            return copy_to_file(self, target)

    def close(self) -> None:
        self._closed = True
        self._engine.dispose()
