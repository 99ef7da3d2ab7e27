"""The router on questions that another author wrote without sight of its cues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.errors import BadRequest
from store.model import Klass
from store.retrieval.route_cues import read_cues
from store.retrieval.routing import RETRIEVED, STANDING, route

DATA = Path(__file__).parents[2] / "data"
QUESTIONS = [  # of another author, read since; and our own, by which the forms of questions were found
    json.loads(line)
    for name in ("routing-unseen.jsonl", "routing-frames.jsonl")
    for line in (DATA / name).read_text(encoding="utf-8").splitlines()
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
        assert set(found.classes) == {*RETRIEVED, *STANDING}


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


@pytest.mark.conforms("P4")
def test_where_nothing_asks_for_them_standing_classes_come_last_and_at_a_discount() -> None:
    found = route("Where is the harbour?", None)
    assert found.classes[-2:] == STANDING
    assert all(found.priors[klass] < 0 for klass in STANDING)
    assert route("Where is the harbour?", list(Klass)).priors == {}


def test_the_form_of_a_question_prefers_less_than_a_word_that_names_the_class() -> None:
    named, formed = route("What are my preferences?", None), route("Do I eat meat?", None)
    assert named.preferred is formed.preferred is Klass.DISPOSITION
    assert named.priors[Klass.DISPOSITION] > formed.priors[Klass.DISPOSITION] > 0


def test_of_a_long_text_the_ends_are_read_for_cues() -> None:
    filling = "The tide was high that day. " * 500
    assert route(f"{filling} What did we decide about the roof?", None).preferred is Klass.CONCLUSION
    assert route(f"{filling} What did we decide about the roof? {filling}", None).preferred is None


@pytest.mark.parametrize("question", ["What is my job?", "Which of my goals are still open?"])
def test_a_class_that_the_operation_leaves_out_stays_out(question: str) -> None:
    found = route(question, [Klass.CONCLUSION, Klass.KNOWLEDGE])
    assert found.classes == (Klass.CONCLUSION, Klass.KNOWLEDGE)
    assert found.preferred is None


@pytest.mark.parametrize(
    "text",
    [
        "[words",
        "[words]",
        "[words]\n[[cue]]\nclass = 'weather'\nreason = ''\nspent = true\npatterns = []\n[rules]\npatterns=[]",
        "cue = []\n[words]\n[rules]\npatterns = ['(']",
        "cue = []\n[words]\n[rules]\npatterns = ['<nothing>']",
    ],
)
def test_a_file_of_cues_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    broken = tmp_path / "routing.toml"
    broken.write_text(text)
    with pytest.raises(BadRequest, match=r"routing\.toml"):
        read_cues(broken)


def test_a_cue_is_made_of_the_words_that_its_file_lists(tmp_path: Path) -> None:
    made = tmp_path / "routing.toml"
    made.write_text(
        "[words]\nsource = ['almanac', 'atlas']\n[[cue]]\nclass = 'knowledge'\nreason = 'it asks a book'\n"
        "spent = true\npatterns = ['in the <source>']\nstart = ['look up']\n[rules]\npatterns = ['rules']"
    )
    (cue,) = read_cues(made).classes
    assert cue.klass is Klass.KNOWLEDGE
    assert cue.pattern.search("what stands in the atlas")
    assert cue.pattern.search("look up the tides")
    assert not cue.pattern.search("when did i look up the tides in the atlases")
