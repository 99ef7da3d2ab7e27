"""Nothing is said for a while: the terminal says how long, and wipes it before the answer."""

from __future__ import annotations

import io
import time

from rich.console import Console

from partner.terminal.waiting import Waiting
from tests.screen import line_shown


def waited(console: Console, sink: io.StringIO) -> tuple[str, str]:
    """What stands there after two steps, and after the wait is over."""
    waiting = Waiting(console, step_s=0.01)
    waiting.begin()
    end = time.monotonic() + 10
    while "2 s" not in sink.getvalue() and time.monotonic() < end:
        time.sleep(0.005)
    meanwhile = line_shown(sink.getvalue())
    waiting.over()
    return meanwhile, line_shown(sink.getvalue())


def test_a_wait_is_counted_and_wiped() -> None:
    sink = io.StringIO()
    meanwhile, after = waited(Console(file=sink, force_terminal=True, color_system=None), sink)
    assert " s (Ctrl-C stops)" in meanwhile
    assert after == ""


def test_nothing_is_written_where_there_is_no_terminal() -> None:
    sink = io.StringIO()
    waiting = Waiting(Console(file=sink, force_terminal=False), step_s=0.001)
    waiting.begin()
    time.sleep(0.02)
    waiting.over()
    assert sink.getvalue() == ""


def test_an_answer_that_comes_at_once_is_preceded_by_nothing() -> None:
    sink = io.StringIO()
    waiting = Waiting(Console(file=sink, force_terminal=True, color_system=None), step_s=5.0)
    waiting.begin()
    waiting.over()
    assert sink.getvalue() == ""
