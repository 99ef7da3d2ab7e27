"""A question in one language finds what was written in another; in a store of one nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest

from store.errors import BadRequest
from store.model import EngramType
from store.retrieval.across import Across, language_of, lexicon, read_lexicon
from store.retrieval.fakes import WordEmbedder
from store.retrieval.language import LANGUAGES, STOP_WORDS, likely, stem
from store.retrieval.retriever import Retriever
from store.retrieval.scoring import Similarities, near
from store.retrieval.settings import RankSettings
from store.retrieval.text import index_terms, query_terms
from tests.store.retrieval.corpus import START, MemoryCorpus

NOW = START + timedelta(days=1)
ENGLISH = (
    "The tenant and the dog were here", "Our dentist was late again", "The spare key is with Mrs Adebayo",
    "The plumber was with my sister and left the bill", "We have a new roof and the paint was cheap",
    "Ben was at the station with the tickets",
)  # fmt: skip
GERMAN = (
    "Meine Schwester wohnt nicht in Bremen", "Der Termin beim Zahnarzt ist auf den 14. Mai verlegt",
    "Wir haben eine Katze und einen Hund",
)  # fmt: skip


class Counting:
    """How often words are counted in a store whose texts have just these terms."""

    def __init__(self, *texts: str) -> None:
        self.asked = 0
        self._bags = [set(index_terms(text).split()) for text in texts]

    def __call__(self, terms: Sequence[str], cap: int) -> list[int]:
        self.asked += 1
        return [min(cap, sum(term in bag for bag in self._bags)) for term in terms]


def ranked(query: str, texts: Sequence[str], *, vectors: bool = False) -> tuple[list[str], str]:
    corpus = MemoryCorpus()
    for text in texts:
        corpus.add(text, EngramType.CONCLUSION)
    embedder = WordEmbedder() if vectors else None
    if embedder is not None:
        corpus.embed(embedder)
    ranking = Retriever(corpus, embedder).rank(query, now=NOW, limit=10)
    return [corpus.entries[hit.seq].content for hit in ranking.hits], ranking.route


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Wer hat den Ersatzschlüssel?", ENGLISH[2]),
        ("Quand vient notre dentiste ?", ENGLISH[1]),
        ("¿Cuánto costó la pintura del tejado?", ENGLISH[4]),
        ("Quanto costa l'idraulico?", ENGLISH[3]),
        ("Onde está o cão?", ENGLISH[0]),
        ("When is my dentist appointment?", GERMAN[1]),
        ("Où habite ma sœur ?", GERMAN[0]),
    ],
)
def test_a_question_in_one_language_finds_what_was_written_in_another(query, text, vectors):
    texts = ENGLISH if text in ENGLISH else GERMAN
    found, route = ranked(query, texts, vectors=vectors)
    assert found[0] == text
    assert "also asked in" in route


def test_in_a_store_of_the_questions_language_nothing_is_put_otherwise_and_words_are_counted_once():
    counting = Counting(*ENGLISH)
    across = Across(counting)
    for query in ("Where is the spare key?", "Who was at the station?", "key", "Adebayo"):
        assert across.put(query, len(ENGLISH)) == []
    assert counting.asked == 1
    assert "also" not in ranked("Where is the spare key?", ENGLISH, vectors=True)[1]


def test_one_text_in_a_hundred_makes_a_language_and_fewer_do_not():
    filler = ENGLISH * 50
    assert Across(Counting(*filler, GERMAN[0])).put("Where does my sister live?", 301) == []
    (put,) = Across(Counting(*filler, *[GERMAN[0]] * 3)).put("Where does my sister live?", 303)
    assert put.language == "de"


@pytest.mark.parametrize(("german", "texts", "put"), [(0.02, 9_000, 1), (0.02, 20_000, 0), (0.06, 20_000, 1)])
def test_of_many_texts_one_in_twenty_makes_a_language(german, texts, put):
    def counted(terms: Sequence[str], cap: int) -> list[int]:
        return [min(cap, int(texts * german) if term == "nicht" else 0) for term in terms]

    assert len(Across(counted).put("Where does my sister live?", texts)) == put


def test_languages_are_counted_again_when_the_store_has_grown():
    counting = Counting(*ENGLISH)
    across = Across(counting)
    for texts, asked in ((100, 1), (101, 1), (102, 1), (103, 2)):
        across.put("Where is it?", texts)
        assert counting.asked == asked


def test_a_question_is_put_into_words_and_only_things_are_looked_for():
    (put,) = Across(Counting(*ENGLISH)).put("Wann hat mein Bruder den Zahnarzttermin in Lyon?", 6)
    assert put.text == "when has my brother the dentist appointment in lyon?"
    assert put.terms == ("brother", "dentist", "appoint")


def test_all_senses_of_a_word_are_looked_for_and_the_first_stands_in_the_text():
    (put,) = Across(Counting(*ENGLISH)).put("Wo ist die Decke?", 6)
    assert put.text == "where is the ceiling?"
    assert put.terms == ("ceil", "blanket")


def test_words_that_german_writes_as_one_are_looked_for_so():
    (put,) = Across(Counting(*GERMAN)).put("When is the dentist appointment?", 3)
    assert "zahnarzttermin" in put.terms


def test_the_language_most_of_whose_words_are_there_is_compared_first():
    texts = (*GERMAN, "El coche y la casa, muy grande", "Tiene una casa")
    assert [put.language for put in Across(Counting(*texts)).put("Where is the house?", 5)] == ["es", "de"]
    assert [put.language for put in Across(Counting(*texts)).put("Where is the cat?", 5)] == ["de", "es"]


def test_nothing_is_put_otherwise_of_a_long_text_or_where_no_thing_is_known():
    across = Across(Counting(*ENGLISH))
    assert across.put("Wo ist der Hund? " * 20, 6) == []
    assert across.put("Wer ist es?", 6) == []
    assert across.put("", 6) == []


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("J'ai vu l'infirmière à l’hôpital", "infirmière"),
        ("Je manque d'argent", "l'argent"),
        ("L'idraulico viene dall'ufficio", "ufficio"),
    ],
)
def test_a_word_is_found_whatever_small_word_is_written_onto_it(said, asked):
    assert set(query_terms(asked)) & set(index_terms(said).split())


def test_what_was_indexed_with_the_small_word_on_it_is_still_found_so():
    assert "largent" in query_terms("Où est l'argent ?")


def test_english_contractions_are_no_small_words():
    assert index_terms("Don't say you're O'Brien's") == index_terms("Dont say youre OBrien")


def test_of_two_readings_the_nearer_counts_and_both_bring_candidates():
    def reading(seqs: list[int], *near: float, foreign: float = 0.0) -> Similarities:
        given = np.array(near, np.float32)
        same = np.zeros(len(seqs), np.float32)
        at = np.array(seqs, np.int64)
        return Similarities(
            seqs=at, sessions=same.astype(np.uint32), lexical=same, dense=given, alone=given,
            window=given, linked=same, sizes=same, uneven=same, before=at, answered=same,
            foreign=same + np.float32(foreign),
        )  # fmt: skip

    both = reading([5, 2, 9], 0.1, 0.8, np.nan).better(reading([9, 2, 4], 0.3, 0.2, 0.6, foreign=1.0))
    assert both.seqs.tolist() == [2, 4, 5, 9]
    assert both.foreign.tolist() == [0.0, 1.0, 0.0, 1.0]
    assert both.window.tolist() == pytest.approx([0.8, 0.6, 0.1, 0.3])


def test_every_line_of_the_lexicon_is_found_by_its_first_word_in_each_language():
    known = lexicon()
    for language in LANGUAGES:
        assert known.marks[language]
        keys = [
            key for key, entries in known.look_up(["haus", "casa", "maison", "house"], language) if entries
        ]
        assert keys


def test_a_line_without_a_part_for_each_language_is_refused():
    with pytest.raises(BadRequest, match="line 2"):
        read_lexicon("[things]\ndog | Hund | perro")


@pytest.mark.parametrize(
    ("foreign", "shared", "bound"), [(0, 0, 0.3), (0, 1, 0.25), (1, 0, 0.62), (1, 1, 0.5)]
)
def test_of_another_language_than_the_embedders_more_likeness_makes_a_claim_near(foreign, shared, bound):
    given = RankSettings()
    numbers = {"utterance": np.zeros(2)}
    shares = {
        "words": np.full(2, shared * given.weight_lexical),
        "tokens": np.zeros(2),
        "meaning": np.array([bound - 0.01, bound + 0.01]),
    }
    assert near(numbers, shares, given, np.full(2, bool(foreign))).tolist() == [False, True]


def test_a_question_in_either_of_two_languages_is_looked_for_without_the_small_words_of_both():
    assert len(likely(["la", "piscina"])) > 1
    assert "la" not in query_terms("la piscina")


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("Wo ist der Hund?", "de"),
        ("Where is the dog?", "en"),
        ("Adebayo", "en"),
        ("Quanto paguei pelos voos?", "pt"),
    ],
)
def test_the_language_of_a_question_is_told_by_all_of_its_words(query, language):
    assert language_of(query) == language


def test_a_mark_of_another_language_is_no_english_word_and_no_other_languages_mark_by_its_stem():
    known = lexicon()
    english = {stem(word, "en") for word in STOP_WORDS["en"]}
    seen: dict[str, str] = {}
    for language in LANGUAGES[1:]:
        for mark in known.marks[language]:
            for term in {stem(mark, language), stem(mark, "en")}:
                assert term not in english, mark
                assert not next(known.look_up([term], "en"))[1], mark
                assert seen.setdefault(term, language) == language, mark
