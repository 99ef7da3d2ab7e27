"""What every backend promises about links, superseding and contradiction: which claim holds."""

from __future__ import annotations

import pytest
from drafting import DOCUMENT, INFERENCE, contents, draft

from store import Store
from store.errors import BadRequest, NotAuthorised
from store.model import (
    EngramType,
    Link,
    Provenance,
    Relation,
)

conforms = pytest.mark.conforms


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


@conforms("S16")
def test_a_reasoning_trace_is_an_entry_linked_to_what_it_led_to(store: Store) -> None:
    trace = store.write(draft("Ana asked twice, so the schema is hers.", EngramType.TRACE))
    conclusion = store.write(
        draft("Ana owns it.", links=(Link(relation=Relation.DERIVED_FROM, target=trace.id),))
    )
    assert [edge.dst for edge in store.edges(conclusion.id, "derived_from")] == [trace.id]
