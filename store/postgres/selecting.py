"""The tables of the server as `store.selecting` asks them, with lists as one array parameter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, any_, bindparam

from store.postgres.schema import log, state, vector
from store.selecting import Tables


def among(column: ColumnElement[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """`column = ANY(array)`: one parameter and one prepared statement, however many values."""
    return column == any_(bindparam(None, list(values), type_=ARRAY(column.type)))


TABLES = Tables(log=log, state=state, vector=vector, among=among, one_of=among)
