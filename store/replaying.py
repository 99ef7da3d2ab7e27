"""State from the log alone: the naive full fold that the kept tables are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from store.codec import read_back
from store.diagnosis import Bad
from store.errors import StoreError
from store.fold import fold
from store.model import Engram, EngramType, Relation
from store.port import EdgeRow, EngramLog, Standing


def replay(log: EngramLog) -> tuple[dict[str, Standing], list[EdgeRow]]:
    """Every standing and every edge, computed from the entries alone."""
    known: dict[str, Standing] = {}
    edges: list[EdgeRow] = []
    later: dict[str, list[str]] = {}
    for entry in log.entries():
        engram = read_back(entry)
        if engram.id in known:
            raise Bad("inserted", engram.seq, "its id was used before", engram.id)
        effect = fold(engram, known, _rivals(engram, known, later))
        known[engram.id] = effect.standing
        known |= {standing.id: standing for standing in effect.ended}
        edges += effect.edges
        for edge in effect.edges:
            if edge.relation is Relation.SUPERSEDES:
                later.setdefault(edge.dst, []).append(edge.src)
    links = {s.id: s.ended_seq for s in known.values() if s.type is EngramType.LINK and not s.holds}
    return known, [replace(e, ended_seq=links[e.claim]) if e.claim in links else e for e in edges]


def _rivals(
    engram: Engram, known: Mapping[str, Standing], later: Mapping[str, list[str]]
) -> dict[str, tuple[Standing, ...]]:
    found = {}
    for link in engram.links:
        if link.relation is Relation.SUPERSEDES and link.target in known and not known[link.target].holds:
            seen, front = {link.target}, [link.target]
            while front:
                front = [s for f in front for s in later.get(f, ()) if s not in seen]
                seen.update(front)
            found[link.target] = tuple(s for i in seen if (s := known.get(i)) is not None and s.holds)
    return found


def check_state(log: EngramLog) -> None:
    """Compare the kept state and edges with the fold; raise Bad at the first that differs."""
    try:
        expected, edges = replay(log)
    except StoreError as error:
        raise Bad("altered", 0, f"the sequence cannot be replayed: {error}") from error
    seen = 0
    for standing in log.standings():
        seen += 1
        if expected.get(standing.id) != standing:
            raise Bad("state", standing.seq, "the kept state differs from what the log says", standing.id)
    if seen != len(expected):
        raise Bad("state", 0, f"the state knows {seen} engrams, the log {len(expected)}")
    for kept, claimed in zip_longest(log.edges(include_ended=True), edges):
        if kept != claimed:
            odd = kept or claimed
            assert odd is not None
            raise Bad("state", odd.seq, "the kept links differ from what the log says", odd.claim)
