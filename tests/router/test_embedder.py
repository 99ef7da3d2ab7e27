"""Vectors of the converted model: those of the original, whole texts, from a worker that comes back."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from router import EngineFailed, LlamaEmbedder, ModelMissing

# by sentence-transformers 5 (torch) with the original weights, rounded to four digits
REFERENCE = Path(__file__).resolve().parents[1] / "data" / "minilm-reference.json"


@pytest.fixture(scope="module")
def embedder(meaning_model: Path) -> Iterator[LlamaEmbedder]:
    made = LlamaEmbedder(meaning_model)
    yield made
    made.close()


def test_the_converted_model_gives_the_original_s_vectors(embedder):
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
    vectors = embedder.embed([entry["text"] for entry in reference])
    for vector, entry in zip(vectors, reference, strict=True):
        original = np.array(entry["vector"])
        assert vector @ original / np.linalg.norm(original) > 0.9999, entry["text"]


def test_vectors_have_length_one_and_one_text_s_does_not_depend_on_its_neighbours(embedder):
    texts = ["Ana owns the schema.", "It rains in Lisbon.", "a", "", "word " * 60] * 9
    vectors = embedder.embed(texts)
    assert vectors.shape == (45, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    alone = embedder.embed(texts[:1])[0]
    assert all(alone @ vectors[at] > 0.9999 for at in range(0, 45, 5))


def test_what_means_the_same_is_nearer_than_what_does_not(embedder):
    one, same, other = embedder.embed(
        ["Ana owns the schema.", "The schema belongs to Ana.", "It rains in Lisbon."]
    )
    assert one @ same > 0.8 > 0.3 > one @ other


def test_one_pass_gives_sentence_and_token_vectors(embedder):
    texts = ["Ana owns the schema.", "", "unbelievable"]
    parts = embedder.embed_tokens(texts)
    np.testing.assert_allclose([part.pooled for part in parts], embedder.embed(texts), atol=1e-4)
    assert [part.tokens.shape for part in parts] == [(6, 384), (0, 384), (1, 384)]
    assert [len(part.token_ids) for part in parts] == [6, 0, 1]
    np.testing.assert_allclose(np.linalg.norm(parts[0].tokens, axis=1), 1.0, atol=1e-5)


def test_a_question_is_handed_over_and_answered_where_it_is_asked_for(embedder):
    first, second = embedder.begin("Ana owns the schema."), embedder.begin("It rains in Lisbon.")
    between = embedder.embed_tokens(["unbelievable"])[0]
    rain, schema = second(), first()
    assert [len(part.tokens) for part in (schema, between, rain)] == [6, 1, 5]
    np.testing.assert_array_equal(schema.pooled, embedder.embed(["Ana owns the schema."])[0])
    waiting = embedder.begin("word " * 5_000)
    os.kill(embedder._worker.pid, signal.SIGKILL)
    with pytest.raises(EngineFailed, match="SIGKILL"):
        waiting()


def test_a_long_text_is_read_to_its_end(embedder):
    beginning = "The weather was fine that day. " * 100
    parts = embedder.embed_tokens([beginning, beginning + "Ana owns the schema."])
    assert len(parts[1].tokens) == len(parts[0].tokens) + 6
    assert parts[0].pooled @ parts[1].pooled < 0.9999


def test_nothing_gives_nothing(embedder):
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.embed_tokens([]) == []


def test_the_model_s_name_changes_with_its_bytes(embedder, meaning_model, tmp_path):
    other = tmp_path / meaning_model.name
    other.write_bytes(meaning_model.read_bytes() + b"\0")
    assert embedder.model.startswith("all-MiniLM-L6-v2.f16@")
    assert LlamaEmbedder(other).model != embedder.model


def test_a_killed_worker_comes_back(embedder):
    before = embedder.embed(["Ana"])
    os.kill(embedder._worker.pid, signal.SIGKILL)
    embedder._worker._ended.wait(60)
    np.testing.assert_array_equal(embedder.embed(["Ana"]), before)


def test_another_kind_of_model_and_a_missing_one_are_told_in_words(language_model, tmp_path):
    wrong = LlamaEmbedder(language_model)
    with pytest.raises(EngineFailed, match="not an embedding model"):
        wrong.embed(["Ana"])
    wrong.close()
    with pytest.raises(ModelMissing, match="partner models pull"):
        LlamaEmbedder(tmp_path / "missing.gguf").embed(["Ana"])
