"""The reference backend: lists and dictionaries, no cleverness, nothing survives the process.

Every other backend is compared with this one in the contract suite.
"""

from __future__ import annotations

import copy
import math
import re
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from store.errors import BadRequest, StoreUnavailable
from store.ids import TAIL_DIGITS
from store.model import EngramType, Klass, Relation
from store.port import EdgeRow, LogEntry, Row, Selection, Standing

_TERM = re.compile(r'"([^"]*)"')
_K1, _B = 1.2, 0.75  # FTS5's own constants, so that orders agree


@dataclass(slots=True)
class _Tables:
    log: list[LogEntry] = field(default_factory=list)
    state: dict[int, Standing] = field(default_factory=dict)
    edges: list[EdgeRow] = field(default_factory=list)
    words: dict[int, Counter[str]] = field(default_factory=dict)
    vectors: list[tuple[int, int, str, bytes]] = field(default_factory=list)  # position, seq, model, blob
    position: int = 0
    accesses: dict[int, tuple[int, ...]] = field(default_factory=dict)
    meta: dict[str, bytes] = field(default_factory=dict)

    def by_id(self, ids: Iterable[str]) -> dict[str, Standing]:
        wanted = set(ids)
        return {s.id: s for s in self.state.values() if s.id in wanted}


class MemoryLog:
    """See `store.port.EngramLog`. A transaction works on a copy that replaces the tables when it ends."""

    def __init__(self) -> None:
        self._tables = _Tables()
        self._lock = threading.RLock()
        self._closed = False

    @property
    def location(self) -> str:
        return "memory:"

    @property
    def encrypted(self) -> bool:
        return False

    @contextmanager
    def writing(self) -> Iterator[MemoryWriter]:
        with self._lock:
            if self._closed:
                raise StoreUnavailable("this store is closed")
            draft = copy.copy(self._tables)
            for name in ("log", "state", "edges", "words", "vectors", "accesses", "meta"):
                setattr(draft, name, getattr(draft, name).copy())
            yield MemoryWriter(draft)
            self._tables = draft

    def together(self) -> AbstractContextManager[None]:
        return nullcontext()

    def head(self) -> tuple[int, bytes]:
        log = self._tables.log
        return (log[-1].seq, log[-1].hash) if log else (0, b"")

    def meta(self, key: str) -> bytes | None:
        return self._tables.meta.get(key)

    def metas(self, prefix: str) -> dict[str, bytes]:
        return {key: value for key, value in self._tables.meta.items() if key.startswith(prefix)}

    def entries(
        self, *, after: int = 0, upto: int | None = None, limit: int | None = None, newest_first: bool = False
    ) -> Iterator[LogEntry]:
        found = [e for e in self._tables.log if e.seq > after and (upto is None or e.seq <= upto)]
        yield from (found[::-1] if newest_first else found)[:limit]

    def rows(self, *, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        return self.entries(after=after, upto=upto)

    def reopening(self) -> None:
        """Nobody else can see it."""
        return

    def entries_at(self, seqs: Iterable[int]) -> list[LogEntry]:
        by_seq = {entry.seq: entry for entry in self._tables.log}
        return [by_seq[seq] for seq in seqs if seq in by_seq]

    def hashes(self, seqs: Collection[int]) -> dict[int, bytes]:
        return {entry.seq: entry.hash for entry in self._tables.log if entry.seq in seqs}

    def ended(self, ids: Collection[str]) -> set[str]:
        ending = (Relation.SUPERSEDES, Relation.RETRACTS)
        return {e.dst for e in self._tables.edges if e.relation in ending and e.dst in ids}

    def standing(self, ids: Iterable[str]) -> dict[str, Standing]:
        return self._tables.by_id(ids)

    def standings_at(self, seqs: Sequence[int]) -> list[Standing]:
        state = self._tables.state
        return [state[seq] for seq in sorted(set(seqs)) if seq in state]

    def standings(self) -> Iterator[Standing]:
        yield from self._tables.state.values()

    def find(self, digits: str, limit: int) -> list[str]:
        ids = [s.id for s in self._tables.state.values()]
        plain = [(i, i.replace("-", "")) for i in ids]
        found = [i for i, p in plain if p.startswith(digits) or p.endswith(digits)]
        return sorted(found or (i for i, p in plain if p[-TAIL_DIGITS:].startswith(digits)))[:limit]

    def select(self, selection: Selection) -> list[LogEntry]:
        return self.entries_at(self.select_seqs(selection))

    def select_seqs(self, selection: Selection) -> list[int]:
        by_time = selection.instant_us is not None
        found = [s for s in self._tables.state.values() if fits(s, selection)]
        found.sort(key=lambda s: (s.effective_us if by_time else 0, s.seq), reverse=selection.newest_first)
        return [standing.seq for standing in found[: selection.limit]]

    def holding(self, seqs: Sequence[int], selection: Selection) -> set[int]:
        return {s.seq for s in self.standings_at(seqs) if fits(s, selection)}

    def edges(
        self,
        ids: Sequence[str] | None = None,
        relation: Relation | None = None,
        *,
        include_ended: bool = False,
    ) -> list[EdgeRow]:
        return [
            e
            for e in self._tables.edges
            if (ids is None or e.src in ids or e.dst in ids)
            and (relation is None or e.relation is relation)
            and (include_ended or e.ended_seq is None)
        ]

    def lexical(self, match: str, selection: Selection) -> list[tuple[int, float]]:
        tables = self._tables
        wanted = _TERM.findall(match)
        scored = [
            (seq, score)
            for seq, score in bm25(tables.words, wanted).items()
            if fits(tables.state[seq], selection)
        ]
        return sorted(scored, key=lambda item: (-item[1], -item[0]))[: selection.limit]

    def frequencies(self, terms: Sequence[str], cap: int) -> list[int]:
        words = self._tables.words.values()
        return [min(cap, sum(term in bag for bag in words)) for term in terms]

    def vectors(self, model: str, *, after: int = 0) -> Iterator[tuple[int, int, Klass, bytes]]:
        tables = self._tables
        for position, seq, name, blob in tables.vectors:
            if name == model and position > after:
                yield position, seq, tables.state[seq].klass, blob

    def models(self) -> list[tuple[str, int]]:
        return sorted(Counter(model for _, _, model, _ in self._tables.vectors).items())

    def missing_vectors(self, model: str, limit: int) -> list[LogEntry]:
        have = {seq for _, seq, name, _ in self._tables.vectors if name == model}
        skipped = (Klass.CONTROL, Klass.PROHIBITION)
        found = [
            s
            for s in self._tables.state.values()
            if s.seq not in have and s.klass not in skipped and not s.erased
        ]
        found.sort(key=lambda s: (not s.holds, -s.seq))
        return self.entries_at([s.seq for s in found[:limit]])

    def accesses(self, seqs: Sequence[int]) -> dict[int, tuple[int, ...]]:
        known = self._tables.accesses
        return {seq: known[seq] for seq in seqs if seq in known}

    def scrub(self) -> bool:
        """Nothing is kept outside the tables."""
        return True

    def copy_to(self, target: Path) -> Path:
        raise BadRequest("a store in memory has no file to copy; export it instead")

    def close(self) -> None:
        self._closed = True


def fits(standing: Standing, selection: Selection) -> bool:
    """Whether an engram is within a selection: the meaning that SQL backends are held to."""
    if standing.erased:
        return False
    if selection.klasses is not None:
        if standing.klass not in selection.klasses:
            return False
    elif selection.types is None and standing.klass is Klass.CONTROL:
        return False
    if selection.types is not None and standing.type not in selection.types:
        return False
    if selection.subject is not None and standing.subject != selection.subject:
        return False
    if selection.attribute is not None and standing.attribute != selection.attribute:
        return False
    if selection.position is not None:
        born = standing.seq <= selection.position
        alive = standing.ended_seq is None or standing.ended_seq > selection.position
    elif selection.instant_us is not None:
        born = standing.effective_us <= selection.instant_us
        alive = standing.ended_us is None or standing.ended_us > selection.instant_us
    else:
        born, alive = True, standing.holds
    return born and (alive or selection.include_ended)


def bm25(words: Mapping[int, Counter[str]], wanted: Sequence[str]) -> dict[int, float]:
    """Okapi BM25 as FTS5 computes it, over every text that has any of the wanted words."""
    size = len(words)
    average = sum(map(Counter.total, words.values())) / max(size, 1)
    scores: dict[int, float] = {}
    for term in wanted:
        having = [seq for seq, bag in words.items() if term in bag]
        idf = max(math.log((size - len(having) + 0.5) / (len(having) + 0.5)), 1e-6)
        for seq in having:
            tf, length = words[seq][term], words[seq].total()
            weight = tf * (_K1 + 1) / (tf + _K1 * (1 - _B + _B * length / average))
            scores[seq] = scores.get(seq, 0.0) + idf * weight
    return scores


class MemoryWriter:
    """See `store.port.LogWriter`."""

    def __init__(self, tables: _Tables) -> None:
        self._tables = tables

    def head(self) -> tuple[int, bytes]:
        log = self._tables.log
        return (log[-1].seq, log[-1].hash) if log else (0, b"")

    def meta(self, key: str) -> bytes | None:
        return self._tables.meta.get(key)

    def standing(self, ids: Iterable[str]) -> dict[str, Standing]:
        return self._tables.by_id(ids)

    def entry(self, seq: int) -> LogEntry | None:
        return next((entry for entry in self._tables.log if entry.seq == seq), None)

    def has_edge(self, src: str, relation: Relation, dst: str) -> EdgeRow | None:
        wanted = (src, relation, dst)
        live = (e for e in self._tables.edges if e.ended_seq is None)
        return next((e for e in live if (e.src, e.relation, e.dst) == wanted), None)

    def sources(self, relation: Relation, ids: Sequence[str]) -> list[str]:
        return [e.src for e in self._tables.edges if e.relation is relation and e.dst in ids]

    def append(
        self,
        entries: Sequence[LogEntry],
        standings: Sequence[Standing],
        edges: Sequence[EdgeRow],
        texts: Sequence[tuple[int, str]],
    ) -> None:
        self._tables.log += entries
        self._tables.state |= {standing.seq: standing for standing in standings}
        self._tables.edges += edges
        self._tables.words |= {seq: Counter(text.split()) for seq, text in texts}

    def end(self, standings: Sequence[Standing]) -> None:
        self._tables.state |= {standing.seq: standing for standing in standings}
        ended = {s.seq: s.ended_seq for s in standings if s.type is EngramType.LINK}
        self._tables.edges = [
            replace(e, ended_seq=ended[e.seq]) if e.seq in ended and e.ended_seq is None else e
            for e in self._tables.edges
        ]

    def erase_body(self, seq: int) -> None:
        tables = self._tables
        tables.log = [e._replace(body=None) if e.seq == seq else e for e in tables.log]
        tables.vectors = [row for row in tables.vectors if row[1] != seq]
        tables.words.pop(seq, None)
        tables.accesses.pop(seq, None)

    def rebuild(
        self, standings: Sequence[Standing], edges: Sequence[EdgeRow], texts: Sequence[tuple[int, str]]
    ) -> None:
        tables = self._tables
        tables.state, tables.edges, tables.words = {}, [], {}
        self.append([], standings, edges, texts)

    def put_vectors(self, model: str, rows: Sequence[tuple[int, bytes]]) -> None:
        tables = self._tables
        replaced = {seq for seq, _ in rows}
        tables.vectors = [r for r in tables.vectors if not (r[2] == model and r[1] in replaced)]
        for seq, blob in rows:
            tables.position += 1
            tables.vectors.append((tables.position, seq, model, blob))

    def put_accesses(self, rows: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        self._tables.accesses |= dict(rows)

    def touch(self, seqs: Sequence[int], at_us: int, keep: int) -> None:
        for seq in seqs:
            self._tables.accesses[seq] = (*self._tables.accesses.get(seq, ()), at_us)[-keep:]

    def set_meta(self, values: Mapping[str, bytes | None]) -> None:
        for key, value in values.items():
            if value is None:
                self._tables.meta.pop(key, None)
            else:
                self._tables.meta[key] = value
