"""The worker: owns one model, answers one request at a time, leaves when its parent does.

Run as `python -m router.llama.worker`. Frames come in on stdin and go out on what was stdout; file
descriptor 1 is then pointed at stderr, because native code prints there. A second thread only reads: it
notes cancellations (looked at between tokens and between pieces of the prompt) and ends the process at the
end of input.
"""

from __future__ import annotations

import ctypes
import os
import queue
import signal
import sys
import threading
from typing import Any, BinaryIO

from router.llama import frames
from router.llama.frames import Frame

PR_SET_PDEATHSIG = 1


class Inbox:
    """Requests in order, and the ids of those that were cancelled meanwhile."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._requests: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> Frame:
        return self._requests.get()

    def cancelled(self, request_id: int) -> bool:
        return request_id in self._cancelled

    def _read(self) -> None:
        while True:
            try:
                received = frames.read(self._stream)
            except frames.BrokenFrame as error:
                os.write(2, f"worker: {error}\n".encode())
                received = None
            if received is None:
                os._exit(0)  # the parent is gone or wants us gone; nothing here needs to be saved
            frame = received[0]
            if frame["op"] == "cancel":
                self._cancelled.add(frame["target"])
            else:
                self._requests.put(frame)


class Outbox:
    """Writes frames; only the thread that owns the model uses it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def send(self, request_id: int, event: str, *, binary: bytes | None = None, **fields: Any) -> None:
        self._stream.write(frames.encode({"id": request_id, "event": event, **fields}, binary))
        self._stream.flush()


def serve(inbox: Inbox, outbox: Outbox) -> None:
    """Answer requests until the process ends. The first one is `load`."""
    from router.llama import owner

    load = inbox.next()
    try:
        model = owner.load(load)
    except owner.Unusable as error:
        outbox.send(load["id"], "failed", kind="unusable", message=str(error))
        return
    outbox.send(load["id"], "loaded", **model.facts())
    while True:
        request = inbox.next()
        request_id = request["id"]
        try:
            model.handle(
                request,
                emit=lambda event, binary=None, _id=request_id, **fields: outbox.send(
                    _id, event, binary=binary, **fields
                ),
                cancelled=lambda _id=request_id: inbox.cancelled(_id),
            )
        except owner.Overflow as error:
            outbox.send(request_id, "failed", kind="overflow", message=str(error))
        except owner.Unusable as error:
            outbox.send(request_id, "failed", kind="unusable", message=str(error))
        except (ValueError, RuntimeError) as error:
            # the binding raises these for what it can still report; what it cannot, ends the process
            outbox.send(request_id, "failed", kind="refused", message=str(error))


def main() -> None:
    if sys.platform == "linux":
        # the pipe's end is the rule; this covers a worker that is deep in native code when the parent dies
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    outgoing = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    incoming = os.fdopen(os.dup(0), "rb")
    serve(Inbox(incoming), Outbox(outgoing))


if __name__ == "__main__":
    main()
