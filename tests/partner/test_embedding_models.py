"""A change of embedding model: the old one serves until all is embedded anew; a broken one leaves words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from partner import embedding_models
from partner.bootstrap import open_partner
from partner.settings import Settings
from router.errors import EngineFailed
from store import Store, open_store
from store.errors import EmbedderFailed
from store.model import Draft, EngramType, Provenance, ProvenanceKind
from store.retrieval.fakes import WordEmbedder


def draft(content: str) -> Draft:
    return Draft(
        type=EngramType.OBSERVATION, content=content, provenance=Provenance(kind=ProvenanceKind.OPERATOR)
    )


@pytest.fixture
def store(clock) -> Iterator[Store]:
    with open_store("memory:", clock=clock, author="me") as opened:
        opened.write_many([draft(f"Matter {number} of the harbour") for number in range(30)])
        yield opened


def all_embedded(store: Store, step: int = 10) -> None:
    while store.embed_missing(step):
        pass


def test_the_earlier_model_serves_until_every_engram_has_a_vector_of_the_new_one(store: Store) -> None:
    earlier, later = WordEmbedder(32), WordEmbedder(48)
    store.use_embedder(earlier)
    all_embedded(store)
    store.use_embedder(later, meanwhile=earlier)
    steps = []
    while store.embed_missing(10):
        state = store.meaning()
        steps.append((state.made, state.of))
        assert state.serving is not None
        assert state.serving.startswith("words-32")
        assert "meaning" in store.search("matter of the harbour")[0].reasons
    assert steps == [(10, 30), (20, 30), (30, 30)]
    state = store.meaning()
    assert state.coming is None
    assert state.serving is not None
    assert state.serving.startswith("words-48")
    assert "meaning" in store.search("matter of the harbour")[0].reasons


class Broken(WordEmbedder):
    """Embeds, until it is broken."""

    broken = False
    refuses = False

    def embed_tokens(self, texts):
        if self.broken:
            raise EngineFailed("the worker died")
        return super().embed_tokens(texts)

    def begin(self, text):
        if self.refuses:
            raise EngineFailed("no worker could be started")
        return lambda: self.embed_tokens([text])[0]


def test_an_embedder_that_fails_leaves_words_and_says_so(store: Store) -> None:
    embedder = Broken(32)
    guarded = embedding_models.ForStore(embedder)  # pyright: ignore[reportArgumentType]
    store.use_embedder(guarded)
    all_embedded(store)
    embedder.broken = True
    hits = store.search("matter 7 of the harbour")
    assert hits[0].engram.content == "Matter 7 of the harbour"
    assert "by words alone: the worker died" in hits[0].route
    store.write(draft("Something new"))
    with pytest.raises(EmbedderFailed, match="the worker died"):
        store.embed_missing()
    embedder.refuses = True
    assert "by words alone: no worker could be started" in store.search("matter 7 of the harbour")[0].route


def test_the_model_that_served_is_found_again_while_its_file_is_as_it_was(tmp_path: Path) -> None:
    one, other = tmp_path / "one.gguf", tmp_path / "other.gguf"
    one.write_bytes(b"weights")
    other.write_bytes(b"other weights")
    earlier, now = embedding_models.at(one), embedding_models.at(other)
    folder = tmp_path / "vectors"
    assert embedding_models.served_before(folder, now) is None
    embedding_models.remember_served(folder, earlier)
    found = embedding_models.served_before(folder, now)
    assert found is not None
    assert found.model == earlier.model
    assert embedding_models.served_before(folder, earlier) is None
    one.write_bytes(b"changed")
    assert embedding_models.served_before(folder, now) is None
    (folder / embedding_models.SERVED).write_text("{", encoding="utf-8")
    assert embedding_models.served_before(folder, now) is None


@pytest.mark.parametrize("passphrase", [None, "correct horse"])
def test_the_index_lies_in_the_cache_and_never_beside_an_encrypted_store(
    tmp_path: Path, models_dir: Path, clock, passphrase: str | None
) -> None:
    store = str(tmp_path / "s.partner")
    if passphrase:
        open_store(store, clock=clock, author="me", passphrase=passphrase).close()
    settings = Settings(
        home=tmp_path,
        models_dir=models_dir,
        store=store,
        engine="none",
        passphrase=SecretStr(passphrase) if passphrase else None,
    )
    with open_partner(settings, clock=clock, engine_free=True) as partner:
        folder = partner.store._searcher._retriever._index._folder
        if partner.store.backend.encrypted:
            assert folder is None
        else:
            assert folder.parent == settings.cache_dir / "vectors"
