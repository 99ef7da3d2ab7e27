"""What is recalled in the whole product: what holds, from the class that is meant, with why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner.context import Limits, gather, with_figures_first
from partner.errors import UsageError
from partner.events import Replied
from partner.history import said_before
from partner.operations import Partner
from store.model import EngramType, Klass
from store.retrieval.fakes import WordEmbedder

VERSIONS = 60 if os.environ.get("STORE_TEST_FULL") else 12  # turns through the whole product


@pytest.fixture
def partner(unaided: Partner) -> Partner:
    return unaided


def say(partner: Partner, *lines: str) -> None:
    for line in lines:
        list(partner.turn(line))


@pytest.mark.conforms("P8")
def test_of_many_values_said_one_after_another_only_the_last_is_recalled(partner: Partner) -> None:
    say(partner, "The cat is called Minka.")
    say(partner, *(f"The office is on floor {floor} now." for floor in range(VERSIONS + 1)))
    hits = partner.recall("Which floor is the office on?", limit=20)
    assert f"floor {VERSIONS}" in " ".join(hit.engram.content for hit in hits[:3])
    told = [hit.engram.content for hit in hits if "office" in hit.engram.content]
    assert told
    assert all(f"floor {VERSIONS}" in content for content in told)
    past = partner.recall("Which floor was the office on?", limit=80, history=True)
    assert sum("floor" in hit.engram.content and not hit.holds for hit in past) >= VERSIONS


@pytest.mark.conforms("P4")
def test_dispositions_and_open_objectives_are_in_every_context_and_no_rule_is(
    partner: Partner,
) -> None:
    say(partner, "I prefer answers in short sentences.", "My goal is to finish the boat by June.")
    say(partner, "Never share the drawings of the boat.", "Ana owns the schema now.")
    limits = Limits(budget_tokens=1500, reply_tokens=200, retrieved=12, last_turns=4)
    for question in ("Who owns the schema?", "What about the drawings of the boat?", "?", "Tell me a joke."):
        parts = gather(partner.store, question, limits)
        assert [e.type for e in parts.dispositions] == [EngramType.DISPOSITION]
        assert ["boat" in e.content for e in parts.objectives] == [True]
        given = (*parts.dispositions, *parts.objectives, *parts.bearing)
        assert all(e.klass is not Klass.PROHIBITION for e in given)


def test_of_what_was_never_said_nothing_counts_as_near_and_the_partner_says_so(partner: Partner) -> None:
    partner.store.use_embedder(WordEmbedder())
    say(partner, "The rent is 1,240 EUR a month.", "Ana owns the schema now.", "Our dentist is in Lyon.")
    while partner.store.embed_missing():
        pass
    limits = Limits(budget_tokens=1500, reply_tokens=200, retrieved=12, last_turns=4)
    near = gather(partner.store, "Who owns the schema?", limits).near
    assert [e.content for e in near if e.klass is Klass.CONCLUSION] == ["Ana owns the schema now."]
    parts = gather(partner.store, "Which bicycle has flat tyres?", limits)
    assert parts.bearing
    assert parts.near == ()
    (reply,) = [e for e in partner.turn("Which bicycle has flat tyres?") if isinstance(e, Replied)]
    assert reply.text.startswith("Nothing I remember bears on this.")


def test_a_recall_says_which_class_it_searched_first_and_why(partner: Partner) -> None:
    say(partner, "We decided to drop the Postgres migration.")
    (hit, *_) = partner.recall("What did we decide about the migration?")
    assert "it asks what was decided: conclusion first" in hit.route
    assert hit.reasons["route"] > 0


SAID = (
    "The boss's password hint is O'Brien's boat.",
    'The sign says "no entry" on both doors.',
    "The logs are in /var/log/app and in C:\\temp\\logs.",
    "Ana wants the report NEAR the window AND NOT by mail.",
    "The cafe\u0301 in the old town opens at nine.",
    "The 🎷 player comes on Saturdays.",
    "会議は三階の会議室で行われます。",
    "הפגישה היא בחיפה ביום שלישי.",
    "The column is called foo_bar* and costs 5%.",
)
ASKED = (
    ("O'Brien's boat", 0),
    ('what does the "no entry" sign say', 1),
    ("/var/log/app", 2),
    ("C:\\temp\\logs", 2),
    ("report NEAR window AND NOT mail", 3),
    ("caf\u00e9", 4),
    ("🎷", 5),
    ("会議室", 6),
    ("חיפה", 7),
    ("foo_bar*", 8),
    ("5%", 8),
)


@pytest.mark.parametrize("embedded", [False, True], ids=["words", "meaning"])
def test_text_of_the_world_is_found_as_it_was_written(
    partner: Partner, models_dir: Path, embedded: bool
) -> None:
    from router import LlamaEmbedder
    from router.models import locate
    from store.model import Draft, Provenance, ProvenanceKind

    provenance = Provenance(kind=ProvenanceKind.OPERATOR)
    drafts = [Draft(type=EngramType.OBSERVATION, content=text, provenance=provenance) for text in SAID]
    written = partner.store.write_many(drafts)
    embedder = LlamaEmbedder(locate(models_dir, "all-minilm-l6-v2")) if embedded else None
    partner.store.use_embedder(embedder)
    while partner.store.embed_missing():
        pass
    for question, wanted in ASKED:
        assert partner.recall(question, limit=3)[0].engram.id == written[wanted].id, question
    for question in ("", " \n"):
        with pytest.raises(UsageError, match="empty"):
            partner.recall(question)
    for question in ("\u200f\u202e", "\x00", "*", '" OR ""', "(" * 200, "NOT", "AND OR"):
        assert isinstance(partner.recall(question, limit=3), list)
    haystack = "Nothing to see here. " * 50_000
    for question in (f"O'Brien's boat? {haystack}", f"{haystack} O'Brien's boat?"):
        hits = partner.recall(question, limit=3)
        assert written[0].id in [hit.engram.id for hit in hits]
        assert "half at either end" in hits[0].route
    if embedder is not None:
        embedder.close()


def test_what_was_typed_comes_back_newest_first_without_secrets_and_what_was_erased(partner: Partner) -> None:
    say(
        partner, "The lamp is in the hall.", "The wifi password is Qz81-mVt4-Hh27.", "The van is in the yard."
    )
    say(partner, "Where is the lamp?", "Where is the lamp?", "x " * 3_000)
    (van,) = [e for e in partner.store.current(type=EngramType.UTTERANCE) if "van" in e.content]
    partner.erase(van.id, "wrong")
    question, secret, first = said_before(partner.store)
    assert (question, first) == ("Where is the lamp?", "The lamp is in the hall.")
    assert "password" in secret
    assert "Qz81" not in secret


def test_a_claim_is_found_by_the_words_of_its_turn_however_few_are_asked_for(partner: Partner) -> None:
    say(
        partner,
        "For what you write to me: I like plain sentences and the conclusion up front.",
        "A good name.",
    )
    say(partner, "The foal is going to be called Pepper, that's final.")
    (found,) = partner.recall("Where do I want the conclusion in what you write to me?", limit=1)
    assert found.engram.content == "I like plain sentences and the conclusion up front."
    (named,) = partner.recall("What is the foal's name?", limit=1)
    assert named.engram.content == "The foal is going to be called Pepper."
    say(partner, "Never mention the conclusion in what you write to Ann.")
    assert all(
        hit.engram.type is not EngramType.PROHIBITION for hit in partner.recall("the conclusion to Ann")
    )


@pytest.mark.parametrize(
    "asked",
    ["How long is the warranty on the saw?", "how long is the warranty on the saw", "call Els about the saw"],
)
def test_a_question_or_an_order_said_before_is_no_memory_beside_what_was_stated(
    partner: Partner, asked: str
) -> None:
    say(partner, "The warranty on the saw is 36 months.", asked, "Weather's been odd for the saw lately, hm")
    recalled = [hit.engram.content for hit in partner.recall("how long is the warranty on the saw", limit=5)]
    assert recalled[0] == "The warranty on the saw is 36 months."
    assert asked not in recalled


def test_an_order_is_recalled_where_nothing_else_speaks_of_it(partner: Partner) -> None:
    say(partner, "call Els about the saw")
    assert [hit.engram.content for hit in partner.recall("Els saw", limit=5)] == ["call Els about the saw"]


def test_what_has_the_figure_that_is_asked_for_stands_before_what_has_another(partner: Partner) -> None:
    say(partner, "Flat 4 is let to Denise.", "The carpet in the hall is new.", "Flat 3 is let to Marcus.")
    claims = partner.store.current(klass=Klass.CONCLUSION, newest_first=False)
    asked = [e.content for e in with_figures_first("Who lives in flat 3?", claims)]
    assert asked == ["Flat 3 is let to Marcus.", "Flat 4 is let to Denise.", "The carpet in the hall is new."]
    assert with_figures_first("Who lives upstairs?", claims) == tuple(claims)
