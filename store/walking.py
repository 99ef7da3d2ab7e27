"""Following the chain entry by entry; used on a store that is verified and on an export that is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from store.chain import body_hash, entry_hash, signed_bytes
from store.diagnosis import Bad, id_of, signer_of
from store.keys import CERTIFICATE_TAG, device_id, signature_holds
from store.model import EngramType
from store.port import LogEntry


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
    entries: Iterable[LogEntry],
    start: Anchor,
    erased: Collection[int],
    check: Callable[[LogEntry], None] | None = None,
) -> Anchor:
    """Follow the chain from `start` to its end and return that; raise Bad or Broken where it stops.

    Without `check` this is the chain alone, two SHA-256 an entry; `check` looks at the signature.
    """
    previous, expected = start.hash, start.seq + 1
    for entry in entries:
        if entry.seq != expected:
            raise Bad("removed", expected, f"entry {expected} is missing; the next one there is {entry.seq}")
        if entry.body is None:
            if expected not in erased:
                raise Bad("altered", expected, "its content is gone and no erasure says so", id_of(entry))
        elif body_hash(entry.body) != entry.body_hash:
            raise Bad("altered", expected, "its content does not match its hash", id_of(entry))
        if entry_hash(previous, entry.body_hash, entry.header) != entry.hash:
            raise Broken(entry, previous)
        if check is not None:
            check(entry)
        previous = entry.hash
        expected += 1
    return Anchor(expected - 1, previous)


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
