"""What every backend promises about questions: what holds, what held, words, vectors, uses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import partial

import pytest
from drafting import contents, draft

from store import Store
from store.errors import BadRequest
from store.model import (
    EngramType,
    Klass,
)
from store.port import Selection

conforms = pytest.mark.conforms


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


@pytest.mark.parametrize("newest_first", [True, False])
@pytest.mark.parametrize("asked", ["now", "position", "instant"])
def test_a_limit_cuts_several_classes_or_types_as_one_sequence(
    store: Store, asked: str, newest_first: bool
) -> None:
    """However they are read: the first of all of them together, in the order of the log."""
    kinds = (EngramType.DECISION, EngramType.NOTE, EngramType.QUESTION, EngramType.REVIEW)
    about = {"subject": "the schema"}
    whole = store.write_many([draft(f"claim {i}", kinds[i * 7 % 5 % 4], metadata=about) for i in range(24)])
    store.supersede(whole[20].id, draft("claim 20, again", kinds[0], metadata=about))
    store.retract(whole[3].id)
    moment = {"now": None, "position": whole[-1].seq, "instant": whole[-1].created_at}[asked]
    ask = store.current if moment is None else partial(store.as_of, moment)
    order = list(ask())[::-1] if not newest_first else list(ask())
    for classes in (
        (Klass.CONCLUSION, Klass.KNOWLEDGE),
        (Klass.OBJECTIVE, Klass.CONCLUSION, Klass.OBJECTIVE),
    ):
        expected = [e for e in order if e.klass in classes]
        assert ask(klass=classes, limit=5, newest_first=newest_first) == expected[:5]
        assert ask(klass=classes, newest_first=newest_first) == expected
    for types in ((kinds[0], kinds[1]), (kinds[2], kinds[3], EngramType.SPEC)):
        expected = [e for e in order if e.type in types]
        assert ask(type=types, limit=5, newest_first=newest_first) == expected[:5]
    assert ask(subject="the schema", limit=5, newest_first=newest_first) == order[:5]
    both = [e for e in order if e.type is kinds[0]]
    assert ask(type=kinds[:2], klass=Klass.CONCLUSION, limit=5, newest_first=newest_first) == both[:5]


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


@conforms("S14", "S15")
def test_a_briefing_keeps_what_holds_apart_from_what_is_struck_and_says_who_said_it(store: Store) -> None:
    old = store.write(draft("Bo owns the schema."))
    new = store.supersede(old.id, draft("Ana owns the schema."))
    rule = store.write(draft("Never drop the schema.", EngramType.PROHIBITION))
    briefing = store.reason_on("schema")
    assert [item.engram for item in briefing.holds] == [new]
    assert [item.engram for item in briefing.struck] == [old]
    assert [item.engram for item in briefing.forbidden] == [rule]
    assert {item.engram.author for item in (*briefing.holds, *briefing.struck)} == {"operator"}
    told = briefing.json()
    assert told["holds"][0]["author"] == "operator"
    assert told["struck"][0]["content"] == "Bo owns the schema."


def test_how_common_a_word_is_is_counted_up_to_a_cap(store: Store) -> None:
    for text in ("The kiln is hot", "The kiln is cold", "A kiln and a wheel"):
        store.write(draft(text))
    assert store.backend.frequencies(["kiln", "wheel", "boat"], 10) == [3, 1, 0]
    assert store.backend.frequencies(["kiln"], 2) == [2]


def test_words_find_the_few_of_a_class_behind_many_of_another_that_match_better(store: Store) -> None:
    store.write_many([draft(f"kiln kiln {n}", EngramType.OBSERVATION) for n in range(20)])
    few = store.write_many([draft("A kiln is hot by the evening"), draft("A kiln is never hot at noon")])
    wanted = Selection(klasses=(Klass.CONCLUSION,), limit=2)
    assert [seq for seq, _ in store.backend.lexical('"kiln"', wanted)] == [few[1].seq, few[0].seq]
    store.retract(few[0].id)
    assert [seq for seq, _ in store.backend.lexical('"kiln"', wanted)] == [few[1].seq]
