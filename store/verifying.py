"""Verification: the sequence against its hashes and signatures, the derived tables against the sequence.

What is found is named by kind: `altered`, `removed`, `reordered`, `inserted`, `forged author`, `cut tail`,
`rewritten` (it does not extend a checkpoint kept elsewhere) and `state` (a derived table says something else
than the log). The first bad position is reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store import chain
from store.canonical import canonical
from store.chain import body_hash, entry_hash
from store.checkpoints import Checkpoint, read_checkpoint
from store.diagnosis import Bad, id_of, name_bad_signature, name_break, signer_of
from store.keys import CERTIFICATE_TAG, device_id, signature_holds
from store.model import EngramType, Relation
from store.port import EngramLog, LogEntry
from store.records import Problem, VerifyReport
from store.replaying import check_state

if TYPE_CHECKING:
    from store.store import Store

PROGRESS_EVERY = 10_000
WATERMARK_TAG = b"engram/1 watermark\n"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A position whose hash is trusted: verification goes on from there."""

    seq: int
    hash: bytes


def verify(
    store: Store, *, full: bool, progress: Progress | None, against: Path | str | None
) -> VerifyReport:
    """See `Store.verify`. A watermark is trusted only when this store's own key has signed it."""
    log = store.backend
    first = Anchor(0, genesis_of(log))
    start = first if full else _watermark(store) or first
    reached = start

    def report(problem: Problem | None) -> VerifyReport:
        upto = reached.seq if problem is None else max(problem.seq, start.seq)
        return VerifyReport(
            ok=problem is None, checked=upto - start.seq, start=start.seq + 1, problem=problem
        )

    try:
        if against is not None:
            check_against(log, read_checkpoint(against))
        keys = trusted_keys(log)
        entries = _counted(log.entries(after=start.seq), log.head()[0], progress)
        reached = walk(entries, start, erased_seqs(log), _signer_check(log, keys))
        _check_tail(log, reached, keys)
        if full:
            check_state(log)
    except Broken as broken:
        return report(name_break(log, broken.entry, broken.previous, trusted_keys(log)).problem)
    except Bad as bad:
        return report(bad.problem)
    store.remember_verified(reached.seq, reached.hash)
    return report(None)


class Broken(Exception):
    """An entry that does not continue the chain, before the kind of damage is known."""

    def __init__(self, entry: LogEntry, previous: bytes) -> None:
        super().__init__(f"entry {entry.seq} does not continue the chain")
        self.entry = entry
        self.previous = previous


def genesis_of(log: EngramLog) -> bytes:
    store_id, root = log.meta("store_id"), log.meta("root_key")
    if store_id is None or root is None:
        raise Bad("altered", 0, "the identity records of the store are gone")
    return chain.genesis(store_id.decode(), root)


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


def _counted(entries: Iterable[LogEntry], total: int, progress: Progress | None) -> Iterator[LogEntry]:
    for entry in entries:
        yield entry
        if progress is not None and (entry.seq % PROGRESS_EVERY == 0 or entry.seq == total):
            progress(entry.seq, total)


def _signer_check(log: EngramLog, keys: Mapping[str, bytes]) -> Callable[[LogEntry], None]:
    def check(entry: LogEntry) -> None:
        device = signer_of(entry)
        public = keys.get(device or "")
        if public is None or not signature_holds(public, chain.signed_bytes(entry.hash), entry.signature):
            raise name_bad_signature(log, entry, device)

    return check


def trusted_keys(log: EngramLog) -> dict[str, bytes]:
    """Public keys of the devices that the root key vouches for, by device id."""
    root = log.meta("root_key") or b""
    keys = {}
    for name, record in log.metas("device:").items():
        try:
            fields = json.loads(record)
            public, certificate = bytes.fromhex(fields["public_key"]), bytes.fromhex(fields["certificate"])
        except (ValueError, KeyError, TypeError):
            continue  # an unreadable record vouches for nobody; its entries are then forged
        if name == f"device:{device_id(public)}" and signature_holds(
            root, CERTIFICATE_TAG + public, certificate
        ):
            keys[device_id(public)] = public
    return keys


def erased_seqs(log: EngramLog) -> frozenset[int]:
    """Positions whose content an erasure in the log itself (not in a derived table) says is gone."""
    edges = log.edges(relation=Relation.RETRACTS)
    targets = {standing.id: standing.seq for standing in log.standing({edge.dst for edge in edges}).values()}
    found = set()
    for entry in log.entries_at([edge.seq for edge in edges]):
        try:
            header = json.loads(entry.header)
        except ValueError:
            continue  # the chain check names it
        if header["type"] == EngramType.ERASURE:
            found |= {targets[link["target"]] for link in header["links"] if link["target"] in targets}
    return frozenset(found)


def _check_tail(log: EngramLog, last: Anchor, keys: Mapping[str, bytes]) -> None:
    """The signed head must be the end: fewer entries, or a head that nobody signed, is a cut tail."""
    record = log.meta("head")
    if record is None:
        if last.seq:
            raise Bad("cut tail", last.seq, "the signed head of the sequence is gone")
        return
    try:
        head = json.loads(record)
        seq, tagged, signature = int(head["seq"]), str(head["hash"]), bytes.fromhex(head["signature"])
        public = keys[head["device"]]
    except (ValueError, KeyError, TypeError):
        raise Bad("cut tail", last.seq, "the signed head of the sequence cannot be read") from None
    store_id = (log.meta("store_id") or b"").decode()
    digest = bytes.fromhex(tagged.removeprefix(chain.TAG))
    if not signature_holds(public, chain.head_bytes(store_id, seq, digest), signature):
        raise Bad("cut tail", last.seq, "the head of the sequence is not signed by this store")
    if seq > last.seq:
        raise Bad("cut tail", last.seq + 1, f"{seq - last.seq} entries are gone from the end")
    if seq < last.seq:
        raise Bad("inserted", seq + 1, f"{last.seq - seq} entries come after the signed head")
    if digest != last.hash:
        raise Bad("altered", last.seq, "the last entry is not the one that was signed as the head")


def check_against(log: EngramLog, checkpoint: Checkpoint) -> None:
    """A checkpoint kept elsewhere must be a prefix of this sequence."""
    store_id = (log.meta("store_id") or b"").decode()
    if checkpoint.store != store_id:
        raise Bad("rewritten", 0, f"the checkpoint is of store {checkpoint.store}, this is {store_id}")
    if not checkpoint.signature_holds():
        raise Bad("rewritten", checkpoint.seq, "the checkpoint's own signature does not hold")
    if checkpoint.seq == 0:
        return
    entry = next(iter(log.entries_at([checkpoint.seq])), None)
    if entry is None:
        raise Bad("cut tail", log.head()[0] + 1, f"the checkpoint knows {checkpoint.seq} entries")
    if chain.tagged(entry.hash) != checkpoint.hash:
        raise Bad("rewritten", checkpoint.seq, "history was rewritten since the checkpoint", id_of(entry))


def _watermark(store: Store) -> Anchor | None:
    record = store.backend.meta("verified")
    if record is None:
        return None
    try:
        fields = json.loads(record)
        seq, digest, signature = (
            int(fields["seq"]),
            bytes.fromhex(fields["hash"]),
            bytes.fromhex(fields["signature"]),
        )
    except (ValueError, KeyError, TypeError):
        return None
    if not signature_holds(store.identity.public_key, watermark_bytes(seq, digest), signature):
        return None
    entry = next(iter(store.backend.entries_at([seq])), None)
    return Anchor(seq, digest) if entry is not None and entry.hash == digest else None


def watermark_bytes(seq: int, digest: bytes) -> bytes:
    return WATERMARK_TAG + canonical({"hash": digest.hex(), "seq": seq})
