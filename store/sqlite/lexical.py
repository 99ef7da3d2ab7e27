"""BM25 over FTS5 (Robertson & Zaragoza 2009), joined with what holds."""

from __future__ import annotations

from sqlalchemy import Connection, column, table, text
from sqlmodel import col, select

from store.port import Selection
from store.sqlite.schema import StateRow
from store.sqlite.selecting import TABLES

_TERMS = table("terms", column("rowid"))


def lexical(connection: Connection, match: str, selection: Selection) -> list[tuple[int, float]]:
    """(seq, score) of what `match` finds within the selection, best first; higher is better."""
    if not match:
        return []
    score = text("bm25(terms)")
    query = (
        select(StateRow.seq, score)
        .select_from(_TERMS.join(StateRow, _TERMS.c.rowid == col(StateRow.seq)))
        .where(text("terms MATCH :match"), *TABLES.conditions(selection))
        .order_by(score, col(StateRow.seq).desc())
        .limit(selection.limit)
    )
    return [(seq, -rank) for seq, rank in connection.execute(query, {"match": match})]
