"""A corpus in memory: the naive oracle of the store's side of the port (FTS5 of the standard library)."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from store.model import CLASS_OF as CLASSES
from store.model import Authority, Engram, EngramType, Klass, Provenance, ProvenanceKind
from store.retrieval.ports import Embedder, Formed, Row
from store.retrieval.projection import vector_model
from store.retrieval.text import index_terms, searchable
from store.retrieval.writing import embed_for_store

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
HIDDEN = (Klass.PROHIBITION, Klass.CONTROL)


class MemoryCorpus:
    """Rows, their full text, vectors, endings and accesses; one entry a minute from `START`."""

    def __init__(self) -> None:
        self.entries: dict[int, Row] = {}
        self.ended: dict[int, int] = {}
        self.stored: list[tuple[int, str, bytes]] = []
        self.used: dict[int, list[float]] = {}
        self.made_of: list[tuple[int, int]] = []  # (claim, the utterance it was formed from)
        self.linked: list[tuple[int, int, float]] = []
        self._words = sqlite3.connect(":memory:", check_same_thread=False)
        self._words.execute(
            "CREATE VIRTUAL TABLE terms USING fts5(body, tokenize='unicode61 remove_diacritics 0')"
        )

    def add(
        self,
        content: str,
        type: EngramType = EngramType.OBSERVATION,
        *,
        at: datetime | None = None,
        authority: Authority = Authority.OPERATOR,
        salience: float = 0.5,
        speaker: str | None = None,
        session: str | None = None,
    ) -> int:
        seq = len(self.entries) + 1
        row = Row(
            seq=seq,
            id=f"00000000-0000-7000-8000-{seq:012x}",
            klass=CLASSES[type],
            type=type,
            content=content,
            created_at=at or START + timedelta(minutes=seq),
            salience=salience,
            authority=authority,
            speaker=speaker,
            session=session,
        )
        self.entries[seq] = row
        self._words.execute(
            "INSERT INTO terms(rowid, body) VALUES (?, ?)", (seq, index_terms(searchable(self.engram(seq))))
        )
        return seq

    def end(self, seq: int) -> None:
        """Superseded or retracted by an entry of its own, right now."""
        self.ended[seq] = self.add(f"entry about {seq}", EngramType.RETRACTION)

    def embed(self, embedder: Embedder, seqs: Sequence[int] | None = None) -> None:
        model = vector_model(embedder)
        chosen = [s for s in seqs or self.entries if self.entries[s].klass not in HIDDEN]
        blobs = embed_for_store(embedder, [self.engram(seq) for seq in chosen])
        self.stored.extend((seq, model, blob) for seq, blob in zip(chosen, blobs, strict=True))

    def engram(self, seq: int) -> Engram:
        row = self.entries[seq]
        named = {"speaker": row.speaker, "session": row.session}
        return Engram(
            id=row.id,
            seq=seq,
            type=row.type,
            content=row.content,
            author="test",
            provenance=Provenance(kind=ProvenanceKind[row.authority.name]),
            created_at=row.created_at,
            metadata={name: value for name, value in named.items() if value},
        )

    def _holds(self, seq: int, as_of: int | None) -> bool:
        moment = len(self.entries) if as_of is None else as_of
        return seq <= moment and self.ended.get(seq, moment + 1) > moment

    def _kept(self, seq: int, classes: Collection[Klass], as_of: int | None, history: bool) -> bool:
        row = self.entries[seq]
        if row.klass in HIDDEN or row.klass not in classes:
            return False
        if history:
            return as_of is None or seq <= as_of
        return self._holds(seq, as_of)

    def lexical(
        self, match: str, *, classes: Collection[Klass], limit: int, as_of: int | None, history: bool
    ) -> list[tuple[int, float]]:
        found = self._words.execute(
            "SELECT rowid, -bm25(terms) FROM terms WHERE terms MATCH ? ORDER BY bm25(terms), rowid", (match,)
        )
        kept = [(seq, score) for seq, score in found if self._kept(seq, classes, as_of, history)]
        return kept[:limit]

    def frequencies(self, terms: Sequence[str], cap: int) -> list[int]:
        asked = "SELECT count(*) FROM terms WHERE terms MATCH ?"
        return [min(cap, self._words.execute(asked, (f'"{term}"',)).fetchone()[0]) for term in terms]

    def rows(self, seqs: Sequence[int]) -> Mapping[int, Row]:
        return {seq: self.entries[seq] for seq in seqs if self.entries[seq].klass not in HIDDEN}

    def holding(self, seqs: Sequence[int], *, as_of: int | None) -> set[int]:
        return {seq for seq in seqs if self._holds(seq, as_of)}

    def recent(
        self, *, classes: Collection[Klass], limit: int, as_of: int | None, history: bool
    ) -> list[int]:
        return [seq for seq in reversed(self.entries) if self._kept(seq, classes, as_of, history)][:limit]

    def vectors(self, model: str, *, after: int = 0) -> Iterator[tuple[int, int, Klass, bytes]]:
        for position, (seq, name, blob) in enumerate(self.stored, 1):
            if name == model and position > after:
                yield position, seq, self.entries[seq].klass, blob

    def accesses(self, seqs: Sequence[int]) -> Mapping[int, Sequence[float]]:
        return {seq: self.used[seq] for seq in seqs if seq in self.used}

    def links(self, ids: Mapping[int, str], *, now_s: float) -> Mapping[int, Sequence[tuple[int, float]]]:
        found: dict[int, list[tuple[int, float]]] = {}
        for a, b, weight in self.linked:
            for one, other in ((a, b), (b, a)):
                if one in ids:
                    found.setdefault(one, []).append((other, weight))
        return found

    def formed(self, ids: Mapping[int, str], *, as_of: int | None) -> Mapping[int, Formed]:
        made: dict[int, list[int]] = {}
        for claim, utterance in self.made_of:
            if utterance in ids and (as_of is None or claim <= as_of):
                made.setdefault(utterance, []).append(claim)
        return {
            seq: Formed(tuple(claims), sum(not self._holds(c, as_of) for c in claims) / len(claims))
            for seq, claims in made.items()
        }
