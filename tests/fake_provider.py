"""A provider on loopback that answers each request as scripted, faults included, and keeps what arrived."""

from __future__ import annotations

import fcntl
import json
import socket
import struct
import termios
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

RESET = "reset"  # the connection is torn down
STALL = "stall"  # nothing more comes until the client leaves
COMMENTS = "comments"  # keep-alive comments, until the client leaves


Piece = bytes | str | Callable[[], object]


@dataclass(frozen=True)
class Reply:
    """One answer: a status, headers, and pieces of body. A callable is called in its place; RESET, STALL and
    COMMENTS are faults."""

    pieces: Sequence[Piece] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream"


@dataclass(frozen=True)
class Arrived:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


def event(payload: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(payload, ensure_ascii=False).encode() + b"\n\n"


def delta(text: str = "", **more: Any) -> bytes:
    return event({"choices": [{"index": 0, "delta": {"content": text, **more}, "finish_reason": None}]})


def finish(reason: str = "stop") -> bytes:
    return event({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})


def usage(tokens_in: int = 7, tokens_out: int = 3) -> bytes:
    return event({"choices": [], "usage": {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}})


DONE = b"data: [DONE]\n\n"


def said(*texts: str) -> Reply:
    """A whole, good answer."""
    return Reply([*(delta(text) for text in texts), finish(), usage(), DONE])


def error(status: int, message: str = "no", **headers: str) -> Reply:
    body = json.dumps({"error": {"message": message}}).encode()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply([body], status=status, headers=names, content_type="application/json")


class FakeProvider:
    """Answers with `replies` in order, the last one again and again. `arrived` is what came."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.arrived: list[Arrived] = []
        self.left = threading.Event()  # a client closed its connection while it was being answered
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer._answer(self)

            def log_message(self, format: str, *args: object) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._closing = threading.Event()
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length", "0"))
        body = json.loads(handler.rfile.read(length) or b"{}")
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.arrived.append(Arrived(handler.path, headers, body))
        reply = self.replies[min(len(self.arrived), len(self.replies)) - 1]
        handler.close_connection = True
        try:
            if reply.pieces[:1] == [RESET]:
                self._reset(handler)
                return
            handler.send_response_only(reply.status)
            handler.send_header("Content-Type", reply.content_type)
            handler.send_header("Connection", "close")
            for name, value in reply.headers.items():
                handler.send_header(name, value)
            handler.end_headers()
            for piece in reply.pieces:
                self._piece(handler, piece)
        except (BrokenPipeError, ConnectionResetError):
            self.left.set()

    def _piece(self, handler: BaseHTTPRequestHandler, piece: Piece) -> None:
        if isinstance(piece, bytes):
            handler.wfile.write(piece)
            handler.wfile.flush()
        elif not isinstance(piece, str):
            piece()
        elif piece == RESET:
            self._reset(handler)
        else:
            self._until_left(handler, b": still here\n\n" if piece == COMMENTS else b"")

    def _until_left(self, handler: BaseHTTPRequestHandler, meanwhile: bytes) -> None:
        handler.connection.settimeout(0.02)
        while not self._closing.is_set():
            handler.wfile.write(meanwhile)
            try:
                if not handler.connection.recv(1):
                    raise ConnectionResetError
            except TimeoutError:
                continue

    @staticmethod
    def _reset(handler: BaseHTTPRequestHandler) -> None:
        """RST instead of FIN, once the client's side has all that was sent before."""
        while struct.unpack("i", fcntl.ioctl(handler.connection, termios.TIOCOUTQ, b"\0" * 4))[0]:
            time.sleep(0.001)
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.connection.close()

    def all_arrived(self, count: int) -> list[Arrived]:
        """What arrived, once `count` requests have: a client that gave up early may still be sending."""
        while len(self.arrived) < count and not self._closing.is_set():
            time.sleep(0.01)
        return self.arrived
