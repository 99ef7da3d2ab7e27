"""What is shown is proved first: a row that was altered in the file is an error, never an answer.

Of every entry handed out the body is hashed against the header's side, the header against the hash before it,
and the hash against the signature of the device it names; the signed head is looked for once. So a reader
learns nothing that this store's keys did not sign, at a few microseconds an entry (a signature is checked
once in the life of an open store). What is *not* shown because a derived row says so is proved for rules
alone, and wholly by `verify` (FORMAT.md, section 4).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from store import chain
from store.diagnosis import id_of, signer_of
from store.errors import StoreDamaged
from store.fold import LINK_SOURCE
from store.heads import signed_head
from store.model import Engram, EngramType, Klass, Relation
from store.port import EngramLog, LogEntry, LogWriter, Selection
from store.walking import all_bytes, erased_by, is_signed, trusted_keys

REMEMBERED = 20_000  # entries whose signature was seen to hold; about 3 MB


class Prover:
    """Proves entries of one log. Safe to use from several threads: what it remembers is only ever true."""

    def __init__(self, log: EngramLog, *, store_id: str, genesis: bytes) -> None:
        self._log = log
        self._store_id = store_id
        self._genesis = genesis
        self._signed: dict[int, tuple[bytes, bytes]] = {}  # position: (hash, the hash before it)
        self._keys: Mapping[str, bytes] = {}
        self._head_seen = False

    def proved(self, entries: Sequence[LogEntry], within: LogWriter | None = None) -> Sequence[LogEntry]:
        """The same entries; raises StoreDamaged at one that is not what was written.

        `within` is the transaction that they were read in, if any.
        """
        try:
            return self._proved(entries, within)
        except TypeError as error:
            odd = next((entry for entry in entries if not all_bytes(entry)), None)
            if odd is None:
                raise
            raise _altered(odd, "what stands there is not bytes") from error

    def whole(self, entries: Sequence[LogEntry]) -> Sequence[LogEntry]:
        """The same entries; raises StoreDamaged at one whose content is not what its hash says. No proof of
        who wrote it: a disk that fails is noticed, a forger is not."""
        for entry in entries:
            if not all_bytes(entry):
                raise _altered(entry, "what stands there is not bytes")
            if entry.body is not None and chain.body_hash(entry.body) != entry.body_hash:
                raise _altered(entry, "its content does not match its hash")
        return entries

    def _proved(self, entries: Sequence[LogEntry], within: LogWriter | None) -> Sequence[LogEntry]:
        fresh = [entry for entry in entries if not self._is_known(entry)]
        if not fresh:
            return entries
        if within is None:
            self._see_head()
        before = {0: self._genesis}
        wanted = {entry.seq - 1 for entry in fresh} - {0}
        if within is None:
            before |= self._log.hashes(wanted)
        else:
            before |= {seq: e.hash for seq in wanted if (e := within.entry(seq)) is not None}
        for entry in fresh:
            if entry.body is None and not self._is_erased(entry, within):
                raise _altered(entry, "its content is gone and no erasure says so")
            self._check(entry, before.get(entry.seq - 1))
        return entries

    def _is_known(self, entry: LogEntry) -> bool:
        """Seen signed before, and its bytes still give that hash: all that most reads have to do."""
        known = self._signed.get(entry.seq)
        if known is None or entry.body is None or known[0] != entry.hash:
            return False
        return (
            sha256(chain.BODY_TAG + entry.body).digest() == entry.body_hash
            and sha256(chain.ENTRY_TAG + known[1] + entry.body_hash + entry.header).digest() == entry.hash
        )

    def _check(self, entry: LogEntry, previous: bytes | None) -> None:
        if entry.body is not None and chain.body_hash(entry.body) != entry.body_hash:
            raise _altered(entry, "its content does not match its hash")
        if previous is None:
            raise _altered(entry, "the entry before it is gone")
        if chain.entry_hash(previous, entry.body_hash, entry.header) != entry.hash:
            raise _altered(entry, "it does not continue the entry before it")
        if not self._is_signed(entry):
            raise _altered(entry, f"its signature is not that of {signer_of(entry)}")
        if len(self._signed) >= REMEMBERED:
            self._signed = {}
        self._signed[entry.seq] = (entry.hash, previous)

    def _is_signed(self, entry: LogEntry) -> bool:
        """Keys are read again for a device not met yet: another program may have added it."""
        if signer_of(entry) not in self._keys:
            self._read_keys()
        return is_signed(entry, self._keys)

    def _read_keys(self) -> None:
        root = self._log.meta("root_key") or b""
        self._keys = trusted_keys(self._log.metas("device:") | {"root_key": root})

    def _is_erased(self, entry: LogEntry, within: LogWriter | None) -> bool:
        own = id_of(entry)
        if own is None:
            return False
        if within is not None:
            claims = within.standing(within.sources(Relation.RETRACTS, [own]))
            return any(claim.type is EngramType.ERASURE for claim in claims.values())
        seqs = [edge.seq for edge in self._log.edges([own], Relation.RETRACTS) if edge.dst == own]
        erasures = [claim for claim in self._log.entries_at(seqs) if own in erased_by(claim)]
        return bool(erasures and self.proved(erasures))

    def _see_head(self) -> None:
        """The signed head names an entry that is there: else the end of the sequence was cut off."""
        if self._head_seen:
            return
        self._read_keys()
        try:
            seq, digest = signed_head(self._log.meta("head"), self._store_id, self._keys)
        except ValueError as error:
            raise StoreDamaged(str(error)) from error
        if self._log.hashes([seq]).get(seq) != digest:
            raise StoreDamaged(f"the sequence ends before its signed head, entry {seq}")
        self._head_seen = True

    def still_hold(self, engrams: list[Engram]) -> list[Engram]:
        """The same engrams, kept as holding; raises StoreDamaged where an entry has ended one of them."""
        ended = self._log.ended([engram.id for engram in engrams])
        if ended:  # by somebody just now, unless the row still says that it holds
            for standing in self._log.standing(ended).values():
                if standing.holds:
                    raise StoreDamaged(
                        f"entry {standing.seq} ({standing.id}) is kept as holding, and a later entry ended it"
                    )
        return engrams

    def rules_ended(self) -> None:
        """Every prohibition that is kept as ended was ended by an entry that says so: a rule is not switched
        off by a row. Raises StoreDamaged."""
        every = Selection(klasses=(Klass.PROHIBITION,), include_ended=True)
        seqs = self._log.select_seqs(every)
        gone = set(seqs) - self._log.holding(seqs, Selection(klasses=(Klass.PROHIBITION,)))
        if not gone:
            return
        standings = self._log.standings_at(sorted(gone))
        endings = {s.ended_seq for s in standings if s.ended_seq is not None}
        proof = {entry.seq: entry for entry in self.proved(self._log.entries_at(endings))}
        edges = self._log.edges([s.id for s in standings], Relation.SUPERSEDES, include_ended=True)
        superseders = {edge.src for edge in edges}
        for standing in standings:
            ending = proof.get(standing.ended_seq or 0)
            if ending is None or not _may_end(ending, standing.id, contends=standing.id in superseders):
                raise StoreDamaged(
                    f"the rule at entry {standing.seq} ({standing.id}) is kept as ended, and no entry ended "
                    "it"
                )


def _may_end(entry: LogEntry, engram_id: str, *, contends: bool) -> bool:
    """Whether an entry says something that can end this engram: by a link to it, of its own, or, where it
    `contends` (it superseded something itself), by superseding in its chain."""
    header = json.loads(entry.header)
    if engram_id == header["id"] or any(link["target"] == engram_id for link in header["links"]):
        return True
    if header["type"] == EngramType.LINK and engram_id == json.loads(entry.body or b"{}")["metadata"].get(
        LINK_SOURCE
    ):
        return True
    return contends and any(link["relation"] == Relation.SUPERSEDES for link in header["links"])


def _altered(entry: LogEntry, why: str) -> StoreDamaged:
    return StoreDamaged(f"entry {entry.seq} ({id_of(entry)}) is not what was written: {why}")
