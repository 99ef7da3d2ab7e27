"""One sealed block of the vector index: a file that is written once, hashed, and read by memory map.

    8 bytes   b"EVSEG4\\n\\0"
    u32       length of the header · u32 zero
    header    JSON, keys sorted: for each array its name, type, shape and offset from the start of the file
    arrays    little-endian, C order, each aligned to 64 bytes

The same vectors give the same bytes: nothing in the file depends on time, thread or machine.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import mmap
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from store.errors import StoreDamaged
from store.retrieval.tail import SOURCES, View, order, signs_of, sources_in
from store.retrieval.traits import Traits, told_of

LOCK = "publishing.lock"
MAGIC = b"EVSEG4\n\0"
_HEAD = struct.Struct("<8sII")
_ALIGN = 64
_TYPES = {
    "seqs": "<i8",
    "klasses": "|u1",
    "sessions": "<u4",
    "hubs": "<f4",
    "pooled": "<f4",
    "signs": "<u8",
    "offsets": "<i8",
    "tokens": "|i1",
    "token_ids": "<u4",
    "ordered": "<i8",
    "by_seq": "<i8",
    "turns": "<u8",
    "turn_rows": "<i8",
    "frequencies": "<i8",
    "ids": "|u1",
    "keys": "<u8",
    "numbers": "<f8",
    "speakers": "<u4",
    "names": "|u1",
}


def to_bytes(view: View, traits: Sequence[Traits | None] = ()) -> bytes:
    """The file of one block, its rows in the order of their position, as `traits` are (or there are none)."""
    arrays = _sorted(view, traits)
    entries, at = {}, 0
    for name, array in arrays.items():
        entries[name] = {"shape": list(array.shape), "offset": at, "type": _TYPES[name]}
        at += -(-array.nbytes // _ALIGN) * _ALIGN
    header = json.dumps(entries, sort_keys=True, separators=(",", ":")).encode()
    start = -(-(_HEAD.size + len(header)) // _ALIGN) * _ALIGN
    out = bytearray(start + at)
    out[: _HEAD.size] = _HEAD.pack(MAGIC, len(header), start)
    out[_HEAD.size : _HEAD.size + len(header)] = header
    for name, array in arrays.items():
        begin = start + entries[name]["offset"]
        out[begin : begin + array.nbytes] = array.tobytes()
    return bytes(out)


def _sorted(view: View, traits: Sequence[Traits | None]) -> dict[str, NDArray]:
    """The arrays of a block, rows sorted by position, token rows moved along."""
    rows = view.by_seq
    lengths = np.diff(view.offsets)[rows]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    picked = np.arange(int(offsets[-1])) + np.repeat(view.offsets[rows] - offsets[:-1], lengths)
    ids = view.token_ids[picked]
    owners = np.repeat(np.arange(rows.shape[0]), lengths)
    arrays = {
        "seqs": view.seqs[rows],
        "klasses": view.klasses[rows],
        "sessions": view.sessions[rows],
        "hubs": view.hubs[rows],
        "pooled": view.pooled[rows],
        "offsets": offsets,
        "tokens": view.tokens[picked],
        "token_ids": ids,
        "frequencies": _frequencies(owners, ids, ~np.isin(view.klasses[rows], SOURCES)),
    }
    arrays |= {"signs": signs_of(arrays["pooled"]), **order(arrays["seqs"], arrays["sessions"])}
    arrays |= told_of(traits)
    return {name: np.ascontiguousarray(arrays[name], _TYPES[name]) for name in sorted(arrays)}


def _frequencies(owners: NDArray[np.int64], ids: NDArray, formed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """In how many rows each token id occurs: int64 [ids, 2], of the sources and of what was `formed`."""
    size = int(ids.max(initial=0)) + 1
    row, token = np.divmod(np.unique(owners * size + ids.astype(np.int64)), size)
    return np.bincount(2 * token + formed[row], minlength=2 * size).reshape(size, 2)


def digest(path: Path) -> str:
    """SHA-256 of a file as hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_segment(path: Path, *, sha256: str | None = None) -> View:
    """Map a sealed block. With `sha256` the whole file is hashed first.

    Raises:
        StoreDamaged: the file is missing, cut, of another format, or its bytes are not the ones hashed.
    """
    try:
        if sha256 is not None and digest(path) != sha256:
            raise StoreDamaged(f"the vector index file {path.name} is not what was written")
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise StoreDamaged(f"the vector index file {path.name} cannot be read: {error}") from error
    try:
        magic, length, start = _HEAD.unpack_from(mapped)
        if magic != MAGIC:
            raise StoreDamaged(f"{path.name} is not a vector index file")
        entries = json.loads(mapped[_HEAD.size : _HEAD.size + length])
        arrays = {name: _array(mapped, start, entries[name]) for name in _TYPES}
    except (struct.error, ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(f"the vector index file {path.name} is cut or damaged") from error
    return View(**arrays, sources=sources_in(arrays["klasses"]))


def _array(mapped: mmap.mmap, start: int, entry: Mapping) -> NDArray:
    count = int(np.prod(entry["shape"], dtype=np.int64))
    array = np.frombuffer(mapped, entry["type"], count, start + entry["offset"])
    return array.reshape(entry["shape"])


@contextmanager
def only_publisher(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Whether this process alone may publish in a folder while the block runs; without `wait`, False at once
    where another does. The system lets go of it when a process ends, however it ends."""
    with (folder / LOCK).open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
            return
        yield True


def write_atomically(path: Path, data: bytes) -> None:
    """Write, flush to the disk and move into place; a reader sees the old bytes or the new ones."""
    scratch = path.with_name(path.name + f".{os.getpid()}.part")
    with scratch.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
