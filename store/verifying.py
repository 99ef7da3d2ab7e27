"""Verification: the sequence against its hashes and signatures, the derived tables against the sequence.

What is found is named by kind: `altered`, `removed`, `reordered`, `inserted`, `forged author`, `cut tail`,
`rewritten` (it does not extend a checkpoint kept elsewhere) and `state` (a derived table says something else
than the log). The first bad position is reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store import chain
from store.canonical import canonical
from store.checkpoints import Checkpoint, read_checkpoint
from store.codec import read_back
from store.errors import StoreError
from store.fold import fold
from store.keys import CERTIFICATE_TAG, device_id, signature_holds
from store.model import Engram, EngramType, Relation
from store.port import EngramLog, LogEntry, Standing
from store.records import Problem, VerifyReport

if TYPE_CHECKING:
    from store.store import Store

PROGRESS_EVERY = 10_000
WATERMARK_TAG = b"engram/1 watermark\n"
Progress = Callable[[int, int], None]


class Bad(Exception):
    """The first bad entry, on its way to the report."""

    def __init__(self, kind: str, seq: int, detail: str, engram_id: str | None = None) -> None:
        super().__init__(detail)
        self.problem = Problem(kind=kind, seq=seq, id=engram_id, detail=detail)


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
    checked = 0
    try:
        checkpoint = None if against is None else read_checkpoint(against)
        if checkpoint is not None:
            check_against(log, checkpoint)
        keys = trusted_keys(log)
        erased = erased_seqs(log)
        last = start
        for anchor in chained(log.entries(after=start.seq), start, erased, _signer_check(keys)):
            last = anchor
            checked += 1
            if progress is not None and checked % PROGRESS_EVERY == 0:
                progress(start.seq + checked, log.head()[0])
        _check_tail(log, last, keys)
        if full:
            check_state(log)
    except Bad as bad:
        return VerifyReport(ok=False, checked=checked, start=start.seq + 1, problem=bad.problem)
    store.remember_verified(last.seq, last.hash)
    return VerifyReport(ok=True, checked=checked, start=start.seq + 1)


def genesis_of(log: EngramLog) -> bytes:
    store_id, root = log.meta("store_id"), log.meta("root_key")
    if store_id is None or root is None:
        raise Bad("altered", 0, "the identity records of the store are gone")
    return chain.genesis(store_id.decode(), root)


def chained(
    entries: Iterable[LogEntry],
    start: Anchor,
    erased: Mapping[int, int],
    check_signature: Callable[[LogEntry], None] | None = None,
) -> Iterator[Anchor]:
    """Yield an anchor for each entry that continues the chain; raise Bad at the first that does not.

    Without `check_signature` this is the chain alone: two SHA-256 an entry.
    """
    previous, expected = start.hash, start.seq + 1
    for entry in entries:
        if entry.seq != expected:
            raise Bad("removed", expected, f"entry {expected} is missing; the next one there is {entry.seq}")
        if entry.body is None:
            if entry.seq not in erased:
                raise Bad("altered", entry.seq, "its content is gone and no erasure says so", id_of(entry))
        elif chain.body_hash(entry.body) != entry.body_hash:
            raise Bad("altered", entry.seq, "its content does not match its hash", id_of(entry))
        digest = chain.entry_hash(previous, entry.body_hash, entry.header)
        if digest != entry.hash:
            raise Bad("broken", entry.seq, "it does not continue the chain", id_of(entry))
        if check_signature is not None:
            check_signature(entry)
        previous, expected = digest, expected + 1
        yield Anchor(entry.seq, digest)


def id_of(entry: LogEntry) -> str | None:
    try:
        return str(json.loads(entry.header)["id"])
    except (ValueError, KeyError, TypeError):
        return None


def _signer_check(keys: Mapping[str, bytes]) -> Callable[[LogEntry], None]:
    def check(entry: LogEntry) -> None:
        try:
            device = json.loads(entry.header)["device"]
        except (ValueError, KeyError, TypeError):
            raise Bad("altered", entry.seq, "its header cannot be read") from None
        public = keys.get(device)
        if public is None:
            raise Bad(
                "forged author",
                entry.seq,
                f"signed by {device}, which this store does not trust",
                id_of(entry),
            )
        if not signature_holds(public, chain.signed_bytes(entry.hash), entry.signature):
            raise Bad("forged author", entry.seq, f"its signature is not that of {device}", id_of(entry))

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


def erased_seqs(log: EngramLog) -> dict[int, int]:
    """Position of each erased entry, with that of the erasure that says so (read from the log itself)."""
    found = {}
    edges = log.edges(relation=Relation.RETRACTS)
    known = log.standing({end for edge in edges for end in (edge.claim, edge.dst)})
    for edge in edges:
        claim, target = known.get(edge.claim), known.get(edge.dst)
        if claim is not None and target is not None and claim.type is EngramType.ERASURE:
            found[target.seq] = edge.seq
    return found


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


def replay(log: EngramLog) -> dict[str, Standing]:
    """The naive full fold: every standing, computed from the entries alone."""
    known: dict[str, Standing] = {}
    later: dict[str, list[str]] = {}
    for entry in log.entries():
        engram = read_back(entry)
        effect = fold(engram, known, _rivals(engram, known, later))
        known[engram.id] = effect.standing
        known |= {standing.id: standing for standing in effect.ended}
        for edge in effect.edges:
            if edge.relation is Relation.SUPERSEDES:
                later.setdefault(edge.dst, []).append(edge.src)
    return known


def _rivals(
    engram: Engram, known: Mapping[str, Standing], later: Mapping[str, list[str]]
) -> dict[str, tuple[Standing, ...]]:
    found = {}
    for link in engram.links:
        if link.relation is Relation.SUPERSEDES and link.target in known and not known[link.target].holds:
            seen, front = {link.target}, [link.target]
            while front:
                front = [s for f in front for s in later.get(f, ()) if s not in seen]
                seen.update(front)
            found[link.target] = tuple(s for i in seen if (s := known.get(i)) is not None and s.holds)
    return found


def check_state(log: EngramLog) -> None:
    """Compare the kept state with the fold; raise Bad at the first engram that differs."""
    try:
        expected = replay(log)
    except StoreError as error:
        raise Bad("altered", 0, f"the sequence cannot be replayed: {error}") from error
    seen = 0
    for standing in log.standings():
        seen += 1
        if expected.get(standing.id) != standing:
            raise Bad("state", standing.seq, "the kept state differs from what the log says", standing.id)
    if seen != len(expected):
        raise Bad("state", 0, f"the state knows {seen} engrams, the log {len(expected)}")


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
