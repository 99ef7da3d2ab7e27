"""Questions to the tables that both SQL backends ask alike, as SQLAlchemy statements; `store.memory` is what
they mean. A backend gives its tables and its way to say `column IN (values)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, FromClause, case, or_, select

from store.model import Klass
from store.port import LogEntry, Selection
from store.rows import STANDING_COLUMNS

NOT_EMBEDDED = (Klass.CONTROL.value, Klass.PROHIBITION.value)
Among = Callable[[ColumnElement[Any], Iterable[Any]], ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one backend, and its `column IN (values)`: `among` for any number of them as one
    parameter, `one_of` for the few of a vocabulary, where the order of an index is to be kept."""

    log: FromClause
    state: FromClause
    vector: FromClause
    among: Among
    one_of: Among

    @property
    def entry(self) -> list[Any]:
        return [self.log.c[name] for name in LogEntry._fields]

    @property
    def standing(self) -> list[Any]:
        return [self.state.c[name] for name in STANDING_COLUMNS]

    def conditions(self, selection: Selection) -> list[ColumnElement[bool]]:
        """The WHERE clauses of a selection over `state`; `store.memory.fits` is what they mean."""
        state = self.state
        found: list[ColumnElement[bool]] = [~state.c.erased]
        if selection.klasses is not None:
            found.append(self.one_of(state.c.klass, [klass.value for klass in selection.klasses]))
        elif selection.types is None:
            found.append(state.c.klass != Klass.CONTROL.value)
        if selection.types is not None:
            found.append(self.one_of(state.c.type, [kind.value for kind in selection.types]))
        if selection.subject is not None:
            found.append(state.c.subject == selection.subject)
        if selection.attribute is not None:
            found.append(state.c.attribute == selection.attribute)
        return found + self._moment(selection)

    def _moment(self, selection: Selection) -> list[ColumnElement[bool]]:
        state = self.state
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

    def ordered(self, query: Any, selection: Selection) -> Any:
        """Add the conditions, the order and the limit of a selection to a query on `state`.

        At an instant the order is that of what was true when, else that of the log.
        """
        state = self.state
        keys = [state.c.seq] if selection.instant_us is None else [state.c.effective_us, state.c.seq]
        query = query.where(*self.conditions(selection))
        query = query.order_by(*(key.desc() if selection.newest_first else key for key in keys))
        return query if selection.limit is None else query.limit(selection.limit)

    def selected(self, selection: Selection) -> Any:
        """The entries of a selection."""
        query = select(*self.entry).join(self.state, self.state.c.seq == self.log.c.seq)
        return self.ordered(query, selection)

    def held(self, seqs: Iterable[int], selection: Selection) -> Any:
        """Those of `seqs` that are within a selection."""
        within = self.among(self.state.c.seq, seqs)
        return select(self.state.c.seq).where(within, *self.conditions(selection))

    def standings_after(self, seq: int, limit: int) -> Any:
        """A page of standings in order."""
        return select(*self.standing).where(self.state.c.seq > seq).order_by(self.state.c.seq).limit(limit)

    def standings_at(self, seqs: Iterable[int]) -> Any:
        return select(*self.standing).where(self.among(self.state.c.seq, seqs)).order_by(self.state.c.seq)

    def vectors_after(self, model: str, position: int, limit: int) -> Any:
        """A page of (position, seq, class, blob) in the order they were put."""
        vector, state = self.vector, self.state
        query = select(vector.c.position, vector.c.seq, state.c.klass, vector.c.blob)
        query = query.join(state, state.c.seq == vector.c.seq)
        query = query.where(vector.c.model == model, vector.c.position > position)
        return query.order_by(vector.c.position).limit(limit)

    def without_vector(self, model: str, limit: int) -> Any:
        """Entries that could have a vector of this model and do not: what holds first, newest first."""
        log, state, vector = self.log, self.state, self.vector
        have = select(vector.c.seq).where(vector.c.model == model, vector.c.seq == state.c.seq).exists()
        query = select(*self.entry).join(state, state.c.seq == log.c.seq)
        query = query.where(state.c.klass.not_in(NOT_EMBEDDED), ~state.c.erased, ~have)
        holding_first = case((state.c.ended_seq.is_(None), 0), else_=1)
        return query.order_by(holding_first, state.c.seq.desc()).limit(limit)
