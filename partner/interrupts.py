"""Ctrl-C and a closed terminal, where they may break in and where they must wait.

Waiting for an engine may be broken off at any byte; a write must not. So the signal raises only while
`armed`, and is remembered otherwise. A library caller gets `NoInterrupts`, which changes nothing.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol


class Interrupts(Protocol):
    def armed(self) -> Any:
        """A context manager inside which Ctrl-C raises KeyboardInterrupt."""


class NoInterrupts:
    @contextmanager
    def armed(self) -> Iterator[None]:
        yield


class SignalInterrupts:
    """Owns SIGINT of the main thread between `install` and `restore`, and what ends a process whose terminal
    was closed: then the answer is stopped and kept likewise, and `leaving` says that nobody is there."""

    def __init__(self) -> None:
        self.leaving = False
        self._armed = False
        self._pending = False
        self._before: dict[int, Any] = {}

    def install(self) -> None:
        self._before = {
            signal.SIGINT: signal.signal(signal.SIGINT, self._on_signal),
            **{number: signal.signal(number, self._on_leaving) for number in (signal.SIGHUP, signal.SIGTERM)},
        }

    def restore(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def forget(self) -> None:
        """Drop a Ctrl-C that came too late to stop anything."""
        self._pending = False

    @contextmanager
    def armed(self) -> Iterator[None]:
        self._armed = True
        try:
            if self._pending:
                self._pending = False
                raise KeyboardInterrupt
            yield
        finally:
            self._armed = False

    def _on_leaving(self, number: int, frame: FrameType | None) -> None:
        self.leaving = True
        self._on_signal(number, frame)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            self._armed = False
            raise KeyboardInterrupt
        self._pending = True
