"""What ranking promises, over a corpus in memory and an embedder without a model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest

from store.model import EngramType, Klass
from store.retrieval.fakes import WordEmbedder
from store.retrieval.ports import Float32
from store.retrieval.retriever import Retriever
from store.retrieval.settings import RankSettings
from tests.store.retrieval.corpus import START, MemoryCorpus

NOW = START + timedelta(days=1)


@pytest.fixture(params=["words", "words and vectors"])
def make(request: pytest.FixtureRequest):
    """Build a retriever over a corpus, without an embedder and with one."""

    def build(corpus: MemoryCorpus) -> Retriever:
        if request.param == "words":
            return Retriever(corpus)
        embedder = WordEmbedder()
        corpus.embed(embedder)
        return Retriever(corpus, embedder)

    return build


def found(retriever: Retriever, query: str, **options) -> list[int]:
    return [hit.seq for hit in retriever.rank(query, now=NOW, **options).hits]


def test_the_engram_that_shares_the_words_comes_first(make):
    corpus = MemoryCorpus()
    corpus.add("The dentist is in Harbour Street")
    wanted = corpus.add("Ana moved to Lisbon in spring")
    corpus.add("The train to work is late again")
    assert found(make(corpus), "where did Ana move?")[0] == wanted


@pytest.mark.parametrize(("question", "first"), [("Which car is mine?", 0), ("Tell me who has a car", 1)])
def test_asked_about_oneself_ones_own_claim_comes_first(make, question: str, first: int):
    corpus = MemoryCorpus()
    claims = [
        corpus.add("My car is an old grey Volvo from the north", EngramType.CONCLUSION),
        corpus.add("Ana has a car", EngramType.CONCLUSION),
    ]
    assert found(make(corpus), question)[0] == claims[first]


@pytest.mark.conforms("P5")
def test_a_prohibition_is_never_in_a_ranked_list(make):
    corpus = MemoryCorpus()
    corpus.add("Never deploy on Fridays", EngramType.PROHIBITION)
    corpus.add("We deploy from the main branch", EngramType.CONCLUSION)
    retriever = make(corpus)
    every = set(Klass)
    assert found(retriever, "deploy Fridays", classes=every, history=True) == [2]


@pytest.mark.conforms("P9")
@pytest.mark.parametrize("question", ["What are my goals?", "Welche Ziele habe ich?", "¿Qué metas tengo?"])
def test_a_question_that_names_goals_finds_those_that_share_no_word_with_it(question: str):
    corpus = MemoryCorpus()
    pursued = [
        corpus.add("I'm trying to get my Welsh up to B1 by the Eisteddfod", EngramType.OBJECTIVE),
        corpus.add("6500 for the boat engine by September", EngramType.OBJECTIVE),
    ]
    given_up = corpus.add("I want to run a marathon", EngramType.OBJECTIVE)
    corpus.end(given_up)
    for number in range(150):
        corpus.add(f"Ships of row {number} came late", EngramType.CONCLUSION)
    hits = found(Retriever(corpus), question, limit=5)
    assert set(hits[:2]) == set(pursued)
    assert given_up not in hits


def test_what_only_has_the_name_of_a_class_among_its_words_comes_behind_the_class():
    corpus = MemoryCorpus()
    pursued = corpus.add("6500 for the boat engine by September", EngramType.OBJECTIVE)
    for number in range(150):
        corpus.add(f"The goals of team {number} came late", EngramType.CONCLUSION)
    assert found(Retriever(corpus), "What are my goals?", limit=5)[0] == pursued


@pytest.mark.conforms("P9")
def test_only_the_classes_an_operation_asks_for_are_searched(make):
    corpus = MemoryCorpus()
    corpus.add("The budget limit is 400 euros", EngramType.PASSAGE)
    decided = corpus.add("The budget limit is 500 euros", EngramType.DECISION)
    assert found(make(corpus), "budget limit", classes={Klass.CONCLUSION}) == [decided]


def test_a_rare_class_is_not_starved_by_a_common_one(make):
    corpus = MemoryCorpus()
    for number in range(600):
        corpus.add(f"The harbour report number {number}", EngramType.PASSAGE)
    decided = corpus.add("The harbour report comes out monthly, this time late", EngramType.DECISION)
    assert found(make(corpus), "harbour report", classes={Klass.CONCLUSION}) == [decided]


def test_what_no_longer_holds_is_found_only_when_history_is_asked_for(make):
    corpus = MemoryCorpus()
    old = corpus.add("Ana lives in Porto")
    before = len(corpus.entries)
    new = corpus.add("Ana lives in Lisbon")
    corpus.end(old)
    retriever = make(corpus)
    assert found(retriever, "Ana lives") == [new]
    assert set(found(retriever, "Ana lives", history=True)) == {old, new}
    assert found(retriever, "Ana lives", as_of=before) == [old]


def test_one_live_engram_is_found_beside_sixty_superseded_versions(make):
    corpus = MemoryCorpus()
    for number in range(60):
        corpus.end(corpus.add(f"The invoice total is {number} euros"))
    live = corpus.add("The invoice total is 60 euros")
    assert found(make(corpus), "invoice total euros", limit=3) == [live]


def test_the_same_words_said_twice_are_one_hit_that_names_both(make):
    corpus = MemoryCorpus()
    corpus.add("Ana likes green tea")
    corpus.add("Ana likes  green tea!")
    hits = make(corpus).rank("green tea", now=NOW).hits
    assert len(hits) == 1
    assert {hits[0].seq, *hits[0].duplicates} == {1, 2}


def test_the_reasons_of_a_rank_add_up_to_its_score(make):
    corpus = MemoryCorpus()
    corpus.add("Ana likes green tea")
    hit = make(corpus).rank("tea", now=NOW).hits[0]
    assert sum(hit.reasons.values()) == pytest.approx(hit.score)


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        "?!",
        '" OR (NEAR/2',
        "a" * 1_000_000,
        "tea AND NOT",
        "'; DROP TABLE terms; --",
        "\u200f\u202e",
        "*",
    ],
)
def test_any_text_is_a_question_that_is_answered_without_an_error(make, query):
    corpus = MemoryCorpus()
    corpus.add("Ana likes green tea")
    assert len(found(make(corpus), query)) <= 1


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The café opens at 9", "cafe\u0301 open"),
        ("我住在奥斯陆", "奥斯陆"),
        ("渋谷で会いましょう", "渋谷"),
        ("אני גר בחיפה", "חיפה? אני"),
        ("Das Haus hat große Fenster", "Häuser Fenster"),
        ("Party 🎉 on Saturday", "🎉"),
        ("Path is src/app/main.py", "main.py"),
        ("Bob's boat's called Étoile", "Bob’s ETOILE"),
        ("यह मेरा घर है", "घर"),
    ],
)
def test_words_of_any_script_are_found(make, said, asked):
    corpus = MemoryCorpus()
    corpus.add("Something else entirely")
    wanted = corpus.add(said)
    assert found(make(corpus), asked)[0] == wanted


@pytest.mark.conforms("P10")
def test_a_link_brings_to_mind_what_shares_no_word_with_the_question(make):
    corpus = MemoryCorpus()
    asked = corpus.add("The migration of the billing service is planned for spring")
    for number in range(20):
        corpus.add(f"Minutes of meeting {number} were filed away")
    rule = corpus.add("Every change above 400 euros needs two signatures", EngramType.PASSAGE)
    corpus.linked.append((asked, rule, 0.9))
    hits = make(corpus).rank("billing migration", now=NOW, limit=3).hits
    assert [hit.seq for hit in hits][:2] == [asked, rule]
    assert hits[1].reasons["links"] > 0


def test_a_linked_engram_that_no_longer_holds_stays_out(make):
    corpus = MemoryCorpus()
    asked = corpus.add("The migration of the billing service is planned for spring")
    rule = corpus.add("Every change needs two signatures", EngramType.PASSAGE)
    corpus.linked.append((asked, rule, 0.9))
    corpus.end(rule)
    assert found(make(corpus), "billing migration") == [asked]


def test_the_turn_beside_the_one_that_shares_the_words_is_found_with_it(make, request):
    if "vectors" not in request.node.name:
        pytest.skip("neighbours are found through the vectors")
    corpus = MemoryCorpus()
    for number in range(30):
        corpus.add(f"Talk of other things {number}", EngramType.UTTERANCE, speaker="Ana", session="a")
    corpus.add("Which city did Ben move to?", EngramType.UTTERANCE, speaker="Ana", session="b")
    answer = corpus.add("Lisbon.", EngramType.UTTERANCE, speaker="Ben", session="b")
    for number in range(30):
        corpus.add(f"More talk {number}", EngramType.UTTERANCE, speaker="Ana", session="c")
    assert answer in found(make(corpus), "Which city did Ben move to?", limit=3)


def test_an_answer_comes_before_the_question_it_answers_unless_the_partner_gave_it(make, request):
    if "vectors" not in request.node.name:
        pytest.skip("neighbours are found through the vectors")
    corpus = MemoryCorpus()
    for name, one, other in (("a", "Ben", "Ana"), ("b", "operator", "partner")):
        corpus.add("Which city did the old captain move to?", EngramType.UTTERANCE, speaker=one, session=name)
        corpus.add("To Lisbon, if you ask me.", EngramType.UTTERANCE, speaker=other, session=name)
    reasons = {
        hit.seq: hit.reasons for hit in make(corpus).rank("city the old captain moved to", now=NOW).hits
    }
    assert reasons[2]["reply"] > 0
    assert "reply" not in reasons.get(4, {})
    assert not any("reply" in reasons.get(asks, {}) for asks in (1, 3))


@pytest.mark.parametrize(
    ("question", "first"),
    [("What did I say about tea?", "operator"), ("What did you recommend about tea?", "partner")],
)
def test_whose_words_are_asked_for_decides_between_operator_and_partner(make, question, first):
    corpus = MemoryCorpus()
    said = {
        speaker: corpus.add("Tea is better than coffee" + end, EngramType.UTTERANCE, speaker=speaker)
        for speaker, end in (("operator", "."), ("partner", ", always."))
    }
    assert found(make(corpus), question)[0] == said[first]


def test_use_lifts_an_engram_among_equals_and_never_hides_the_others(make):
    corpus = MemoryCorpus()
    for colour in ("red", "green", "blue"):
        corpus.add(f"The {colour} folder holds invoices", at=START)
    corpus.used[3] = [NOW.timestamp() - 60.0]
    assert found(make(corpus), "folder invoices")[0] == 3
    assert set(found(make(corpus), "folder invoices")) == {1, 2, 3}


@pytest.mark.parametrize(
    ("question", "klass"),
    [
        ("What does the handbook say about leave?", Klass.KNOWLEDGE),
        ("Was haben wir beschlossen?", Klass.CONCLUSION),
        ("What did I tell you about Ana?", Klass.OBSERVATION),
    ],
)
def test_the_router_prefers_a_class_and_says_why(make, question, klass):
    corpus = MemoryCorpus()
    corpus.add("Ana is on leave, we decided in the handbook")
    ranking = make(corpus).rank(question, now=NOW)
    assert ranking.classes[0] == klass
    assert klass in ranking.route


def test_a_claim_stands_for_the_utterance_with_the_same_words(make):
    corpus = MemoryCorpus()
    corpus.add("Ana likes green tea", type=EngramType.UTTERANCE)
    claim = corpus.add("Ana likes green tea", type=EngramType.CONCLUSION)
    corpus.add("Ana likes green tea", type=EngramType.UTTERANCE)
    (hit,) = make(corpus).rank("green tea", now=NOW).hits
    assert hit.seq == claim


def test_a_turn_whose_only_claim_was_superseded_is_out_until_history_is_asked_for(make):
    corpus = MemoryCorpus()
    said = corpus.add("I live in Porto", EngramType.UTTERANCE, speaker="operator")
    claim = corpus.add("The operator lives in Porto")
    corpus.made_of.append((claim, said))
    before = len(corpus.entries)
    corpus.end(claim)
    now_holds = corpus.add("The operator lives in Lisbon")
    retriever = make(corpus)
    assert found(retriever, "Where do I live?") == [now_holds]
    assert said in found(retriever, "Where do I live?", history=True)
    assert said in found(retriever, "Where do I live?", as_of=before)


def test_a_turn_that_lost_one_of_two_claims_stays_and_says_so(make):
    corpus = MemoryCorpus()
    said = corpus.add("I live in Porto and my sister is Eva", EngramType.UTTERANCE, speaker="operator")
    for content in ("The operator lives in Porto", "The operator's sister is Eva"):
        corpus.made_of.append((corpus.add(content), said))
    corpus.end(said + 1)
    hit = next(hit for hit in make(corpus).rank("my sister Eva", now=NOW).hits if hit.seq == said)
    assert hit.reasons["outdated"] < 0


class LikesLisbon:
    """A cross-encoder that wants one word."""

    model = "likes Lisbon"

    def __init__(self) -> None:
        self.read: list[str] = []

    def score(self, query: str, texts: Sequence[str]) -> Float32:
        self.read += texts
        return np.array(["Lisbon" in text for text in texts], np.float32)


def test_a_cross_encoder_reorders_the_best_and_no_other():
    corpus = MemoryCorpus()
    for number in range(40):
        corpus.add(f"Ana moved house in spring of year {number}")
    wanted = corpus.add("Ana moved to Lisbon in some other spring, year 5 it was, a long time ago")
    before = Retriever(corpus).rank("Ana moved house in spring of year 5", now=NOW, limit=41)
    judge = LikesLisbon()
    settings = RankSettings(reranked=41, weight_reranker=5.0)
    after = Retriever(corpus, settings=settings, reranker=judge).rank(
        "Ana moved house in spring of year 5", now=NOW, limit=41
    )
    assert before.hits[0].seq != wanted
    assert after.hits[0].seq == wanted
    assert after.hits[0].reasons["reranker"] == pytest.approx(5.0)
    judge = LikesLisbon()
    settings = RankSettings(reranked=3, weight_reranker=5.0)
    Retriever(corpus, settings=settings, reranker=judge).rank("Ana moved", now=NOW, limit=41)
    assert len(judge.read) == 3


@pytest.mark.parametrize(("speaker", "first"), [("operator", "owns"), ("Ben", "late")])
def test_a_question_put_to_the_partner_does_not_lift_what_was_said_next_to_it(speaker, first):
    """Between people the answer is the next turn; what is put to the partner would only match itself."""
    corpus = MemoryCorpus()
    utterance = EngramType.UTTERANCE
    corpus.add("Ana owns the big schema today", utterance, speaker=speaker, session="older")
    corpus.add("Who owns the schema?", utterance, speaker=speaker, session="talk")
    corpus.add("The train is late again", utterance, speaker=speaker, session="talk")
    embedder = WordEmbedder()
    corpus.embed(embedder)
    hits = Retriever(corpus, embedder).rank("Who owns the schema?", now=NOW).hits
    said = [corpus.entries[hit.seq].content for hit in hits if "?" not in corpus.entries[hit.seq].content]
    assert first in said[0]
