"""Spreading activation over links: what a few engrams bring to mind (Collins & Loftus 1975).

Strength is multiplicative along a path, so a weak link weakens what lies behind it and a link of weight zero
ends the path. A node has the strength of its strongest path. The search is best-first: since no factor
exceeds 1, a node is first reached along its strongest path, each node is left once, and cycles end.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

Links = Callable[[Collection[int]], Mapping[int, Sequence[tuple[int, float]]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Activated:
    """A node that was reached: `strength` 0..1, and the nodes from its seed to itself."""

    seq: int
    strength: float
    path: tuple[int, ...]


def spread(
    seeds: Mapping[int, float],
    links: Links,
    *,
    relevance: Callable[[Sequence[int]], Mapping[int, float]] | None = None,
    limit: int = 20,
    threshold: float = 0.1,
    fan_out: float = 0.8,
    max_nodes: int = 500,
) -> list[Activated]:
    """The `limit` most active nodes, seeds among them, strongest first, ties by position (E1-E4).

    Args:
        seeds: position -> initial strength, 0..1.
        links: the neighbours of nodes with the weight 0..1 of each link; asked once a node that is left.
        relevance: what each node has to do with the query vector, 0..1; it scales the strength that ranks a
            node, never the one that spreads. Nodes it leaves out count as 1.
        threshold: paths weaker than this are not followed.
        fan_out: what every step costs, whatever the link's weight.
        max_nodes: nodes that are left at most; bounds the work on a dense graph.
    """
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    queue: list[tuple[float, int, tuple[int, ...]]] = [
        (-strength, seq, (seq,)) for seq, strength in seeds.items() if strength >= threshold
    ]
    heapq.heapify(queue)
    while queue and len(best) < max_nodes:
        negative, seq, path = heapq.heappop(queue)
        if seq in best:
            continue
        best[seq] = (-negative, path)
        for neighbour, weight in sorted(links([seq]).get(seq, ())):
            strength = -negative * min(max(weight, 0.0), 1.0) * fan_out
            if strength >= threshold and neighbour not in best:
                heapq.heappush(queue, (-strength, neighbour, (*path, neighbour)))
    fits = relevance(list(best)) if relevance is not None else {}
    ranked = [
        Activated(seq=seq, strength=strength * min(max(fits.get(seq, 1.0), 0.0), 1.0), path=path)
        for seq, (strength, path) in best.items()
    ]
    return sorted(ranked, key=lambda node: (-node.strength, node.seq))[:limit]
