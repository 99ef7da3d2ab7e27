"""Reading: what holds, what caused it, what it replaced. No method here changes a byte of the store."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from store import chain
from store.appending import Clock
from store.chain import Head
from store.codec import from_micros, read_back
from store.errors import AmbiguousId, NotFound
from store.ids import canonical_id, parse_ref
from store.keys import Identity
from store.model import Engram, EngramType, Klass, Relation
from store.port import EdgeRow, EngramLog, LogEntry, LogWriter, Standing
from store.proving import Prover
from store.questions import as_edge, at_moment, many, relation_of, selection_of, status_of
from store.records import Edge, Hit, Status
from store.searching import MeaningState, Searcher

if TYPE_CHECKING:
    from store.briefing import Briefing


_PAGE = 200


class Reader:
    """The questions, over any `EngramLog`; see `store.store.Store` for the whole.

    Whatever is handed out was proved first (`store.proving`): an altered entry raises StoreDamaged.
    """

    def __init__(self, log: EngramLog, *, identity: Identity, clock: Clock) -> None:
        self._log = log
        self._identity = identity
        self._clock = clock
        root = log.meta("root_key") or identity.public_key
        self._genesis = chain.genesis(identity.store_id, root)
        self._prover = Prover(log, store_id=identity.store_id, genesis=self._genesis)
        self._searcher = Searcher(log, self._prover)
        self._open = threading.local()

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

    def _writer(self) -> LogWriter | None:
        """The transaction that this thread is in."""
        return getattr(self._open, "writer", None)

    def _standing(self, ref: str, writer: LogWriter | None = None) -> Standing:
        digits = parse_ref(ref)
        source: Any = writer if writer is not None else self._writer() or self._log
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
        """The full id of a full id, or of four hex digits or more that only one id (or short id) has."""
        return self._standing(ref).id

    def read(self, ref: str) -> Engram:
        """One engram by id, prefix or tail; raises NotFound, AmbiguousId or BadRequest."""
        seq = self._standing(ref).seq
        writer = self._writer()
        entry = writer.entry(seq) if writer is not None else next(iter(self._log.entries_at([seq])), None)
        if entry is None:
            raise NotFound(ref)
        return read_back(self._prover.proved([entry], writer)[0])

    def read_all(self, ids: Sequence[str]) -> list[Engram]:
        """Engrams by full id, in the order asked; raises NotFound for an unknown one."""
        known = self._log.standing(ids)
        for engram_id in ids:
            if engram_id not in known:
                raise NotFound(engram_id)
        entries = self._log.entries_at([known[i].seq for i in ids])
        return [read_back(entry) for entry in self._prover.proved(entries)]

    def read_at(self, seqs: Sequence[int], *, proved: bool = True) -> list[Engram]:
        """Engrams by position, in the order asked; positions without an entry are left out.

        With `proved` false only their bytes are checked against their hashes, not the signatures: for what is
        compared and never shown. Whoever acts on one of them reads it again.
        """
        check = self._prover.proved if proved else self._prover.whole
        return [read_back(entry) for entry in check(self._log.entries_at(seqs))]

    def meaning(self) -> MeaningState:
        """Which embedding model serves, which is on its way, and how far."""
        return self._searcher.meaning()

    def damaged_index(self) -> list[str]:
        """Files of the vector index that are not what was written; the store answers in their place, and the
        next publishing writes them again."""
        return self._searcher.damaged()

    def status(self, ref: str) -> Status:
        """What became of an engram: does it hold, what replaced it, what it replaced, what contradicts it."""
        standing = self._standing(ref)
        return status_of(standing, self._log.edges([standing.id]))

    def statuses(self, ids: Sequence[str]) -> dict[str, Status]:
        """`status` of many engrams by full id, in two reads; unknown ids are left out."""
        edges: dict[str, list[EdgeRow]] = {}
        for edge in self._log.edges(ids):
            for end in {edge.src, edge.dst}:
                edges.setdefault(end, []).append(edge)
        return {i: status_of(s, edges.get(i, [])) for i, s in self._log.standing(ids).items()}

    def edges(self, ref: str | None = None, relation: Relation | str | None = None) -> list[Edge]:
        """Edges that hold: all, or those that start or end at `ref`; oldest first."""
        ids = None if ref is None else [self._standing(ref).id]
        kind = None if relation is None else relation_of(relation)
        return [as_edge(edge) for edge in self._log.edges(ids, kind)]

    def edges_of(self, ids: Sequence[str]) -> list[Edge]:
        """Edges that hold and start or end at any of these engrams (by full id), oldest first."""
        return [as_edge(edge) for edge in self._log.edges(ids)]

    def history(self, ref: str) -> list[Engram]:
        """Every member of the chain that `ref` belongs to, from any member, oldest first."""
        return self.chains([self._standing(ref).id])

    def chains(self, ids: Sequence[str]) -> list[Engram]:
        """Every member of the chains that these engrams (by full id) belong to, oldest first."""
        seen: set[str] = set()
        front = list(ids)
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
        selection = selection_of(klass, type, subject, attribute, limit, newest_first)
        if selection.klasses == (Klass.PROHIBITION,):
            self._prover.rules_ended()
        return self._prover.still_hold(self._shown(self._log.select(selection)))

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
        selection = selection_of(klass, type, subject, attribute, limit, newest_first)
        return self._shown(self._log.select(at_moment(selection, when)))

    def _shown(self, entries: Sequence[LogEntry]) -> list[Engram]:
        """Proved and read; without what was erased between the question which and the question what."""
        return [read_back(entry) for entry in self._prover.proved(entries) if entry.body is not None]

    def log(
        self, *, after: int = 0, limit: int | None = None, newest_first: bool = False
    ) -> Iterator[Engram]:
        """Entries with a position greater than `after`, control entries included."""
        yield from map(read_back, self.proved_entries(after, limit, newest_first=newest_first))

    def proved_entries(
        self, after: int = 0, limit: int | None = None, *, newest_first: bool = False
    ) -> Iterator[LogEntry]:
        """The rows of the log themselves, for copies that others read; proved like all that is shown."""
        entries = self._log.entries(after=after, limit=limit, newest_first=newest_first)
        while page := list(islice(entries, _PAGE)):
            yield from self._prover.proved(page)

    def search(
        self,
        query: str,
        *,
        classes: Klass | Collection[Klass] | None = None,
        limit: int = 10,
        as_of: datetime | int | None = None,
        history: bool = False,
    ) -> list[Hit]:
        """Engrams that the words and the meaning of `query` find, best first. Any text is a valid query.

        `classes` of None lets the router of `store.retrieval` choose them; prohibitions and control entries
        are never ranked. Only what holds is found, unless `history`.
        """
        return self._searcher.search(
            query, classes=many(classes), limit=limit, as_of=as_of, history=history, now=self._clock()
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
