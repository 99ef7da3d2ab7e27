"""Vectors for what was written, made beside the conversation: no turn waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from partner.embedding_models import LocalEmbedder
    from store import Store

BATCH = 16  # a question waits for the batch at hand, so it is small
CLOSE_S = 2.0


class MeaningKeeper:
    """A thread that embeds what has no vector yet, whenever it is woken. Failures wait for the next waking:
    retrieval by words works meanwhile, and `problem` says what is the matter.

    `earlier` is the embedder that serves until all is embedded anew; `arrived` is called once that is so.
    """

    def __init__(
        self,
        store: Store,
        embedder: LocalEmbedder,
        *,
        earlier: LocalEmbedder | None = None,
        arrived: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._earlier = earlier
        self._arrived = arrived
        self._wake = threading.Event()
        self._leave = threading.Event()
        self._thread: threading.Thread | None = None
        self.problem = ""
        self._told = ""

    def news(self) -> str:
        """The problem, the first time it is asked for; empty when there is none or it was told."""
        problem, self._told = self.problem if self.problem != self._told else "", self.problem
        return problem

    def wake(self) -> None:
        """Start (or go on) embedding; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="meaning", daemon=True)
            self._thread.start()
        self._wake.set()

    def close(self) -> None:
        """Stop; what has no vector yet gets one the next time. Never waits for a long batch to end."""
        self._leave.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)
        ending = threading.Thread(target=self._end, name="meaning ends", daemon=True)
        ending.start()
        ending.join(CLOSE_S)

    def _end(self) -> None:
        self._embedder.close()
        if self._earlier is not None:
            self._earlier.close()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if self._leave.is_set():
                return
            try:
                self._embedder.prepare()
                self._catch_up()
                self.problem = ""
            except Exception as error:  # noqa: BLE001 - a thread's traceback would run into the conversation
                self.problem = f"Retrieval goes by words alone for now: {error}"

    def _catch_up(self) -> None:
        while self._store.embed_missing(BATCH):
            if self._leave.is_set():
                return
        self._arrived()
