"""What every backend promises about writing, linking, superseding, withdrawing and reading."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import jsonschema
import pytest
from drafting import DOCUMENT, INFERENCE, OPERATOR, contents, draft

from store import Store
from store.errors import AmbiguousId, BadRequest, InvalidEngram, NotAuthorised, NotFound
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


def test_an_engram_is_found_by_its_id_a_prefix_or_a_tail(store: Store) -> None:
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


@conforms("S7", "S8")
def test_a_link_is_a_claim_of_its_own_that_can_be_asked_for(store: Store) -> None:
    spec, code = store.write_many([draft("the spec", EngramType.SPEC), draft("the code")])
    edge = store.link(code.id, "implements", spec.id)
    assert (edge.src, edge.relation, edge.dst, edge.author) == (
        code.id,
        Relation.IMPLEMENTS,
        spec.id,
        "operator",
    )
    assert store.edges(spec.id) == store.edges(code.id) == store.edges(relation="implements") == [edge]
    assert store.edges(relation=Relation.BLOCKS) == []
    assert store.read(edge.claim).type is EngramType.LINK
    for relation in ("causes", "", "Supersedes", "retracts"):
        with pytest.raises(BadRequest):
            store.link(code.id, relation, spec.id)
    with pytest.raises(BadRequest):
        store.link(code.id, "references", code.id)


@conforms("F2", "F3")
def test_the_same_edge_again_adds_nothing_and_only_relates_to_is_symmetric(store: Store) -> None:
    a, b = store.write_many([draft("a"), draft("b")])
    related = store.link(a.id, "relates_to", b.id)
    assert store.link(b.id, "relates_to", a.id) == related
    blocks = store.link(a.id, "blocks", b.id)
    assert store.link(a.id, "blocks", b.id) == blocks
    assert store.link(b.id, "blocks", a.id) != blocks
    assert len(store.edges()) == 3


def test_a_retracted_link_is_no_edge_any_more(store: Store) -> None:
    a, b = store.write_many([draft("a"), draft("b")])
    edge = store.link(a.id, "blocks", b.id)
    store.retract(edge.claim, "it does not")
    assert store.edges(a.id) == []
    assert store.link(a.id, "blocks", b.id).claim != edge.claim
    assert store.verify(full=True).ok


@conforms("S9", "S10", "E9", "P14")
def test_what_is_superseded_stays_readable_byte_for_byte_and_no_longer_holds(store: Store) -> None:
    old = store.write(draft("Ana owns the schema."))
    row = store.backend.entries_at([1])
    new = store.supersede(old.id, draft("Bo owns the schema."))
    assert store.backend.entries_at([1]) == row
    assert store.read(old.id) == old
    assert contents(store.current()) == ["Bo owns the schema."]
    was, now = store.status(old.id), store.status(new.id)
    assert (was.holds, was.superseded_by, was.why, was.since) == (False, (new.id,), "superseded", 2)
    assert (now.holds, now.supersedes) == (True, (old.id,))


@conforms("S11", "P8")
def test_a_chain_is_whole_from_any_member(store: Store) -> None:
    a = store.write(draft("first"))
    b = store.supersede(a.id, draft("second"))
    store.write(draft("something else"))
    c = store.supersede(b.id, draft("third"))
    for member in (a, b, c):
        assert store.history(member.id) == [a, b, c]
    assert [engram.id for engram in store.history(a.id) if store.status(engram.id).holds] == [c.id]


@conforms("S12", "P7")
def test_two_superseders_are_both_kept_and_reported_and_one_answer_holds(store: Store) -> None:
    old = store.write(draft("Ana owns it.", provenance=INFERENCE))
    first = store.supersede(old.id, draft("Bo owns it."))
    second = store.supersede(old.id, draft("Cy owns it."))
    status = store.status(old.id)
    assert status.superseded_by == (first.id, second.id)
    assert status.contended
    assert contents(store.current()) == ["Cy owns it."]
    weak = store.supersede(old.id, draft("Di may own it.", provenance=INFERENCE))
    assert store.status(old.id).superseded_by == (first.id, second.id, weak.id)
    assert contents(store.current()) == ["Cy owns it."]
    assert store.status(weak.id).why == "outranked"
    assert {engram.id for engram in store.history(first.id)} == {old.id, first.id, second.id, weak.id}
    assert store.verify(full=True).ok


@conforms("S13")
def test_contradicting_claims_of_equal_authority_both_hold_and_name_each_other(store: Store) -> None:
    a = store.write(draft("The release is on Monday."))
    b = store.write(
        draft("The release is on Tuesday.", links=(Link(relation=Relation.CONTRADICTS, target=a.id),))
    )
    assert store.status(a.id).contradicts == (b.id,)
    assert store.status(b.id).contradicts == (a.id,)
    assert store.current() == [b, a]


@conforms("P7", "E27")
@pytest.mark.parametrize("weaker", [DOCUMENT, INFERENCE])
def test_a_weaker_claim_never_replaces_a_stronger_one(store: Store, weaker: Provenance) -> None:
    said = store.write(draft("I live in Oslo."))
    guessed = store.supersede(said.id, draft("The operator lives in Rome.", provenance=weaker))
    assert guessed.links == (Link(relation=Relation.CONTRADICTS, target=said.id),)
    assert store.status(said.id).holds
    assert store.status(guessed.id).why == "outranked"
    assert contents(store.current()) == ["I live in Oslo."]
    for attempt in (
        lambda: store.write(
            draft("Rome.", provenance=weaker, links=(Link(relation=Relation.SUPERSEDES, target=said.id),))
        ),
        lambda: store.link(guessed.id, "supersedes", said.id),
        lambda: store.retract(said.id, provenance=weaker),
        lambda: store.erase(said.id, "no", provenance=weaker),
    ):
        with pytest.raises(NotAuthorised):
            attempt()
    assert store.head().seq == 2


def test_a_stronger_contradiction_ends_the_weaker_claim(store: Store) -> None:
    read = store.write(draft("The port is 8080.", provenance=DOCUMENT))
    said = store.write(
        draft("The port is 9090.", links=(Link(relation=Relation.CONTRADICTS, target=read.id),))
    )
    assert not store.status(read.id).holds
    assert contents(store.current()) == [said.content]


def test_one_draft_can_supersede_several(store: Store) -> None:
    a, b, c = store.write_many([draft("a"), draft("b", provenance=DOCUMENT), draft("c")])
    links = (Link(relation=Relation.SUPERSEDES, target=b.id), Link(relation=Relation.SUPERSEDES, target=c.id))
    new = store.supersede(a.id, draft("all of it", links=links))
    assert set(store.status(new.id).supersedes) == {a.id, b.id, c.id}
    assert store.current() == [new]


def test_supersession_goes_forward_and_never_in_a_circle(store: Store) -> None:
    a, b = store.write_many([draft("a"), draft("b")])
    with pytest.raises(BadRequest):
        store.link(a.id, "supersedes", b.id)
    retraction = store.retract(a.id)
    with pytest.raises(BadRequest):
        store.supersede(retraction.id, draft("x"))
    with pytest.raises(BadRequest):
        store.retract(retraction.id)


@conforms("P14", "E9")
def test_a_retraction_is_an_entry_and_the_log_says_since_when(store: Store) -> None:
    claim = store.write(draft("Branches are named after tickets."))
    store.write(draft("something else"))
    retraction = store.retract(claim.id, "we stopped doing that")
    assert store.retract(claim.id) == retraction
    assert (retraction.type, retraction.content, retraction.seq) == (
        EngramType.RETRACTION,
        "we stopped doing that",
        3,
    )
    status = store.status(claim.id)
    assert (status.holds, status.retracted_by, status.since, status.why) == (
        False,
        retraction.id,
        3,
        "retracted",
    )
    assert store.read(claim.id) == claim
    assert contents(store.current()) == ["something else"]
    assert contents(store.as_of(2)) == ["something else", claim.content]


@conforms("P14", "E9")
def test_withdrawing_twice_in_one_transaction_is_one_entry(store: Store) -> None:
    kept, secret = store.write_many([draft("Branches are named after tickets."), draft("hunter2")])
    with store.transaction():
        assert store.retract(kept.id, "no more") == store.retract(kept.id, "no more")
        assert store.erase(secret.id, "a secret") == store.erase(secret.id, "a secret")
    assert [engram.type for engram in store.log(after=2)] == [EngramType.RETRACTION, EngramType.ERASURE]
    assert store.verify(full=True).ok


@conforms("S10")
def test_an_erased_engram_has_no_content_and_the_chain_still_verifies(store: Store) -> None:
    secret = store.write(
        draft("The password is hunter2.", metadata={"subject": "password", "keys": "hunter2"}, salience=0.9)
    )
    store.put_vectors("m", [(secret.id, b"hunter2")])
    erasure = store.erase(secret.id, "a secret")
    assert store.erase(secret.id, "again") == erasure
    read = store.read(secret.id)
    assert (read.erased, read.content, dict(read.metadata), read.provenance.evidence) == (True, "", {}, None)
    assert (read.id, read.seq, read.salience, read.created_at) == (secret.id, 1, 0.9, secret.created_at)
    assert store.status(secret.id).erased
    assert store.current() == store.as_of(1) == store.search("hunter2 password", history=True) == []
    assert store.current(subject="password") == []
    assert list(store.backend.vectors("m")) == []
    assert store.verify(full=True).ok
    with pytest.raises(BadRequest):
        store.erase(store.link(secret.id, "blocks", erasure.id).claim, "a link holds only ids")


def test_current_answers_by_class_type_subject_and_attribute(store: Store) -> None:
    store.write(draft("Never deploy on Fridays.", EngramType.PROHIBITION))
    ana = store.write(draft("Ana owns it.", metadata={"subject": "The  Schema", "attribute": "OWNER"}))
    store.write(draft("The schema is old.", metadata={"subject": "the schema", "attribute": "age"}))
    goal = store.write(draft("Ship it.", EngramType.OBJECTIVE))
    store.link(ana.id, "blocks", goal.id)
    allowed = store.write(draft("You may deploy once.", EngramType.APPROVAL))
    assert contents(store.current(klass=Klass.PROHIBITION)) == ["Never deploy on Fridays."]
    assert store.current(subject="the schema", attribute="owner") == [ana]
    assert len(store.current(subject="THE SCHEMA")) == 2
    assert store.current(klass=[Klass.OBJECTIVE, Klass.CONCLUSION], limit=1) == [goal]
    assert store.current(type=EngramType.APPROVAL) == [allowed]
    assert len(store.current()) == 4
    assert [e.seq for e in store.current(newest_first=False)] == [1, 2, 3, 4]
    for bad in ({"klass": "opinion"}, {"type": "opinion"}, {"limit": -1}):
        with pytest.raises(BadRequest):
            store.current(**bad)


@conforms("P8")
def test_as_of_a_position_is_what_the_store_knew_then(store: Store) -> None:
    a = store.write(draft("a"))
    b = store.supersede(a.id, draft("b"))
    c = store.supersede(b.id, draft("c"))
    store.retract(c.id)
    assert [contents(store.as_of(n)) for n in range(5)] == [[], ["a"], ["b"], ["c"], []]


@conforms("P8")
def test_as_of_a_time_is_what_was_true_then_by_what_is_known_now(store: Store, clock) -> None:
    clock.set(datetime(2026, 3, 10, tzinfo=UTC))
    oslo = store.write(draft("I live in Oslo.", valid_from=datetime(2020, 1, 1, tzinfo=UTC)))
    clock.set(datetime(2026, 6, 10, tzinfo=UTC))
    store.supersede(oslo.id, draft("I live in Rome.", valid_from=datetime(2026, 5, 1, tzinfo=UTC)))
    for when, expected in (
        (datetime(2019, 1, 1, tzinfo=UTC), []),
        (datetime(2025, 1, 1, tzinfo=UTC), ["I live in Oslo."]),
        (datetime(2026, 5, 2, tzinfo=timezone(timedelta(hours=9))), ["I live in Rome."]),
    ):
        assert contents(store.as_of(when)) == expected
    with pytest.raises(BadRequest):
        store.as_of(datetime(2026, 1, 1))  # noqa: DTZ001 - the missing zone is what is refused
    for bad in (-1, True, "yesterday", 1.5):
        with pytest.raises(BadRequest):
            store.as_of(bad)  # type: ignore[arg-type]


def test_the_log_is_read_from_a_position_in_both_directions(store: Store) -> None:
    engrams = store.write_many([draft(f"claim {i}") for i in range(25)])
    assert list(store.log()) == engrams
    assert list(store.log(after=20)) == engrams[20:]
    assert list(store.log(limit=3, newest_first=True)) == engrams[:-4:-1]
    assert list(store.log(after=25)) == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        '"',
        "a\x00b",
        "(*) NEAR/3 -x:y ^",
        "AND OR NOT",
        "owner' OR 1=1 --",
        "x" * 5000,
        "\ud800",
        "🦀",
        "*",
    ],
)
def test_any_text_is_a_safe_query(store: Store, query: str) -> None:
    store.write(draft("The owner of the schema is Ana."))
    assert isinstance(store.search(query), list)


def test_search_finds_words_in_any_script_and_only_what_holds(store: Store) -> None:
    old = store.write(draft("The café on Main Street closes at six."))
    new = store.supersede(old.id, draft("The café on Main Street closes at nine."))
    tokyo = store.write(draft("東京のオフィスは金曜日に閉まります", EngramType.NOTE))
    store.write(draft("Never say café.", EngramType.PROHIBITION))
    assert [hit.engram.id for hit in store.search("CAFE closing")] == [new.id]
    assert [hit.engram.id for hit in store.search("東京", classes=[Klass.KNOWLEDGE])] == [tokyo.id]
    found = store.search("cafe closes", history=True)
    assert {hit.engram.id: hit.holds for hit in found} == {old.id: False, new.id: True}
    assert [hit.engram.id for hit in store.search("cafe", as_of=1)] == [old.id]
    assert store.search("cafe", classes=[Klass.KNOWLEDGE]) == []
    assert sum(found[0].reasons.values()) == pytest.approx(found[0].score)


def test_alias_words_given_in_metadata_are_searched_too(store: Store) -> None:
    nurse = store.write(draft("I am a nurse.", metadata={"keys": "occupation profession job"}))
    assert [hit.engram.id for hit in store.search("what is my occupation")] == [nurse.id]


@conforms("E7")
def test_only_the_last_ten_uses_are_kept(store: Store, clock) -> None:
    engram = store.write(draft("a claim"))
    times = [clock() for _ in range(13)]
    for at in times:
        store.reinforce([engram.id, engram.id], at)
    assert store.accesses([engram.id]) == {engram.id: tuple(times[-10:])}
    assert store.head().seq == 1


def test_vectors_are_kept_per_model_and_the_missing_ones_are_named(store: Store) -> None:
    a, b, c = store.write_many([draft("a"), draft("b"), draft("never c", EngramType.PROHIBITION)])
    store.put_vectors("m1", [(a.id, b"one"), (b.id, b"two")])
    store.put_vectors("m1", [(a.id, b"three")])
    store.put_vectors("m2", [(a.id, b"other")])
    assert [(seq, klass, blob) for _, seq, klass, blob in store.backend.vectors("m1")] == [
        (2, Klass.CONCLUSION, b"two"),
        (1, Klass.CONCLUSION, b"three"),
    ]
    assert store.backend.models() == [("m1", 2), ("m2", 1)]
    assert store.missing_vectors("m2", 10) == [b]
    assert store.missing_vectors("m3", 10) == [b, a]
    assert c not in store.missing_vectors("m3", 10)


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


@conforms("S16")
def test_a_reasoning_trace_is_an_entry_linked_to_what_it_led_to(store: Store) -> None:
    trace = store.write(draft("Ana asked twice, so the schema is hers.", EngramType.TRACE))
    conclusion = store.write(
        draft("Ana owns it.", links=(Link(relation=Relation.DERIVED_FROM, target=trace.id),))
    )
    assert [edge.dst for edge in store.edges(conclusion.id, "derived_from")] == [trace.id]


@conforms("E11")
def test_no_read_changes_the_sequence_or_the_state(store: Store, clock) -> None:
    a = store.write(draft("a claim about owners"))
    store.supersede(a.id, draft("another claim about owners"))
    before = (list(store.backend.entries()), list(store.backend.standings()), store.backend.edges())
    store.search("owners")
    store.reason_on("owners")
    store.current()
    store.as_of(1)
    store.history(a.id)
    store.status(a.id)
    assert (list(store.backend.entries()), list(store.backend.standings()), store.backend.edges()) == before


def test_rebuilding_the_derived_tables_changes_nothing_that_was_right(store: Store) -> None:
    a = store.write(draft("first owner", metadata={"subject": "s"}))
    b = store.supersede(a.id, draft("second owner"))
    store.link(b.id, "references", a.id)
    store.erase(store.write(draft("secret owner")).id, "gone")
    before = (list(store.backend.standings()), store.backend.edges(), store.search("owner", history=True))
    store.rebuild()
    assert (list(store.backend.standings()), store.backend.edges()) == before[:2]
    assert [hit.engram.id for hit in store.search("owner", history=True)] == [h.engram.id for h in before[2]]
    assert store.verify(full=True).ok


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
