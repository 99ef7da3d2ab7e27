"""The answer without a language engine: the engrams that would have gone into the context, as they are."""

from __future__ import annotations

from partner.context import Parts, note_line
from store.model import Engram

SHOWN = 6
WITHOUT_ENGINE = "(No language engine is attached; /brief shows what I do know.)"


def notes_reply(parts: Parts, *, formed: int, asks: bool) -> tuple[str, tuple[Engram, ...]]:
    """What memory alone can say, and the engrams it says. Never pretends to have understood more."""
    if formed and not asks:
        return "Noted.", ()
    shown = parts.near[:SHOWN]
    if not shown:
        return f"Nothing I remember bears on this. {WITHOUT_ENGINE}", ()
    lines = ["From memory, without a language engine:", *(note_line(engram) for engram in shown)]
    return "\n".join(lines), tuple(shown)


def asks(text: str) -> bool:
    """Whether the words ask for something back; a plain statement does not."""
    return "?" in text or "？" in text or "؟" in text
