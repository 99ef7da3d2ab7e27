"""Engram to canonical bytes and back: `header` (stays for ever) and `body` (can be erased)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from store.canonical import canonical_flat, parse, plain
from store.errors import InvalidEngram, StoreDamaged
from store.model import (
    ENGRAM_FORMAT,
    Draft,
    Engram,
    EngramType,
    Link,
    Provenance,
    ProvenanceKind,
    Relation,
    Tier,
)
from store.port import LogEntry
from store.upcast import upcast

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(when: datetime) -> int:
    """Integer microseconds since 1970 UTC of an aware datetime (exact, unlike `timestamp()`)."""
    return (when - _EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    return _EPOCH + timedelta(microseconds=value)


@dataclass(frozen=True, slots=True)
class Written:
    """An engram with the bytes it became."""

    engram: Engram
    header: bytes
    body: bytes


def write_down(
    draft: Draft, *, engram_id: str, seq: int, author: str, device: str, created_at: datetime, salt: str
) -> Written:
    """Give a draft its id, author, time and position, and its canonical bytes.

    Raises InvalidEngram for metadata that JSON cannot hold exactly, or text that is not Unicode.
    `salt` keeps an erased proposition from being guessed from the hash that stays.
    """
    provenance = draft.provenance
    metadata = plain(draft.metadata) if draft.metadata else {}
    header: dict[str, Any] = {
        "author": author,
        "created_at": created_at.isoformat(),
        "device": device,
        "format": ENGRAM_FORMAT,
        "id": engram_id,
        "links": [{"relation": link.relation.value, "target": link.target} for link in draft.links],
        "provenance": provenance.kind.value,
        "salience": draft.salience,
        "tier": draft.tier.value,
        "type": draft.type.value,
        "valid_from": None if draft.valid_from is None else draft.valid_from.isoformat(),
    }
    body = {
        "content": draft.content,
        "evidence": provenance.evidence,
        "evidence_hash": provenance.evidence_hash,
        "metadata": metadata,
        "salt": salt,
        "source": provenance.source,
    }
    engram = Engram(
        id=engram_id,
        seq=seq,
        type=draft.type,
        content=draft.content,
        author=author,
        provenance=provenance,
        created_at=created_at,
        salience=draft.salience,
        tier=draft.tier,
        valid_from=draft.valid_from,
        links=tuple(draft.links),
        metadata=MappingProxyType(metadata),
    )
    try:
        return Written(engram, canonical_flat(header, (draft.salience,)), canonical_flat(body, (metadata,)))
    except (UnicodeEncodeError, TypeError) as error:
        raise InvalidEngram("provenance", f"not valid Unicode text ({error})") from error


def read_back(entry: LogEntry) -> Engram:
    """Decode one log row; raises StoreDamaged when its bytes are not an entry of this format."""
    try:
        header = upcast(parse(entry.header))
        body = None if entry.body is None else parse(entry.body)
        return decode(header, body, entry.seq)
    except (ValueError, KeyError, TypeError, AttributeError, InvalidEngram) as error:
        raise StoreDamaged(f"entry {entry.seq} cannot be read ({error}); run verify") from error


def decode(header: dict[str, Any], body: dict[str, Any] | None, seq: int) -> Engram:
    """Build an engram from its parsed header and body (None: erased); raises ValueError or InvalidEngram."""
    valid_from = header["valid_from"]
    known = body if body is not None else {}
    return Engram(
        id=header["id"],
        seq=seq,
        type=EngramType(header["type"]),
        content=known.get("content", ""),
        author=header["author"],
        provenance=Provenance(
            kind=ProvenanceKind(header["provenance"]),
            source=known.get("source"),
            evidence=known.get("evidence"),
            evidence_hash=known.get("evidence_hash"),
        ),
        created_at=datetime.fromisoformat(header["created_at"]),
        salience=header["salience"],
        tier=Tier(header["tier"]),
        valid_from=None if valid_from is None else datetime.fromisoformat(valid_from),
        links=tuple(Link(relation=Relation(i["relation"]), target=i["target"]) for i in header["links"]),
        metadata=MappingProxyType(known.get("metadata", {})),
        erased=body is None,
    )
