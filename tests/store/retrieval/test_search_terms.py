"""What the terms of full-text search promise."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.retrieval import text
from store.retrieval.language import STOP_WORDS, detect
from store.retrieval.text import index_terms, match_expression, query_terms, terms, words

ASCII = st.text(st.characters(max_codepoint=126, min_codepoint=32), max_size=200)


@given(ASCII)
def test_the_fast_path_for_ascii_finds_the_same_words_as_the_full_one(line):
    assert words(line) == text._PIECES.findall(text.fold(line))


@given(st.text(max_size=200))
def test_stored_terms_are_those_of_the_text_whichever_path_made_them(line):
    assert index_terms(line) == " ".join(terms(line))


@given(st.text(max_size=100))
def test_every_query_expression_is_valid_for_the_index_and_finds_the_text_it_came_from(line):
    expression = match_expression(line)
    if not expression:
        return
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize='unicode61 remove_diacritics 0')")
    base.execute("INSERT INTO t VALUES (?)", (index_terms(line),))
    base.execute("SELECT rowid FROM t WHERE t MATCH ?", (expression,)).fetchall()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("She went home", "go"),
        ("Bob's", "bob"),
        ("the 8th of May", "8 May"),
        ("2,000 euros", "2000 euros"),
        ("ＦＵＬＬ width", "full"),
        ("naïve", "naive"),
        ("Straße", "STRASSE"),
    ],
)
def test_two_spellings_of_a_word_share_a_term(one, other):
    assert set(query_terms(other)) & set(index_terms(one).split())


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Where is the book that I read?", "en"),
        ("Wo ist das Buch, das ich lese?", "de"),
        ("¿Dónde está el libro que leí?", "es"),
        ("Où est le livre que je lis dans ma chambre ?", "fr"),
        ("Dove sono gli occhiali che ho perso?", "it"),
        ("Onde estão as chaves que eu não vejo?", "pt"),
        ("Oslo", None),
    ],
)
def test_a_language_is_named_by_its_function_words(line, language):
    assert detect(words(line)) == language


def test_a_question_of_function_words_alone_is_still_looked_for():
    assert query_terms("who am I?") != []


def test_months_that_are_verbs_too_are_not_dropped_from_a_question():
    assert "may" in query_terms("What happened in May?")


def test_function_words_are_written_as_words_are_folded():
    for language, stop in STOP_WORDS.items():
        assert all(words(word) == [word] for word in stop), language
