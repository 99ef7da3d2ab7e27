"""What ranking reads from an engram's words."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from store.model import Authority, EngramType, Klass
from store.retrieval import cue_words
from store.retrieval.cues import read_row, reading, share_of_questions
from store.retrieval.fakes import WordEmbedder
from store.retrieval.index import VectorIndex
from store.retrieval.known import KnownTraits
from store.retrieval.ports import Row
from store.retrieval.projection import vector_model
from store.retrieval.traits import NUMBERS
from tests.store.retrieval.corpus import MemoryCorpus


def offered(content: str) -> dict[str, float]:
    row = Row(
        seq=1,
        id="one",
        klass=Klass.OBSERVATION,
        type=EngramType.UTTERANCE,
        content=content,
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
        salience=0.5,
        authority=Authority.OPERATOR,
    )
    return dict(zip(NUMBERS, read_row(row).numbers, strict=True))


@pytest.mark.parametrize(
    ("content", "time", "number"),
    [
        ("The choir meets in the hall.", 0, 0),
        ("We moved here in 2019.", 1, 1),
        ("Invoice 12019 is open.", 0, 1),
        ("It opens in June.", 1, 0),
        ("I may march with them.", 0, 0),
        ("She called yesterday.", 1, 0),
        ("A couple of chairs are left.", 0, 1),
        ("The room is b12.", 0, 0),
        ("The 3rd attempt worked.", 0, 1),
    ],
)
def test_a_text_offers_a_time_or_a_number_by_its_words(content, time, number):
    found = offered(content)
    assert (found["has_time"], found["has_number"]) == (time, number)


@pytest.mark.parametrize(
    ("content", "share"),
    [("It rains.", 0.0), ("Does it rain? It does.", 0.6), ("雨ですか？", 1.0), ("", 0.0)],
)
def test_how_much_of_a_text_asks_is_counted_in_words(content, share):
    assert share_of_questions(content) == pytest.approx(share)


def told_corpus() -> MemoryCorpus:
    corpus = MemoryCorpus()
    kinds = (EngramType.UTTERANCE, EngramType.OBSERVATION, EngramType.PASSAGE, EngramType.DECISION)
    for number in range(60):
        corpus.add(
            f"I saw {number % 7} boats in June, did you? それは {number}",
            kinds[number % 4],
            speaker=("Zoë Ng", "operator", None)[number % 3],
            session=f"s{number // 9}",
        )
    corpus.add("Never sell the boat.", EngramType.PROHIBITION)
    corpus.embed(WordEmbedder())
    return corpus


class Counting:
    """A corpus that says which rows were read."""

    def __init__(self, corpus: MemoryCorpus) -> None:
        self._corpus, self.read = corpus, []

    def __getattr__(self, name: str):
        return getattr(self._corpus, name)

    def rows(self, seqs):
        self.read += seqs
        return self._corpus.rows(seqs)


def test_what_is_published_of_an_engram_is_what_its_row_says(tmp_path):
    corpus = told_corpus()
    known = KnownTraits(corpus)
    index = VectorIndex(vector_model(WordEmbedder()), tmp_path, span=16, traits=known.told)
    index.take_in(corpus)
    assert index.publish(head=len(corpus.entries), at_least=1) == 3
    sealed = VectorIndex(index.model, tmp_path, span=16).views()
    counting = Counting(corpus)
    read = KnownTraits(counting).read(np.arange(1, len(corpus.entries) + 1), sealed)  # type: ignore[arg-type]
    assert read == known.told(list(corpus.entries))
    assert min(counting.read) == 49  # what no segment covers


def test_what_may_not_be_answered_from_is_not_among_the_published(tmp_path):
    corpus = told_corpus()
    index = VectorIndex(
        vector_model(WordEmbedder()),
        tmp_path,
        span=16,
        traits=lambda seqs: {seq: read_row(corpus.entries[seq]) for seq in seqs if seq != 5},
    )
    index.take_in(corpus)
    index.publish(head=len(corpus.entries), at_least=1)
    read = KnownTraits(Counting(corpus)).read(np.array([4, 5, 6]), index.views())  # type: ignore[arg-type]
    assert sorted(read) == [4, 6]


def test_what_was_published_under_other_word_lists_is_not_read_again(tmp_path):
    corpus = told_corpus()
    known, model = KnownTraits(corpus), vector_model(WordEmbedder())
    written = VectorIndex(model, tmp_path, span=16, traits=known.told, reading="before")
    written.take_in(corpus)
    written.publish(head=len(corpus.entries), at_least=1)
    later = VectorIndex(model, tmp_path, span=16, traits=known.told, reading="after")
    assert later.views() == ()
    later.take_in(corpus)
    assert later.publish(head=len(corpus.entries), at_least=1) == 3
    assert len(VectorIndex(model, tmp_path, span=16, reading="after").views()) == 3


def test_a_reading_changes_with_the_words_it_looks_for(monkeypatch):
    before = reading()
    monkeypatch.setattr(cue_words, "TIME_WORDS", cue_words.TIME_WORDS | {"fortnight"})
    assert reading() != before
