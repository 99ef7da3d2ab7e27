"""Following the chain entry by entry; used on a store that is verified and on an export that is read."""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from store.chain import BODY_TAG, ENTRY_TAG, signed_bytes
from store.diagnosis import Bad, id_of, signer_of
from store.keys import CERTIFICATE_TAG, device_id, signature_holds
from store.model import EngramType
from store.port import LogEntry, Row

_BATCH = 256  # entries whose signatures one thread checks in a row
_AHEAD = 8  # batches


@dataclass(frozen=True, slots=True)
class Anchor:
    """A position whose hash is trusted: verification goes on from there."""

    seq: int
    hash: bytes


class Broken(Exception):
    """An entry that does not continue the chain, before the kind of damage is known."""

    def __init__(self, entry: LogEntry, previous: bytes) -> None:
        super().__init__(f"entry {entry.seq} does not continue the chain")
        self.entry = entry
        self.previous = previous


def walk(
    rows: Iterable[Row],
    start: Anchor,
    erased: Collection[int],
    check: Callable[[LogEntry], None] | None = None,
    *,
    threads: bool = True,
) -> Anchor:
    """Follow the chain from `start` to its end and return that; raise Bad or Broken where it first stops.

    Without `check` this is the chain alone, two SHA-256 an entry; `check` looks at the signature, in
    several `threads`, as that is done outside the interpreter's lock.
    """
    if check is None:
        return _follow(rows, start, erased)
    if not threads:
        return _follow(_checked(rows, check), start, erased)
    with ThreadPoolExecutor(os.cpu_count() or 1, "signatures") as pool:
        checks = _Checks(pool, check)
        try:
            return _follow(checks.passing(rows), start, erased)
        finally:
            checks.finish()  # of two bad entries the earlier is named, and what is checked comes before


def _follow(rows: Iterable[Row], start: Anchor, erased: Collection[int]) -> Anchor:
    """A copy of a hash that has taken in its tag is a third cheaper than a new one."""
    previous, expected = start.hash, start.seq + 1
    of_body, of_entry = hashlib.sha256(BODY_TAG).copy, hashlib.sha256(ENTRY_TAG).copy
    row: Row | None = None
    try:
        for row in rows:
            seq, header, body, body_digest, digest, _ = row
            if seq != expected:
                raise Bad("removed", expected, f"entry {expected} is missing; the next one there is {seq}")
            if body is None:
                if expected not in erased:
                    raise _altered(row, "its content is gone and no erasure says so")
            else:
                content = of_body()
                content.update(body)
                if content.digest() != body_digest:
                    raise _altered(row, "its content does not match its hash")
            entry = of_entry()
            entry.update(previous)
            entry.update(body_digest)
            entry.update(header)
            if entry.digest() != digest:
                raise Broken(LogEntry._make(row), previous)
            previous = digest
            expected += 1
    except TypeError as error:  # a column holds text or a number: only this program's own writing is bytes
        if row is None or all_bytes(row):
            raise
        raise _altered(row, "what stands there is not bytes") from error
    return Anchor(expected - 1, previous)


def all_bytes(row: Row) -> bool:
    """Nobody has put a number or a text where this program writes bytes."""
    return all(isinstance(value, bytes | None) for value in row[1:])


def _altered(row: Row, why: str) -> Bad:
    return Bad("altered", row[0], why, id_of(LogEntry._make(row)))


def _checked(rows: Iterable[Row], check: Callable[[LogEntry], None]) -> Iterator[Row]:
    """The same rows; each is checked once the chain was followed through it."""
    for row in rows:
        yield row
        check(LogEntry._make(row))


class _Checks:
    """`check` on entries that pass by, in batches, in the threads of a pool."""

    def __init__(self, pool: ThreadPoolExecutor, check: Callable[[LogEntry], None]) -> None:
        self._pool = pool
        self._check = check
        self._batch: list[Row] = []
        self._running: deque[Future[None]] = deque()

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows; each is checked once the chain was followed through it."""
        for row in rows:
            yield row
            self._batch.append(row)
            if len(self._batch) == _BATCH:
                self._begin()
                if len(self._running) > _AHEAD:
                    self._running.popleft().result()

    def _begin(self) -> None:
        self._running.append(self._pool.submit(self._all, self._batch))
        self._batch = []

    def _all(self, batch: list[Row]) -> None:
        for row in batch:
            self._check(LogEntry._make(row))

    def finish(self) -> None:
        """Wait for what was begun; raises what the earliest bad entry made `check` raise."""
        self._begin()
        while self._running:
            self._running.popleft().result()


def trusted_keys(meta: Mapping[str, bytes]) -> dict[str, bytes]:
    """Public keys of the devices that the root key vouches for, by device id.

    `meta` has `root_key` and a `device:<id>` record for each device.
    """
    root = meta.get("root_key", b"")
    keys = {}
    for name, record in meta.items():
        if not name.startswith("device:"):
            continue
        try:
            fields = json.loads(record)
            public, certificate = bytes.fromhex(fields["public_key"]), bytes.fromhex(fields["certificate"])
        except (ValueError, KeyError, TypeError):
            continue  # an unreadable record vouches for nobody; its entries are then forged
        vouched = signature_holds(root, CERTIFICATE_TAG + public, certificate)
        if vouched and name == f"device:{device_id(public)}":
            keys[device_id(public)] = public
    return keys


def is_signed(entry: LogEntry, keys: Mapping[str, bytes]) -> bool:
    """The entry is signed by the device its header names, and that device is trusted."""
    public = keys.get(signer_of(entry) or "")
    return public is not None and signature_holds(public, signed_bytes(entry.hash), entry.signature)


def erased_by(entry: LogEntry) -> list[str]:
    """Ids of the engrams that this entry, if it is an erasure, says are erased."""
    try:
        header = json.loads(entry.header)
        if header["type"] != EngramType.ERASURE:
            return []
        return [str(link["target"]) for link in header["links"]]
    except (ValueError, KeyError, TypeError):
        return []  # the chain check names such a header
