"""The port between the store and its backends: what an append-only log must be able to do.

A backend is one adapter of `EngramLog`. It keeps bytes and rows and knows nothing of authority, signing
or retrieval policy; those live above the port, once. `tests/contracts/` runs one suite on every adapter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from store.model import Authority, EngramType, Klass, Relation

Row = tuple[int, bytes, bytes | None, bytes, bytes, bytes]  # what a `LogEntry` is, without names


class LogEntry(NamedTuple):
    """One row of the log; a tuple, since a verification reads a million of them.

    `header` and `body` are canonical JSON bytes; `body` is None once erased.
    `body_hash` and `hash` are 32 raw bytes (SHA-256), `signature` 64 (Ed25519). See FORMAT.md.
    """

    seq: int
    header: bytes
    body: bytes | None
    body_hash: bytes
    hash: bytes
    signature: bytes


class Standing(NamedTuple):
    """Where one engram stands: the derived row kept beside the log in the same transaction.

    Times are integer microseconds UTC. `effective_us` is `valid_from`, or `created_at` without one.
    `ended_seq` is the position of the entry since which it no longer holds, `ended_us` the earliest
    effective time of such an entry, `ended_why` one of superseded, retracted, outranked, erased.
    """

    seq: int
    id: str
    klass: Klass
    type: EngramType
    author: str
    authority: Authority
    created_us: int
    effective_us: int
    subject: str | None = None
    attribute: str | None = None
    ended_seq: int | None = None
    ended_us: int | None = None
    ended_why: str | None = None
    erased: bool = False

    @property
    def holds(self) -> bool:
        return self.ended_seq is None


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A link as a claim of its own: entry `claim` (at `seq`) says that `src` -relation-> `dst`."""

    seq: int
    claim: str
    src: str
    relation: Relation
    dst: str
    author: str
    created_us: int
    ended_seq: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Which engrams to read. `position` and `instant_us` ask for the past; without both, for now.

    `include_ended` drops the test whether they hold; `types` and `klasses` of None mean all but control.
    The order is that of the log; at an instant, that of effective time and then of the log.
    """

    klasses: tuple[Klass, ...] | None = None
    types: tuple[EngramType, ...] | None = None
    subject: str | None = None
    attribute: str | None = None
    position: int | None = None
    instant_us: int | None = None
    include_ended: bool = False
    limit: int | None = None
    newest_first: bool = True


class Rows(Protocol):
    """As much of a log as it takes to follow its chain."""

    def rows(self, *, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        """Entries with `after < seq <= upto` in order, as plain tuples: to name them takes as long as to
        read them."""
        ...

    def hashes(self, seqs: Collection[int]) -> dict[int, bytes]:
        """The hashes of the entries at these positions, as far as they are there."""
        ...


class Reopening(NamedTuple):
    """How another process opens a log once more, to read: `reopen(**arguments)` of `module` gives its `Rows`.

    The arguments may hold a key: they are handed over in memory, never on a command line or in a file.
    """

    module: str
    arguments: dict[str, str | None]


class LogWriter(Protocol):
    """One exclusive transaction; everything in it is durable together or not at all."""

    def head(self) -> tuple[int, bytes]: ...
    def standing(self, ids: Iterable[str]) -> dict[str, Standing]: ...
    def meta(self, key: str) -> bytes | None: ...
    def has_edge(self, src: str, relation: Relation, dst: str) -> EdgeRow | None: ...
    def entry(self, seq: int) -> LogEntry | None: ...
    def sources(self, relation: Relation, ids: Sequence[str]) -> list[str]:
        """Ids that have (or had) an edge of this relation to any of these, in the order of the claims."""
        ...

    def append(
        self,
        entries: Sequence[LogEntry],
        standings: Sequence[Standing],
        edges: Sequence[EdgeRow],
        texts: Sequence[tuple[int, str]],
    ) -> None: ...
    def end(self, standings: Sequence[Standing]) -> None:
        """Write the `ended_*` and `erased` fields of engrams already there (and end their edges)."""
        ...

    def erase_body(self, seq: int) -> None:
        """Overwrite the body, full-text rows, vectors and accesses of one entry (its erasure is appended)."""
        ...

    def rebuild(
        self, standings: Sequence[Standing], edges: Sequence[EdgeRow], texts: Sequence[tuple[int, str]]
    ) -> None:
        """Replace everything that is derived from the log."""
        ...

    def put_vectors(self, model: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """Keep (seq, blob) under a model's fingerprint, replacing that model's earlier vector of a seq."""
        ...

    def put_accesses(self, rows: Sequence[tuple[int, tuple[int, ...]]]) -> None: ...
    def touch(self, seqs: Sequence[int], at_us: int, keep: int) -> None: ...
    def set_meta(self, values: Mapping[str, bytes | None]) -> None: ...


class EngramLog(Rows, Protocol):
    """A backend. Reads see the last committed state and never wait for a writer."""

    @property
    def location(self) -> str: ...
    @property
    def encrypted(self) -> bool: ...
    def writing(self) -> AbstractContextManager[LogWriter]: ...
    def together(self) -> AbstractContextManager[None]:
        """Small reads of one thread that follow each other: cheaper in this block, but no snapshot."""
        ...

    def head(self) -> tuple[int, bytes]: ...
    def meta(self, key: str) -> bytes | None: ...
    def metas(self, prefix: str) -> dict[str, bytes]: ...
    def entries(
        self, *, after: int = 0, upto: int | None = None, limit: int | None = None, newest_first: bool = False
    ) -> Iterator[LogEntry]: ...
    def entries_at(self, seqs: Iterable[int]) -> list[LogEntry]: ...
    def reopening(self) -> Reopening | None:
        """How other processes can read this log too; None where they cannot, or where it would not pay."""
        ...

    def ended(self, ids: Collection[str]) -> set[str]:
        """Those of `ids` that some entry has superseded or retracted, by the links alone."""
        ...

    def standing(self, ids: Iterable[str]) -> dict[str, Standing]: ...
    def standings_at(self, seqs: Sequence[int]) -> list[Standing]: ...
    def standings(self) -> Iterator[Standing]: ...
    def find(self, digits: str, limit: int) -> list[str]:
        """Ids that begin or end with these hex digits; where none does, whose short form begins with them."""
        ...

    def select(self, selection: Selection) -> list[LogEntry]: ...
    def select_seqs(self, selection: Selection) -> list[int]: ...
    def holding(self, seqs: Sequence[int], selection: Selection) -> set[int]:
        """Those of `seqs` that are within the selection."""
        ...

    def edges(
        self,
        ids: Sequence[str] | None = None,
        relation: Relation | None = None,
        *,
        include_ended: bool = False,
    ) -> list[EdgeRow]: ...
    def lexical(self, match: str, selection: Selection) -> list[tuple[int, float]]:
        """(seq, score) of what an expression of `store.retrieval.text.match_expression` finds, best first."""
        ...

    def frequencies(self, terms: Sequence[str], cap: int) -> list[int]:
        """In how many texts each term of `store.retrieval.text` stands, counted up to `cap`."""
        ...

    def vectors(self, model: str, *, after: int = 0) -> Iterator[tuple[int, int, Klass, bytes]]:
        """(position, seq, class, blob) in the order they were put; `position` is the next call's `after`."""
        ...

    def models(self) -> list[tuple[str, int]]:
        """(model, number of vectors)."""
        ...

    def missing_vectors(self, model: str, limit: int) -> list[LogEntry]: ...
    def accesses(self, seqs: Sequence[int]) -> dict[int, tuple[int, ...]]: ...
    def scrub(self) -> bool:
        """Leave none of the erased bytes in free pages or journals; False when a reader still holds some."""
        ...

    def copy_to(self, target: Path) -> Path:
        """A whole, consistent copy in a new file; raises BadRequest where the target exists."""
        ...

    def close(self) -> None: ...
