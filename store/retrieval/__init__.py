"""Retrieval: the right engram, by class (DESIGN §7). Names are loaded on first use (numpy is not free)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.retrieval.ports import Corpus, Embedder, Ranked, Ranking, Reranker, Row
    from store.retrieval.projection import vector_model
    from store.retrieval.retriever import Retriever
    from store.retrieval.settings import RankSettings, load_settings
    from store.retrieval.text import index_terms, match_expression, searchable
    from store.retrieval.writing import embed_for_store

_WHERE = {
    "Corpus": "ports",
    "Embedder": "ports",
    "RankSettings": "settings",
    "Ranked": "ports",
    "Ranking": "ports",
    "Reranker": "ports",
    "Retriever": "retriever",
    "Row": "ports",
    "embed_for_store": "writing",
    "index_terms": "text",
    "load_settings": "settings",
    "match_expression": "text",
    "searchable": "text",
    "vector_model": "projection",
}
__all__ = [
    "Corpus",
    "Embedder",
    "RankSettings",
    "Ranked",
    "Ranking",
    "Reranker",
    "Retriever",
    "Row",
    "embed_for_store",
    "index_terms",
    "load_settings",
    "match_expression",
    "searchable",
    "vector_model",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
