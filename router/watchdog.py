"""Deadlines that move: one sleeping thread calls back when a stream has been silent for too long.

A socket's read timeout cannot do this: a server that sends keep-alive comments, or one byte at a time, never
trips it, and the first token may take longer than the time allowed between tokens.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Guard:
    """One deadline. `fired` is True when it passed and the callback was made."""

    def __init__(self, seconds: float, on_expire: Callable[[], object], clock: Callable[[], float]) -> None:
        self._clock = clock
        self.deadline = clock() + seconds
        self.on_expire = on_expire
        self.fired = False

    def extend(self, seconds: float) -> None:
        """Move the deadline to `seconds` from now."""
        self.deadline = self._clock() + seconds


class Watchdog:
    """Watches any number of guards with one daemon thread, started by the first."""

    TICK_S = 0.05  # how late a deadline may be noticed

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wake = threading.Condition()
        self._guards: set[Guard] = set()
        self._running = False

    @contextmanager
    def watch(self, seconds: float, on_expire: Callable[[], object]) -> Iterator[Guard]:
        """Call `on_expire` (from the other thread) unless the block ends or extends in time."""
        guard = Guard(seconds, on_expire, self._clock)
        with self._wake:
            self._guards.add(guard)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="router watchdog", daemon=True).start()
            elif len(self._guards) == 1:
                self._wake.notify()
        try:
            yield guard
        finally:
            with self._wake:
                self._guards.discard(guard)

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._guards:
                    self._wake.wait()
                now = self._clock()
                expired = [guard for guard in self._guards if guard.deadline <= now]
                for guard in expired:
                    # under the lock: a block that ends now waits, so its callback never comes late
                    guard.fired = True
                    self._guards.discard(guard)
                    guard.on_expire()
                self._wake.wait(self.TICK_S)


SHARED = Watchdog()
