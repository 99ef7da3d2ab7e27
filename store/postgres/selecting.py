"""A `Selection` as SQL over the `state` table, and lists as one array parameter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, any_, bindparam, or_

from store.model import Klass
from store.port import Selection
from store.postgres.schema import state


def among(column: ColumnElement[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """`column = ANY(array)`: one parameter and one prepared statement, however many values."""
    return column == any_(bindparam(None, list(values), type_=ARRAY(column.type)))


def conditions(selection: Selection) -> list[ColumnElement[bool]]:
    """The WHERE clauses of a selection over `state`; `store.memory.fits` is what they mean."""
    found: list[ColumnElement[bool]] = [~state.c.erased]
    if selection.klasses is not None:
        found.append(among(state.c.klass, [klass.value for klass in selection.klasses]))
    elif selection.types is None:
        found.append(state.c.klass != Klass.CONTROL.value)
    if selection.types is not None:
        found.append(among(state.c.type, [kind.value for kind in selection.types]))
    if selection.subject is not None:
        found.append(state.c.subject == selection.subject)
    if selection.attribute is not None:
        found.append(state.c.attribute == selection.attribute)
    return found + _moment(selection)


def _moment(selection: Selection) -> list[ColumnElement[bool]]:
    ended_seq, ended_us = state.c.ended_seq, state.c.ended_us
    if selection.position is not None:
        born = [state.c.seq <= selection.position]
        alive = or_(ended_seq.is_(None), ended_seq > selection.position)
    elif selection.instant_us is not None:
        born = [state.c.effective_us <= selection.instant_us]
        alive = or_(ended_us.is_(None), ended_us > selection.instant_us)
    else:
        born, alive = [], ended_seq.is_(None)
    return born if selection.include_ended else [*born, alive]


def ordered(query: Any, selection: Selection) -> Any:
    """Add the conditions, the order and the limit of a selection to a query on `state`.

    At an instant the order is that of what was true when, else that of the log.
    """
    query = query.where(*conditions(selection))
    keys = [state.c.seq] if selection.instant_us is None else [state.c.effective_us, state.c.seq]
    query = query.order_by(*(key.desc() if selection.newest_first else key for key in keys))
    return query if selection.limit is None else query.limit(selection.limit)
