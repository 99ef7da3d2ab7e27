"""The reads that every search makes, as prepared text: building them anew costs more than running them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from store.model import Relation
from store.port import EdgeRow, Selection
from store.rows import EDGE_COLUMNS, as_edge

ACCESSES = "SELECT seq, times FROM access WHERE seq IN (SELECT value FROM json_each(?))"
_HOLDING = (
    "SELECT seq FROM state WHERE seq IN (SELECT value FROM json_each(?)) AND NOT erased "
    "AND klass IN (SELECT value FROM json_each(?)) "
)
_EDGES = tuple(
    f"SELECT {', '.join(EDGE_COLUMNS)} FROM edge WHERE {end} IN (SELECT value FROM json_each(?))"  # noqa: S608 - own names
    for end in ("src", "dst")
)


def plain(selection: Selection) -> bool:
    """Whether `holding_statement` covers a selection: by class and moment, nothing else."""
    narrowed = (selection.types, selection.subject, selection.attribute)
    return selection.klasses is not None and narrowed == (None,) * 3 and not selection.include_ended


def holding_statement(seqs: Sequence[int], selection: Selection) -> tuple[str, tuple[Any, ...]]:
    """Which of `seqs` a plain selection has, with its values."""
    values = (json.dumps(list(seqs)), json.dumps([klass.value for klass in selection.klasses or ()]))
    if (at := selection.position) is not None:
        return _HOLDING + "AND seq <= ? AND (ended_seq IS NULL OR ended_seq > ?)", (*values, at, at)
    if (at := selection.instant_us) is not None:
        return _HOLDING + "AND effective_us <= ? AND (ended_us IS NULL OR ended_us > ?)", (*values, at, at)
    return _HOLDING + "AND ended_seq IS NULL", values


def edges_of(
    connection: Connection, ids: Sequence[str], relation: Relation | None, *, include_ended: bool
) -> list[EdgeRow]:
    """The edges that start or end at `ids`, oldest first; two indexed queries beat one OR."""
    values: tuple[str, ...] = (json.dumps(list(ids)),)
    rest = ""
    if relation is not None:
        rest, values = " AND relation = ?", (*values, relation.value)
    if not include_ended:
        rest += " AND ended_seq IS NULL"
    found: dict[EdgeRow, None] = {}
    for statement in _EDGES:
        rows = connection.exec_driver_sql(statement + rest + " ORDER BY row", values)
        found |= dict.fromkeys(map(as_edge, rows))
    return sorted(found, key=lambda edge: edge.seq)
