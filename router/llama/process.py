"""The parent's side of a worker: start it, talk to it, notice its death, end it.

One thread a worker starts the process and reads its frames until the pipe ends. It is that thread, and no
caller's, that forks: Linux sends the parent-death signal when the forking *thread* ends.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from typing import Any, BinaryIO, cast

from router.errors import EngineFailed, FailureKind
from router.llama import frames
from router.llama.frames import Frame

STDERR_LINES = 20
STOP_S = 2.0
_ENDED: Frame = {"event": "ended"}

Received = tuple[Frame, bytes | None]


class Call:
    """One request to a worker and the frames that answer it."""

    def __init__(self, worker: Worker, request_id: int) -> None:
        self._worker = worker
        self.id = request_id
        self._frames: queue.SimpleQueue[Received] = queue.SimpleQueue()

    def put(self, received: Received) -> None:
        self._frames.put(received)

    def next(self, timeout_s: float) -> Received:
        """The next frame.

        Raises:
            EngineFailed: the worker died, reported a failure, or said nothing for `timeout_s`.
        """
        try:
            frame, binary = self._frames.get(timeout=timeout_s)
        except queue.Empty:
            raise EngineFailed(
                f"{self._worker.label} said nothing for {timeout_s:g} s", kind=FailureKind.TIMEOUT
            ) from None
        if frame is _ENDED:
            raise EngineFailed(self._worker.obituary(), kind=FailureKind.CRASHED)
        if frame["event"] == "failed":
            raise EngineFailed(f"{self._worker.label}: {frame['message']}", kind=FailureKind(frame["kind"]))
        return frame, binary

    def close(self) -> None:
        """No more frames are wanted; the worker stops at the next token."""
        self._worker.forget(self)


class Worker:
    """A worker process. `start` returns at once; the model loads meanwhile."""

    def __init__(self, label: str, load: Frame) -> None:
        self.label = label
        self._load = load
        self._ids = itertools.count(1)
        self._calls: dict[int, Call] = {}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._started = threading.Event()
        self._ended = threading.Event()
        self._stopping = False
        self._error = ""
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._loading: Call | None = None
        self._facts: Frame | None = None
        self._loaded = threading.Event()

    # ---- life

    def start(self) -> None:
        """Fork the process and send it the model to load."""
        threading.Thread(target=self._run, name=f"worker {self.label}", daemon=True).start()
        self._started.wait()
        if self._process is None:
            raise EngineFailed(f"{self.label} could not be started: {self._error}", kind=FailureKind.CRASHED)
        self._loading = self.call({"op": "load", **self._load})

    def facts(self, timeout_s: float) -> Frame:
        """What the worker says of the loaded model; waits for the loading.

        Raises:
            EngineFailed: the model cannot be loaded, or the worker died.
        """
        if self._facts is None:
            assert self._loading is not None, "start() comes first"
            self._facts = self._loading.next(timeout_s)[0]
        return self._facts

    @property
    def alive(self) -> bool:
        # asked of the system, too: between two answers nobody waits for the reading thread to notice
        return self._process is not None and not self._ended.is_set() and self._process.poll() is None

    @property
    def ready(self) -> bool:
        """Whether the model is loaded, so that a call is answered at once."""
        return self._loaded.is_set() and self.alive

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def resident_bytes(self) -> int:
        """Resident memory of the process; 0 where it is not running or the platform does not tell."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        except (OSError, IndexError, ValueError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Close its input, which makes it leave; kill it when it does not."""
        self._stopping = True
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError), self._lock:
            cast(BinaryIO, process.stdin).close()
        if not self._ended.wait(STOP_S):
            process.kill()
            self._ended.wait()

    def obituary(self) -> str:
        """One sentence on how the process ended."""
        code = self._process.returncode if self._process else None
        if code is not None and code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
        else:
            how = f"ended with status {code}"
        last = self._stderr[-1] if self._stderr else ""
        return f"the worker of {self.label} {how}" + (f" ({last})" if last else "")

    # ---- talk

    def call(self, frame: Frame) -> Call:
        """Send one request; its answer is read from the returned Call."""
        call = Call(self, next(self._ids))
        with self._lock:
            if self._ended.is_set():
                raise EngineFailed(self.obituary(), kind=FailureKind.CRASHED)
            self._calls[call.id] = call
        self._send({**frame, "id": call.id})
        return call

    def forget(self, call: Call) -> None:
        with self._lock:
            known = self._calls.pop(call.id, None)
        if known is not None and self.alive:
            self._send({"op": "cancel", "target": call.id})

    def _send(self, frame: Frame) -> None:
        process = self._process
        assert process is not None, "start() comes first"
        stdin = cast(BinaryIO, process.stdin)
        data = frames.encode(frame)
        # a worker that has died is reported by the reading thread, with its status
        with contextlib.suppress(BrokenPipeError, ValueError), self._lock:
            stdin.write(data)
            stdin.flush()

    # ---- the reading thread

    def _run(self) -> None:
        try:
            self._process = _spawn()
        except OSError as error:
            self._error = error.strerror or str(error)
            self._ended.set()
            return
        finally:
            self._started.set()
        threading.Thread(target=self._drain_stderr, daemon=True).start()
        stdout = cast(BinaryIO, self._process.stdout)
        try:
            while (received := frames.read(stdout)) is not None:
                self._dispatch(received)
        except frames.BrokenFrame as error:
            self._stderr.append(str(error))
            self._process.kill()
        stdout.close()
        self._process.wait()
        with self._lock:
            with contextlib.suppress(OSError):
                cast(BinaryIO, self._process.stdin).close()
            self._ended.set()
            waiting, self._calls = list(self._calls.values()), {}
        for call in waiting:
            call.put((_ENDED, None))

    def _dispatch(self, received: Received) -> None:
        frame = received[0]
        final = frame["event"] not in ("text", "reading")
        if frame["event"] == "loaded":
            self._loaded.set()
        with self._lock:
            call = self._calls.pop(frame["id"], None) if final else self._calls.get(frame["id"])
        if call is not None:
            call.put(received)

    def _drain_stderr(self) -> None:
        assert self._process is not None
        with cast(BinaryIO, self._process.stderr) as stderr:
            for line in stderr:
                self._stderr.append(line.decode("utf-8", "replace").strip()[:500])


def _spawn() -> subprocess.Popen[bytes]:
    root = str(Path(__file__).resolve().parents[2])
    search = [root, *(path for path in [os.environ.get("PYTHONPATH")] if path)]
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": os.pathsep.join(search)}
    # libgomp's default is to spin at every barrier: with two threads on two cores and anything else running
    # that was measured at 0.8 to 7 tokens/s against 40 with waiting
    environment.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # -P: the operator's current folder must not shadow a module of the worker
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "router.llama.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # Ctrl-C in the terminal is for the conversation, not for the worker
    )
