"""The router on questions that another author wrote without sight of its cues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.model import Klass
from store.retrieval.routing import route

QUESTIONS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "routing-unseen.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.conforms("P9")
@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["question"])
def test_a_question_searches_first_the_class_that_its_author_had_in_mind(row: dict) -> None:
    found = route(row["question"], None)
    if row["class"] == Klass.PROHIBITION:
        assert Klass.PROHIBITION not in found.classes
        assert "partner rules" in found.reason
    else:
        assert found.classes[0] == row["class"]
        assert set(found.classes) >= {Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE}


@pytest.mark.parametrize(
    "question",
    [
        "Who am I meeting tomorrow?",
        "What is my sister's address?",
        "Am I allowed to park there?",
        "Where does Jaime work?",
        "How many goals did they score?",
        "Did the kids read the book?",
        "What does the shop sell?",
    ],
)
def test_words_that_only_resemble_a_cue_prefer_no_class(question: str) -> None:
    assert route(question, None).preferred is None


@pytest.mark.parametrize("question", ["What is my job?", "Which of my goals are still open?"])
def test_a_class_that_the_operation_leaves_out_stays_out(question: str) -> None:
    found = route(question, [Klass.CONCLUSION, Klass.KNOWLEDGE])
    assert found.classes == (Klass.CONCLUSION, Klass.KNOWLEDGE)
    assert found.preferred is None
