"""Rows of the derived tables: what both SQL backends write and read, in the order of the columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from store.ids import tail_key
from store.model import Authority, EngramType, Klass, Relation
from store.port import EdgeRow, Standing

STATE_COLUMNS = (
    "seq",
    "id",
    "tail",
    "klass",
    "type",
    "author",
    "authority",
    "created_us",
    "effective_us",
    "subject",
    "attribute",
    "ended_seq",
    "ended_us",
    "ended_why",
    "erased",
)
STANDING_COLUMNS = tuple(name for name in STATE_COLUMNS if name != "tail")  # what `as_standing` reads
EDGE_COLUMNS = ("seq", "claim", "src", "relation", "dst", "author", "created_us", "ended_seq")
_KLASSES = {klass.value: klass for klass in Klass}
_TYPES = {kind.value: kind for kind in EngramType}
_RELATIONS = {relation.value: relation for relation in Relation}


def as_standing(row: Sequence[Any]) -> Standing:
    """A row of `STANDING_COLUMNS`."""
    seq, engram_id, klass, kind, author, authority, *rest, erased = row
    known = (seq, engram_id, _KLASSES[klass], _TYPES[kind], author, Authority(authority))
    return Standing._make((*known, *rest, bool(erased)))


def as_edge(row: Sequence[Any]) -> EdgeRow:
    """A row of `EDGE_COLUMNS`."""
    seq, claim, src, relation, *rest = row
    return EdgeRow(seq, claim, src, _RELATIONS[relation], *rest)


def state_row(s: Standing) -> tuple[Any, ...]:
    """A standing as a row of `STATE_COLUMNS`."""
    return (s.seq, s.id, tail_key(s.id), s.klass.value, s.type.value, s.author, int(s.authority), *s[6:])


def edge_row(e: EdgeRow) -> tuple[Any, ...]:
    """An edge as a row of `EDGE_COLUMNS`."""
    return (e.seq, e.claim, e.src, e.relation.value, e.dst, e.author, e.created_us, e.ended_seq)


def end_rows(standings: Iterable[Standing]) -> list[tuple[Any, ...]]:
    """What ending changes in `state`: (ended_seq, ended_us, ended_why, erased, subject, attribute, seq)."""
    return [
        (s.ended_seq, s.ended_us, s.ended_why, s.erased, s.subject, s.attribute, s.seq) for s in standings
    ]


def ended_links(standings: Iterable[Standing]) -> list[tuple[Any, ...]]:
    """(ended_seq, seq) of the link entries among them, whose edges end with them."""
    return [(s.ended_seq, s.seq) for s in standings if s.type is EngramType.LINK]
