"""What kind of damage it is: a break in the chain is looked at once more, slowly, to give it its name."""

from __future__ import annotations

import json
from collections.abc import Mapping

from store import chain
from store.keys import signature_holds
from store.port import EngramLog, LogEntry
from store.records import Problem


class Bad(Exception):
    """The first bad entry, on its way to the report."""

    def __init__(self, kind: str, seq: int, detail: str, engram_id: str | None = None) -> None:
        super().__init__(detail)
        self.problem = Problem(kind=kind, seq=seq, id=engram_id, detail=detail)


def id_of(entry: LogEntry) -> str | None:
    """The engram's id where the header can still be read."""
    try:
        return str(json.loads(entry.header)["id"])
    except (ValueError, KeyError, TypeError):
        return None


def signer_of(entry: LogEntry) -> str | None:
    try:
        return str(json.loads(entry.header)["device"])
    except (ValueError, KeyError, TypeError):
        return None


def signed_size(log: EngramLog) -> int | None:
    """How many entries the head record counts, if there is one."""
    try:
        return int(json.loads(log.meta("head") or b"")["seq"])
    except (ValueError, KeyError, TypeError):
        return None


def name_break(log: EngramLog, entry: LogEntry, previous: bytes, keys: Mapping[str, bytes]) -> Bad:
    """Name why `entry` does not continue from the hash `previous`.

    An entry whose own hash is signed is one that was written, so it stands in the wrong place: `reordered`
    when the entry it continues is somewhere else, `inserted` when it is a copy, `removed` when what it
    continues is gone. One whose hash nobody signed was put in (`inserted`, when the next entry continues
    without it) or changed (`altered`).
    """
    follower = next(iter(log.entries_at([entry.seq + 1])), None)
    public = keys.get(signer_of(entry) or "")
    genuine = public is not None and signature_holds(public, chain.signed_bytes(entry.hash), entry.signature)
    if not genuine:
        if follower is not None and _continues(follower, previous):
            return Bad(
                "inserted", entry.seq, "it was put between two entries that belong together", id_of(entry)
            )
        return Bad("altered", entry.seq, "its header does not match its hash", id_of(entry))
    size, expected = 0, signed_size(log)
    elsewhere = copy = False
    for other in log.entries():
        size += 1
        elsewhere = elsewhere or (other.seq != entry.seq and _continues(entry, other.hash))
        copy = copy or (other.seq != entry.seq and other.hash == entry.hash)
    if copy:
        return Bad("inserted", entry.seq, "it is a copy of another entry", id_of(entry))
    if elsewhere:
        return Bad("reordered", entry.seq, "the entry it continues is at another position", id_of(entry))
    if expected is not None and size < expected:
        return Bad(
            "removed", entry.seq, f"{expected - size} of {expected} entries are gone from here", id_of(entry)
        )
    return Bad("altered", entry.seq, "its header does not match its hash", id_of(entry))


def name_bad_signature(log: EngramLog, entry: LogEntry, device: str | None) -> Bad:
    """An entry that continues the chain and is not signed by whom it names as its author's device."""
    expected = signed_size(log)
    if expected is not None and log.head()[0] > expected:
        return Bad("inserted", entry.seq, "it was put in and the chain was computed anew", id_of(entry))
    return Bad("forged author", entry.seq, f"its signature is not that of {device}", id_of(entry))


def _continues(entry: LogEntry, previous: bytes) -> bool:
    return chain.entry_hash(previous, entry.body_hash, entry.header) == entry.hash
