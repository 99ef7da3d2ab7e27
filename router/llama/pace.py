"""How many threads a short text is read with: a second one while it pays.

The threads wait for each other a hundred times in a pass. While both cores are free two are a third faster
than one; where another program has one of the cores, each waiting lasts until that one pauses, and a question
took ten times as long. So both ways are timed, and the way that is not taken is tried again now and then.
The vectors are the same bits either way.
"""

from __future__ import annotations

TRIED_AGAIN = 32  # passes until the other way is tried
NEW_SHARE = 0.3  # of the latest pass in what a way is taken to cost


class Pace:
    """Chooses between one thread and `together`, by the seconds a token that each took lately."""

    def __init__(self, together: int) -> None:
        self._ways = (1, together)
        self._costs: dict[int, float] = {}
        self._passes = 0

    def threads(self) -> int:
        """For the next pass."""
        self._passes += 1
        untried = [way for way in self._ways if way not in self._costs]
        if untried:
            return untried[0]
        best = min(self._ways, key=self._costs.__getitem__)
        other = self._ways[0] if best == self._ways[1] else self._ways[1]
        return best if self._passes % TRIED_AGAIN else other

    def took(self, threads: int, tokens: int, seconds: float) -> None:
        """Take note of a pass."""
        cost = seconds / tokens
        before = self._costs.get(threads, cost)
        self._costs[threads] = before + NEW_SHARE * (cost - before)
