"""How the partner writes ids, dates and sources for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from store.model import Engram, ProvenanceKind

SHORT_ID_CHARS = 8


def short(engram_id: str) -> str:
    """The end of an id: the part of a UUIDv7 that differs between engrams of one minute."""
    return engram_id[-SHORT_ID_CHARS:]


def day(engram: Engram) -> str:
    """The day a claim became true where the words said so, else the day it was written."""
    return (engram.valid_from or engram.created_at).date().isoformat()


def moment(when: datetime) -> str:
    return when.isoformat(timespec="seconds")


def source(engram: Engram) -> str:
    """Who or what a claim rests on, in a word or two."""
    kind, name = engram.provenance.kind, engram.provenance.source
    if kind is ProvenanceKind.OPERATOR:
        return "you said"
    if kind is ProvenanceKind.INFERENCE:
        return f"inferred by {name}" if name else "inferred"
    word = {ProvenanceKind.ACTION: "result of", ProvenanceKind.DOCUMENT: "from"}[kind]
    return f"{word} {name}" if name else kind.value


def first_line(text: str, width: int = 100) -> str:
    """The text on one line, cut at `width` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def only_read(location: str) -> str:
    """What is said once where a store can be read and not written."""
    return f"{location} can only be read here: nothing is kept."


def kept_out(secrets: Sequence[str]) -> str:
    """What is said of secrets in a message, by their kinds; empty where it has none."""
    kinds = ", ".join(dict.fromkeys(secrets))
    return f"Kept out of what is remembered, and never written down: {kinds}." if kinds else ""
