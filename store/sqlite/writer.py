"""The one write transaction of the SQLite backend: prepared text and rows as tuples, through the driver."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from store.model import Relation
from store.port import EdgeRow, LogEntry, Standing
from store.rows import (
    EDGE_COLUMNS,
    STANDING_COLUMNS,
    STATE_COLUMNS,
    as_edge,
    as_standing,
    edge_row,
    end_rows,
    ended_links,
    state_row,
)


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608


INSERT_LOG = _insert("log", LogEntry._fields)
INSERT_STATE = _insert("state", STATE_COLUMNS)
_INSERT_EDGE = _insert("edge", EDGE_COLUMNS)
_EDGE = ", ".join(EDGE_COLUMNS)
_STANDING = ", ".join(STANDING_COLUMNS)
_INSERT_TERMS = "INSERT INTO terms (rowid, words) VALUES (?, ?)"
_END_STATE = (
    "UPDATE state SET ended_seq = ?, ended_us = ?, ended_why = ?, erased = ?, subject = ?, attribute = ? "
    "WHERE seq = ?"
)


def pack_times(times: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(times)}q", *times)


def unpack_times(blob: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(blob) // 8}q", blob)


def read_standing(driver: Any, ids: Iterable[str]) -> dict[str, Standing]:
    wanted = list(dict.fromkeys(ids))
    found: dict[str, Standing] = {}
    for start in range(0, len(wanted), 2000):
        part = wanted[start : start + 2000]
        marks = ",".join("?" * len(part))
        sql = f"SELECT {_STANDING} FROM state WHERE id IN ({marks})"  # noqa: S608 - only '?' is put in
        for row in driver.execute(sql, tuple(part)):
            found[row[1]] = as_standing(row)
    return found


class SqliteWriter:
    """See `store.port.LogWriter`. Lives as long as its transaction."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def _many(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            self._driver.executemany(sql, rows)

    def _one(self, sql: str, *values: Any) -> Any:
        return self._driver.execute(sql, values)

    def head(self) -> tuple[int, bytes]:
        row = self._one("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1").fetchone()
        return (row[0], row[1]) if row else (0, b"")

    def meta(self, key: str) -> bytes | None:
        row = self._one("SELECT value FROM meta WHERE key = ?", key).fetchone()
        return None if row is None else row[0]

    def standing(self, ids: Iterable[str]) -> dict[str, Standing]:
        return read_standing(self._driver, ids)

    def has_edge(self, src: str, relation: Relation, dst: str) -> EdgeRow | None:
        row = self._one(
            f"SELECT {_EDGE} FROM edge WHERE src = ? AND relation = ? AND dst = ? AND ended_seq IS NULL",  # noqa: S608 - own names
            src,
            relation.value,
            dst,
        ).fetchone()
        return None if row is None else as_edge(row)

    def entry(self, seq: int) -> LogEntry | None:
        row = self._one(
            "SELECT seq, header, body, body_hash, hash, signature FROM log WHERE seq = ?", seq
        ).fetchone()
        return None if row is None else LogEntry(*row)

    def sources(self, relation: Relation, ids: Sequence[str]) -> list[str]:
        marks = ",".join("?" * len(ids))
        sql = f"SELECT src FROM edge WHERE relation = ? AND dst IN ({marks}) ORDER BY seq"  # noqa: S608 - only '?' is put in
        return [row[0] for row in self._driver.execute(sql, (relation.value, *ids))]

    def append(
        self,
        entries: Sequence[LogEntry],
        standings: Sequence[Standing],
        edges: Sequence[EdgeRow],
        texts: Sequence[tuple[int, str]],
    ) -> None:
        """State goes in before the log is looked at by its erasure trigger, and in the same transaction."""
        self._many(INSERT_LOG, entries)
        self._many(INSERT_STATE, [state_row(standing) for standing in standings])
        self._many(_INSERT_EDGE, [edge_row(edge) for edge in edges])
        self._many(_INSERT_TERMS, texts)

    def end(self, standings: Sequence[Standing]) -> None:
        self._many(_END_STATE, end_rows(standings))
        self._many(
            "UPDATE edge SET ended_seq = ? WHERE seq = ? AND ended_seq IS NULL", ended_links(standings)
        )

    def erase_body(self, seq: int) -> None:
        """`optimize` merges the segments, or the deleted words would stay in the old ones."""
        self._one("UPDATE log SET body = NULL WHERE seq = ?", seq)
        self._one("DELETE FROM terms WHERE rowid = ?", seq)
        self._one("INSERT INTO terms (terms) VALUES ('optimize')")
        self._one("DELETE FROM vector WHERE seq = ?", seq)
        self._one("DELETE FROM access WHERE seq = ?", seq)

    def rebuild(
        self, standings: Sequence[Standing], edges: Sequence[EdgeRow], texts: Sequence[tuple[int, str]]
    ) -> None:
        self._one("INSERT INTO terms (terms) VALUES ('delete-all')")
        self._one("DELETE FROM state")
        self._one("DELETE FROM edge")
        self.append([], standings, edges, texts)

    def put_vectors(self, model: str, rows: Sequence[tuple[int, bytes]]) -> None:
        self._many("DELETE FROM vector WHERE seq = ? AND model = ?", [(seq, model) for seq, _ in rows])
        self._many(
            "INSERT INTO vector (seq, model, blob) VALUES (?, ?, ?)",
            [(seq, model, blob) for seq, blob in rows],
        )

    def put_accesses(self, rows: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        packed = [(seq, pack_times(times)) for seq, times in rows]
        self._many("INSERT OR REPLACE INTO access (seq, times) VALUES (?, ?)", packed)

    def touch(self, seqs: Sequence[int], at_us: int, keep: int) -> None:
        for seq in seqs:
            old = self._one("SELECT times FROM access WHERE seq = ?", seq).fetchone()
            times = (*(unpack_times(old[0]) if old else ()), at_us)[-keep:]
            self._one("INSERT OR REPLACE INTO access (seq, times) VALUES (?, ?)", seq, pack_times(times))

    def set_meta(self, values: Mapping[str, bytes | None]) -> None:
        for key, value in values.items():
            if value is None:
                self._one("DELETE FROM meta WHERE key = ?", key)
            else:
                self._one(
                    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = ?",
                    key,
                    value,
                    value,
                )
