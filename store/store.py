"""The store: write, read, link, supersede, retract, erase, and the questions about what holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from store import chain
from store.appending import TO_SCRUB, Appender, Clock
from store.canonical import canonical
from store.checkpoints import Checkpoint
from store.codec import micros, read_back
from store.errors import (
    BadRequest,
    InvalidEngram,
    Locked,
    NotFound,
    StoreUnavailable,
)
from store.fold import LINK_SOURCE
from store.grouping import GroupCommit
from store.keys import Identity, Signer, derived_bytes, seal, signature_holds
from store.model import (
    Draft,
    Engram,
    EngramType,
    Klass,
    Link,
    Provenance,
    ProvenanceKind,
    Relation,
)
from store.port import EdgeRow, EngramLog, LogWriter, Standing
from store.questions import as_edge, aware, relation_of
from store.reading import Reader
from store.records import Edge, VerifyReport
from store.retrieval.hebbian import Weights
from store.searching import HEBBIAN

if TYPE_CHECKING:
    from store.retrieval import RankSettings
    from store.retrieval.ports import Embedder, Reranker

OPERATOR = Provenance(kind=ProvenanceKind.OPERATOR)
MAX_ACCESSES = 10  # CONFORMANCE E7; Petrov 2006 needs no more
_WRITABLE_CONTROL = {EngramType.APPROVAL, EngramType.CHECKPOINT_SIGNATURE}


class Store(Reader):
    """What is known, over any `EngramLog`. Safe to use from several threads; close it, or use `with`."""

    def __init__(
        self,
        log: EngramLog,
        *,
        identity: Identity,
        key: Signer,
        clock: Clock,
        author: str,
        rng: Callable[[int], bytes],
        read_only: bool = False,
    ) -> None:
        super().__init__(log, identity=identity, clock=clock)
        self._key = key
        self._rng = rng
        self._read_only = read_only
        self._scrub_due = log.meta(TO_SCRUB) is not None
        self._scrub()
        self._appender = Appender(
            store_id=identity.store_id, genesis=self._genesis, author=author, key=key, clock=clock, rng=rng
        )
        self._group = GroupCommit(self._writing, self._appender.append)

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written here: opened so, or all that is possible."""
        return self._read_only

    def unlock(self) -> None:
        """Open the signing key now rather than at the first write; raises Locked."""
        self._key()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything this thread writes inside is durable together, or not at all when the block raises.

        Inside, `read`, `current` and the like still answer from before the transaction; ids just written
        can be given in full to link, supersede, retract and erase.
        """
        with self._writing():
            yield

    @contextmanager
    def _writing(self) -> Iterator[LogWriter]:
        if self._read_only:
            raise StoreUnavailable(
                f"{self.location} can only be read here (it, its folder or the mount is read-only, or it was "
                "opened so): nothing was written"
            )
        outer = self._writer()
        if outer is not None:
            yield outer
            return
        with self._log.writing() as writer:
            self._open.writer = writer
            try:
                yield writer
            finally:
                self._open.writer = None
        self._scrub()

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """Nobody appends while the block runs (where this store may write at all)."""
        if self._read_only:
            yield
            return
        with self._writing():
            yield

    def _scrub(self) -> None:
        """Finish an erasure: what it freed is overwritten. Tried again at the next write or opening, should
        a reader hold old pages, or the machine stop here."""
        if self._read_only or not self._scrub_due or not self._log.scrub():
            return
        with self._log.writing() as writer:
            writer.set_meta({TO_SCRUB: None})
        self._scrub_due = False

    def write(self, draft: Draft, *, author: str | None = None) -> Engram:
        """Append one engram; raises InvalidEngram, or NotFound when a link's target is missing.

        `author` is who says it where that is not the one this store was opened for, as the program knows
        from where the words came, and never from what they say.
        """
        return self.write_many([draft], author=author)[0]

    def write_many(self, drafts: Iterable[Draft], *, author: str | None = None) -> list[Engram]:
        """Append engrams in one transaction: all, or none when one of them is refused."""
        wanted = list(drafts)
        for draft in wanted:
            if not isinstance(draft, Draft):
                raise InvalidEngram("type", f"a draft is needed, not {type(draft).__name__}")
            if draft.klass is Klass.CONTROL and draft.type not in _WRITABLE_CONTROL:
                raise InvalidEngram("type", f"{draft.type} entries are made by link, retract and erase")
        return self._append(wanted, author)

    def _append(self, drafts: Sequence[Draft], author: str | None = None) -> list[Engram]:
        if not drafts:
            return []
        writer = self._writer()
        if writer is None:
            return self._group.append(drafts, author)
        return self._appender.append(writer, drafts, author)

    def link(self, src: str, relation: Relation | str, dst: str) -> Edge:
        """Claim an edge of its own. The same edge again adds nothing; `relates_to` has no direction.

        Raises BadRequest for an unknown relation, NotFound for a missing end, NotAuthorised for a
        supersession that the source's authority does not carry.
        """
        kind = relation_of(relation)
        if kind is Relation.RETRACTS:
            raise BadRequest("use retract: a retraction is an entry with its reason")
        with self._writing() as writer:
            source, target = self._standing(src, writer), self._standing(dst, writer)
            there = writer.has_edge(source.id, kind, target.id)
            if there is None and kind is Relation.RELATES_TO:
                there = writer.has_edge(target.id, kind, source.id)
            if there is not None:
                return as_edge(there)
            draft = Draft(
                type=EngramType.LINK,
                content=f"{source.id} {kind} {target.id}",
                provenance=OPERATOR,
                links=(Link(relation=kind, target=target.id),),
                metadata={LINK_SOURCE: source.id},
            )
            engram = self._appender.append(writer, [draft])[0]
        created = micros(engram.created_at)
        return as_edge(EdgeRow(engram.seq, engram.id, source.id, kind, target.id, engram.author, created))

    def supersede(self, ref: str, draft: Draft, *, author: str | None = None) -> Engram:
        """Write `draft` in place of `ref` (and of every other target its `supersedes` links name).

        Where the draft has less authority than a target, that target stays and the two are joined by
        `contradicts` instead; `status` tells which holds.
        """
        with self._writing() as writer:
            target = self._standing(ref, writer)
            links = [link for link in draft.links if link.target != target.id]
            links.insert(0, Link(relation=Relation.SUPERSEDES, target=target.id))
            known = writer.standing(link.target for link in links)
            decided = tuple(_by_authority(link, draft, known) for link in links)
            return self._appender.append(writer, [replace(draft, links=decided)], author)[0]

    def retract(self, ref: str, reason: str = "", *, provenance: Provenance = OPERATOR) -> Engram:
        """Append a retraction: the claim stays readable and no longer holds. Again: the same retraction."""
        return self._withdraw(EngramType.RETRACTION, ref, reason or "No longer holds.", provenance)

    def erase(self, ref: str, reason: str, *, provenance: Provenance = OPERATOR) -> Engram:
        """Overwrite what an engram says, for ever; its hash and the erasure stay, so the chain verifies."""
        with self._writing():
            erasure = self._withdraw(EngramType.ERASURE, ref, reason.strip() or "Erased.", provenance)
            self._scrub_due = True
        for standing in self._log.standing([link.target for link in erasure.links]).values():
            self._searcher.forget(standing.seq)
        return erasure

    def _withdraw(self, kind: EngramType, ref: str, reason: str, provenance: Provenance) -> Engram:
        with self._writing() as writer:
            target = self._standing(ref, writer)
            for claim in writer.sources(Relation.RETRACTS, [target.id]):
                if writer.standing([claim])[claim].type is kind:
                    return self.read(claim)
            draft = Draft(
                type=kind,
                content=reason,
                provenance=provenance,
                links=(Link(relation=Relation.RETRACTS, target=target.id),),
            )
            return self._appender.append(writer, [draft])[0]

    def reinforce(self, ids: Iterable[str], at: datetime) -> None:
        """Record that these engrams were used at `at`, beside the log.

        The last ten times of each are kept, and links between two of them are grounded more strongly (E20).
        """
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return
        with self._writing() as writer:
            known = writer.standing(wanted)
            for engram_id in wanted:
                if engram_id not in known:
                    raise NotFound(engram_id)
            at_us = micros(aware(at))
            writer.touch([known[engram_id].seq for engram_id in wanted], at_us, MAX_ACCESSES)
            seq_of = {engram_id: known[engram_id].seq for engram_id in wanted}
            edges = [edge for edge in self._log.edges(wanted) if {edge.src, edge.dst} <= seq_of.keys()]
            if edges:
                pairs = [(seq_of[edge.src], seq_of[edge.dst]) for edge in edges]
                weights = Weights.from_bytes(writer.meta(HEBBIAN))
                weights = weights.used_together(seq_of.values(), pairs, at_s=at_us / 1e6)
                writer.set_meta({HEBBIAN: weights.to_bytes()})

    def put_vectors(self, model: str, rows: Iterable[tuple[str, bytes]]) -> None:
        """Keep one blob an engram under a model's fingerprint; raises NotFound for an unknown id."""
        pairs = list(rows)
        with self._writing() as writer:
            known = writer.standing(engram_id for engram_id, _ in pairs)
            missing = [engram_id for engram_id, _ in pairs if engram_id not in known]
            if missing:
                raise NotFound(missing[0])
            kept = [(known[i].seq, blob) for i, blob in pairs if not known[i].erased]
            writer.put_vectors(model, kept)

    def missing_vectors(self, model: str, limit: int) -> list[Engram]:
        """Engrams without a vector of this model: those that hold first, newest first; never prohibitions."""
        return [read_back(entry) for entry in self._prover.proved(self._log.missing_vectors(model, limit))]

    def use_embedder(
        self,
        embedder: Embedder | None,
        *,
        settings: RankSettings | None = None,
        index_dir: Path | None = None,
        reranker: Reranker | None = None,
        meanwhile: Embedder | None = None,
    ) -> None:
        """Rank by meaning too from now on, with vectors of this embedder; None goes back to words alone.

        `settings` are the weights of ranking, from `store.retrieval.load_settings`; the defaults without.
        `index_dir` is where the vector index is published: derived, in the clear, free to be deleted. Without
        it (a store that is encrypted) vectors are held in memory only. `reranker` reads the best once more.
        After a change of model the old one serves `meanwhile`, until `embed_missing` has nothing left to do.
        """
        self._searcher.use(embedder, settings, index_dir, reranker, meanwhile)

    def embed_missing(self, limit: int = 64) -> int:
        """Embed up to `limit` engrams that have no vector of the embedder in use; returns how many."""
        embedder = self._searcher.embedder
        if embedder is None or self._read_only:
            return 0
        from store.retrieval import embed_for_store, vector_model

        model = vector_model(embedder)
        engrams = self.missing_vectors(model, limit)
        if engrams:
            blobs = embed_for_store(embedder, engrams)
            self.put_vectors(model, zip([engram.id for engram in engrams], blobs, strict=True))
            self._searcher.publish(head=self.head().seq)
        else:
            self._searcher.arrived()
        return len(engrams)

    def publish_index(self) -> int:
        """Write the vector index as far as it goes, however little waits; how many segments were written."""
        return self._searcher.publish(head=self.head().seq, at_least=1)

    def verify(
        self,
        full: bool = False,
        progress: Callable[[int, int], None] | None = None,
        against: Path | str | None = None,
    ) -> VerifyReport:
        """Check the sequence; from the last verified position on, or from the first entry when `full`."""
        from store.verifying import verify

        return verify(self, full=full, progress=progress, against=against)

    def remember_verified(self, seq: int, digest: bytes) -> None:
        """Keep how far the sequence was verified, signed; left out where nothing can be written or signed."""
        from store.verifying import watermark_bytes

        if self._read_only or not seq:
            return
        try:
            signature = self._key().sign(watermark_bytes(seq, digest))
        except Locked:
            return
        record = {"hash": digest.hex(), "seq": seq, "signature": signature.hex()}
        with suppress(StoreUnavailable), self._writing() as writer:  # a full disk: the check itself stands
            writer.set_meta({"verified": canonical(record)})

    def vouch(self, kind: str, digest: bytes) -> bytes | None:
        """Sign the SHA-256 of what was derived from this store and is kept outside it, so `vouched` knows it
        again; None where nothing may be written, or the key could only be had by asking for it."""
        if self._read_only or not self._key.at_hand():
            return None
        return self._key().sign(derived_bytes(self._identity.store_id, kind, digest))

    def vouched(self, kind: str, digest: bytes, signature: bytes) -> bool:
        """Whether this store's own device signed that, for this store and as that kind."""
        said = derived_bytes(self._identity.store_id, kind, digest)
        return signature_holds(self._identity.public_key, said, signature)

    def rebuild(self) -> None:
        """Derive state, links and full text anew from the log, as after damage to those tables alone.

        Raises StoreDamaged when the log itself cannot be replayed; verify the log first.
        """
        from store.replaying import derived

        with self._writing() as writer:
            writer.rebuild(*derived(self._log))

    def backup(self, target: Path | str) -> Path:
        """Write a whole, consistent copy of this store to a new file while it goes on being used."""
        return self._log.copy_to(Path(target))

    def set_passphrase(self, passphrase: str | None) -> None:
        """Seal the signing key with a new passphrase, or keep it open again with None.

        Raises Locked when it is sealed now and this store was not opened with its passphrase, BadRequest
        when the file is encrypted whole: one passphrase protects both, and `rekey_store` changes it.
        """
        if self._log.encrypted:
            raise BadRequest("the whole file is encrypted; close it and change the passphrase with rekey")
        key = self._key()
        record = key.seed if passphrase is None else seal(key.seed, passphrase, self._rng)
        with self._writing() as writer:
            writer.set_meta({f"secret:{key.device}": record, TO_SCRUB: b"1"})
            self._scrub_due = True

    def checkpoint(self) -> Checkpoint:
        """The size and head of the sequence, signed by this device; keep it outside the store."""
        head, key = self.head(), self._key()
        digest = bytes.fromhex(head.hash.removeprefix(chain.TAG))
        signature = key.sign(chain.head_bytes(self._identity.store_id, head.seq, digest))
        return Checkpoint(
            store=self._identity.store_id,
            seq=head.seq,
            hash=head.hash,
            device=key.device,
            public_key=key.public.hex(),
            signature=signature.hex(),
        )


def _by_authority(link: Link, draft: Draft, known: dict[str, Standing]) -> Link:
    target = known.get(link.target)
    if link.relation is not Relation.SUPERSEDES or target is None:
        return link
    if draft.provenance.authority >= target.authority:
        return link
    return Link(relation=Relation.CONTRADICTS, target=link.target)
