"""Claims that were formed from turns stand beside them and take nothing from them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import numpy as np
import pytest

from store.model import EngramType
from store.retrieval.fakes import WordEmbedder
from store.retrieval.retriever import Retriever
from store.retrieval.scoring import Similarities, promising
from store.retrieval.settings import RankSettings
from tests.store.retrieval.corpus import START, MemoryCorpus

NOW = START + timedelta(days=1)
WORDS = [f"{first}{last}" for first in "bdfgklmnprst" for last in ("arvo", "elmi", "ondu", "ibka")]
QUESTION = "What did Ana say about barvo, kelmi and tondu?"


def reasons(*, claims: bool) -> Mapping[int, Mapping[str, float]]:
    """The terms of every turn that is found, by position; claims are written after all turns."""
    rng = np.random.default_rng(4)
    corpus = MemoryCorpus()
    said = [" ".join(rng.choice(WORDS, 6)) for _ in range(40)]
    for number, text in enumerate(said):
        corpus.add(text, EngramType.UTTERANCE, speaker=("Ana", "Ben")[number % 2], session=f"s{number // 8}")
    for text in said if claims else ():
        corpus.add(" ".join(text.split()[:3]), EngramType.CONCLUSION)
    embedder = WordEmbedder()
    corpus.embed(embedder)
    hits = Retriever(corpus, embedder).rank(QUESTION, now=NOW, limit=80).hits
    return {hit.seq: hit.reasons for hit in hits if hit.seq <= len(said)}


@pytest.mark.parametrize("term", ["tokens", "session", "reply", "speaker"])
def test_what_a_turn_is_worth_is_the_same_with_its_claims_beside_it(term: str) -> None:
    alone, beside = reasons(claims=False), reasons(claims=True)
    assert alone.keys() == beside.keys()
    assert {seq: of.get(term) for seq, of in beside.items()} == pytest.approx(
        {seq: of.get(term) for seq, of in alone.items()}, abs=1e-6
    )


def test_the_best_turn_by_words_has_their_whole_share_whatever_a_shorter_claim_has() -> None:
    best = max(of.get("words", 0.0) for of in reasons(claims=True).values())
    assert best == pytest.approx(RankSettings().weight_lexical)


def test_claims_take_no_turns_place_among_those_that_are_read() -> None:
    sessions = np.array([1, 0, 0, 2, 0, 1], np.uint32)
    close = np.array([0.1, 0.9, 0.8, 0.2, 0.7, 0.3], np.float32)
    none, seqs = np.zeros(6, np.float32), np.arange(6)
    found = Similarities(
        seqs=seqs, sessions=sessions, lexical=none, dense=none, alone=none, window=close, linked=none,
        sizes=none, uneven=none, before=seqs, answered=none, foreign=none,
    )  # fmt: skip
    assert promising(found, 2).seqs.tolist() == [1, 2, 3, 5]


@pytest.mark.parametrize("linked", [True, False])
def test_a_claim_is_no_nearer_to_a_question_than_the_turn_it_was_formed_from(linked: bool) -> None:
    corpus = MemoryCorpus()
    turn = corpus.add("Ana sold the barvo and then the kelmi", EngramType.UTTERANCE, session="s1")
    corpus.add("Ben likes ondu", EngramType.UTTERANCE, session="s1")
    claim = corpus.add("the barvo and kelmi, tondu", EngramType.CONCLUSION)
    if linked:
        corpus.made_of.append((claim, turn))
    embedder = WordEmbedder()
    corpus.embed(embedder)
    hits = {hit.seq: hit.reasons for hit in Retriever(corpus, embedder).rank(QUESTION, now=NOW).hits}
    assert (hits[claim]["meaning"] <= hits[turn]["tokens"]) is linked
    assert (hits[claim]["session"] <= hits[turn]["session"]) is linked
