"""What every backend promises about writing: what is kept, in which order, and what is refused."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import jsonschema
import pytest
from drafting import OPERATOR, draft

from store import Store
from store.errors import AmbiguousId, BadRequest, InvalidEngram, Locked, NotFound
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
from store.portable import entry_json
from store.published_schema import entry_schema

conforms = pytest.mark.conforms
NOWHERE = "01a22cbc-e700-7000-bd98-ec1fc5aa0d74"
FULL = Draft(
    type=EngramType.DECISION,
    content='Ana owns the "schema" from März on. 所有者は安娜です',
    provenance=Provenance(
        kind=ProvenanceKind.DOCUMENT, source="a.md", evidence="Ana owns it", evidence_hash="sha256:00"
    ),
    salience=0.875,
    tier=Tier.SEMANTIC,
    valid_from=datetime(2026, 3, 1, 12, 30, 1, 5, tzinfo=timezone(timedelta(hours=-5, minutes=-30))),
    metadata={"subject": "schema", "é": [1, 2.5, None, {"deep": True}], "tiny": 1e-9, "big": 2**53 - 1},
)


@conforms("S1")
def test_ids_are_unique_uuids_and_grow_even_when_the_clock_goes_back_a_year(store: Store, clock) -> None:
    first = store.write_many([draft(f"claim {i}") for i in range(50)])
    clock.set(clock.now - timedelta(days=365))
    later = store.write_many([draft(f"later claim {i}") for i in range(50)])
    ids = [engram.id for engram in first + later]
    assert ids == sorted(set(ids))
    assert {uuid.UUID(i).version for i in ids} == {7}
    assert [engram.seq for engram in first + later] == list(range(1, 101))
    assert store.verify(full=True).ok


@conforms("S2")
@pytest.mark.parametrize("content", ["", "   \n", "a\x00b", "lone \ud800", None, 7, "x" * 1_000_001])
def test_an_engram_without_a_proposition_that_can_be_kept_is_refused(store: Store, content) -> None:
    with pytest.raises(InvalidEngram):
        store.write(draft(content))
    assert store.head().seq == 0


@conforms("S2", "E24")
@pytest.mark.parametrize(
    "fields",
    [
        {"salience": 1.5},
        {"salience": float("nan")},
        {"salience": "high"},
        {"tier": "Working"},
        {"valid_from": datetime(2026, 1, 1)},  # noqa: DTZ001 - the missing zone is what is refused
        {"metadata": {"n": 2**53}},
        {"metadata": {"n": float("inf")}},
        {"metadata": {1: "a"}},
        {"metadata": {"when": datetime(2026, 1, 1, tzinfo=UTC)}},
        {"metadata": {"text": "\udfff"}},
        {"metadata": None},
        {"provenance": "operator"},
        {"provenance": Provenance(kind=ProvenanceKind.OPERATOR, source="\ud800")},
        {"provenance": Provenance(kind=ProvenanceKind.OPERATOR, evidence=3)},  # type: ignore[arg-type]
        {"links": ("supersedes",)},
    ],
)
def test_a_field_that_cannot_be_kept_exactly_is_refused_and_nothing_is_written(store: Store, fields) -> None:
    with pytest.raises(InvalidEngram):
        store.write_many([draft("fine"), draft("not fine", **fields)])
    assert store.head().seq == 0
    assert list(store.log()) == []


@conforms("S3")
def test_a_type_outside_the_vocabulary_is_refused(store: Store) -> None:
    with pytest.raises(InvalidEngram):
        store.write(draft("a claim", kind="opinion"))  # type: ignore[arg-type]
    for kind in (EngramType.RETRACTION, EngramType.ERASURE, EngramType.LINK):
        with pytest.raises(InvalidEngram):
            store.write(draft("a claim", kind=kind))
    with pytest.raises(InvalidEngram):
        store.write({"type": "decision", "content": "a claim"})  # type: ignore[arg-type]


@conforms("S4", "S5", "S6", "E5", "E24", "P1")
def test_every_field_comes_back_as_it_was_given(store: Store) -> None:
    target = store.write(draft("the target"))
    link = Link(relation=Relation.DERIVED_FROM, target=target.id)
    given = Draft(
        **{name: getattr(FULL, name) for name in Draft.__dataclass_fields__ if name != "links"}, links=(link,)
    )
    written = store.write(given)
    read = store.read(written.id)
    assert read == written
    for name in Draft.__dataclass_fields__:
        assert getattr(read, name) == getattr(given, name), name
    assert [str(read.valid_from)] == [str(FULL.valid_from)]
    assert read.created_at.utcoffset() is not None
    assert (read.author, read.seq) == ("operator", 2)
    assert store.read(target.id).tier is Tier.WORKING


@conforms("S5")
def test_the_author_is_who_opened_the_store_and_no_field_can_say_otherwise(store: Store) -> None:
    assert "author" not in Draft.__dataclass_fields__
    engram = store.write(draft("a claim", metadata={"author": "mallory"}))
    assert engram.author == "operator"


def test_an_engram_is_found_by_its_id_a_prefix_a_tail_or_what_its_short_id_begins_with(store: Store) -> None:
    engrams = store.write_many([draft(f"claim {i}") for i in range(40)])
    for engram in engrams[::7]:
        digits = engram.id.replace("-", "")
        for ref in (
            engram.id,
            digits,
            engram.id.upper(),
            engram.id[-8:],
            digits[-12:],
            f"[{engram.id[-6:]}]",
            engram.id[-8:-1],  # a short id, not typed to its end
        ):
            assert store.resolve(ref) == engram.id
        assert store.read(digits[:31]) == engram
    with pytest.raises(AmbiguousId) as error:
        store.read(engrams[0].id[:4])
    assert len(error.value.candidates) > 1
    for bad in ("", "abc", "not an id", "g" * 8, "'; DROP TABLE log; --", "\x00" * 8):
        with pytest.raises(BadRequest):
            store.read(bad)


@conforms("E10")
def test_an_unknown_id_is_an_error_for_every_operation(store: Store, clock) -> None:
    known = store.write(draft("known"))
    for attempt in (
        lambda: store.read(NOWHERE),
        lambda: store.status("ffffffff"),
        lambda: store.history(NOWHERE),
        lambda: store.retract(NOWHERE),
        lambda: store.erase(NOWHERE, "why"),
        lambda: store.supersede(NOWHERE, draft("new")),
        lambda: store.edges(NOWHERE),
        lambda: store.link(known.id, "blocks", NOWHERE),
        lambda: store.link(NOWHERE, "blocks", known.id),
        lambda: store.write(draft("x", links=(Link(relation=Relation.BLOCKS, target=NOWHERE),))),
        lambda: store.reinforce([NOWHERE], clock()),
        lambda: store.put_vectors("m", [(NOWHERE, b"")]),
        lambda: store.read_all([NOWHERE]),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert store.head().seq == 1


def test_a_transaction_is_kept_whole_or_not_at_all(store: Store) -> None:
    kept = store.write(draft("kept"))

    def fails_in_the_middle() -> None:
        with store.transaction():
            new = store.supersede(kept.id, draft("lost"))
            assert store.read(new.id) == new
            store.retract(new.id)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails_in_the_middle()
    assert (store.head().seq, store.current()) == (1, [kept])
    with store.transaction():
        first = store.write(draft("first"))
        second = store.supersede(first.id, draft("second"))
        store.link(second.id, "references", kept.id)
    assert store.current() == [second, kept]
    assert store.verify(full=True).ok


@conforms("S17")
def test_every_stored_entry_fits_the_published_schema(store: Store) -> None:
    jsonschema.Draft202012Validator.check_schema(entry_schema())
    store.write_many([draft(f"a {kind}", kind) for kind in EngramType if CLASS_OF[kind] is not Klass.CONTROL])
    store.write(FULL)
    a = store.write(draft("to erase", metadata={"x": 1}))
    store.link(a.id, "blocks", store.supersede(a.id, draft("b")).id)
    store.retract(store.write(draft("c")).id)
    store.erase(a.id, "gone")
    validator = jsonschema.Draft202012Validator(entry_schema())
    for entry in store.backend.entries():
        validator.validate(entry_json(entry))


def test_what_was_written_is_there_when_it_is_opened_again(reopen, clock) -> None:
    with reopen() as store:
        written = store.write_many([draft(f"claim {i}") for i in range(10)])
        head, identity = store.head(), store.identity
    with reopen(read_only=True) as store:
        assert list(store.log()) == written
        assert (store.head(), store.identity) == (head, identity)
        assert store.verify(full=True).ok
    with reopen(seed=None) as store:
        assert store.write(draft("one more")).seq == 11
        assert store.verify().ok


@conforms("S18")
def test_every_backend_in_the_tree_is_named_for_this_suite() -> None:
    here = Path(__file__).resolve()
    named = (here.parent / "conftest.py").read_text()
    adapters = {path.parent.name for path in (here.parents[2] / "store").glob("*/log.py")} | {"memory"}
    assert adapters >= {"memory", "sqlite", "postgres"}
    assert not [name for name in adapters if f'"{name}": pytest.param(' not in named]


def test_operator_provenance_is_kept_apart_from_its_evidence(store: Store) -> None:
    engram = store.write(draft("a claim", provenance=OPERATOR))
    assert store.read(engram.id).provenance == OPERATOR


@conforms("E22")
def test_a_sealed_key_is_needed_to_write_and_not_to_read_wherever_it_is_kept(sealable) -> None:
    with sealable() as store:
        written = store.write(draft("a claim"))
        store.set_passphrase("open sesame")
    with sealable() as store:
        assert store.read(written.id) == written
        for attempt in (
            lambda: store.write(draft("another")),
            lambda: store.retract(written.id),
            lambda: store.erase(written.id, "why"),
            lambda: store.supersede(written.id, draft("another")),
        ):
            with pytest.raises(Locked, match="passphrase is needed"):
                attempt()
        assert store.head().seq == 1
    with sealable(passphrase="wrong") as store, pytest.raises(Locked, match="wrong"):
        store.write(draft("another"))
    with sealable(passphrase="open sesame", seed=None) as store:
        assert store.write(draft("another")).seq == 2
