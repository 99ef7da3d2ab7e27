"""Values as plain JSON: what `--json` prints."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

from store.model import Engram


def plain(value: Any) -> Any:
    """Any value of the packages as dicts, lists, strings and numbers. Datetimes become ISO-8601."""
    if isinstance(value, Engram):
        return engram_view(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(map(plain, value), key=str)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path | Decimal):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    return value


def engram_view(engram: Engram) -> dict[str, Any]:
    """An engram in the shape of the published schema, its class added."""
    provenance = engram.provenance
    return {
        "id": engram.id,
        "seq": engram.seq,
        "type": engram.type.value,
        "class": engram.klass.value,
        "content": engram.content,
        "author": engram.author,
        "provenance": {
            "kind": provenance.kind.value,
            "source": provenance.source,
            "evidence": provenance.evidence,
            "evidence_hash": provenance.evidence_hash,
        },
        "created_at": engram.created_at.isoformat(),
        "valid_from": engram.valid_from.isoformat() if engram.valid_from else None,
        "salience": engram.salience,
        "tier": engram.tier.value,
        "links": [{"relation": link.relation.value, "target": link.target} for link in engram.links],
        "metadata": plain(engram.metadata),
        "erased": engram.erased,
    }
