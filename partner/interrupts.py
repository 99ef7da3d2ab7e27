"""Ctrl-C, where it may break in and where it must wait.

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
    """Owns SIGINT of the main thread between `install` and `restore`."""

    def __init__(self) -> None:
        self._armed = False
        self._pending = False
        self._before: Any = None

    def install(self) -> None:
        self._before = signal.signal(signal.SIGINT, self._on_signal)

    def restore(self) -> None:
        signal.signal(signal.SIGINT, self._before)

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

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            self._armed = False
            raise KeyboardInterrupt
        self._pending = True
