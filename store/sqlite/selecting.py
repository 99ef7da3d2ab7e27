"""The tables of the file as `store.selecting` asks them, and what only SQLite's planner needs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, func, literal_column, select

from store.model import Klass
from store.port import Selection
from store.selecting import Tables
from store.sqlite.schema import TABLES as METADATA

ALL_BUT_CONTROL = tuple(klass for klass in Klass if klass is not Klass.CONTROL)


def among(column: ColumnElement[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """`column IN (...)` as one bound parameter: the statement stays the same for any number of values."""
    listed = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(listed.c.value))


def one_of(column: ColumnElement[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """A list of literals: of one value SQLite makes an equality, and the index then gives the order."""
    return column.in_(list(values))


def one_of_known(column: ColumnElement[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """The same where positions are known: without an index by class, which SQLite would look each up in for
    each class, three times as slow."""
    return literal_column(f"+{column}").in_(list(values))


_tables = METADATA.tables
TABLES = Tables(
    log=_tables["log"], state=_tables["state"], vector=_tables["vector"], among=among, one_of=one_of
)
BY_POSITION = replace(TABLES, one_of=one_of_known)


def by_subject(selection: Selection) -> bool:
    """Whether what is found comes in the order of attributes: the index has the subject first, then these."""
    return selection.subject is not None and selection.attribute is None


def apart(selection: Selection) -> list[Selection]:
    """One selection a class, or a type, where several were asked for with a limit.

    An index then gives each its newest in order, instead of all to be sorted. At an instant that is the index
    by class and time, where all classes must be taken apart; what held at a position has none by type.
    """
    past = selection.position is not None or selection.instant_us is not None or selection.include_ended
    if selection.limit is None or selection.subject is not None:
        return [selection]
    if selection.types is not None:
        return [selection] if past else [replace(selection, types=(kind,)) for kind in set(selection.types)]
    if selection.klasses is not None:
        return [replace(selection, klasses=(klass,)) for klass in set(selection.klasses)]
    if selection.instant_us is None:
        return [selection]
    return [replace(selection, klasses=(klass,)) for klass in ALL_BUT_CONTROL]
