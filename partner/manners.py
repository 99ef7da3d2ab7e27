"""What a message is to a conversation before it is about anything: a question, a greeting, thanks."""

from __future__ import annotations

import re
from functools import cache

from partner.formation.data import expand, load
from store.retrieval.text import words


@cache
def _courtesies() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What is said and what is said back, as `configs/formation/manners.toml` says."""
    data = load("manners")
    return tuple(
        (re.compile(expand(courtesy["said"], data["fragments"])), courtesy["answer"])
        for courtesy in data["courtesy"]
    )


def noted(text: str) -> str:
    """What memory says to a message that only states things, in the message's own language."""
    from gate.language.detect import detect_language
    from gate.language.normalise import fold
    from partner.formation.languages import CODES, cues_for

    said: dict[str, str] = load("replies")["noted"]
    code, formed_in = detect_language(fold(text).text, text), cues_for(text).code
    if code in CODES and formed_in != "en":  # formation tells its own apart in shorter texts
        code = formed_in
    return said.get(code, said["en"])


def asks(text: str) -> bool:
    """Whether the words ask for something back; a plain statement does not."""
    return "?" in text or "？" in text or "؟" in text


def courtesy(text: str) -> str | None:
    """What one says to a greeting, to thanks and the like; None for a message that is more than that."""
    if len(text) > 60 or asks(text) or any(mark.isdigit() for mark in text):
        return None
    line = " ".join(words(text))
    return next((answer for shape, answer in _courtesies() if shape.fullmatch(line)), None)
