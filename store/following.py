"""Following a whole log: span by span, in several processes at once where that pays.

A helping process only ever says that a span holds together, from which hash and to which. What it does not
pass is looked at again here, so that what is bad is named in one place; and where helpers cannot be had, all
of it is done here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, NamedTuple, cast

from store.diagnosis import name_bad_signature, signer_of
from store.port import EngramLog, LogEntry, Reopening
from store.walking import Anchor, is_signed, walk

SPAN = 10_000  # entries; progress is told after each
HELPED_FROM = 2 * SPAN  # entries from which on helpers are worth their start, a tenth of a second
MAX_HELPERS = 8
_AHEAD = 4  # spans for every helper that wait for their turn to be joined

_BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from store.span_helper import main; main()"

Progress = Callable[[int, int], None]


class Span(NamedTuple):
    """Entries with `low < seq <= high`."""

    low: int
    high: int


class Passed(NamedTuple):
    """A span that holds together: it goes on from `start` and ends in `end`."""

    start: Anchor
    end: Anchor


def follow(
    log: EngramLog,
    start: Anchor,
    erased: Collection[int],
    keys: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
    *,
    helpers: int | None = None,
) -> Anchor:
    """Follow the chain from `start` to the end of the log and return that.

    With `keys` (public keys by device id) signatures are checked too. `helpers` is how many processes share
    the work; None takes as many as there are processors, where that pays. `progress` is told how many of how
    many entries are done. Raises Bad or Broken at the first entry that is not what was written.
    """
    total, check = log.head()[0], None if keys is None else signature_check(log, keys)
    spans = (Span(low, min(low + SPAN, total)) for low in range(start.seq, total, SPAN))
    reached = start
    with closing(_helped(spans, _helpers(log, start, erased, keys, total, helpers))) as looked_at:
        for span, passed in looked_at:
            if passed is not None and passed.start == reached:
                reached = passed.end
            else:
                reached = walk(log.rows(after=reached.seq, upto=span.high), reached, erased, check)
            if reached.seq != span.high:
                break
            if progress is not None:
                progress(reached.seq, total)
    # what came meanwhile; and after a gap, which raises here, whatever there is
    return walk(log.rows(after=reached.seq), reached, erased, check)


def signature_check(log: EngramLog, keys: Mapping[str, bytes]) -> Callable[[LogEntry], None]:
    """Raises Bad at an entry that is not signed by the device it names."""

    def check(entry: LogEntry) -> None:
        if not is_signed(entry, keys):
            raise name_bad_signature(log, entry, signer_of(entry))

    return check


def _helped(
    spans: Iterator[Span], helpers: Sequence[Helper]
) -> Generator[tuple[Span, Passed | None], None, None]:
    """Every span in order, and what a helper found if one passed it. Ends the helpers, whatever happens."""
    if not helpers:
        yield from ((span, None) for span in spans)
        return
    idle: SimpleQueue[Helper | None] = SimpleQueue()
    for helper in helpers:
        idle.put(helper)

    def looked_at(span: Span) -> Passed | None:
        helper = idle.get()
        passed = None if helper is None else helper.look_at(span)
        if helper is not None and helper.alive:
            idle.put(helper)
        elif not any(other.alive for other in helpers):
            idle.put(None)  # nobody is left: whoever waits shall not
        return passed

    waiting: deque[tuple[Span, Future[Passed | None]]] = deque()
    pool = ThreadPoolExecutor(len(helpers), "spans")
    try:
        for span in spans:
            waiting.append((span, pool.submit(looked_at, span)))
            if len(waiting) > _AHEAD * len(helpers):
                first, found = waiting.popleft()
                yield first, found.result()
        while waiting:
            first, found = waiting.popleft()
            yield first, found.result()
    finally:
        for helper in helpers:
            helper.end()
        pool.shutdown(cancel_futures=True)


def _helpers(
    log: EngramLog,
    start: Anchor,
    erased: Collection[int],
    keys: Mapping[str, bytes] | None,
    total: int,
    wanted: int | None,
) -> list[Helper]:
    """The helping processes; none where they would not pay or cannot be."""
    if wanted is None:
        wanted = min(_processors(), MAX_HELPERS) if total - start.seq >= HELPED_FROM else 0
    reopening = log.reopening() if wanted > 1 else None
    if reopening is None or not sys.executable or getattr(sys, "frozen", False):
        return []
    task = _task(reopening, start, erased, keys)
    found: list[Helper] = []
    with suppress(OSError):  # no more processes may be started: those there are will do
        while len(found) < wanted:
            found.append(Helper(task))
    return found


def _task(
    reopening: Reopening, start: Anchor, erased: Collection[int], keys: Mapping[str, bytes] | None
) -> bytes:
    task = {
        "module": reopening.module,
        "arguments": reopening.arguments,
        "start": [start.seq, start.hash.hex()],
        "erased": sorted(erased),
        "keys": None if keys is None else {device: public.hex() for device, public in keys.items()},
    }
    return json.dumps(task).encode()


def _processors() -> int:
    """Those this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Helper:
    """A process that reads the log and looks at one span after the other; see `store.span_helper`.

    It gets what it needs through a pipe, and ends with that.
    """

    def __init__(self, task: bytes) -> None:
        """Raises OSError where no process can be started."""
        # -P: nothing in the operator's folder may stand in for a module
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _BEGIN, str(Path(__file__).resolve().parents[1])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for who asked; `end` is for the helpers
        )
        self.alive = True
        self._say(task)

    def look_at(self, span: Span) -> Passed | None:
        """What it found; None where it did not pass, or is no more."""
        self._say(json.dumps(span).encode())
        try:
            answer = cast(IO[bytes], self._process.stdout).readline()
            found = json.loads(answer)
            if found is None:
                return None
            (low, before), (high, last) = found
            return Passed(Anchor(low, bytes.fromhex(before)), Anchor(high, bytes.fromhex(last)))
        except (OSError, ValueError, TypeError):
            self.alive = False
            return None

    def _say(self, line: bytes) -> None:
        stdin = cast(IO[bytes], self._process.stdin)
        try:
            stdin.write(line + b"\n")
            stdin.flush()
        except (OSError, ValueError):
            self.alive = False

    def end(self) -> None:
        self.alive = False
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError, ValueError):
                cast(IO[bytes], pipe).close()
