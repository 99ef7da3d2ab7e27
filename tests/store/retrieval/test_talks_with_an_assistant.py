"""Short questions and long answers of advice: what somebody said of themselves is found among them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from benchmarks.retrieval import embed_all, figures, filled
from benchmarks.retrieval_shapes import ALONE, measured, talks
from store.model import EngramType
from store.retrieval import RankSettings, cues, late
from store.retrieval.fakes import WordEmbedder
from store.retrieval.retriever import Retriever
from tests.store.retrieval.corpus import START, MemoryCorpus

NOW = START + timedelta(days=1)
ADVICE = " ".join(f"the garden needs water{n} and soil{n} every spring{n}" for n in range(30))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which lock did you recommend?", True),
        ("What was the hotel you told me about?", True),
        ("Who should print it, according to you?", True),
        ("How high should it be in your view?", True),
        ("Welches Buch hast du mir empfohlen?", True),
        ("Quel hôtel m'avais-tu dit, tu m'as conseillé lequel ?", True),
        ("Can you give me a recipe with beans?", False),
        ("Could you tell me when Ana was born?", False),
        ("What do you recommend for tonight?", False),
        ("When did I tell Ana?", False),
    ],
)
def test_what_the_partner_said_is_told_from_what_it_is_asked_to_say(question: str, said: bool) -> None:
    assert cues.read_question(question).about_partner is said


def test_turns_between_people_are_even_and_long_answers_are_not() -> None:
    people = np.log(np.array([20, 30, 45, 25, 60, 30, 38, 22, 41], np.float32))
    chat = np.log(np.array([20, 250, 15, 220, 30, 300, 24, 180, 12, 260], np.float32))
    assert late.unevenness(people, 0.75, 1.1) == 0.0
    assert late.unevenness(chat, 0.75, 1.1) == 1.0


def _first(question: str, told: str, answer: str, *, named: bool = True, advice: str = "") -> int:
    """The position found first in a talk of twelve pairs: `told` is at 1, `answer` at 2."""
    corpus = MemoryCorpus()
    for number in range(12):
        pair = (
            (told, f"{answer} {advice}")
            if number == 0
            else (f"And plant{number}?", advice or f"Water{number}.")
        )
        for speaker, text in zip(("user", "assistant"), pair, strict=True):
            corpus.add(text, EngramType.UTTERANCE, speaker=speaker if named else None, session="s")
    embedder = WordEmbedder()
    corpus.embed(embedder)
    return Retriever(corpus, embedder).rank(question, now=NOW, limit=5).hits[0].seq


TOLD = ("My lemon tree is from Menton.", "Now I know where your lemon tree did come from: Menton.")


@pytest.mark.parametrize(("named", "advice"), [(True, ""), (True, ADVICE), (False, ADVICE)])
def test_what_one_said_oneself_comes_before_an_answer_that_says_it_back(named: bool, advice: str) -> None:
    assert _first("Where did my lemon tree come from?", *TOLD, named=named, advice=advice) == 1


def test_what_the_partner_said_comes_first_where_that_is_asked_for() -> None:
    told = ("I asked about a lemon tree from Menton.", "A lemon tree needs a big pot.")
    assert _first("What did you say about a lemon tree?", *told) == 2


def test_where_some_turns_are_long_and_others_short_a_match_in_a_long_one_is_worth_less() -> None:
    corpus = MemoryCorpus()
    for number in range(12):
        for speaker, text in (("Ana", f"Bees{number} swarmed."), ("Ben", f"{ADVICE} Bees{number} swarmed.")):
            corpus.add(text, EngramType.UTTERANCE, speaker=speaker, session=f"s{number} {speaker}")
    embedder = WordEmbedder()
    corpus.embed(embedder)
    hits = Retriever(corpus, embedder).rank("Did bees7 swarm?", now=NOW, limit=24).hits
    tokens = {hit.seq: hit.reasons["tokens"] for hit in hits}
    assert tokens[15] > tokens[16] + 0.05


def test_the_whole_finds_as_much_as_its_best_part_in_talks(models_dir: Path) -> None:
    from router.embedding import LlamaEmbedder
    from router.models import locate

    conversation = next(talk for _, talk in talks() if any("Dario" in turn.text for turn in talk.turns))
    embedder = LlamaEmbedder(locate(models_dir, "all-minilm-l6-v2"))
    store, refs = filled(conversation)
    with store:
        embed_all(store, embedder)
        rows = measured(store, refs, conversation, embedder, every=1, settings=RankSettings())
    found = {row: figures(scores, "turn") for row, scores in rows.items()}
    for key in ("recall_at_5", "recall_at_10", "hit_at_1"):
        assert found["all"][key] >= max(found[part][key] for part in ALONE), key
