"""Which embedding model the settings name, which one served before, and who reads the best hits once more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from partner.settings import Settings
from store.errors import EmbedderFailed

if TYPE_CHECKING:
    from router import LlamaEmbedder, TransformerEmbedder, TransformerReranker
    from store.retrieval.ports import Float32, TokenEmbedding

    LocalEmbedder = LlamaEmbedder | TransformerEmbedder

SERVED = "served.json"  # beside the published index: derived, free to be deleted


class ForStore:
    """An embedder as the store knows it: what fails there is no failure of a search (words alone serve)."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self._embedder = embedder

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dim(self) -> int:
        return self._embedder.dim

    def embed(self, texts: Sequence[str]) -> Float32:
        with _translated():
            return self._embedder.embed(texts)

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenEmbedding]:
        with _translated():
            return self._embedder.embed_tokens(texts)

    def begin(self, text: str) -> Callable[[], TokenEmbedding]:
        with _translated():
            answer = self._embedder.begin(text)

        def vectors() -> TokenEmbedding:
            with _translated():
                return answer()

        return vectors


@contextmanager
def _translated() -> Iterator[None]:
    from router.errors import RouterError

    try:
        yield
    except RouterError as error:
        raise EmbedderFailed(str(error)) from error


def configured(settings: Settings) -> LocalEmbedder | None:
    """The embedder of the settings, or None where it is off or its file is not here (`partner doctor`)."""
    from router import models
    from router.errors import ModelMissing

    wanted = settings.config.embedding
    if not wanted.enabled:
        return None
    try:
        path = wanted.path or models.locate(settings.models_dir, wanted.model)
    except ModelMissing:
        return None
    return at(path) if path.exists() else None


def at(path: Path) -> LocalEmbedder:
    """A file is a GGUF for llama.cpp, a folder is a model of sentence-transformers."""
    from router import LlamaEmbedder, TransformerEmbedder

    return TransformerEmbedder(path) if path.is_dir() else LlamaEmbedder(path)


def reranker(settings: Settings) -> TransformerReranker | None:
    from router import TransformerReranker

    folder = settings.config.embedding.reranker
    return TransformerReranker(folder) if folder is not None and folder.is_dir() else None


def served_before(folder: Path, now: LocalEmbedder) -> LocalEmbedder | None:
    """The embedder whose vectors served last, where it is another than `now` and its file is as it was."""
    from router.errors import RouterError

    try:
        record = json.loads((folder / SERVED).read_text(encoding="utf-8"))
        path, model = Path(record["path"]), str(record["model"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if model == now.model or not path.exists():
        return None
    earlier = at(path)
    try:
        return earlier if earlier.model == model else None
    except (RouterError, OSError):
        return None


def remember_served(folder: Path, embedder: LocalEmbedder) -> None:
    """Note whose vectors serve from now on; where nothing can be written, words serve after a change."""
    record = json.dumps({"model": embedder.model, "path": str(embedder.path)})
    noted = folder / SERVED
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not noted.exists() or noted.read_text(encoding="utf-8") != record:
            noted.write_text(record, encoding="utf-8")
