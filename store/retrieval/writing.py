"""The vectors of engrams as they are stored: what is embedded of each, and which turns are its neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from store.model import Engram, EngramType
from store.retrieval import cues, text
from store.retrieval.bank import bank, hubness
from store.retrieval.codec import encode, joined
from store.retrieval.ports import Embedder

OPERATOR = "operator"  # as the partner writes the speaker of what it was told
SETTLED_SHARE = 0.5  # of an utterance's characters that became claims
PIECE_CHARS = 8_192  # of a stored text, handed to the embedder at once


def embed_for_store(embedder: Embedder, engrams: Sequence[Engram]) -> list[bytes]:
    """The blobs to put for these engrams, in order. A long text goes to the embedder in pieces, a call each,
    so that a question that comes meanwhile never waits for a book."""
    questions = bank(embedder)
    texts = [text.searchable(engram) for engram in engrams]
    short = [at for at, line in enumerate(texts) if len(line) <= PIECE_CHARS]
    whole = dict(zip(short, embedder.embed_tokens([texts[at] for at in short]), strict=True))
    out = []
    for at, engram in enumerate(engrams):
        embedding = whole.get(at) or joined(
            [embedder.embed_tokens([piece])[0] for piece in text.pieces(texts[at], PIECE_CHARS)]
        )
        hub = hubness(np.asarray(embedding.pooled, np.float32), questions)
        out.append(encode(embedding, session=_conversation(engram), hub=hub))
    return out


def _conversation(engram: Engram) -> str | None:
    """The conversation whose turns lend each other their words, None for what stands alone.

    Of what the operator told the partner two kinds stand alone. A question, asked again, would match itself
    in full and lift whatever was said next to it; between people the answer is the next turn, so there it
    belongs. And what was settled into claims is understood without the turns around it.
    """
    session = engram.metadata.get("session") if engram.type is EngramType.UTTERANCE else None
    if not isinstance(session, str):
        return None
    settled = engram.metadata.get("settled", 0.0)
    alone = isinstance(settled, int | float) and settled >= SETTLED_SHARE  # 1.0 is read back as 1
    alone = alone or cues.share_of_questions(engram.content) == 1.0
    return None if alone and engram.metadata.get("speaker") == OPERATOR else session
