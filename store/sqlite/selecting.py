"""A `Selection` as SQL over the `state` table."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, true
from sqlmodel import col

from store.model import Klass
from store.port import Selection
from store.sqlite.schema import StateRow


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
    """Add the conditions, the order and the limit of a selection to a query on `state`."""
    query = query.where(*conditions(selection))
    query = query.order_by(col(StateRow.seq).desc() if selection.newest_first else col(StateRow.seq))
    return query if selection.limit is None else query.limit(selection.limit)
