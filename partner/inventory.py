"""Questions about what is written down as a whole: who I am, what I pursue, what I have forbidden.

The answer to these is no hit among others but a part of the state, so it is listed and not searched for. A
small model would make one up from the single note that it reads, and a rule is in no engine's context (P5).
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from partner.context import is_open, note_line, settled
from partner.formation.data import load
from partner.manners import language_of
from store.model import Klass
from store.retrieval.text import content_words, words

if TYPE_CHECKING:
    from store import Store
    from store.model import Engram

MOST = 60  # lines; a longer list is told how it goes on


class Part(Enum):
    """A part of the state, by the class that it is made of."""

    WHO = Klass.DISPOSITION
    PURSUED = Klass.OBJECTIVE
    FORBIDDEN = Klass.PROHIBITION


@cache
def _asked() -> tuple[tuple[Part, re.Pattern[str]], ...]:
    """How each part is asked for, as `configs/formation/inventory.toml` says."""
    data = load("inventory")
    around = (data["lead"], data["so_far"] + data["about"])
    return tuple(
        (part, re.compile(around[0] + f"(?:{'|'.join(data[part.value.value]['shapes'])})" + around[1]))
        for part in Part
    )


def asked(text: str) -> Part | None:
    """The part of the state that a question is about as a whole; None for every other message."""
    found = _match(text)
    return found[0] if found else None


def listed(store: Store, text: str) -> tuple[str, tuple[Engram, ...]]:
    """The part that the question asks for, as lines with ids and dates, and the engrams in it.

    'Which rules have I given you about the database?' lists those that share a word with the topic, and all
    of them where none does. Raises ValueError for a message that asks for no part.
    """
    found = _match(text)
    if found is None:
        raise ValueError("the message asks for no part of the state")
    part, topic = found
    held = [e for e in store.current(klass=part.value, newest_first=False) if settled(e)]
    if part is Part.PURSUED:
        held = [e for e in held if is_open(e)]
    if not held:
        return _said(part, "none", text), ()
    wanted = frozenset(content_words(topic))
    about = [e for e in held if wanted & frozenset(content_words(e.content))]
    title = _said(part, "title", text)
    if wanted and not about:
        title = f"Nothing of it names “{topic}”. {title}"
    shown = (about or held)[-MOST:]
    lines = [title, *map(note_line, shown)]
    if len(shown) < len(about or held):
        lines.insert(1, f"(the last {MOST} of {len(about or held)}; all of it: /brief)")
    return "\n".join(lines), tuple(shown)


def _said(part: Part, kind: str, text: str) -> str:
    said: dict[str, str] = load("inventory")[part.value.value][kind]
    return said.get(language_of(text), said["en"])


def _match(text: str) -> tuple[Part, str] | None:
    if len(text) > 200:
        return None
    line = " ".join(words(text))
    for part, shape in _asked():
        found = shape.fullmatch(line)
        if found:
            return part, found["topic"] or ""
    return None
