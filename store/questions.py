"""Small translations between what callers ask and say and what the log keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from store.codec import from_micros, micros
from store.errors import BadRequest
from store.fold import key_of
from store.model import EngramType, Klass, Relation
from store.port import EdgeRow, Selection, Standing
from store.records import Edge, Status


def status_of(standing: Standing, edges: Sequence[EdgeRow]) -> Status:
    """Fold the edges that touch one engram into its status."""
    own = standing.id

    def sources(relation: Relation) -> tuple[str, ...]:
        return tuple(dict.fromkeys(e.src for e in edges if e.relation is relation and e.dst == own))

    rivals = [e.src if e.dst == own else e.dst for e in edges if e.relation is Relation.CONTRADICTS]
    withdrawn = sources(Relation.RETRACTS)
    return Status(
        holds=standing.holds,
        superseded_by=sources(Relation.SUPERSEDES),
        retracted_by=withdrawn[0] if withdrawn else None,
        contradicts=tuple(dict.fromkeys(rivals)),
        supersedes=tuple(
            dict.fromkeys(e.dst for e in edges if e.relation is Relation.SUPERSEDES and e.src == own)
        ),
        why=standing.ended_why,
        since=standing.ended_seq,
        erased=standing.erased,
    )


def as_edge(row: EdgeRow) -> Edge:
    return Edge(
        claim=row.claim,
        seq=row.seq,
        src=row.src,
        relation=row.relation,
        dst=row.dst,
        author=row.author,
        created_at=from_micros(row.created_us),
        holds=row.ended_seq is None,
    )


def at_moment(selection: Selection, when: datetime | int) -> Selection:
    """The selection at a position or an instant; raises BadRequest for anything else."""
    if isinstance(when, datetime):
        return replace(selection, instant_us=micros(aware(when)))
    if isinstance(when, bool) or not isinstance(when, int) or when < 0:
        raise BadRequest(f"as of a position or a time, not {when!r}")
    return replace(selection, position=when)


def aware(when: datetime) -> datetime:
    if when.tzinfo is None:
        raise BadRequest(f"{when.isoformat()} needs its offset from UTC, as in 2026-03-06T10:15:00+01:00")
    return when


def relation_of(value: Relation | str) -> Relation:
    try:
        return Relation(value)
    except ValueError as error:
        raise BadRequest(f"unknown relation {value!r}; one of: {', '.join(Relation)}") from error


def many(value: Any) -> tuple[Any, ...] | None:
    if value is None:
        return None
    return (value,) if isinstance(value, str) else tuple(value)


def selection_of(
    klass: Any, kind: Any, subject: str | None, attribute: str | None, limit: int | None, newest_first: bool
) -> Selection:
    if limit is not None and limit < 0:
        raise BadRequest("a limit is not negative")
    try:
        klasses = None if klass is None else tuple(map(Klass, many(klass) or ()))
        types = None if kind is None else tuple(map(EngramType, many(kind) or ()))
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return Selection(
        klasses=klasses,
        types=types,
        subject=key_of(subject),
        attribute=key_of(attribute),
        limit=limit,
        newest_first=newest_first,
    )
