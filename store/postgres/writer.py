"""The one write transaction of the PostgreSQL backend: a batch is a few statements over arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, select

from store.model import Relation
from store.port import EdgeRow, LogEntry, Standing
from store.postgres import lexical
from store.postgres.schema import EDGE, ENTRY, STANDING, edge, log, meta, state
from store.postgres.selecting import among
from store.rows import (
    EDGE_COLUMNS,
    STATE_COLUMNS,
    as_edge,
    as_standing,
    edge_row,
    end_rows,
    ended_links,
    state_row,
)

_BATCH = 5000  # rows of one statement
# One statement for all tables, since on a server it is the journeys that cost: parts without rows do nothing.
_APPEND = f"""
WITH a AS (
    INSERT INTO engram.log (seq, header, body, body_hash, hash, signature)
    SELECT * FROM unnest(%s::bigint[], %s::bytea[], %s::bytea[], %s::bytea[], %s::bytea[], %s::bytea[])
), b AS (
    INSERT INTO engram.state ({", ".join(STATE_COLUMNS)})
    SELECT * FROM unnest(%s::bigint[], %s::uuid[], %s::bigint[], %s::text[], %s::text[], %s::text[],
        %s::integer[], %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::bigint[], %s::bigint[],
        %s::text[], %s::boolean[])
), c AS (
    INSERT INTO engram.edge ({", ".join(EDGE_COLUMNS)})
    SELECT * FROM unnest(%s::bigint[], %s::uuid[], %s::uuid[], %s::text[], %s::uuid[], %s::text[],
        %s::bigint[], %s::bigint[])
), d AS ({lexical.ADD_POSTINGS})
{lexical.COUNT_TEXTS}
"""  # noqa: S608 - constants of this package only
_END_STATE = (
    "UPDATE engram.state s SET ended_seq = n.ended_seq, ended_us = n.ended_us, ended_why = n.ended_why, "
    "erased = n.erased, subject = n.subject, attribute = n.attribute "
    "FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::boolean[], %s::text[], %s::text[], "
    "%s::bigint[]) AS n (ended_seq, ended_us, ended_why, erased, subject, attribute, seq) WHERE s.seq = n.seq"
)
_END_EDGE = (
    "UPDATE engram.edge e SET ended_seq = n.ended_seq FROM unnest(%s::bigint[], %s::bigint[]) "
    "AS n (ended_seq, seq) WHERE e.seq = n.seq AND e.ended_seq IS NULL"
)
_PUT_VECTORS = (
    "INSERT INTO engram.vector (seq, model, blob) "
    "SELECT n.seq, %s, n.blob FROM unnest(%s::bigint[], %s::bytea[]) AS n (seq, blob)"
)
_PUT_ACCESS = (
    "INSERT INTO engram.access (seq, times) VALUES (%s, %s::bigint[]) "
    "ON CONFLICT (seq) DO UPDATE SET times = excluded.times"
)
_TOUCH = (
    "INSERT INTO engram.access AS a (seq, times) SELECT n, ARRAY[%s::bigint] FROM unnest(%s::bigint[]) AS n "
    "ON CONFLICT (seq) DO UPDATE "
    "SET times = (a.times || excluded.times)[greatest(1, cardinality(a.times) + 2 - %s):]"
)
_SET_META = (
    "INSERT INTO engram.meta (key, value) SELECT * FROM unnest(%s::text[], %s::bytea[]) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)


def read_standing(connection: Connection, ids: Iterable[str]) -> dict[str, Standing]:
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}
    rows = connection.execute(select(*STANDING).where(among(state.c.id, wanted)))
    return {standing.id: standing for standing in map(as_standing, rows)}


def read_head(connection: Connection) -> tuple[int, bytes]:
    row = connection.execute(select(log.c.seq, log.c.hash).order_by(log.c.seq.desc()).limit(1)).first()
    return (row[0], row[1]) if row else (0, b"")


class PostgresWriter:
    """See `store.port.LogWriter`. Lives as long as its transaction, which holds the head row."""

    def __init__(self, connection: Connection, head: tuple[int, bytes]) -> None:
        self._connection = connection
        self._head = head

    def _run(self, sql: str, *values: Any) -> Any:
        return self._connection.exec_driver_sql(sql, values)

    def _rows(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        for part in _batches(rows):
            self._run(sql, *_columns(len(part[0]), part))

    def head(self) -> tuple[int, bytes]:
        return self._head

    def meta(self, key: str) -> bytes | None:
        return self._connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar()

    def standing(self, ids: Iterable[str]) -> dict[str, Standing]:
        return read_standing(self._connection, ids)

    def has_edge(self, src: str, relation: Relation, dst: str) -> EdgeRow | None:
        query = select(*EDGE).where(
            edge.c.src == src,
            edge.c.relation == relation.value,
            edge.c.dst == dst,
            edge.c.ended_seq.is_(None),
        )
        row = self._connection.execute(query.order_by(edge.c.row).limit(1)).first()
        return None if row is None else as_edge(row)

    def entry(self, seq: int) -> LogEntry | None:
        row = self._connection.execute(select(*ENTRY).where(log.c.seq == seq)).first()
        return None if row is None else LogEntry._make(row)

    def sources(self, relation: Relation, ids: Sequence[str]) -> list[str]:
        query = select(edge.c.src).where(edge.c.relation == relation.value, among(edge.c.dst, ids))
        return list(self._connection.execute(query.order_by(edge.c.seq, edge.c.row)).scalars())

    def append(
        self,
        entries: Sequence[LogEntry],
        standings: Sequence[Standing],
        edges: Sequence[EdgeRow],
        texts: Sequence[tuple[int, str]],
    ) -> None:
        """A statement a table and batch, so the trigger that moves the head does not run once a row."""
        parts = zip_longest(*(_batches(rows) for rows in (entries, standings, edges, texts)), fillvalue=())
        if entries:
            self._head = (entries[-1].seq, entries[-1].hash)
        for some_entries, some_standings, some_edges, some_texts in parts:
            postings, words = lexical.postings(some_texts)
            self._run(
                _APPEND,
                *_columns(len(LogEntry._fields), some_entries),
                *_columns(len(STATE_COLUMNS), list(map(state_row, some_standings))),
                *_columns(len(EDGE_COLUMNS), list(map(edge_row, some_edges))),
                *postings,
                len(some_texts),
                words,
            )

    def end(self, standings: Sequence[Standing]) -> None:
        self._rows(_END_STATE, end_rows(standings))
        self._rows(_END_EDGE, ended_links(standings))

    def erase_body(self, seq: int) -> None:
        """The log's row is changed by the owner's function: this role may not."""
        self._run("SELECT engram.erase(%s)", seq)
        self._run(lexical.DROP_POSTINGS, seq)
        self._run("DELETE FROM engram.vector WHERE seq = %s", seq)
        self._run("DELETE FROM engram.access WHERE seq = %s", seq)

    def rebuild(
        self, standings: Sequence[Standing], edges: Sequence[EdgeRow], texts: Sequence[tuple[int, str]]
    ) -> None:
        self._run("DELETE FROM engram.state")
        self._run("DELETE FROM engram.edge")
        self._run("DELETE FROM engram.posting")
        self._run("UPDATE engram.corpus SET texts = 0, words = 0")
        self.append([], standings, edges, texts)

    def put_vectors(self, model: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """Replaced by delete and insert: a new vector gets a new position, which is how readers see it."""
        latest = dict(rows)
        if latest:
            seqs = list(latest)
            self._run("DELETE FROM engram.vector WHERE model = %s AND seq = ANY(%s::bigint[])", model, seqs)
            self._run(_PUT_VECTORS, model, seqs, list(latest.values()))

    def put_accesses(self, rows: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        for seq, times in rows:
            self._run(_PUT_ACCESS, seq, list(times))

    def touch(self, seqs: Sequence[int], at_us: int, keep: int) -> None:
        if seqs:
            self._run(_TOUCH, at_us, list(dict.fromkeys(seqs)), keep)

    def set_meta(self, values: Mapping[str, bytes | None]) -> None:
        gone = [key for key, value in values.items() if value is None]
        if gone:
            self._run("DELETE FROM engram.meta WHERE key = ANY(%s::text[])", gone)
        self._rows(_SET_META, [(key, value) for key, value in values.items() if value is not None])


def _batches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]


def _columns(width: int, rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows of `width` fields as that many lists."""
    return [list(values) for values in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
