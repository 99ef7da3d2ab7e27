"""BM25 over FTS5 (Robertson & Zaragoza 2009), joined with what holds, as prepared text."""

from __future__ import annotations

from typing import Any

from sqlalchemy import column, table, text
from sqlmodel import col, select

from store.port import Selection
from store.sqlite.prepared import MATCHED, prepared
from store.sqlite.schema import StateRow
from store.sqlite.selecting import TABLES

_TERMS = table("terms", column("rowid"))
# A common word stands in thousands of texts: whoever only wants to know that it is common stops counting.
FREQUENCY = "SELECT count(*) FROM (SELECT 1 FROM terms WHERE terms MATCH ? LIMIT ? + 0)"


# The best of all that match: to look up the standing of each takes twice as long as to rank them.
BEST = (
    "SELECT rowid, bm25(terms) AS score FROM terms WHERE terms MATCH ? ORDER BY score, rowid DESC LIMIT ? + 0"
)
LOOKED_AT = 4  # that many times the limit are ranked so; where too few of them are within, all are joined


def ranked_of(match: str, selection: Selection) -> tuple[str, tuple[Any, ...]]:
    """The text that asks for (seq, bm25) of what `match` finds within the selection, with its values: best
    first, and bm25 is lower where the match is better."""
    statement, values = prepared(_ranked, selection)
    return statement, tuple(match if value is MATCHED else value for value in values)


def _ranked(selection: Selection) -> Any:
    score = text("bm25(terms)")
    return (
        select(StateRow.seq, score)
        .select_from(_TERMS.join(StateRow, _TERMS.c.rowid == col(StateRow.seq)))
        .where(text("terms MATCH :match").bindparams(match=MATCHED), *TABLES.conditions(selection))
        .order_by(score, col(StateRow.seq).desc())
        .limit(selection.limit)
    )
