"""Health of an endpoint, model and key: closed, open until a time, or half-open with one probe.

Transitions are data (`_AFTER`): what a failure of each kind does. Time comes in as a monotonic clock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from router.errors import EngineFailed, FailureKind

THRESHOLD = 3  # failures in a row that open it
FIRST_PAUSE_S = 10.0  # doubled with every further opening
LONGEST_PAUSE_S = 300.0
LONGEST_RETRY_AFTER_S = 3600.0


class Effect(StrEnum):
    """What a failure means for the next calls."""

    NOTHING = "nothing"  # the request's fault, not the endpoint's
    COUNT = "count"  # opens after THRESHOLD in a row
    PAUSE = "pause"  # opens at once, for as long as the endpoint asked
    LOCK = "lock"  # opens until the configuration changes


_AFTER: dict[FailureKind, Effect] = {
    FailureKind.CONNECT: Effect.COUNT,
    FailureKind.TIMEOUT: Effect.COUNT,
    FailureKind.SERVER: Effect.COUNT,
    FailureKind.PROTOCOL: Effect.COUNT,
    FailureKind.CRASHED: Effect.COUNT,
    FailureKind.RATE: Effect.PAUSE,
    FailureKind.AUTH: Effect.LOCK,
    FailureKind.OVERFLOW: Effect.NOTHING,
    FailureKind.REFUSED: Effect.NOTHING,
    FailureKind.UNUSABLE: Effect.COUNT,
}


@dataclass(slots=True)
class _State:
    failures: int = 0
    openings: int = 0
    open_until: float = 0.0
    locked: bool = False
    asked: bool = False  # the pause was asked for by the endpoint: not even a last resort may break it
    probing: bool = False
    reason: str = ""


class Breakers:
    """One breaker a key. Thread-safe."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._states: dict[str, _State] = {}

    def closed_reason(self, key: str) -> str:
        """Empty when a call may go out; otherwise why not, in words."""
        with self._lock:
            state = self._states.get(key)
            if state is None:
                return ""
            if state.locked:
                return f"{state.reason}; not tried again until its configuration changes"
            wait_s = state.open_until - self._clock()
            if wait_s > 0:
                return f"{state.reason}; tried again in {wait_s:.0f} s"
            if state.probing:
                return f"{state.reason}; being tried by another request"
            return ""

    def last_resort(self, key: str) -> bool:
        """Whether an open breaker may be ignored when nothing else is left."""
        with self._lock:
            state = self._states.get(key)
            return state is None or not (state.locked or state.asked)

    def enter(self, key: str) -> bool:
        """A call goes out; after an opening it is the one probe. False when another call is that probe."""
        with self._lock:
            state = self._states.get(key)
            if state is None or not state.openings:
                return True
            if state.probing:
                return False
            state.probing = True
            return True

    def success(self, key: str) -> None:
        with self._lock:
            self._states.pop(key, None)

    def cancelled(self, key: str) -> None:
        """The caller left: nothing is known about the endpoint."""
        with self._lock:
            if (state := self._states.get(key)) is not None:
                state.probing = False

    def failure(self, key: str, error: EngineFailed) -> None:
        effect = _AFTER[error.kind]
        with self._lock:
            state = self._states.setdefault(key, _State())
            probing, state.probing = state.probing, False
            if effect is Effect.NOTHING:
                return
            state.reason = str(error)
            state.failures += 1
            if effect is Effect.LOCK:
                state.locked = True
            elif error.retry_after_s is not None:
                # the latest answer of the endpoint wins, also when it is sooner than what was noted
                state.open_until = self._clock() + min(error.retry_after_s, LONGEST_RETRY_AFTER_S)
                state.openings += 1
                state.asked = True
            elif effect is Effect.PAUSE or probing or state.failures >= THRESHOLD:
                pause_s = min(FIRST_PAUSE_S * 2**state.openings, LONGEST_PAUSE_S)
                state.open_until = self._clock() + pause_s
                state.openings += 1
                state.asked = effect is Effect.PAUSE

    def reset(self, key: str | None = None) -> None:
        """The configuration changed: forget one key, or all."""
        with self._lock:
            if key is None:
                self._states.clear()
            else:
                self._states.pop(key, None)
