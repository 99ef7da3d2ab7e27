"""The question as vectors, made while its words are looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from store.errors import EmbedderFailed
from store.retrieval import late, text
from store.retrieval.comparing import Meaning
from store.retrieval.ports import Apart, Embedder, TokenEmbedding
from store.retrieval.projection import reduce_tokens
from store.retrieval.tail import View

MAX_READ_CHARS = 2_000  # of a question, by meaning; a longer one gives its beginning and its end


def begun(embedder: Embedder, query: str) -> Callable[[], TokenEmbedding]:
    """The question on its way to an embedder that is another process, which reads it on another core while
    the tables are asked; any other reads it when its vectors are called for. What fails is raised there."""
    asked = text.ends(query, MAX_READ_CHARS)
    if not isinstance(embedder, Apart):
        return lambda: embedder.embed_tokens([asked])[0]
    try:
        return embedder.begin(asked)
    except EmbedderFailed as error:
        failure = error  # the name of the clause ends with it

    def failed() -> TokenEmbedding:
        raise failure

    return failed


def meaning_of(views: Sequence[View], embedding: TokenEmbedding, language: str = "en") -> Meaning:
    """What candidates are compared with: its tokens weigh by how rare they are among these vectors."""
    return Meaning(
        pooled=np.asarray(embedding.pooled, np.float32),
        tokens=reduce_tokens(np.asarray(embedding.tokens, np.float32)),
        weights=late.rarity(views, embedding.token_ids),
        foreign=language != "en",
    )


def how_much_was_read(length: int, *, with_meaning: bool) -> str:
    """What an answer to a very long question says of it; '' where all of it was read."""
    if length <= MAX_READ_CHARS:
        return ""
    parts = []
    if length > text.MAX_QUERY_CHARS:
        parts.append(f"{text.MAX_QUERY_CHARS:,} by words")
    if with_meaning:
        parts.append(f"{MAX_READ_CHARS:,} by meaning")
    ends = " and ".join(parts) or "all by words"
    return f"of its {length:,} characters were read: {ends}, half at either end"
