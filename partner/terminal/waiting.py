"""A sign of life while nothing is said: from the first second on a line that counts, wiped before anything
else is written."""

from __future__ import annotations

import threading

from rich.console import Console

STEP_S = 1.0


class Waiting:
    """Counts on a console that is a terminal; elsewhere it does nothing. `begin` and `over` come from one
    thread, the counting is its own."""

    def __init__(self, console: Console, *, step_s: float = STEP_S) -> None:
        self._console = console
        self._step_s = step_s
        self._lock = threading.Lock()
        self._done: threading.Event | None = None
        self._shown = ""

    def begin(self) -> None:
        """From here on nothing is said; a second begin changes nothing."""
        if self._done is not None or not self._console.is_terminal:
            return
        self._done = threading.Event()
        threading.Thread(target=self._count, args=(self._done,), name="waiting", daemon=True).start()

    def over(self) -> None:
        """Something is said now."""
        if self._done is None:
            return
        self._done.set()
        self._done = None
        with self._lock:
            if self._shown:
                self._console.out(" " * len(self._shown), end="\r", highlight=False)
                self._shown = ""

    def _count(self, done: threading.Event) -> None:
        seconds = 0
        while not done.wait(self._step_s):
            seconds += 1
            with self._lock:
                if done.is_set():
                    return
                self._shown = f"... {seconds} s (Ctrl-C stops)"
                self._console.out(self._shown, style="dim", end="\r", highlight=False)
