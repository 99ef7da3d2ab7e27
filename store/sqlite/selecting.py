"""A `Selection` as SQL over the `state` table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import func, or_, select, true
from sqlmodel import col

from store.model import Klass
from store.port import Selection
from store.sqlite.schema import StateRow

ALL_BUT_CONTROL = tuple(klass for klass in Klass if klass is not Klass.CONTROL)


def conditions(selection: Selection) -> list[Any]:
    """The WHERE clauses of a selection over `state`."""
    found: list[Any] = [~col(StateRow.erased)]
    if selection.klasses is not None:
        found.append(col(StateRow.klass).in_([klass.value for klass in selection.klasses]))
    elif selection.types is None:
        found.append(col(StateRow.klass) != Klass.CONTROL.value)
    if selection.types is not None:
        found.append(col(StateRow.type).in_([kind.value for kind in selection.types]))
    if selection.subject is not None:
        found.append(col(StateRow.subject) == selection.subject)
    if selection.attribute is not None:
        found.append(col(StateRow.attribute) == selection.attribute)
    return found + _moment(selection)


def _moment(selection: Selection) -> list[Any]:
    ended_seq, ended_us = col(StateRow.ended_seq), col(StateRow.ended_us)
    if selection.position is not None:
        born = col(StateRow.seq) <= selection.position
        alive = or_(ended_seq.is_(None), ended_seq > selection.position)
    elif selection.instant_us is not None:
        born = col(StateRow.effective_us) <= selection.instant_us
        alive = or_(ended_us.is_(None), ended_us > selection.instant_us)
    else:
        born, alive = true(), ended_seq.is_(None)
    return [born] if selection.include_ended else [born, alive]


def ordered(query: Any, selection: Selection) -> Any:
    """Add the conditions, the order and the limit of a selection to a query on `state`.

    At an instant the order is that of what was true when, else that of the log.
    """
    keys = [col(StateRow.seq)]
    if selection.instant_us is not None:
        keys.insert(0, col(StateRow.effective_us))
    query = query.where(*conditions(selection))
    query = query.order_by(*(key.desc() if selection.newest_first else key for key in keys))
    return query if selection.limit is None else query.limit(selection.limit)


def among(column: Any, values: Iterable[Any]) -> Any:
    """`column IN (...)` as one bound parameter: the statement stays the same for any number of values."""
    listed = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(listed.c.value))


def apart(selection: Selection) -> list[Selection]:
    """One selection a class where several were asked for at an instant with a limit.

    The index by class and time then gives each its newest in order, instead of all to be sorted.
    """
    if selection.instant_us is None or selection.limit is None or selection.types is not None:
        return [selection]
    asked = selection.klasses if selection.klasses is not None else ALL_BUT_CONTROL
    return [replace(selection, klasses=(klass,)) for klass in asked]
