"""Engram to canonical bytes and back: `header` (stays for ever) and `body` (can be erased)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
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


class Pen:
    """Writes drafts down as one author, on one device, at one moment; what all have alike is made once."""

    def __init__(self, *, author: str, device: str, created_at: datetime) -> None:
        self._author = author
        self._created_at = created_at
        self._opening = (
            f'{{"author":{_quoted(author)},"created_at":"{created_at.isoformat()}","device":"{device}",'
            f'"format":"{ENGRAM_FORMAT}","id":"'
        )

    def write(self, draft: Draft, engram_id: str, seq: int, salt: str) -> Written:
        """Give a draft its id, author, time and position, and its canonical bytes.

        Raises InvalidEngram for metadata that JSON cannot hold exactly, or text that is not Unicode.
        `salt` keeps an erased proposition from being guessed from the hash that stays.
        """
        provenance = draft.provenance
        metadata, metadata_json = _kept_metadata(draft.metadata)
        since = "null" if draft.valid_from is None else f'"{draft.valid_from.isoformat()}"'
        # the keys of both objects are fixed and in order here; only values need an encoder (CONFORMANCE P1)
        header = (
            f'{self._opening}{engram_id}","links":{_links_json(draft.links) if draft.links else "[]"},'
            f"{_standing_json(provenance.kind, draft.salience, draft.tier, draft.type)}{since}}}"
        )
        body = (
            f'{{"content":{encode_basestring(draft.content)},"evidence":{_quoted(provenance.evidence)},'
            f'"evidence_hash":{_quoted(provenance.evidence_hash)},'
            f'"metadata":{metadata_json},"salt":"{salt}",'
            f'"source":{_quoted(provenance.source)}}}'
        )
        engram = _unchecked(
            engram_id,
            seq,
            draft.type,
            draft.content,
            self._author,
            provenance,
            self._created_at,
            draft.salience,
            draft.tier,
            draft.valid_from,
            tuple(draft.links),
            MappingProxyType(metadata),
            False,
        )
        try:
            return Written(engram, header.encode(), body.encode())
        except UnicodeEncodeError as error:
            raise InvalidEngram("metadata", f"not valid Unicode text ({error})") from error


def write_down(
    draft: Draft, *, engram_id: str, seq: int, author: str, device: str, created_at: datetime, salt: str
) -> Written:
    """One draft as an engram and its bytes; see `Pen.write`."""
    return Pen(author=author, device=device, created_at=created_at).write(draft, engram_id, seq, salt)


def _quoted(text: str | None) -> str:
    return "null" if text is None else encode_basestring(text)


def _links_json(links: Sequence[Link]) -> str:
    return _json([{"relation": link.relation.value, "target": link.target} for link in links])


@lru_cache(maxsize=1024)
def _standing_json(kind: ProvenanceKind, salience: float, tier: Tier, of_type: EngramType) -> str:
    return (
        f'"provenance":"{kind}","salience":{_json(salience)},"tier":"{tier}","type":"{of_type}","valid_from":'
    )


def _kept_metadata(given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """A copy that JSON holds exactly, and its canonical text; names and plain words take the short way."""
    if not given:
        return {}, "{}"
    for key, value in given.items():
        if type(key) is not str or type(value) is not str or not key.isascii():
            metadata = plain(given)
            return metadata, _json(metadata)
    pairs = [f"{encode_basestring(key)}:{encode_basestring(given[key])}" for key in sorted(given)]
    return dict(given), "{" + ",".join(pairs) + "}"


def _json(value: Any) -> str:
    return canonical(value).decode()


class _Fields:
    """An engram while its fields are set, one by one; of the same slots, so that it can become one."""

    __slots__ = tuple(field.name for field in fields(Engram))


def _unchecked(*values: Any) -> Engram:
    """An engram whose fields (in their order) were checked before: as a draft, or when they were written and
    hashed.

    The checks, and a frozen class's way around itself, take longer than everything else in reading one, and
    `verify` is what finds damage.
    """
    made: Any = _Fields()
    (
        made.id,
        made.seq,
        made.type,
        made.content,
        made.author,
        made.provenance,
        made.created_at,
        made.salience,
        made.tier,
        made.valid_from,
        made.links,
        made.metadata,
        made.erased,
    ) = values
    made.__class__ = Engram
    return made


def read_back(entry: LogEntry) -> Engram:
    """Decode one log row; raises StoreDamaged when its bytes are not an entry of this format."""
    try:
        header = upcast(parse(entry.header))
        body = None if entry.body is None else parse(entry.body)
        return decode(header, body, entry.seq)
    except (ValueError, KeyError, TypeError, AttributeError, InvalidEngram) as error:
        raise StoreDamaged(f"entry {entry.seq} cannot be read ({error})") from error


def decode(header: dict[str, Any], body: dict[str, Any] | None, seq: int) -> Engram:
    """Build an engram from its parsed header and body (None: erased); raises ValueError or KeyError."""
    valid_from = header["valid_from"]
    known = _ERASED if body is None else body
    return _unchecked(
        header["id"],
        seq,
        _TYPES[header["type"]],
        known["content"],
        header["author"],
        Provenance(
            kind=_KINDS[header["provenance"]],
            source=known["source"],
            evidence=known["evidence"],
            evidence_hash=known["evidence_hash"],
        ),
        datetime.fromisoformat(header["created_at"]),
        header["salience"],
        _TIERS[header["tier"]],
        None if valid_from is None else datetime.fromisoformat(valid_from),
        tuple(Link(relation=Relation(i["relation"]), target=i["target"]) for i in header["links"]),
        MappingProxyType(known["metadata"]),
        body is None,
    )
