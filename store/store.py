"""The store: write, read, link, supersede, retract, erase, and the questions about what holds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from store import chain
from store.appending import Appender, Clock
from store.canonical import canonical
from store.chain import Head
from store.checkpoints import Checkpoint
from store.codec import from_micros, micros, read_back
from store.errors import (
    AmbiguousId,
    BadRequest,
    InvalidEngram,
    Locked,
    NotAuthorised,
    NotFound,
    StoreUnavailable,
)
from store.fold import LINK_SOURCE, key_of
from store.ids import canonical_id, parse_ref
from store.keys import DeviceKey, Identity
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
from store.port import EdgeRow, EngramLog, LogWriter, Selection, Standing
from store.records import Edge, Hit, Status, VerifyReport
from store.searching import Searcher

if TYPE_CHECKING:
    from store.briefing import Briefing

OPERATOR = Provenance(kind=ProvenanceKind.OPERATOR)
MAX_ACCESSES = 10  # CONFORMANCE E7; Petrov 2006 needs no more
_WRITABLE_CONTROL = {EngramType.APPROVAL, EngramType.CHECKPOINT_SIGNATURE}


class Store:
    """What is known, over any `EngramLog`. Safe to use from several threads; close it, or use `with`."""

    def __init__(
        self,
        log: EngramLog,
        *,
        identity: Identity,
        key: Callable[[], DeviceKey],
        clock: Clock,
        author: str,
        rng: Callable[[int], bytes],
        read_only: bool = False,
    ) -> None:
        self._log = log
        self._identity = identity
        self._key = key
        self._clock = clock
        self._read_only = read_only
        root = log.meta("root_key") or identity.public_key
        self._genesis = chain.genesis(identity.store_id, root)
        self._appender = Appender(
            store_id=identity.store_id, genesis=self._genesis, author=author, key=key, clock=clock, rng=rng
        )
        self._searcher = Searcher(log)
        self._open = threading.local()

    # ---- life -------------------------------------------------------------------------------------

    @property
    def identity(self) -> Identity:
        return self._identity

    @property
    def location(self) -> str:
        return self._log.location

    @property
    def backend(self) -> EngramLog:
        """The adapter underneath, for maintenance (backup, export, verification)."""
        return self._log

    def close(self) -> None:
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
            raise StoreUnavailable(f"{self.location} was opened to read only")
        outer: LogWriter | None = getattr(self._open, "writer", None)
        if outer is not None:
            yield outer
            return
        with self._log.writing() as writer:
            self._open.writer = writer
            try:
                yield writer
            finally:
                self._open.writer = None

    # ---- writing ----------------------------------------------------------------------------------

    def write(self, draft: Draft) -> Engram:
        """Append one engram; raises InvalidEngram, or NotFound when a link's target is missing."""
        return self.write_many([draft])[0]

    def write_many(self, drafts: Iterable[Draft]) -> list[Engram]:
        """Append engrams in one transaction: all, or none when one of them is refused."""
        wanted = list(drafts)
        for draft in wanted:
            if not isinstance(draft, Draft):
                raise InvalidEngram("type", f"a draft is needed, not {type(draft).__name__}")
            if draft.klass is Klass.CONTROL and draft.type not in _WRITABLE_CONTROL:
                raise InvalidEngram("type", f"{draft.type} entries are made by link, retract and erase")
        return self._append(wanted)

    def _append(self, drafts: Sequence[Draft]) -> list[Engram]:
        if not drafts:
            return []
        with self._writing() as writer:
            return self._appender.append(writer, drafts)

    def link(self, src: str, relation: Relation | str, dst: str) -> Edge:
        """Claim an edge of its own. The same edge again adds nothing; `relates_to` has no direction.

        Raises BadRequest for an unknown relation, NotFound for a missing end, NotAuthorised for a
        supersession that the source's authority does not carry.
        """
        kind = _relation(relation)
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

    def supersede(self, ref: str, draft: Draft) -> Engram:
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
            return self._appender.append(writer, [replace(draft, links=decided)])[0]

    def retract(self, ref: str, reason: str = "", *, provenance: Provenance = OPERATOR) -> Engram:
        """Append a retraction: the claim stays readable and no longer holds. Again: the same retraction."""
        return self._withdraw(EngramType.RETRACTION, ref, reason or "No longer holds.", provenance)

    def erase(self, ref: str, reason: str, *, provenance: Provenance = OPERATOR) -> Engram:
        """Overwrite what an engram says, for ever; its hash and the erasure stay, so the chain verifies."""
        erasure = self._withdraw(EngramType.ERASURE, ref, reason.strip() or "Erased.", provenance)
        if getattr(self._open, "writer", None) is None:
            self._log.scrub()
        return erasure

    def _withdraw(self, kind: EngramType, ref: str, reason: str, provenance: Provenance) -> Engram:
        with self._writing() as writer:
            target = self._standing(ref, writer)
            for edge in self._log.edges([target.id], Relation.RETRACTS):
                earlier = writer.standing([edge.claim]).get(edge.claim)
                if edge.dst == target.id and earlier is not None and earlier.type is kind:
                    return self.read(edge.claim)
            draft = Draft(
                type=kind,
                content=reason,
                provenance=provenance,
                links=(Link(relation=Relation.RETRACTS, target=target.id),),
            )
            return self._appender.append(writer, [draft])[0]

    def reinforce(self, ids: Iterable[str], at: datetime) -> None:
        """Record that these engrams were used at `at`; the last ten times of each are kept beside the log."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return
        with self._writing() as writer:
            known = writer.standing(wanted)
            for engram_id in wanted:
                if engram_id not in known:
                    raise NotFound(engram_id)
            writer.touch([known[engram_id].seq for engram_id in wanted], micros(_aware(at)), MAX_ACCESSES)

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
        return [read_back(entry) for entry in self._log.missing_vectors(model, limit)]

    # ---- reading ----------------------------------------------------------------------------------

    def _standing(self, ref: str, writer: LogWriter | None = None) -> Standing:
        digits = parse_ref(ref)
        source: Any = writer if writer is not None else getattr(self._open, "writer", None) or self._log
        if len(digits) == 32:
            engram_id = canonical_id(digits)
        else:
            found = self._log.find(digits, limit=6)
            if len(found) > 1:
                raise AmbiguousId(ref, tuple(found))
            if not found:
                raise NotFound(ref)
            engram_id = found[0]
        standing = source.standing([engram_id]).get(engram_id)
        if standing is None:
            raise NotFound(ref)
        return standing

    def resolve(self, ref: str) -> str:
        """The full id of a full id, a unique prefix or a tail (at least four hex digits)."""
        return self._standing(ref).id

    def read(self, ref: str) -> Engram:
        """One engram by id, prefix or tail; raises NotFound, AmbiguousId or BadRequest."""
        seq = self._standing(ref).seq
        writer = getattr(self._open, "writer", None)
        entry = writer.entry(seq) if writer is not None else next(iter(self._log.entries_at([seq])), None)
        if entry is None:
            raise NotFound(ref)
        return read_back(entry)

    def read_all(self, ids: Sequence[str]) -> list[Engram]:
        """Engrams by full id, in the order asked; raises NotFound for an unknown one."""
        known = self._log.standing(ids)
        for engram_id in ids:
            if engram_id not in known:
                raise NotFound(engram_id)
        return [read_back(entry) for entry in self._log.entries_at([known[i].seq for i in ids])]

    def status(self, ref: str) -> Status:
        """What became of an engram: does it hold, what replaced it, what it replaced, what contradicts it."""
        standing = self._standing(ref)
        edges = self._log.edges([standing.id])
        return status_of(standing, edges)

    def edges(self, ref: str | None = None, relation: Relation | str | None = None) -> list[Edge]:
        """Edges that hold: all, or those that start or end at `ref`; oldest first."""
        ids = None if ref is None else [self._standing(ref).id]
        kind = None if relation is None else _relation(relation)
        return [as_edge(edge) for edge in self._log.edges(ids, kind)]

    def history(self, ref: str) -> list[Engram]:
        """Every member of the chain that `ref` belongs to, from any member, oldest first."""
        seen, front = set(), [self._standing(ref).id]
        while front:
            seen.update(front)
            edges = self._log.edges(front, Relation.SUPERSEDES)
            ends = {end for edge in edges for end in (edge.src, edge.dst)}
            front = sorted(ends - seen)
        return sorted(self.read_all(sorted(seen)), key=lambda engram: engram.seq)

    def current(
        self,
        *,
        klass: Klass | Collection[Klass] | None = None,
        type: EngramType | Collection[EngramType] | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        limit: int | None = None,
        newest_first: bool = True,
    ) -> list[Engram]:
        """What holds now. Control entries only when their type or class is asked for by name."""
        selection = _selection(klass, type, subject, attribute, limit, newest_first)
        return [read_back(entry) for entry in self._log.select(selection)]

    def as_of(
        self,
        when: datetime | int,
        *,
        klass: Klass | Collection[Klass] | None = None,
        type: EngramType | Collection[EngramType] | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        limit: int | None = None,
        newest_first: bool = True,
    ) -> list[Engram]:
        """What held at a position (what the store knew then) or at a time (what was true then, as known now).

        By time an engram counts from its `valid_from`, or from `created_at` without one. What was erased
        since has nothing left to show and is left out.
        """
        selection = _selection(klass, type, subject, attribute, limit, newest_first)
        return [read_back(entry) for entry in self._log.select(at_moment(selection, when))]

    def log(
        self, *, after: int = 0, limit: int | None = None, newest_first: bool = False
    ) -> Iterator[Engram]:
        """Entries with a position greater than `after`, control entries included."""
        for entry in self._log.entries(after=after, limit=limit, newest_first=newest_first):
            yield read_back(entry)

    def search(
        self,
        query: str,
        *,
        classes: Klass | Collection[Klass] | None = None,
        limit: int = 10,
        vector: Any = None,
        as_of: datetime | int | None = None,
        history: bool = False,
    ) -> list[Hit]:
        """Engrams of these classes that the words of `query` find, best first. Any text is a valid query."""
        return self._searcher.search(
            query, classes=_many(classes), limit=limit, as_of=as_of, history=history, now=self._clock()
        )

    def accesses(self, ids: Sequence[str]) -> dict[str, tuple[datetime, ...]]:
        """The last ten recorded uses of each engram that has any."""
        by_seq = {standing.seq: engram_id for engram_id, standing in self._log.standing(ids).items()}
        found = self._log.accesses(list(by_seq))
        return {by_seq[seq]: tuple(from_micros(us) for us in times) for seq, times in found.items()}

    def head(self) -> Head:
        """Size and hash of the sequence; an empty store's hash is its genesis."""
        seq, digest = self._log.head()
        return Head(seq, chain.tagged(digest or self._genesis))

    def reason_on(
        self, scope: str | None = None, *, budget_tokens: int = 2000, since: int | None = None
    ) -> Briefing:
        """A briefing on a topic, an engram, a class or a time (an ISO date); see `store.briefing`."""
        from store.briefing import reason_on

        return reason_on(self, scope, budget_tokens=budget_tokens, since=since)

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
        with self._writing() as writer:
            writer.set_meta({"verified": canonical(record)})

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


def status_of(standing: Standing, edges: Sequence[EdgeRow]) -> Status:
    """Fold the edges that touch one engram into its status."""
    own = standing.id

    def sources(relation: Relation) -> tuple[str, ...]:
        return tuple(dict.fromkeys(e.src for e in edges if e.relation is relation and e.dst == own))

    rivals = [e.src if e.dst == own else e.dst for e in edges if e.relation is Relation.CONTRADICTS]
    withdrawn = sources(Relation.RETRACTS)
    return Status(
        holds=standing.holds,
        superseded_by=sources(Relation.SUPERSEDES),
        retracted_by=withdrawn[0] if withdrawn else None,
        contradicts=tuple(dict.fromkeys(rivals)),
        supersedes=tuple(
            dict.fromkeys(e.dst for e in edges if e.relation is Relation.SUPERSEDES and e.src == own)
        ),
        why=standing.ended_why,
        since=standing.ended_seq,
        erased=standing.erased,
    )


def as_edge(row: EdgeRow) -> Edge:
    return Edge(
        claim=row.claim,
        seq=row.seq,
        src=row.src,
        relation=row.relation,
        dst=row.dst,
        author=row.author,
        created_at=from_micros(row.created_us),
        holds=row.ended_seq is None,
    )


def at_moment(selection: Selection, when: datetime | int) -> Selection:
    """The selection at a position or an instant; raises BadRequest for anything else."""
    if isinstance(when, datetime):
        return replace(selection, instant_us=micros(_aware(when)))
    if isinstance(when, bool) or not isinstance(when, int) or when < 0:
        raise BadRequest(f"as of a position or a time, not {when!r}")
    return replace(selection, position=when)


def _aware(when: datetime) -> datetime:
    if when.tzinfo is None:
        raise BadRequest(f"{when.isoformat()} needs its offset from UTC, as in 2026-03-06T10:15:00+01:00")
    return when


def _relation(value: Relation | str) -> Relation:
    try:
        return Relation(value)
    except ValueError as error:
        raise BadRequest(f"unknown relation {value!r}; one of: {', '.join(Relation)}") from error


def _by_authority(link: Link, draft: Draft, known: dict[str, Standing]) -> Link:
    target = known.get(link.target)
    if link.relation is not Relation.SUPERSEDES or target is None:
        return link
    if draft.provenance.authority >= target.authority:
        return link
    return Link(relation=Relation.CONTRADICTS, target=link.target)


def _many(value: Any) -> tuple[Any, ...] | None:
    if value is None:
        return None
    return (value,) if isinstance(value, str) else tuple(value)


def _selection(
    klass: Any, kind: Any, subject: str | None, attribute: str | None, limit: int | None, newest_first: bool
) -> Selection:
    if limit is not None and limit < 0:
        raise BadRequest("a limit is not negative")
    try:
        klasses = None if klass is None else tuple(map(Klass, _many(klass) or ()))
        types = None if kind is None else tuple(map(EngramType, _many(kind) or ()))
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return Selection(
        klasses=klasses,
        types=types,
        subject=key_of(subject),
        attribute=key_of(attribute),
        limit=limit,
        newest_first=newest_first,
    )


__all__ = ["NotAuthorised", "Store", "at_moment", "status_of"]
