"""What must hold for any input: replay, round trips, hashes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import rfc8785
from drafting import opened, ticking
from hypothesis import given, settings
from hypothesis import strategies as st

from store import chain
from store.canonical import canonical
from store.codec import decode, micros, read_back, write_down
from store.errors import StoreError
from store.memory import MemoryLog
from store.model import (
    CLASS_OF,
    Draft,
    EngramType,
    Klass,
    Link,
    Provenance,
    ProvenanceKind,
    Relation,
    Tier,
)
from store.port import LogEntry
from store.replaying import replay

ID = "01a22cbc-e700-7000-bd98-ec1fc5aa0d74"
TARGET = "01a22cbc-e6d8-7000-938f-69a17f65d77c"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
CLAIM = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=60)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=ZONES)  # noqa: DTZ001 - zone is drawn
CLAIMS = [kind for kind in EngramType if CLASS_OF[kind] is not Klass.CONTROL]
DRAFTS = st.builds(
    Draft,
    type=st.sampled_from(CLAIMS),
    content=CLAIM.filter(lambda text: bool(text.strip())),
    provenance=st.builds(
        Provenance,
        kind=st.sampled_from(ProvenanceKind),
        source=st.none() | TEXT,
        evidence=st.none() | TEXT,
        evidence_hash=st.none() | TEXT,
    ),
    salience=st.floats(0, 1),
    tier=st.sampled_from(Tier),
    valid_from=st.none() | TIMES,
    metadata=st.dictionaries(TEXT, JSON, max_size=4),
)


def written(draft: Draft, **changes: Any):
    fields: dict[str, Any] = {
        "engram_id": ID,
        "seq": 1,
        "author": "operator",
        "device": "d1:" + "0" * 32,
        "created_at": datetime(2026, 3, 4, 9, tzinfo=UTC),
        "salt": "0" * 32,
    }
    return write_down(draft, **(fields | changes))


def entry_hash(draft: Draft, **changes: Any) -> bytes:
    made = written(draft, **changes)
    return chain.entry_hash(b"\x00" * 32, chain.body_hash(made.body), made.header)


@given(DRAFTS, TIMES)
@settings(max_examples=200, deadline=None)
def test_every_field_survives_the_bytes_it_is_written_as(draft: Draft, created_at: datetime) -> None:
    made = written(draft, created_at=created_at)
    back = read_back(LogEntry(1, made.header, made.body, b"", b"", b""))
    assert back == made.engram
    for name in Draft.__dataclass_fields__:
        assert getattr(back, name) == getattr(draft, name), name
    assert back.created_at.utcoffset() == created_at.utcoffset()
    assert micros(back.created_at) == micros(created_at)


@given(JSON)
@settings(max_examples=300, deadline=None)
def test_canonical_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(st.dictionaries(TEXT, JSON, min_size=2, max_size=6), st.randoms())
@settings(max_examples=100, deadline=None)
def test_the_order_of_keys_changes_no_hash(metadata: dict[str, Any], rng) -> None:
    keys = list(metadata)
    rng.shuffle(keys)
    one = Draft(type=EngramType.NOTE, content="a", provenance=OPERATOR, metadata=metadata)
    other = replace(one, metadata={key: metadata[key] for key in keys})
    assert entry_hash(one) == entry_hash(other)


OPERATOR = Provenance(kind=ProvenanceKind.OPERATOR)
BASE = Draft(
    type=EngramType.NOTE,
    content="a claim",
    provenance=Provenance(kind=ProvenanceKind.DOCUMENT, source="s", evidence="e", evidence_hash="sha256:00"),
    links=(Link(relation=Relation.BLOCKS, target=TARGET),),
    valid_from=datetime(2026, 1, 1, tzinfo=UTC),
    metadata={"a": 1},
)
CHANGED_FIELDS: dict[str, dict[str, Any]] = {
    "type": {"type": EngramType.CONCEPT},
    "content": {"content": "a claim "},
    "provenance.kind": {"provenance": replace(BASE.provenance, kind=ProvenanceKind.ACTION)},
    "provenance.source": {"provenance": replace(BASE.provenance, source=None)},
    "provenance.evidence": {"provenance": replace(BASE.provenance, evidence="E")},
    "provenance.evidence_hash": {"provenance": replace(BASE.provenance, evidence_hash="sha256:01")},
    "salience": {"salience": 0.5000001},
    "tier": {"tier": Tier.PROCEDURAL},
    "valid_from": {"valid_from": datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))},
    "link relation": {"links": (Link(relation=Relation.PART_OF, target=TARGET),)},
    "link target": {"links": (Link(relation=Relation.BLOCKS, target=ID),)},
    "no link": {"links": ()},
    "metadata value": {"metadata": {"a": 2}},
    "metadata key": {"metadata": {"A": 1}},
}
CHANGED_SURROUNDINGS: dict[str, Any] = {
    "engram_id": TARGET,
    "author": "Operator",
    "device": "d1:" + "1" * 32,
    "created_at": datetime(2026, 3, 4, 10, tzinfo=timezone(timedelta(hours=1))),
    "salt": "1" * 32,
}


@pytest.mark.parametrize("field", CHANGED_FIELDS)
def test_every_field_of_a_draft_changes_the_hash(field: str) -> None:
    assert entry_hash(replace(BASE, **CHANGED_FIELDS[field])) != entry_hash(BASE)


@pytest.mark.parametrize("field", CHANGED_SURROUNDINGS)
def test_every_field_that_the_log_adds_changes_the_hash(field: str) -> None:
    assert entry_hash(BASE, **{field: CHANGED_SURROUNDINGS[field]}) != entry_hash(BASE)


def test_the_list_of_hashed_fields_is_complete() -> None:
    made = written(BASE)
    engram_fields = set(type(made.engram).__dataclass_fields__) - {"seq", "erased", "id"}
    named = {name.split(".")[0].split(" ")[0] for name in CHANGED_FIELDS} | set(CHANGED_SURROUNDINGS)
    assert engram_fields <= named | {"links"}
    assert decode({**__import__("json").loads(made.header)}, None, 1).erased


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["write", "supersede", "retract", "erase", "link", "contradict", "many", "reopen"]),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
        st.sampled_from(ProvenanceKind),
        st.sampled_from([Relation.SUPERSEDES, Relation.CONTRADICTS, Relation.BLOCKS, Relation.RELATES_TO]),
    ),
    max_size=30,
)


def apply(store: Any, operation: tuple[Any, ...]) -> None:
    name, first, second, kind, relation = operation
    ids = [engram.id for engram in store.log()]
    provenance = Provenance(kind=kind)
    new = Draft(
        type=CLAIMS[first % len(CLAIMS)],
        content=f"claim {first}",
        provenance=provenance,
        metadata={"subject": f"s{second % 3}"},
        valid_from=None if second % 3 else datetime(2026, 1, 1 + second % 28, tzinfo=UTC),
    )
    one = ids[first % len(ids)] if ids else ID
    other = ids[second % len(ids)] if ids else ID
    if name == "write":
        store.write(new)
    elif name == "many":
        store.write_many([new, replace(new, content="another")])
    elif name == "supersede":
        store.supersede(one, new)
    elif name == "contradict":
        store.write(replace(new, links=(Link(relation=Relation.CONTRADICTS, target=one),)))
    elif name == "retract":
        store.retract(one, provenance=provenance)
    elif name == "erase":
        store.erase(one, "gone", provenance=provenance)
    elif name == "link":
        store.link(one, relation, other)


@given(OPERATIONS)
@settings(max_examples=120, deadline=None)
def test_any_sequence_of_operations_replays_to_the_kept_state(operations: list[tuple[Any, ...]]) -> None:
    with opened("memory:", ticking()) as store:
        for operation in operations:
            before = store.head()
            try:
                apply(store, operation)
            except StoreError:
                assert store.head() == before, "a refusal changes nothing"
        log = store.backend
        assert isinstance(log, MemoryLog)
        standings, edges = replay(log)
        assert list(standings.values()) == list(log.standings())
        assert edges == log.edges(include_ended=True)
        assert store.verify(full=True).ok
        for position in range(store.head().seq + 1):
            prefix = [s for s in standings.values() if s.seq <= position and not s.erased]
            expected = {s.seq for s in prefix if s.klass is not Klass.CONTROL and not _ended(s, position)}
            assert {engram.seq for engram in store.as_of(position)} == expected


def _ended(standing: Any, position: int) -> bool:
    return standing.ended_seq is not None and standing.ended_seq <= position


@given(OPERATIONS)
@settings(max_examples=12, deadline=None)
def test_two_backends_given_the_same_operations_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, operations: list[tuple[Any, ...]]
) -> None:
    folder = tmp_path_factory.mktemp("same")
    with opened("memory:", ticking()) as memory, opened(folder / "a.partner", ticking()) as sqlite:
        for operation in operations:
            results = []
            for store in (memory, sqlite):
                try:
                    apply(store, operation)
                    results.append("done")
                except StoreError as error:
                    results.append(type(error).__name__)
            assert results[0] == results[1], operation
        assert list(memory.backend.entries()) == list(sqlite.backend.entries())
        assert list(memory.backend.standings()) == list(sqlite.backend.standings())
        assert memory.backend.edges(include_ended=True) == sqlite.backend.edges(include_ended=True)
        for subject in ("s0", "s1"):
            assert memory.current(subject=subject) == sqlite.current(subject=subject)
        for when in (3, datetime(2026, 1, 9, tzinfo=UTC), datetime(2026, 3, 4, 10, tzinfo=UTC)):
            assert memory.as_of(when) == sqlite.as_of(when)
