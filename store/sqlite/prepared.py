"""The reads that are made all the time, as prepared text: building a statement costs more than running it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from sqlalchemy import bindparam, literal_column, select, text
from sqlalchemy.dialects import sqlite

from store.model import EngramType, Klass, Relation
from store.port import EdgeRow, LogEntry, Selection
from store.rows import EDGE_COLUMNS, as_edge
from store.sqlite.selecting import BY_POSITION, TABLES

LAST_ENTRY = "SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1"
META = "SELECT value FROM meta WHERE key = ?"
ENTRIES_AT = f"SELECT {', '.join(LogEntry._fields)} FROM log WHERE seq IN (SELECT value FROM json_each(?))"  # noqa: S608 - own names
_DIALECT = sqlite.dialect(paramstyle="qmark")
MATCHED = "\0match"  # stands in a prepared text for the words to be found
LISTED = "\0seqs"  # and this for a list of positions
_VARYING = ("subject", "attribute", "position", "instant_us", "limit")
_varying = attrgetter(*_VARYING)
ENDED = (
    "SELECT dst FROM edge WHERE dst IN (SELECT value FROM json_each(?)) "
    "AND relation IN ('supersedes', 'retracts')"
)
ACCESSES = "SELECT seq, times FROM access WHERE seq IN (SELECT value FROM json_each(?))"
VECTORS = (
    "SELECT vector.position, vector.seq, state.klass, vector.blob FROM vector "
    "JOIN state ON state.seq = vector.seq WHERE vector.model = ? AND vector.position > ? "
    "ORDER BY vector.position LIMIT ? + 0"
)
_EDGES = tuple(
    f"SELECT {', '.join(EDGE_COLUMNS)} FROM edge WHERE {end} IN (SELECT value FROM json_each(?))"  # noqa: S608 - own names
    for end in ("src", "dst")
)


def entries_of(selection: Selection) -> tuple[str, tuple[Any, ...]]:
    """The text that asks for the entries of a selection, with its values."""
    return prepared(TABLES.selected, selection)


def moments_of(selection: Selection) -> tuple[str, tuple[Any, ...]]:
    """The text that asks for what a selection is ordered by, with its values: (effective_us, seq) at an
    instant, else (seq,)."""
    return prepared(_moments, selection)


def _moments(selection: Selection) -> Any:
    state = TABLES.state.c
    keys = [state.seq] if selection.instant_us is None else [state.effective_us, state.seq]
    return TABLES.ordered(select(*keys), selection)


def prepared(question: Callable[[Selection], Any], selection: Selection) -> tuple[str, tuple[Any, ...]]:
    """The text of a question that depends on a selection, made once for all selections of a shape."""
    given = _varying(selection)
    statement, order = _compiled(
        question,
        selection.klasses,
        selection.types,
        tuple(value is not None for value in given),
        selection.include_ended,
        selection.newest_first,
    )
    return statement, tuple(given[i] if isinstance(i, int) else i[0] for i in order)


@lru_cache(maxsize=256)
def _compiled(
    question: Callable[[Selection], Any],
    klasses: tuple[Klass, ...] | None,
    types: tuple[EngramType, ...] | None,
    asked: tuple[bool, ...],
    include_ended: bool,
    newest_first: bool,
) -> tuple[str, tuple[int | tuple[Any], ...]]:
    """The text for all selections of one shape; for each of its marks the place in `_VARYING` of what goes
    there, or, in a tuple, the value itself."""
    values: dict[str, Any] = {
        name: bindparam(name, required=False) for name, there in zip(_VARYING, asked, strict=True) if there
    }
    if "limit" in values:
        values["limit"] += literal_column("0")  # see `scanning.AT_MOST`
    shape = Selection(
        klasses=klasses, types=types, include_ended=include_ended, newest_first=newest_first, **values
    )
    compiled: Any = question(shape).compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    fixed = compiled.params
    order = (_VARYING.index(name) if name in _VARYING else (fixed[name],) for name in compiled.positiontup)
    return compiled.string, tuple(order)


def within_of(seqs: Sequence[int], selection: Selection) -> tuple[str, tuple[Any, ...]]:
    """The text that asks which of `seqs` are within a selection, with its values."""
    statement, values = prepared(_within, selection)
    listed = json.dumps(list(seqs))
    return statement, tuple(listed if value is LISTED else value for value in values)


def _within(selection: Selection) -> Any:
    listed = text("state.seq IN (SELECT value FROM json_each(:seqs))").bindparams(seqs=LISTED)
    return select(TABLES.state.c.seq).where(listed, *BY_POSITION.conditions(selection))


def edges_of(
    driver: Any, ids: Sequence[str], relation: Relation | None, *, include_ended: bool
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
        found |= dict.fromkeys(map(as_edge, driver.execute(statement + rest + " ORDER BY row", values)))
    return sorted(found, key=lambda edge: edge.seq)
