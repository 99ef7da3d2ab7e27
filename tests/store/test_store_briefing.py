"""A briefing says what holds, why, what it replaced, what is open, what contradicts, what is forbidden."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from drafting import INFERENCE, draft, opened

from store import Briefing, Store
from store.errors import AmbiguousId, BadRequest
from store.model import EngramType, Link, Relation


@pytest.fixture
def store(clock) -> Store:
    return opened("memory:", clock)


def ids(items) -> list[str]:
    return [item.engram.id for item in items]


@pytest.mark.conforms("S14", "S15", "P8")
def test_a_topic_is_answered_with_what_holds_why_and_what_it_replaced(store: Store) -> None:
    reason = store.write(draft("Ana asked for the schema twice.", EngramType.OBSERVATION))
    old = store.write(draft("Bo owns the schema."))
    new = store.supersede(
        old.id,
        draft("Ana owns the schema.", links=(Link(relation=Relation.DERIVED_FROM, target=reason.id),)),
    )
    store.write(draft("The harbour closes at six."))
    briefing = store.reason_on("schema")
    assert isinstance(briefing, Briefing)
    assert new.id in ids(briefing.holds)
    assert old.id not in ids(briefing.holds)
    assert ids(briefing.struck) == [old.id]
    text = briefing.text()
    assert "Ana owns the schema. (2026-03-04, operator test)" in text
    assert "because: Ana asked for the schema twice." in text
    assert f"replaces: Bo owns the schema. [{old.id[-8:]}]" in text
    assert "harbour" not in text
    assert "What no longer holds" in text
    assert f"[superseded at 3 by {new.id[-8:]}]" in text


def test_what_is_open_forbidden_and_contradicting_is_in_it(store: Store) -> None:
    goal = store.write(draft("Ship the release by May.", EngramType.OBJECTIVE))
    done = store.write(draft("Hire a tester.", EngramType.OBJECTIVE, metadata={"status": "reached"}))
    question = store.write(draft("Who signs the release?", EngramType.QUESTION))
    rule = store.write(draft("Never deploy on Fridays.", EngramType.PROHIBITION))
    monday = store.write(draft("The release is on Monday."))
    tuesday = store.write(
        draft("The release is on Tuesday.", links=(Link(relation=Relation.CONTRADICTS, target=monday.id),))
    )
    briefing = store.reason_on("release")
    assert set(ids(briefing.open)) == {goal.id, question.id}
    assert ids(briefing.forbidden) == [rule.id]
    assert set(ids(briefing.contradictions)) == {monday.id, tuesday.id}
    assert done.id not in ids(store.reason_on().open)


def test_an_engram_a_class_and_a_time_are_scopes_too(store: Store, clock) -> None:
    a = store.write(draft("Ana owns the schema."))
    b = store.supersede(a.id, draft("Bo owns the schema."))
    note = store.write(draft("It is in Postgres.", EngramType.NOTE))
    store.link(note.id, "part_of", b.id)
    assert set(ids(store.reason_on(a.id[-8:]).holds)) == {b.id, note.id}
    assert ids(store.reason_on(a.id).struck) == [a.id]
    assert ids(store.reason_on("knowledge").holds) == [note.id]
    clock.set(datetime(2026, 5, 1, tzinfo=UTC))
    store.supersede(b.id, draft("Cy owns the schema."))
    assert set(ids(store.reason_on("2026-04-01").holds)) == {b.id, note.id}
    with pytest.raises(AmbiguousId):
        store.reason_on(a.id[:8])


def test_what_changed_since_a_position_is_told(store: Store) -> None:
    a = store.write(draft("Ana owns the schema."))
    position = store.head().seq
    retraction = store.retract(a.id, "she left")
    briefing = store.reason_on(since=position)
    assert ids(briefing.changed) == [retraction.id]
    assert f"retracted: Ana owns the schema. [{a.id[-8:]}]: she left" in briefing.text()
    assert store.reason_on().changed == ()


def test_the_budget_is_kept_and_what_did_not_fit_is_counted(store: Store) -> None:
    store.write_many([draft(f"Fact {i} about the schema and its many owners.") for i in range(100)])
    rule = store.write(draft("Never drop the schema.", EngramType.PROHIBITION))
    briefing = store.reason_on("schema", budget_tokens=200)
    assert len(briefing.text()) < 200 * 4 + 200
    assert ids(briefing.forbidden) == [rule.id], "what is forbidden is never crowded out"
    assert briefing.omitted["holds"] > 0
    assert f"and {briefing.omitted['holds']} more" in briefing.text()
    assert store.reason_on("schema", budget_tokens=0).holds == ()
    with pytest.raises(BadRequest):
        store.reason_on("schema", budget_tokens=-1)


def test_with_little_room_the_nearest_to_the_topic_comes_first_and_rules_leave_half(store: Store) -> None:
    store.write_many([draft(f"Remark {i} on another matter, with the word schema in it.") for i in range(20)])
    old = store.write(draft("The owner of the schema is Bo."))
    store.write_many([draft(f"Later remark {i} that has the schema in passing too.") for i in range(20)])
    new = store.supersede(old.id, draft("Ana has it."))  # found by what it replaced
    near = store.write(draft("Never change the schema owner alone.", EngramType.PROHIBITION))
    store.write_many([draft(f"Never open door number {i}.", EngramType.PROHIBITION) for i in range(100)])
    briefing = store.reason_on("schema owner", budget_tokens=300)
    assert ids(briefing.holds)[0] == new.id
    assert ids(briefing.forbidden)[0] == near.id
    assert briefing.omitted["forbidden"] + len(briefing.forbidden) == 101
    alone = store.reason_on("prohibition", budget_tokens=300)
    assert len(alone.forbidden) > len(briefing.forbidden), (
        "where nothing else is asked for, rules have it all"
    )
    assert "Nothing is known" not in alone.text()
    assert store.reason_on("zebra").text().splitlines()[1] == "Nothing is known about this."


def test_why_something_ended_and_who_contends_is_told(store: Store) -> None:
    old = store.write(draft("Dana reviews the plan."))
    eli = store.supersede(old.id, draft("Eli reviews the plan."))
    fay = store.supersede(old.id, draft("Fay reviews the plan."))
    store.retract(store.write(draft("The plan is in the wiki.")).id, "the wiki was closed")
    kept = store.write(draft("The plan is on paper."))
    store.link(kept.id, "evidence_for", fay.id)
    text = store.reason_on("plan", since=fay.seq).text()
    assert f"[superseded at 2 by {eli.id[-8:]} and {fay.id[-8:]}, contended]" in text
    assert "[retracted at 5: the wiki was closed]" in text
    assert f"linked: The plan is on paper. [{kept.id[-8:]}] evidence_for Fay reviews the plan." in text
    a = store.write(draft("The plan is red."))
    b = store.write(draft("The plan is blue.", links=(Link(relation=Relation.CONTRADICTS, target=a.id),)))
    assert f"against [{b.id[-8:]}]" in store.reason_on("plan red").text()


def test_a_time_shows_the_rules_of_then_and_what_has_ended_since(store: Store, clock) -> None:
    was = store.write(draft("Bo owns the schema."))
    rule = store.write(draft("Never drop the schema.", EngramType.PROHIBITION))
    clock.set(datetime(2026, 5, 1, tzinfo=UTC))
    store.supersede(was.id, draft("Ana owns the schema."))
    store.retract(rule.id, "no longer needed")
    then = store.reason_on("2026-04-01")
    assert (ids(then.holds), ids(then.forbidden)) == ([was.id], [rule.id])
    assert "[superseded at 3 by" in then.text()
    assert store.reason_on("schema").forbidden == ()
    store.write(draft("Never say never.", EngramType.PROHIBITION))
    assert store.reason_on("2025-01-01").forbidden == ()


def test_it_is_one_json_object_and_an_empty_one_says_so(store: Store) -> None:
    assert "Nothing is known" in store.reason_on("anything").text()
    guess = store.write(draft("Ana may own it.", provenance=INFERENCE))
    data = json.loads(json.dumps(store.reason_on("own").json()))
    assert data["holds"][0]["id"] == guess.id
    assert data["holds"][0]["provenance"] == "inference"
    assert set(data) >= {"scope", "position", "holds", "open", "contradictions", "forbidden", "struck"}


def test_raw_turns_are_kept_out_of_it(store: Store) -> None:
    store.write(draft("so who owns the schema then", EngramType.UTTERANCE))
    assert store.reason_on("schema").holds == ()


@pytest.mark.parametrize("scope", ["", "  ", '"', "a\x00b", "deadbeef", "9999-99-99", "é" * 3000])
def test_any_scope_is_answered(store: Store, scope: str) -> None:
    store.write(draft("a claim"))
    assert store.reason_on(scope).text().startswith("Briefing")
