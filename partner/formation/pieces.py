"""What of a message is formed, sentence by sentence."""

from __future__ import annotations

from partner.formation.blocks import Block, blocks
from partner.formation.handed import own_words
from partner.formation.sentences import Span, sentences

EDGE_CHARS = 5_000  # of a longer message the beginning and the end are formed: in between is what was pasted
MAX_PIECES = 600


def pieces(text: str) -> list[tuple[Block, Span]]:
    """The sentences of a message with the block each stands in, in order, without what is handed over to be
    worked on. Of a message longer than twice EDGE_CHARS or of more than MAX_PIECES, the first and the
    last."""
    inside = len(text) - EDGE_CHARS
    found = [
        (block, span)
        for block in blocks(text)
        if block.start < EDGE_CHARS or block.end > inside
        for span in (
            [Span(block.start, block.end)] if block.kind == "row" else sentences(text, block.start, block.end)
        )
        if span.end <= EDGE_CHARS or span.start >= inside
    ]
    found = list(own_words(text, found))
    half = MAX_PIECES // 2
    return found if len(found) <= MAX_PIECES else found[:half] + found[-half:]
