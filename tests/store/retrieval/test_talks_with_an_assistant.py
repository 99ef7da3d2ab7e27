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


def _asked(question: str, *, named: bool, long: bool) -> list[int]:
    """Positions found in a talk of twelve pairs: at 1 the operator's words, at 2 the answer with the same."""
    corpus = MemoryCorpus()
    for number in range(12):
        told = "My lemon tree came from Menton." if number == 0 else f"And what about plant{number}?"
        answer = f"Your lemon tree came from Menton. {ADVICE if long else ''}"
        if number:
            answer = ADVICE if long else f"It needs water{number}."
        for speaker, text in (("user", told), ("assistant", answer)):
            corpus.add(text, EngramType.UTTERANCE, speaker=speaker if named else None, session="s")
    embedder = WordEmbedder()
    corpus.embed(embedder)
    return [hit.seq for hit in Retriever(corpus, embedder).rank(question, now=NOW, limit=5).hits]


@pytest.mark.parametrize("named", [True, False])
def test_what_one_said_oneself_comes_before_a_long_answer_that_says_it_back(named: bool) -> None:
    assert _asked("Where did my lemon tree come from?", named=named, long=True)[0] == 1


def test_what_the_partner_said_comes_first_where_that_is_asked_for() -> None:
    assert _asked("What did you say about the lemon tree from Menton?", named=True, long=False)[0] == 2


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
