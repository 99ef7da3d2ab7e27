"""Retrieval through a real store: classes, supersession, links, and that reading writes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from store import Store, open_store
from store.model import Draft, EngramType, Klass, Link, Provenance, ProvenanceKind, Relation
from store.retrieval.fakes import WordEmbedder

START = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
THINGS = ("harbour", "kitchen", "garden", "library", "workshop", "station", "bakery", "cinema")
FILLER = (EngramType.UTTERANCE, EngramType.OBSERVATION, EngramType.PASSAGE, EngramType.DECISION)


def draft(content: str, kind: EngramType = EngramType.OBSERVATION, **fields) -> Draft:
    source = fields.pop("provenance", ProvenanceKind.OPERATOR)
    return Draft(type=kind, content=content, provenance=Provenance(kind=source), **fields)


@pytest.fixture(params=["words", "vectors"])
def store(request, tmp_path: Path):
    minutes = count()
    with open_store(
        tmp_path / "s.partner", clock=lambda: START + timedelta(minutes=next(minutes)), author="me"
    ) as opened:
        if request.param == "vectors":
            opened.use_embedder(WordEmbedder(), index_dir=tmp_path / "index")
        yield opened


def fill(store: Store, *drafts: Draft) -> list[str]:
    ids = [engram.id for engram in store.write_many(list(drafts))]
    while store.embed_missing(256):
        pass
    return ids


def filler(number: int) -> list[Draft]:
    return [
        draft(f"Note {n} about the {THINGS[n % 8]} and matter {n * 7 % 101}", FILLER[n % 4])
        for n in range(number)
    ]


def found(store: Store, query: str, **options) -> list[str]:
    return [hit.engram.id for hit in store.search(query, **options)]


@pytest.mark.conforms("P9")
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does the handbook say about the travel allowance?", EngramType.PASSAGE),
        ("According to the contract, how high is the travel allowance?", EngramType.PASSAGE),
        ("What did we decide about the travel allowance?", EngramType.DECISION),
        ("Why did we change the travel allowance?", EngramType.DECISION),
        ("What did I say about the travel allowance?", EngramType.UTTERANCE),
        ("Have I told you about the travel allowance?", EngramType.UTTERANCE),
    ],
)
def test_a_question_is_answered_from_the_class_it_names(store, question, kind):
    said = {
        EngramType.PASSAGE: "The travel allowance is 40 euros a day, the handbook has it so",
        EngramType.DECISION: "The travel allowance goes up to 45 euros a day",
        EngramType.UTTERANCE: "The travel allowance feels low to me",
    }
    texts = [draft(text, type_) for type_, text in said.items()]
    fill(store, *filler(400), *texts)
    hits = store.search(question, limit=3)
    assert hits[0].engram.type is kind
    assert hits[0].route


@pytest.mark.conforms("P10")
def test_a_rule_in_one_document_surfaces_in_another_projects_question(store):
    rule, *_ = fill(
        store,
        draft("Any purchase above 400 euros needs a second signature", EngramType.PASSAGE),
        draft("Project Heron buys a camera", EngramType.DECISION),
        *filler(300),
    )
    assert rule in found(store, "May project Heron make a purchase of 600 euros?", limit=3)


@pytest.mark.conforms("P5")
def test_no_prohibition_is_in_any_ranked_list(store):
    fill(store, draft("Never share the salary list", EngramType.PROHIBITION), *filler(20))
    for options in ({}, {"history": True}, {"classes": list(Klass)}):
        hits = store.search("share the salary list", **options)
        assert all(hit.engram.klass is not Klass.PROHIBITION for hit in hits)


@pytest.mark.conforms("P8")
def test_among_sixty_superseded_versions_only_the_live_one_is_found(store):
    (current,) = fill(store, draft("The server has address 10.0.0.0"))
    for number in range(1, 61):
        current = store.supersede(current, draft(f"The server has address 10.0.0.{number}")).id
    fill(store, *filler(100))
    hits = found(store, "Which address does the server have?", limit=10)
    assert current in hits[:3]
    contents = [store.read(i).content for i in hits]
    assert [text for text in contents if "address" in text] == ["The server has address 10.0.0.60"]


def test_what_was_said_goes_out_with_the_claim_that_was_retracted(store):
    (said,) = fill(store, draft("My locker code is blue seven", EngramType.UTTERANCE))
    (claim,) = fill(
        store,
        draft("The locker code is blue seven", links=(Link(relation=Relation.DERIVED_FROM, target=said),)),
    )
    fill(store, *filler(40))
    assert {said, claim} & set(found(store, "What is my locker code?", limit=5))
    store.retract(claim)
    assert not {said, claim} & set(found(store, "What is my locker code?", limit=40))
    assert said in found(store, "What is my locker code?", limit=5, history=True)


@pytest.mark.conforms("E20")
def test_engrams_used_together_bring_each_other_to_mind_more_strongly(store):
    plan, budget = fill(
        store,
        draft("The Heron migration starts in spring", EngramType.DECISION),
        draft("Four hundred euros are left", EngramType.DECISION),
    )
    fill(store, *filler(100))
    store.link(plan, Relation.RELATES_TO, budget)

    def pull() -> float:
        hits = store.search("When does the Heron migration start?", limit=30)
        return next(hit.reasons.get("links", 0.0) for hit in hits if hit.engram.id == budget)

    before = pull()
    for day in range(1, 6):
        store.reinforce([plan, budget], START + timedelta(days=day))
    assert pull() > before > 0


def test_a_claim_and_the_turn_it_was_formed_from_do_not_lift_each_other(store):
    (said,) = fill(store, draft("The Heron migration starts in spring, so I am told", EngramType.UTTERANCE))
    source = Link(relation=Relation.DERIVED_FROM, target=said)
    (claim,) = fill(store, draft("The Heron migration starts in spring", links=(source,)))
    fill(store, *filler(60))
    hits = {hit.engram.id: hit.reasons for hit in store.search("When does the Heron migration start?")}
    assert not any("links" in hits[key] for key in (said, claim))


@pytest.mark.parametrize("also", [False, True])
def test_a_turn_that_set_a_prohibition_is_found_and_not_outdated(store, also):
    (said,) = fill(store, draft("Never mail the Heron tender, Ana is away", EngramType.UTTERANCE))
    source = Link(relation=Relation.DERIVED_FROM, target=said)
    (rule,) = fill(store, draft("Never mail the Heron tender", EngramType.PROHIBITION, links=(source,)))
    if also:
        fill(store, draft("Ana is away", links=(source,)))
    fill(store, *filler(60))
    hits = {hit.engram.id: hit.reasons for hit in store.search("What did I say about the Heron tender?")}
    assert "outdated" not in hits[said]
    assert rule not in hits
    fill(store, draft("The rule is off", links=(Link(relation=Relation.SUPERSEDES, target=rule),)))
    hits = {hit.engram.id: hit.reasons for hit in store.search("What did I say about the Heron tender?")}
    assert hits[said]["outdated"] < 0 if also else said not in hits


@pytest.mark.conforms("E11")
def test_searching_changes_no_byte_of_the_store_or_its_index(store, tmp_path):
    fill(store, *filler(120))
    store.publish_index()

    def picture() -> dict[str, bytes]:
        return {
            str(path): path.read_bytes()
            for path in tmp_path.rglob("*")
            if path.is_file() and not path.name.endswith("-shm")
        }

    store.search("warm up")
    before = picture()
    for number in range(100):
        store.search(f"the {THINGS[number % 8]} and matter {number}")
    assert picture() == before


def test_an_erased_engram_is_found_neither_by_words_nor_by_meaning(store, tmp_path):
    (secret,) = fill(store, draft("The safe opens with marigold"))
    fill(store, *filler(60))
    store.publish_index()
    assert secret in found(store, "marigold safe")
    store.erase(secret, "a secret")
    assert secret not in found(store, "marigold safe", history=True)
