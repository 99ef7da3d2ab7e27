"""The question as vectors, made while its words are looked for."""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np

from store.retrieval import late, text
from store.retrieval.comparing import Meaning
from store.retrieval.ports import Embedder, TokenEmbedding
from store.retrieval.projection import reduce_tokens
from store.retrieval.tail import View

MAX_READ_CHARS = 2_000  # of a question, by meaning; a longer one gives its beginning and its end


def begun(embedder: Embedder, query: str) -> Future[TokenEmbedding]:
    """The question on its way, in a thread of its own: the embedder is another process, which reads it on
    another core while the tables are asked."""
    future: Future[TokenEmbedding] = Future()

    def embed() -> None:
        try:
            future.set_result(embedder.embed_tokens([text.ends(query, MAX_READ_CHARS)])[0])
        except Exception as error:  # noqa: BLE001 - raised where the vectors are asked for
            future.set_exception(error)

    # `threading.Thread` would wait here until the system has started it, which a busy machine does late
    start_new_thread(embed, ())
    return future


def meaning_of(views: Sequence[View], embedding: TokenEmbedding) -> Meaning:
    """What candidates are compared with: its tokens weigh by how rare they are among these vectors."""
    return Meaning(
        pooled=np.asarray(embedding.pooled, np.float32),
        tokens=reduce_tokens(np.asarray(embedding.tokens, np.float32)),
        weights=late.rarity(views, embedding.token_ids),
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
