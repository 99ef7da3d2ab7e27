"""What an engram is: closed types, each in one class; provenance and its authority; links.

This module is imported by the gate and must stay free of databases, networks and models.
Validation happens when a value is built, so an invalid engram cannot exist (DESIGN §3, S1-S4).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any

from store.errors import InvalidEngram

ENGRAM_FORMAT = "engram/1"
MAX_CONTENT_CHARS = 1_000_000
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Klass(StrEnum):
    """Routes: how an engram is used."""

    DISPOSITION = "disposition"
    PROHIBITION = "prohibition"
    OBJECTIVE = "objective"
    CONCLUSION = "conclusion"
    OBSERVATION = "observation"
    KNOWLEDGE = "knowledge"
    CONTROL = "control"


class EngramType(StrEnum):
    """Refines: what kind of claim it is. Every type belongs to exactly one class (`CLASS_OF`)."""

    DISPOSITION = "disposition"
    IDENTITY = "identity"
    CONVENTION = "convention"
    PROHIBITION = "prohibition"
    OBJECTIVE = "objective"
    DIRECTIVE = "directive"
    QUESTION = "question"
    CONCLUSION = "conclusion"
    DECISION = "decision"
    SPEC = "spec"
    IMPLEMENTATION = "implementation"
    REVIEW = "review"
    CHECKPOINT = "checkpoint"
    OBSERVATION = "observation"
    UTTERANCE = "utterance"
    TRACE = "trace"
    DOCUMENT = "document"
    PASSAGE = "passage"
    NOTE = "note"
    ENTITY = "entity"
    CONCEPT = "concept"
    EPISODE = "episode"
    RECORD = "record"
    LINK = "link"
    RETRACTION = "retraction"
    ERASURE = "erasure"
    APPROVAL = "approval"
    CHECKPOINT_SIGNATURE = "checkpoint_signature"


_TYPES_OF = {
    Klass.DISPOSITION: "disposition identity convention",
    Klass.PROHIBITION: "prohibition",
    Klass.OBJECTIVE: "objective directive question",
    Klass.CONCLUSION: "conclusion decision spec implementation review checkpoint",
    Klass.OBSERVATION: "observation utterance trace",
    Klass.KNOWLEDGE: "document passage note entity concept episode record",
    Klass.CONTROL: "link retraction erasure approval checkpoint_signature",
}
CLASS_OF: Mapping[EngramType, Klass] = MappingProxyType(
    {EngramType(name): klass for klass, names in _TYPES_OF.items() for name in names.split()}
)


class Tier(StrEnum):
    """Memory tier (CONFORMANCE E5: Working unless said otherwise)."""

    WORKING = "Working"
    EPISODIC = "Episodic"
    SEMANTIC = "Semantic"
    PROCEDURAL = "Procedural"


class Relation(StrEnum):
    """Closed vocabulary of links; only `relates_to` is symmetric."""

    SUPERSEDES = "supersedes"
    RETRACTS = "retracts"
    REFERENCES = "references"
    IMPLEMENTS = "implements"
    BLOCKS = "blocks"
    CONTRADICTS = "contradicts"
    ANSWERS = "answers"
    DERIVED_FROM = "derived_from"
    EVIDENCE_FOR = "evidence_for"
    PART_OF = "part_of"
    RELATES_TO = "relates_to"


class ProvenanceKind(StrEnum):
    """What produced an engram."""

    OPERATOR = "operator"
    ACTION = "action"
    DOCUMENT = "document"
    INFERENCE = "inference"


class Authority(IntEnum):
    """Order of provenance: a claim is superseded only by one of at least its authority."""

    INFERENCE = 1
    DOCUMENT = 2
    ACTION = 3
    OPERATOR = 4


_AUTHORITY = {kind: Authority[kind.name] for kind in ProvenanceKind}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What produced an engram.

    `source` names it (a device, a path, a URL, an engine), `evidence` is the verbatim span the claim
    rests on, `evidence_hash` the tagged hash (`sha256:<hex>`) of the bytes that span was taken from.
    """

    kind: ProvenanceKind
    source: str | None = None
    evidence: str | None = None
    evidence_hash: str | None = None

    @property
    def authority(self) -> Authority:
        return _AUTHORITY[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A typed edge from the engram that carries it to `target` (an engram id)."""

    relation: Relation
    target: str

    def __post_init__(self) -> None:
        require_id(self.target)


def _empty() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An engram before the log gave it an id, an author, a time and a position.

    `metadata` is open (JSON values only). Keys the project reads: `subject`, `attribute`, `value`
    (what supersession is decided on), `status` (of an objective: open, reached, dropped).
    """

    type: EngramType
    content: str
    provenance: Provenance
    salience: float = 0.5
    tier: Tier = Tier.WORKING
    valid_from: datetime | None = None
    links: tuple[Link, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=_empty)

    def __post_init__(self) -> None:
        _check_claim(self)

    @property
    def klass(self) -> Klass:
        return CLASS_OF[self.type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engram:
    """One proposition at its place in the append-only sequence. Immutable.

    `id` is a UUIDv7 and the only portable reference; `seq` (from 1) the position in this store's log;
    `author` the identity that wrote it, from the caller's credentials, never from the payload.
    """

    id: str
    seq: int
    type: EngramType
    content: str
    author: str
    provenance: Provenance
    created_at: datetime
    salience: float = 0.5
    tier: Tier = Tier.WORKING
    valid_from: datetime | None = None
    links: tuple[Link, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=_empty)
    erased: bool = False  # content was overwritten; hash and position remain

    def __post_init__(self) -> None:
        require_id(self.id)
        if not self.author:
            raise InvalidEngram("author", "an engram needs an author")
        if self.created_at.tzinfo is None:
            raise InvalidEngram(
                "created_at", "a time needs its offset from UTC, as in 2026-03-06T10:15:00+01:00"
            )
        _check_claim(self)

    @property
    def klass(self) -> Klass:
        return CLASS_OF[self.type]


def _check_claim(claim: Draft | Engram) -> None:
    if not isinstance(claim.type, EngramType):
        raise InvalidEngram("type", f"unknown type {claim.type!r}; one of: {', '.join(EngramType)}")
    _check_kinds(claim)
    if not (isinstance(claim, Engram) and claim.erased):
        if not claim.content.strip():
            raise InvalidEngram("content", "an engram needs a proposition; this one is empty")
        if "\x00" in claim.content:
            raise InvalidEngram("content", "a proposition cannot hold a NUL character")
    if len(claim.content) > MAX_CONTENT_CHARS:
        raise InvalidEngram(
            "content", f"longer than {MAX_CONTENT_CHARS:,} characters; ingest it as a document"
        )
    if isinstance(claim.salience, bool) or not isinstance(claim.salience, int | float):
        raise InvalidEngram("salience", f"salience is a number from 0 to 1, not {claim.salience!r}")
    if not (math.isfinite(claim.salience) and 0.0 <= claim.salience <= 1.0):
        raise InvalidEngram("salience", f"salience is a number from 0 to 1, not {claim.salience!r}")
    if claim.valid_from is not None and claim.valid_from.tzinfo is None:
        raise InvalidEngram("valid_from", "a time needs its offset from UTC")
    try:
        claim.content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidEngram("content", "not valid Unicode (a lone surrogate)") from error


def _check_kinds(claim: Draft | Engram) -> None:
    if not isinstance(claim.content, str):
        raise InvalidEngram("content", f"a proposition is text, not {type(claim.content).__name__}")
    provenance = claim.provenance
    if not isinstance(provenance, Provenance) or not isinstance(provenance.kind, ProvenanceKind):
        raise InvalidEngram("provenance", f"provenance is one of: {', '.join(ProvenanceKind)}")
    for text in (provenance.source, provenance.evidence, provenance.evidence_hash):
        if text is not None and not isinstance(text, str):
            raise InvalidEngram("provenance", f"source and evidence are text, not {type(text).__name__}")
    if not isinstance(claim.tier, Tier):
        raise InvalidEngram("tier", f"unknown tier {claim.tier!r}; one of: {', '.join(Tier)}")
    if not isinstance(claim.metadata, Mapping):
        raise InvalidEngram("metadata", "metadata is a mapping of names to JSON values")
    for link in claim.links:
        if not isinstance(link, Link) or not isinstance(link.relation, Relation):
            raise InvalidEngram("links", f"a link has a relation of: {', '.join(Relation)}")


def require_id(value: str) -> str:
    """Return `value` if it is a canonical UUID; raise InvalidEngram otherwise."""
    if not isinstance(value, str) or _UUID.fullmatch(value) is None:
        raise InvalidEngram("id", f"not a canonical engram id: {value!r}")
    return value
