"""Verification: the sequence against its hashes and signatures, the derived tables against the sequence.

What is found is named by kind: `altered`, `removed`, `reordered`, `inserted`, `forged author`, `cut tail`,
`rewritten` (it does not extend a checkpoint kept elsewhere) and `state` (a derived table says something else
than the log). The first bad position is reported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from store import chain
from store.canonical import canonical
from store.checkpoints import Checkpoint, read_checkpoint
from store.diagnosis import Bad, id_of, name_break
from store.following import Progress, follow
from store.keys import signature_holds
from store.model import Relation
from store.port import EngramLog
from store.records import Problem, VerifyReport
from store.replaying import check_state
from store.walking import Anchor, Broken, erased_by, trusted_keys

if TYPE_CHECKING:
    from store.store import Store

WATERMARK_TAG = b"engram/1 watermark\n"


def verify(
    store: Store, *, full: bool, progress: Progress | None, against: Path | str | None
) -> VerifyReport:
    """See `Store.verify`. A watermark is trusted only when this store's own key has signed it."""
    log = store.backend
    try:
        start = Anchor(0, genesis_of(log))
    except Bad as bad:
        return VerifyReport(ok=False, checked=0, problem=bad.problem)
    if not full:
        start = _watermark(store) or start
    reached = start

    def report(problem: Problem | None) -> VerifyReport:
        upto = reached.seq if problem is None else max(problem.seq, start.seq)
        return VerifyReport(
            ok=problem is None, checked=upto - start.seq, start=start.seq + 1, problem=problem
        )

    try:
        if against is not None:
            check_against(log, read_checkpoint(against))
        keys = keys_of(log)
        while True:
            reached = follow(log, reached, erased_seqs(log), keys, progress)
            head = log.meta("head")
            if log.head()[0] <= reached.seq:
                break  # nothing came meanwhile
        _check_tail(log, reached, keys, head)
        if full:
            _nothing_before(log)
            _check_state(store)
    except Broken as broken:
        return report(name_break(log, broken.entry, broken.previous, keys_of(log)).problem)
    except Bad as bad:
        return report(bad.problem)
    store.remember_verified(reached.seq, reached.hash)
    return report(None)


def _nothing_before(log: EngramLog) -> None:
    """Positions start at 1: what stands before is read by nobody, and was put there."""
    stray = next(iter(log.entries(after=-(2**62), upto=0, limit=1)), None)
    if stray is not None:
        raise Bad("inserted", stray.seq, "it stands before the first entry", id_of(stray))


def _check_state(store: Store) -> None:
    """Others may append meanwhile, and the tables go on: what differs is looked at again while nobody can."""
    try:
        check_state(store.backend)
    except Bad:
        with store.unchanging():
            check_state(store.backend)


def genesis_of(log: EngramLog) -> bytes:
    store_id, root = log.meta("store_id"), log.meta("root_key")
    if store_id is None or root is None:
        raise Bad("altered", 0, "the identity records of the store are gone")
    return chain.genesis(store_id.decode(), root)


def keys_of(log: EngramLog) -> dict[str, bytes]:
    return trusted_keys(log.metas("device:") | {"root_key": log.meta("root_key") or b""})


def erased_seqs(log: EngramLog) -> frozenset[int]:
    """Positions whose content an erasure in the log itself (not in a derived table) says is gone."""
    edges = log.edges(relation=Relation.RETRACTS)
    targets = {standing.id: standing.seq for standing in log.standing({edge.dst for edge in edges}).values()}
    claims = log.entries_at([edge.seq for edge in edges])
    return frozenset(targets[i] for entry in claims for i in erased_by(entry) if i in targets)


def _check_tail(log: EngramLog, last: Anchor, keys: Mapping[str, bytes], record: bytes | None) -> None:
    """The signed head must be the end: fewer entries, or a head that nobody signed, is a cut tail."""
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
