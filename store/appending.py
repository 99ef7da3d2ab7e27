"""Drafts become entries: ids, canonical bytes, chain, signatures and effects, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from store import chain
from store.canonical import canonical
from store.codec import Pen, micros
from store.errors import BadRequest
from store.fold import LINK_SOURCE, Effect, fold, own_standing
from store.ids import IdMaker
from store.keys import DeviceKey
from store.model import Draft, Engram, EngramType, Klass, Relation
from store.port import EdgeRow, LogEntry, LogWriter, Standing
from store.retrieval.text import index_terms, searchable

Clock = Callable[[], datetime]
TO_SCRUB = "scrub"  # set while bytes of an erased body may still be in free pages or journals
NOT_INDEXED = frozenset({Klass.CONTROL})


@dataclass(slots=True)
class _Batch:
    """What one transaction is about to write, and the standings it has learned of."""

    known: dict[str, Standing]
    entries: list[LogEntry] = field(default_factory=list)
    fresh: dict[str, Standing] = field(default_factory=dict)
    ended: dict[str, Standing] = field(default_factory=dict)
    edges: list[EdgeRow] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)


class Appender:
    """Writes drafts at the end of a log as one author on one device."""

    def __init__(
        self,
        *,
        store_id: str,
        genesis: bytes,
        author: str,
        key: Callable[[], DeviceKey],
        clock: Clock,
        rng: Callable[[int], bytes],
    ) -> None:
        self._store_id = store_id
        self._genesis = genesis
        self._author = author
        self._key = key
        self._clock = clock
        self._rng = rng
        self._ids = IdMaker()

    def append(self, writer: LogWriter, drafts: Sequence[Draft], author: str | None = None) -> list[Engram]:
        """Append `drafts` in order inside the given transaction; raises BadRequest and changes nothing.

        `author` (None: the store's own) wrote them all.

        One signature an entry, and one over the new head, which is what makes a cut tail show.
        """
        if not drafts:
            return []
        key = self._key()
        seq, previous = writer.head()
        previous = previous or self._genesis
        batch = _Batch(_linked_to(writer, drafts))
        now = self._now()
        pen = Pen(author=author or self._author, device=key.device, created_at=now)
        noise = self._rng(24 * len(drafts)).hex()
        of_each = range(0, len(noise), 48)  # 16 digits for the id, 32 for the salt
        ids = self._ids.make_many(micros(now) // 1000, [noise[at : at + 16] for at in of_each])
        engrams = []
        for draft, engram_id, at in zip(drafts, ids, of_each, strict=True):
            seq += 1
            engram, header, body = pen.write(draft, engram_id, seq, noise[at + 16 : at + 48])
            body_digest = chain.body_hash(body)
            previous = chain.entry_hash(previous, body_digest, header)
            signature = key.sign(chain.signed_bytes(previous))
            batch.entries.append(LogEntry(seq, header, body, body_digest, previous, signature))
            if draft.links:
                _take(batch, fold(engram, batch.known, _rivals_in(writer, batch, engram)))
            else:
                batch.known[engram_id] = batch.fresh[engram_id] = own_standing(engram)
            if draft.klass not in NOT_INDEXED:
                batch.texts.append((seq, index_terms(indexed_text(engram))))
            engrams.append(engram)
        writer.append(batch.entries, list(batch.fresh.values()), batch.edges, batch.texts)
        writer.end(list(batch.ended.values()))
        for standing in batch.ended.values():
            if standing.erased:
                writer.erase_body(standing.seq)
        seal = key.sign(chain.head_bytes(self._store_id, seq, previous))
        record = {"device": key.device, "hash": chain.tagged(previous), "seq": seq, "signature": seal.hex()}
        erased = any(standing.erased for standing in batch.ended.values())
        writer.set_meta({"head": canonical(record)} | ({TO_SCRUB: b"1"} if erased else {}))
        return engrams

    def _now(self) -> datetime:
        """The moment of the transaction, which all of its entries carry."""
        now = self._clock()
        if now.tzinfo is None:
            raise BadRequest("the clock given to the store has no time zone")
        return now


def _linked_to(writer: LogWriter, drafts: Sequence[Draft]) -> dict[str, Standing]:
    """The standings that the links of `drafts` refer to, of those already there."""
    ends = [link.target for draft in drafts for link in draft.links]
    ends += [str(draft.metadata.get(LINK_SOURCE)) for draft in drafts if draft.type is EngramType.LINK]
    return writer.standing(ends) if ends else {}


def _take(batch: _Batch, effect: Effect) -> None:
    standing = effect.standing
    batch.known[standing.id] = batch.fresh[standing.id] = standing
    for changed in effect.ended:
        batch.known[changed.id] = changed
        if changed.id in batch.fresh:
            batch.fresh[changed.id] = changed
        else:
            batch.ended[changed.id] = changed
    batch.edges += effect.edges


def indexed_text(engram: Engram) -> str:
    """The words an engram is found by: its proposition and the alias words given in `metadata.keys`."""
    keys = engram.metadata.get("keys")
    text = searchable(engram)
    return f"{text} {keys}" if isinstance(keys, str) else text


def _rivals_in(writer: LogWriter, batch: _Batch, engram: Engram) -> dict[str, tuple[Standing, ...]]:
    """For each target that is superseded already: the engrams of its chain that hold now."""
    rivals = {}
    for link in engram.links:
        target = batch.known.get(link.target)
        if link.relation is Relation.SUPERSEDES and target is not None and not target.holds:
            rivals[target.id] = tuple(_holding_after(writer, batch, target.id))
    return rivals


def _holding_after(writer: LogWriter, batch: _Batch, engram_id: str) -> Iterable[Standing]:
    seen, front = {engram_id}, [engram_id]
    while front:
        later = writer.sources(Relation.SUPERSEDES, front)
        later += [
            edge.src for edge in batch.edges if edge.relation is Relation.SUPERSEDES and edge.dst in front
        ]
        front = [found for found in dict.fromkeys(later) if found not in seen]
        seen.update(front)
        missing = [found for found in front if found not in batch.known]
        batch.known |= writer.standing(missing) if missing else {}
        yield from (batch.known[found] for found in front if batch.known[found].holds)
