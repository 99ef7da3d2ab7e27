"""Work that ends in time: a command with all it started, a call into the file system or the network."""

from __future__ import annotations

import contextlib
import os
import queue
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from partner.tools.model import ToolFailed, ToolTimedOut

Result = TypeVar("Result")

# what a command is given of the surroundings: no key, no passphrase, nothing of ours
PASSED_ON = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
READ_BYTES = 65_536
STOP_BYTES = 64 * 1024 * 1024  # a command that writes more is stopped


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """The result of `work`, or ToolTimedOut. Work that hangs is left to its daemon thread."""
    done: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:  # noqa: BLE001  handed to the thread that waits
            done.put((None, error))

    threading.Thread(target=run, name="tool", daemon=True).start()
    try:
        result, error = done.get(timeout=seconds)
    except queue.Empty:
        raise ToolTimedOut(f"it did not end within {seconds:g} s") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


def shell(command: str, cwd: str, *, seconds: float, keep_bytes: int) -> tuple[int, bytes, int]:
    """Run a command line: its status, the beginning of its output, and how many bytes that was in all.

    Both outputs are one, as in a terminal; there is no input. Whatever ends the wait (the time, Ctrl-C, too
    much output) ends the command and all that it started.

    Raises:
        ToolTimedOut, ToolFailed: it did not end in time, wrote without end, or could not be started.
    """
    program = shutil.which("bash") or "/bin/sh"
    with _running([program, "-c", command], cwd) as process:
        assert process.stdout is not None
        kept, total = bytearray(), 0
        for chunk in _chunks(process, time.monotonic() + seconds, seconds):
            kept += chunk[: max(keep_bytes - len(kept), 0)]
            total += len(chunk)
            if total > STOP_BYTES:
                raise ToolFailed(f"it wrote more than {STOP_BYTES // 1024**2} MB and was stopped")
        return process.wait(), bytes(kept), total


def _chunks(process: subprocess.Popen[bytes], deadline: float, seconds: float) -> Iterator[bytes]:
    """Output until the command has ended. A child left behind that holds the pipe is not waited for."""
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    os.set_blocking(pipe, False)
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if time.monotonic() >= deadline:
                raise ToolTimedOut(f"it did not end within {seconds:g} s and was stopped")
            ended = process.poll() is not None
            if selector.select(0 if ended else 0.05):
                chunk = os.read(pipe, READ_BYTES)
                if chunk:
                    yield chunk
                    continue
                ended = ended or process.wait(max(deadline - time.monotonic(), 0)) is not None
            if ended:
                return


@contextlib.contextmanager
def _running(words: list[str], cwd: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env={**environment, "TERM": "dumb"},
            start_new_session=True,  # its own group, ended whole; Ctrl-C is for the conversation
        )
    except OSError as error:
        raise ToolFailed(f"it could not be started: {error.strerror}") from error
    try:
        yield process
    except subprocess.TimeoutExpired:
        raise ToolTimedOut("it did not end in time and was stopped") from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
