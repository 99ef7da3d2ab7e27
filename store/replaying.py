"""State from the log alone: the naive full fold that the kept tables are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import zip_longest

from store.appending import NOT_INDEXED, indexed_text
from store.codec import read_back
from store.diagnosis import Bad
from store.errors import InvalidEngram, StoreError
from store.fold import fold
from store.model import Engram, EngramType, Relation
from store.port import EdgeRow, EngramLog, Standing
from store.retrieval.text import index_terms


def replay(log: EngramLog) -> tuple[dict[str, Standing], list[EdgeRow]]:
    """Every standing and every edge, computed from the entries alone."""
    return fold_all(map(read_back, log.entries()))


def fold_all(engrams: Iterable[Engram]) -> tuple[dict[str, Standing], list[EdgeRow]]:
    """The naive fold over a whole sequence, in order; raises BadRequest where an entry cannot follow."""
    known: dict[str, Standing] = {}
    edges: list[EdgeRow] = []
    later: dict[str, list[str]] = {}
    for engram in engrams:
        if engram.id in known:
            raise InvalidEngram("id", f"{engram.id} was used before position {engram.seq}")
        effect = fold(engram, known, _rivals(engram, known, later))
        known[engram.id] = effect.standing
        known |= {standing.id: standing for standing in effect.ended}
        edges += effect.edges
        for edge in effect.edges:
            if edge.relation is Relation.SUPERSEDES:
                later.setdefault(edge.dst, []).append(edge.src)
    links = {s.id: s.ended_seq for s in known.values() if s.type is EngramType.LINK and not s.holds}
    return known, [replace(e, ended_seq=links[e.claim]) if e.claim in links else e for e in edges]


def derived(
    log: EngramLog,
) -> tuple[list[Standing], list[EdgeRow], list[tuple[int, str]]]:
    """What the log says the derived tables hold: standings, edges and words to index."""
    standings, edges = replay(log)
    return list(standings.values()), edges, indexed(map(read_back, log.entries()))


def indexed(engrams: Iterable[Engram]) -> list[tuple[int, str]]:
    """(seq, words) of what the full-text index holds of these engrams."""
    return [
        (engram.seq, index_terms(indexed_text(engram)))
        for engram in engrams
        if engram.klass not in NOT_INDEXED and not engram.erased
    ]


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
