"""Group commit: what several threads append at once is one transaction, so one sync of the disk serves all.

DeWitt et al. 1984, Implementation Techniques for Main Memory Database Systems, section 5.2.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from store.errors import BadRequest
from store.model import Draft, Engram
from store.port import LogWriter

MAX_DRAFTS = 512  # of one transaction that several share; the next takes what is left


@dataclass(slots=True, eq=False)
class _Request:
    drafts: Sequence[Draft]
    author: str | None = None
    engrams: list[Engram] = field(default_factory=list)
    error: Exception | None = None
    settled: bool = False


class GroupCommit:
    """Appends for threads: the one whose turn it is writes for all that wait by then.

    `writing` opens the transaction, `append` writes drafts in it and raises BadRequest before it has
    written anything of them. Who is refused hinders nobody; nobody is answered before the commit.
    """

    def __init__(
        self,
        writing: Callable[[], AbstractContextManager[LogWriter]],
        append: Callable[[LogWriter, Sequence[Draft], str | None], list[Engram]],
    ) -> None:
        self._writing = writing
        self._append = append
        self._turn = threading.Lock()  # whose turn it is writes
        self._queue = threading.Lock()
        self._waiting: deque[_Request] = deque()

    def append(self, drafts: Sequence[Draft], author: str | None = None) -> list[Engram]:
        """The engrams of `drafts`, once they are durable; raises what `append` and the transaction raise."""
        request = _Request(drafts, author)
        with self._queue:
            self._waiting.append(request)
        try:
            with self._turn:
                if not request.settled:
                    self._commit_waiting()
        finally:
            with self._queue:  # interrupted, or the transaction was not to be had
                if request in self._waiting:
                    self._waiting.remove(request)
        if request.error is not None:
            raise request.error
        return request.engrams

    def _commit_waiting(self) -> None:
        taken: list[_Request] = []
        try:
            self._commit(taken)
        finally:
            with self._queue:
                self._waiting.extendleft(request for request in reversed(taken) if not request.settled)

    def _commit(self, taken: list[_Request]) -> None:
        """One transaction for all that wait once it is had; `taken` is filled with them."""
        spoiled = False
        try:
            with self._writing() as writer:
                taken += self._take()
                spoiled = True
                for request in taken:
                    self._one(writer, request)
                spoiled = False
        except Exception as error:
            if not taken:
                raise
            if spoiled and len(taken) > 1:  # undone, and one of them is why: each by itself
                for request in taken:
                    self._commit_alone(request)
            else:  # not again: when a commit fails, nobody can be sure that it did nothing
                _settle(taken, error)
        else:
            _settle(taken)

    def _commit_alone(self, request: _Request) -> None:
        request.error = None
        try:
            with self._writing() as writer:
                self._one(writer, request)
        except Exception as error:  # noqa: BLE001 - it is raised in the thread that asked
            _settle([request], error)
        else:
            _settle([request])

    def _one(self, writer: LogWriter, request: _Request) -> None:
        try:
            request.engrams = self._append(writer, request.drafts, request.author)
        except BadRequest as refused:
            request.error = refused

    def _take(self) -> list[_Request]:
        taken: list[_Request] = []
        room = MAX_DRAFTS
        with self._queue:
            while self._waiting and (not taken or len(self._waiting[0].drafts) <= room):
                taken.append(self._waiting.popleft())
                room -= len(taken[-1].drafts)
        return taken


def _settle(requests: Sequence[_Request], error: Exception | None = None) -> None:
    for request in requests:
        request.error = error or request.error
        request.settled = True
