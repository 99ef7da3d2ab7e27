"""Short ways to write drafts and to open stores, shared by the tests of the store."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from store import Store, open_store
from store.keys import DeviceKey
from store.model import Draft, EngramType, Provenance, ProvenanceKind
from store.sqlite.driver import dbapi2

OPERATOR = Provenance(kind=ProvenanceKind.OPERATOR, source="test", evidence="as it was said")
DOCUMENT = Provenance(kind=ProvenanceKind.DOCUMENT, source="notes.md")
INFERENCE = Provenance(kind=ProvenanceKind.INFERENCE, source="scripted")


def ticking(start: datetime = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)) -> Callable[[], datetime]:
    """A clock one millisecond later at every reading, for fixtures that live longer than a test."""
    steps = count(1)
    return lambda: start + timedelta(milliseconds=next(steps))


def draft(
    content: str,
    kind: EngramType = EngramType.DECISION,
    provenance: Provenance = OPERATOR,
    **fields: Any,
) -> Draft:
    return Draft(type=kind, content=content, provenance=provenance, **fields)


def opened(
    target: Path | str, clock: Callable[[], datetime], *, seed: int | None = 7, **options: Any
) -> Store:
    """A store whose ids, salts and keys are the same in every run (of a new one: `seed` None is random)."""
    if seed is not None:
        options.setdefault("rng", random.Random(seed).randbytes)
    return open_store(target, clock=clock, author=options.pop("author", "operator"), **options)


def key_of(store: Store) -> DeviceKey:
    """The store's own signing key, as a test that plays the thief of a file would have it."""
    record = store.backend.meta(f"secret:{store.identity.device}")
    assert record is not None
    return DeviceKey(record)


def raw(path: Path) -> Any:
    """The file as a thief opens it: no authorizer, and the guards dropped."""
    connection = dbapi2.connect(str(path), isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    return connection


def contents(engrams: Any) -> list[str]:
    return [engram.content for engram in engrams]
