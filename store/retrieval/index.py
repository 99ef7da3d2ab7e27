"""The vector index: published, not guarded.

What holds the truth are the vectors in the store. The index is a folder of sealed segments, each covering a
fixed span of positions, and a manifest that names them with their hashes and is swapped in one rename. One
writer publishes; readers keep the files they mapped. What no segment covers yet is in memory (`Tail`) and
searched exactly beside them. Everything in the folder may be deleted: it is built again from the store, byte
for byte the same.

Search is exact in a small store (one pass over float32); in a larger one a segment's sign bits choose what is
compared in full (see `vectors.nearest`): a thirtieth of the memory is read, and no graph has to be built.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from store.errors import StoreDamaged, StoreUnavailable
from store.model import Klass
from store.retrieval import segment
from store.retrieval.codec import StoredVector, decode
from store.retrieval.ports import Corpus
from store.retrieval.tail import Tail, View
from store.retrieval.traits import KLASS_CODE, Traits

FORMAT = "vector-index/3"
MANIFEST = "manifest.json"
SPAN = 8_192  # positions of the log that one segment covers
HASHED_AT_ONCE = 2  # files, on a core each
HASHED_AT_OPEN_BYTES = 1 << 30  # a larger index is checked by size at open and hashed by `verify`
_KLASSES = tuple(KLASS_CODE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sealed:
    """One segment that readers use; `span` numbers it: positions span * SPAN + 1 to (span + 1) * SPAN."""

    span: int
    file: str
    size: int
    sha256: str
    view: View


class VectorIndex:
    """Views over all vectors of one model; thread-safe. Without a folder everything stays in memory."""

    def __init__(
        self,
        model: str,
        folder: Path | None = None,
        *,
        span: int = SPAN,
        traits: Callable[[Sequence[int]], Mapping[int, Traits]] | None = None,
        reading: str = "",
    ) -> None:
        """`traits` tells what ranking reads of the engrams at some positions; it is published with them, and
        read again only under the same `reading` (`cues.reading`)."""
        self.model = model
        self._traits = traits
        self._reading = reading
        self._span = span
        self._folder = None if folder is None else folder / hashlib.sha256(model.encode()).hexdigest()[:16]
        self._lock = threading.RLock()
        self._sealed: dict[int, _Sealed] = {}
        self._tail = Tail()
        self._tail_positions: list[int] = []  # of the tail's rows, in their order
        self._position = 0  # of the last vector taken in
        self._covered = 0  # vectors put up to here are in the segments where these cover their span
        self.problem: str | None = None  # why the last publishing failed
        self._damaged: list[str] = []  # what was found broken at open and is read from the store instead
        self._failure: BaseException | None = None
        self._opening: threading.Thread | None = None
        if self._folder is not None and (self._folder / MANIFEST).exists():
            # nothing is read from a file before it was hashed; who asks for words first need not wait
            self._opening = threading.Thread(target=self._open, name="index opens", daemon=True)
            self._opening.start()

    @property
    def opening(self) -> bool:
        """Whether its files are still being hashed; every other question waits for that."""
        return self._opening is not None and self._opening.is_alive()

    @property
    def damaged(self) -> list[str]:
        """Names of the files that were found broken at open; their vectors are read from the store."""
        with self._open_and_alone():
            return self._damaged

    @contextmanager
    def _open_and_alone(self) -> Iterator[None]:
        if (opening := self._opening) is not None:
            opening.join()
            if self._failure is not None:
                raise self._failure
            self._opening = None
        with self._lock:
            yield

    def views(self) -> tuple[View, ...]:
        """An immutable picture of what is there: segments by position, then the tail."""
        with self._open_and_alone():
            tail = self._tail.view()
            sealed = tuple(self._sealed[span].view for span in sorted(self._sealed))
            return sealed if tail is None else (*sealed, tail)

    def take_in(self, corpus: Corpus, *, at_most: int | None = None) -> bool:
        """Append to the tail what was put since last time, `at_most` so many; whether that many were there.
        Writes nothing."""
        with self._open_and_alone():
            taken = 0
            new = islice(corpus.vectors(self.model, after=self._position), at_most)
            for position, seq, klass, blob in new:
                taken += 1
                span = (seq - 1) // self._span
                if span not in self._sealed or position > self._covered:
                    self._tail.extend([(seq, klass, decode(blob))])
                    self._tail_positions.append(position)
                self._position = position
            return taken == at_most

    def publish(self, *, head: int, at_least: int | None = None) -> int:
        """Seal every span up to `head` that the tail touches; returns how many segments were written.

        Called by the one writer after vectors were put. Nothing happens while the tail is short of
        `at_least` rows (half a span), so that a segment isn't written again for every few vectors. A crash
        leaves the index of before.
        """
        if self._folder is None:
            return 0
        with self._open_and_alone():
            view = self._tail.view()
            if view is None or len(view) < (self._span // 2 if at_least is None else at_least):
                return 0
            spans = (view.seqs - 1) // self._span
            ready = [int(span) for span in np.unique(spans) if (int(span) + 1) * self._span <= head]
            try:
                done = bool(ready) and self._seal(self._rows(ready), wait=False)
            except OSError as error:
                # the index is derived: a full disk must not fail a write
                self.problem = str(error)
                return 0
            return len(ready) if done else 0  # where another process publishes, this one will later

    def forget(self, seq: int) -> None:
        """Take an erased engram's vectors out of memory and out of the folder, at once.

        Raises:
            StoreUnavailable: the segment could not be written again; the old one is still there.
        """
        with self._open_and_alone():
            self._tail, self._tail_positions = self._rest(lambda other: other != seq)
            span = (seq - 1) // self._span
            if span in self._sealed and seq in self._sealed[span].view.seqs:
                try:
                    rest = {s: row for s, row in self._rows([span])[span].items() if s != seq}
                    self._seal({span: rest}, wait=True)
                except OSError as error:
                    raise StoreUnavailable(
                        f"the vector index in {self._folder} still has what was erased ({error}); delete it"
                    ) from error

    def verify(self) -> list[str]:
        """Hash every file; the names of those that are not what was written."""
        with self._open_and_alone():
            folder, sealed = self._folder, list(self._sealed.values())
        return [part.file for part in sealed if folder and segment.digest(folder / part.file) != part.sha256]

    def _rows(self, spans: Collection[int]) -> dict[int, dict[int, tuple[int, Klass, StoredVector]]]:
        """The rows of each span by position, the newest vector of each."""
        sealed = (row for span in spans if span in self._sealed for row in _rows_of(self._sealed[span].view))
        found: dict[int, dict[int, tuple[int, Klass, StoredVector]]] = {span: {} for span in spans}
        for row in chain(sealed, _rows_of(self._tail.view())):
            if (span := (row[0] - 1) // self._span) in found:
                found[span][row[0]] = row
        return found

    def _rest(self, kept: Callable[[int], bool]) -> tuple[Tail, list[int]]:
        """The tail without the rows that go, and the positions of those that stay."""
        rest, positions = Tail(), []
        for row, position in zip(_rows_of(self._tail.view()), self._tail_positions, strict=True):
            if kept(row[0]):
                rest.extend([row])
                positions.append(position)
        return rest, positions

    def _seal(self, spans: dict[int, dict[int, tuple[int, Klass, StoredVector]]], *, wait: bool) -> bool:
        """Write these spans and the manifest; False where another process publishes and `wait` is not."""
        folder = self._folder
        assert folder is not None
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with segment.only_publisher(folder, wait=wait) as alone:
            if alone:
                self._write_all(folder, spans)
            return alone

    def _write_all(self, folder: Path, spans: dict[int, dict[int, tuple[int, Klass, StoredVector]]]) -> None:
        sealed = dict(self._sealed)
        for span, rows in spans.items():
            sealed.pop(span, None)
            if rows:
                told = self._traits(sorted(rows)) if self._traits is not None else {}
                traits = [told.get(seq) for seq in sorted(rows)] if self._traits is not None else []
                sealed[span] = _write(folder, span, rows, traits)
        rest, positions = self._rest(lambda seq: (seq - 1) // self._span not in spans)
        entries = [
            {"span": part.span, "file": part.file, "bytes": part.size, "sha256": part.sha256}
            for _, part in sorted(sealed.items())
        ]
        body = {"format": FORMAT, "model": self.model, "span": self._span, "segments": entries}
        body["reading"] = self._reading
        body["covered"] = self._position
        body["resume"] = min(positions, default=self._position + 1) - 1
        text = json.dumps({**body, "sha256": _own_hash(body)}, sort_keys=True, indent=1)
        segment.write_atomically(folder / MANIFEST, text.encode())
        self._sealed, self._tail, self._covered = sealed, rest, self._position
        self._tail_positions = positions
        self._damaged = []
        self._sweep(folder, {part.file for part in sealed.values()})

    @staticmethod
    def _sweep(folder: Path, kept: Collection[str]) -> None:
        """Remove what the manifest doesn't name; readers that mapped it keep it until they end."""
        for path in folder.iterdir():
            if path.name not in (MANIFEST, segment.LOCK) and path.name not in kept:
                path.unlink(missing_ok=True)

    def _open(self) -> None:
        try:
            self._open_files()
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that asks
            self._failure = error

    def _open_files(self) -> None:
        assert self._folder is not None
        body = _manifest(self._folder / MANIFEST)
        written = (self.model, self._span, self._reading)
        if body is None or (body["model"], body["span"], body["reading"]) != written:
            self._damaged = [MANIFEST]
            return
        hashed = sum(entry["bytes"] for entry in body["segments"]) <= HASHED_AT_OPEN_BYTES
        with ThreadPoolExecutor(HASHED_AT_ONCE) as pool:
            parts = pool.map(partial(_read_or_not, self._folder, hashed=hashed), body["segments"])
            for entry, part in zip(body["segments"], parts, strict=True):
                if part is None:
                    self._damaged.append(entry["file"])
                else:
                    self._sealed[part.span] = part
        self._covered = body["covered"]
        # a broken segment's vectors lie anywhere in the store: read from the start what no segment has
        self._position = 0 if self._damaged else body["resume"]


def _manifest(path: Path) -> dict[str, Any] | None:
    """What the manifest says, or None when it isn't what was written."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        body = {key: value for key, value in manifest.items() if key != "sha256"}
        return body if manifest["sha256"] == _own_hash(body) and body["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def _read(folder: Path, entry: dict[str, Any], *, hashed: bool) -> _Sealed:
    path = folder / entry["file"]
    if not path.exists() or path.stat().st_size != entry["bytes"]:
        raise StoreDamaged(f"the vector index file {path.name} is missing or cut")
    view = segment.open_segment(path, sha256=entry["sha256"] if hashed else None)
    return _Sealed(
        span=entry["span"], file=entry["file"], size=entry["bytes"], sha256=entry["sha256"], view=view
    )


def _read_or_not(folder: Path, entry: dict[str, Any], *, hashed: bool) -> _Sealed | None:
    try:
        return _read(folder, entry, hashed=hashed)
    except StoreDamaged:
        return None


def _write(
    folder: Path,
    span: int,
    rows: dict[int, tuple[int, Klass, StoredVector]],
    traits: Sequence[Traits | None],
) -> _Sealed:
    block = Tail()
    block.extend(rows[seq] for seq in sorted(rows))
    view = block.view()
    assert view is not None
    data = segment.to_bytes(view, traits)
    sha256 = hashlib.sha256(data).hexdigest()
    name = f"{span:08d}-{sha256[:16]}.seg"
    segment.write_atomically(folder / name, data)
    return _Sealed(
        span=span, file=name, size=len(data), sha256=sha256, view=segment.open_segment(folder / name)
    )


def _rows_of(view: View | None) -> Iterator[tuple[int, Klass, StoredVector]]:
    """The rows of a block as they were taken in."""
    for at in range(len(view) if view is not None else 0):
        assert view is not None
        tokens = slice(int(view.offsets[at]), int(view.offsets[at + 1]))
        vector = StoredVector(
            session=int(view.sessions[at]),
            hub=float(view.hubs[at]),
            pooled=view.pooled[at].astype(np.float16),
            tokens=view.tokens[tokens],
            token_ids=view.token_ids[tokens],
        )
        yield int(view.seqs[at]), _KLASSES[int(view.klasses[at])], vector


def _own_hash(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
