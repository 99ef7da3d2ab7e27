"""How strongly a link is grounded: used together strengthens, disuse weakens (Hebb 1949; E19, E20).

Weights are derived state beside the signed log: they may be lost and grow again. Only links that somebody
claimed have one; using two engrams together never makes a link between them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations

FRESH = 0.5  # the weight of a link that was never used
FLOOR = 0.1  # disuse ends here: what was claimed stays reachable
RATE = 0.2
HALF_LIFE_DAYS = 60.0

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Weights:
    """(weight, Unix seconds of the last use) of each link that was used, by (source, target) positions."""

    used: Mapping[Pair, tuple[float, float]]

    def weight(self, pair: Pair, *, now_s: float) -> float:
        """The weight 0..1 of a link now, after the disuse since it was last strengthened."""
        if pair not in self.used:
            return FRESH
        weight, at = self.used[pair]
        idle_days = max(now_s - at, 0.0) / 86_400.0
        return FLOOR + (weight - FLOOR) * 0.5 ** (idle_days / HALF_LIFE_DAYS)

    def used_together(self, seqs: Collection[int], links: Iterable[Pair], *, at_s: float) -> Weights:
        """The weights after a turn that used `seqs`; of `links` those between two of them get stronger."""
        together = set(permutations(set(seqs), 2))
        stronger = {
            pair: (min(1.0, now + RATE * (1.0 - now)), at_s)
            for pair in set(links) & together
            for now in [self.weight(pair, now_s=at_s)]
        }
        return Weights({**self.used, **stronger})

    def to_bytes(self) -> bytes:
        rows = sorted([*pair, weight, at] for pair, (weight, at) in self.used.items())
        return json.dumps({"format": "hebbian/1", "links": rows}).encode()

    @classmethod
    def from_bytes(cls, data: bytes | None) -> Weights:
        """Read back; anything unreadable counts as never used, since weights are only derived."""
        try:
            rows = json.loads(data or b"{}").get("links", [])
            return cls({(int(a), int(b)): (min(max(float(w), 0.0), 1.0), float(t)) for a, b, w, t in rows})
        except (ValueError, TypeError, AttributeError):
            return cls({})
