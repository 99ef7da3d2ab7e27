"""The published JSON Schema (draft 2020-12) of one entry: what exports write and `partner schema` prints."""

from __future__ import annotations

from typing import Any

from store.model import ENGRAM_FORMAT, EngramType, ProvenanceKind, Relation, Tier

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"
_ID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d:\d\d(:\d\d(\.\d+)?)?$"
_HASH = r"^e1:[0-9a-f]{64}$"


def _object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A closed object that needs every property."""
    fixed = {"type": "object", "additionalProperties": False, "required": sorted(properties)}
    return {**fixed, "properties": properties, **more}


def entry_schema() -> dict[str, Any]:
    """The schema; `body` is null once the entry's content was erased."""
    optional_text = {"type": ["string", "null"]}
    link = _object(
        {
            "relation": {"enum": [relation.value for relation in Relation]},
            "target": {"type": "string", "pattern": _ID},
        }
    )
    header = _object(
        {
            "author": {"type": "string", "minLength": 1},
            "created_at": {"type": "string", "pattern": _TIME},
            "device": {"type": "string", "pattern": r"^d1:[0-9a-f]{32}$"},
            "format": {"const": ENGRAM_FORMAT},
            "id": {"type": "string", "pattern": _ID},
            "links": {"type": "array", "items": link},
            "provenance": {"enum": [kind.value for kind in ProvenanceKind]},
            "salience": {"type": "number", "minimum": 0, "maximum": 1},
            "tier": {"enum": [tier.value for tier in Tier]},
            "type": {"enum": [kind.value for kind in EngramType]},
            "valid_from": {"anyOf": [{"type": "string", "pattern": _TIME}, {"type": "null"}]},
        }
    )
    body = _object(
        {
            "content": {"type": "string", "minLength": 1, "maxLength": 1_000_000},
            "evidence": optional_text,
            "evidence_hash": optional_text,
            "metadata": {"type": "object"},
            "salt": {"type": "string", "pattern": r"^[0-9a-f]{32}$"},
            "source": optional_text,
        }
    )
    entry = _object(
        {
            "body": {"anyOf": [body, {"type": "null"}]},
            "body_hash": {"type": "string", "pattern": _HASH},
            "hash": {"type": "string", "pattern": _HASH},
            "header": header,
            "seq": {"type": "integer", "minimum": 1},
            "signature": {"type": "string", "pattern": r"^[0-9a-f]{128}$"},
        }
    )
    return {"$schema": SCHEMA_ID, "title": "An entry of an engram log", **entry}
