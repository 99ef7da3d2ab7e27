"""Any local embedding model or cross-encoder through sentence-transformers; torch loads with the first use.

For operators who have a model of their own: `pip install 'partner[sentence-transformers]'`. Nothing is
fetched; a model is a folder on this machine.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from router.embedding import TokenVectors
from router.errors import EngineFailed, FailureKind, ModelMissing
from router.models import file_sha256

BATCH_WINDOWS = 16
PAIRS = 16  # of a question and a text, one pass of a cross-encoder
WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
DESCRIBING = ("config.json", "modules.json", "tokenizer.json", "*_config.json", "vocab.txt")


class _LocalModel:
    """A model folder, loaded with the first use by whichever thread is first; one pass at a time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self._lock = threading.Lock()
        self._loaded: Any = None
        self._model: str | None = None

    @property
    def model(self) -> str:
        """Fingerprint: folder name and twelve digits over every file that decides what comes out."""
        if self._model is None:
            self._model = f"{self.path.name}@{_digest(self.path)[:12]}"
        return self._model

    def close(self) -> None:
        """Let the model go; a later use loads it again."""
        with self._lock:
            self._loaded = None

    def _ready(self, load: Callable[[Any, str], Any]) -> Any:
        """The loaded model; call it with the lock held.

        Raises:
            ModelMissing: the folder is not there.
            EngineFailed: the extra is not installed, or the folder holds no such model.
        """
        if self._loaded is None:
            if not self.path.is_dir():
                raise ModelMissing(self.path.name)
            try:
                import sentence_transformers  # pyright: ignore[reportMissingImports] - the extra
            except ImportError as error:
                raise EngineFailed(
                    "this model needs sentence-transformers: pip install 'partner[sentence-transformers]'",
                    kind=FailureKind.UNUSABLE,
                ) from error
            try:
                self._loaded = load(sentence_transformers, str(self.path))
            except (OSError, ValueError, KeyError, RuntimeError) as error:
                raise EngineFailed(
                    f"{self.path} cannot be loaded: {error}", kind=FailureKind.UNUSABLE
                ) from error
        return self._loaded


class TransformerEmbedder(_LocalModel):
    """Sentence and token vectors of any local sentence-transformers model, on the processor. Thread-safe.

    A text longer than the model's window is read in windows, never cut: their tokens are concatenated, and
    their pooled vectors averaged by length.
    """

    def prepare(self) -> None:
        """Load the model."""
        with self._lock:
            self._encoder()

    @property
    def dim(self) -> int:
        """Length of a vector; loads the model where it is not yet."""
        return self.embed([""]).shape[1]

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Vectors pooled as the model pools, float32 [n, dim], each of length 1."""
        found = self.embed_tokens(texts)
        return np.stack([one.pooled for one in found]) if found else np.zeros((0, self.dim), np.float32)

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Sentence and token vectors of every text from one pass, in order, for late interaction (MaxSim)."""
        if not texts:
            return []
        with self._lock:
            encoder = self._encoder()
            windows = _windows(encoder, texts)
            order = sorted(range(len(windows["owner"])), key=lambda at: len(windows["input_ids"][at]))
            parts: list[list[tuple[int, Any]]] = [[] for _ in texts]
            for start in range(0, len(order), BATCH_WINDOWS):
                group = order[start : start + BATCH_WINDOWS]
                for at, vectors in zip(group, _pass(encoder, windows, group), strict=True):
                    parts[windows["owner"][at]].append((at, vectors))
        return [_joined([vectors for _, vectors in sorted(part, key=lambda p: p[0])]) for part in parts]

    def begin(self, text: str) -> Callable[[], TokenVectors]:
        """One text, embedded where the answer is called for: the model is in this process."""
        return lambda: self.embed_tokens([text])[0]

    def _encoder(self) -> Any:
        return self._ready(
            lambda library, folder: library.SentenceTransformer(folder, device="cpu", local_files_only=True)
        )


class TransformerReranker(_LocalModel):
    """A local cross-encoder: how relevant each text is to a question, 0..1. Thread-safe."""

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """Relevance float32 [n], the model's logit through the logistic.

        A text beyond the window counts by its best window; of a question at most half a window is read.
        """
        if not texts:
            return np.zeros(0, np.float32)
        with self._lock:
            judge = self._ready(
                lambda library, folder: library.CrossEncoder(folder, device="cpu", local_files_only=True)
            )
            return _relevance(judge, query, texts)


def _windows(encoder: Any, texts: Sequence[str]) -> dict[str, Any]:
    """Token ids of every window of every text, with the model's marks, and whose text each is."""
    encoded = encoder.tokenizer(
        list(texts),
        truncation=True,
        max_length=encoder.max_seq_length,
        return_overflowing_tokens=True,
        return_special_tokens_mask=True,
    )
    owner = encoded.get("overflow_to_sample_mapping")
    if owner is None:
        raise EngineFailed("the model's tokenizer cannot read windows", kind=FailureKind.UNUSABLE)
    return {
        "owner": [int(at) for at in owner],
        "input_ids": encoded["input_ids"],
        "marks": encoded["special_tokens_mask"],
    }


def _pass(encoder: Any, windows: dict[str, Any], group: Sequence[int]) -> list[tuple[Any, Any, Any]]:
    """(pooled [dim], token rows [n, dim], ids [n]) of some windows from one forward pass."""
    import torch  # pyright: ignore[reportMissingImports] - the extra

    ids = [windows["input_ids"][at] for at in group]
    batch = encoder.tokenizer.pad({"input_ids": ids}, return_tensors="pt")
    with torch.inference_mode():
        out = encoder(dict(batch.items()))
    pooled = out["sentence_embedding"].float().numpy()
    rows = out["token_embeddings"].float().numpy()
    attended = batch["attention_mask"].numpy().astype(bool)
    found = []
    for place, at in enumerate(group):
        inner = np.asarray(windows["marks"][at]) == 0
        own = np.asarray(ids[place], np.int64)[inner]
        found.append((pooled[place], rows[place][attended[place]][inner], own))
    return found


def _joined(parts: Sequence[tuple[Any, Any, Any]]) -> TokenVectors:
    """One text's windows as one."""
    shares = np.array([max(1, len(ids)) for _, _, ids in parts], np.float32)
    pooled = np.average([_unit(pooled) for pooled, _, _ in parts], axis=0, weights=shares)
    rows = np.concatenate([rows for _, rows, _ in parts])
    return TokenVectors(
        pooled=_unit(pooled),
        tokens=_unit(rows),
        token_ids=np.concatenate([ids for _, _, ids in parts]).astype(np.int32),
    )


def _relevance(judge: Any, query: str, texts: Sequence[str]) -> np.ndarray:
    import torch  # pyright: ignore[reportMissingImports] - the extra

    asked = judge.tokenizer(query, truncation=True, max_length=judge.max_length // 2)["input_ids"]
    question = judge.tokenizer.decode(asked, skip_special_tokens=True)
    encoded = judge.tokenizer(
        [question] * len(texts),
        list(texts),
        truncation="only_second",
        max_length=judge.max_length,
        return_overflowing_tokens=True,
    )
    owner = np.asarray(encoded.pop("overflow_to_sample_mapping"))
    best = np.full(len(texts), -np.inf)
    for start in range(0, len(owner), PAIRS):
        part = {name: values[start : start + PAIRS] for name, values in encoded.items()}
        batch = judge.tokenizer.pad(part, return_tensors="pt")
        with torch.inference_mode():
            logits = judge.model(**batch).logits.float().numpy()
        np.maximum.at(best, owner[start : start + PAIRS], logits[:, -1])
    return (1.0 / (1.0 + np.exp(-best))).astype(np.float32)


def _unit(rows: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(norms > 0, norms, 1.0)).astype(np.float32)


def _digest(folder: Path) -> str:
    weights = _files(folder, WEIGHTS)
    if not weights:
        raise ModelMissing(folder.name)
    whole = hashlib.sha256()
    for path in (*weights, *_files(folder, DESCRIBING)):
        whole.update(f"{path.relative_to(folder).as_posix()}:{file_sha256(path)}\n".encode())
    return whole.hexdigest()


def _files(folder: Path, patterns: Iterable[str]) -> list[Path]:
    return sorted({path for pattern in patterns for path in folder.rglob(pattern)})
