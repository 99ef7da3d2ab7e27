"""What parent and worker say to each other over two pipes.

A frame is one kind byte (0 JSON, 1 raw bytes), a big-endian 32-bit length, and the body. A JSON frame whose
field `binary` is true is followed by one raw frame that belongs to it. Both sides refuse a frame larger than
MAX_FRAME_BYTES: a damaged length must not allocate gigabytes.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

MAX_FRAME_BYTES = 256 * 1024 * 1024
_HEADER = struct.Struct(">BI")
_JSON, _RAW = 0, 1
_written = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode  # made once, not for each frame

Frame = dict[str, Any]


class BrokenFrame(Exception):
    """The other side wrote something that is not a frame."""


def encode(frame: Frame, binary: bytes | memoryview | None = None) -> bytes:
    """One frame, with its raw companion when `binary` is given."""
    if binary is not None:
        frame = {**frame, "binary": True}
    body = _written(frame).encode("ascii")
    head = _HEADER.pack(_JSON, len(body)) + body
    return head if binary is None else head + _HEADER.pack(_RAW, len(binary)) + bytes(binary)


def read(stream: BinaryIO) -> tuple[Frame, bytes | None] | None:
    """The next frame and its raw companion; None when the other side closed the pipe.

    Raises:
        BrokenFrame: the bytes are not a frame, or the pipe ended within one.
    """
    first = _body(stream)
    if first is None:
        return None
    kind, body = first
    if kind != _JSON:
        raise BrokenFrame("a raw frame came without its JSON frame")
    try:
        frame = json.loads(body)
    except ValueError as error:
        raise BrokenFrame("a frame is not JSON") from error
    if not frame.get("binary"):
        return frame, None
    second = _body(stream)
    if second is None or second[0] != _RAW:
        raise BrokenFrame("the raw frame that was announced did not come")
    return frame, second[1]


def _body(stream: BinaryIO) -> tuple[int, bytes] | None:
    header = stream.read(_HEADER.size)
    if not header:
        return None
    if len(header) < _HEADER.size:
        raise BrokenFrame("the pipe ended within a frame")
    kind, length = _HEADER.unpack(header)
    if kind not in (_JSON, _RAW) or length > MAX_FRAME_BYTES:
        raise BrokenFrame(f"impossible frame: kind {kind}, {length} bytes")
    body = stream.read(length)
    if len(body) < length:
        raise BrokenFrame("the pipe ended within a frame")
    return kind, body
