"""Engram to canonical bytes and back: `header` (stays for ever) and `body` (can be erased)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from json.encoder import encode_basestring
from types import MappingProxyType
from typing import Any, NamedTuple

from store.canonical import canonical, parse, plain
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
_TYPES = {kind.value: kind for kind in EngramType}
_KINDS = {kind.value: kind for kind in ProvenanceKind}
_TIERS = {tier.value: tier for tier in Tier}
_ERASED: Mapping[str, Any] = MappingProxyType(
    {"content": "", "evidence": None, "evidence_hash": None, "metadata": {}, "source": None}
)


def micros(when: datetime) -> int:
    """Integer microseconds since 1970 UTC of an aware datetime (exact, unlike `timestamp()`)."""
    return (when - _EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    return _EPOCH + timedelta(microseconds=value)


class Written(NamedTuple):
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
    metadata, metadata_json = _kept_metadata(draft.metadata)
    valid_from = None if draft.valid_from is None else draft.valid_from.isoformat()
    links = [{"relation": link.relation.value, "target": link.target} for link in draft.links]
    # the keys of both objects are fixed and in order here; only values need an encoder (CONFORMANCE P1)
    header = (
        f'{{"author":{_quoted(author)},"created_at":"{created_at.isoformat()}","device":"{device}",'
        f'"format":"{ENGRAM_FORMAT}","id":"{engram_id}","links":{_json(links) if links else "[]"},'
        f'"provenance":"{provenance.kind}","salience":{_number(draft.salience)},'
        f'"tier":"{draft.tier}","type":"{draft.type}","valid_from":{_quoted(valid_from)}}}'
    )
    body = (
        f'{{"content":{_quoted(draft.content)},"evidence":{_quoted(provenance.evidence)},'
        f'"evidence_hash":{_quoted(provenance.evidence_hash)},'
        f'"metadata":{metadata_json},"salt":"{salt}",'
        f'"source":{_quoted(provenance.source)}}}'
    )
    engram = _unchecked(
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
        erased=False,
    )
    try:
        return Written(engram, header.encode(), body.encode())
    except UnicodeEncodeError as error:
        raise InvalidEngram("metadata", f"not valid Unicode text ({error})") from error


def _quoted(text: str | None) -> str:
    return "null" if text is None else encode_basestring(text)


def _kept_metadata(given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """A copy that JSON holds exactly, and its canonical text; names and plain words take the short way."""
    if not given:
        return {}, "{}"
    if all(type(key) is str and type(value) is str and key.isascii() for key, value in given.items()):
        pairs = [f"{encode_basestring(key)}:{encode_basestring(given[key])}" for key in sorted(given)]
        return dict(given), "{" + ",".join(pairs) + "}"
    metadata = plain(given)
    return metadata, _json(metadata)


@lru_cache(maxsize=1024)
def _number(value: float) -> str:
    return _json(value)


def _json(value: Any) -> str:
    return canonical(value).decode()


def _unchecked(**fields: Any) -> Engram:
    """An engram whose fields were checked before: as a draft, or when they were written and hashed.

    The checks take longer than everything else in reading one, and `verify` is what finds damage.
    """
    engram = object.__new__(Engram)
    for name, value in fields.items():
        object.__setattr__(engram, name, value)
    return engram


def read_back(entry: LogEntry) -> Engram:
    """Decode one log row; raises StoreDamaged when its bytes are not an entry of this format."""
    try:
        header = upcast(parse(entry.header))
        body = None if entry.body is None else parse(entry.body)
        return decode(header, body, entry.seq)
    except (ValueError, KeyError, TypeError, AttributeError, InvalidEngram) as error:
        raise StoreDamaged(f"entry {entry.seq} cannot be read ({error}); run verify") from error


def decode(header: dict[str, Any], body: dict[str, Any] | None, seq: int) -> Engram:
    """Build an engram from its parsed header and body (None: erased); raises ValueError or KeyError."""
    valid_from = header["valid_from"]
    known = _ERASED if body is None else body
    return _unchecked(
        id=header["id"],
        seq=seq,
        type=_TYPES[header["type"]],
        content=known["content"],
        author=header["author"],
        provenance=Provenance(
            kind=_KINDS[header["provenance"]],
            source=known["source"],
            evidence=known["evidence"],
            evidence_hash=known["evidence_hash"],
        ),
        created_at=datetime.fromisoformat(header["created_at"]),
        salience=header["salience"],
        tier=_TIERS[header["tier"]],
        valid_from=None if valid_from is None else datetime.fromisoformat(valid_from),
        links=tuple(Link(relation=Relation(i["relation"]), target=i["target"]) for i in header["links"]),
        metadata=MappingProxyType(known["metadata"]),
        erased=body is None,
    )
