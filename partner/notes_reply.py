"""The answer without a language engine: the engrams that would have gone into the context, as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner import earlier, inventory
from partner.context import SETTLED_SHARE, Parts, note_line
from partner.events import Formed
from partner.history import NOTED
from partner.manners import asks, courtesy
from store.model import Engram
from store.retrieval.text import words

if TYPE_CHECKING:
    from store import Store

SHOWN = 6
WITHOUT_ENGINE = "(No language engine is attached; /brief shows what I do know.)"
# On folded words in en de es fr it pt: a question for a fact (not for advice) about the one who asks.
_FACT = re.compile(
    r"(?:(?:and|so|und|y|et|e|a|an|in|on|at|for|um|auf|en|el|a que|por|de) )?"
    r"(?:when|where|who|whose|which|what|how (?:many|much|long|often|old|far)"
    r"|wann|wo|wer|wem|wen|welche[rsnm]?|was|wie(?: viele?| lange| oft| alt)?"
    r"|cuando|donde|quien|cual|cuant[oa]s?|que|quand|ou|qui|quel(?:le)?s?|combien"
    r"|dove|chi|quale?|quant[oiea]|quando|onde|quem|qual) "
    r"(?!.*\b(?:should|could|would|can|might|sollte|konnte|kann|deberia|podria|puedo"
    r"|devrais|pourrais|puis|dovrei|potrei|posso|deveria|poderia)\b)"
)
_OWN = re.compile(
    r"\b(?:i|my|mine|me|we|our|ours|us|ich|mein(?:e[nrm]?)?|mir|mich|wir|unser(?:en?)?|uns|mi|mis|nosotros"
    r"|nuestr[oa]s?|mon|ma|mes|nous|notre|nos|io|mi[oae]|miei|noi|nostr[oa]|meus?|minhas?|noss[oa])\b"
)


def notes_reply(
    store: Store, text: str, parts: Parts, *, formed: int, attached: bool = False
) -> tuple[str, tuple[Engram, ...]]:
    """What memory alone can say, and the engrams it says. Never pretends to have understood more.

    `formed` counts what the message itself settled; `attached` says that an engine is there, and not asked.
    """
    if inventory.asked(text) is not None:
        return inventory.listed(store, text)
    if formed and not asks(text):
        return NOTED, ()
    if kind := courtesy(text):
        return kind, ()
    past = parts.earlier[:SHOWN]
    shown = parts.near[: SHOWN - len(past)]
    if not shown and not past:
        return "Nothing I remember bears on this." + ("" if attached else f" {WITHOUT_ENGINE}"), ()
    lines = ["From memory, without a language engine:", *map(earlier.line, past), *map(note_line, shown)]
    return "\n".join(lines), (*(one.engram for one in past), *shown)


def enough(text: str, parts: Parts, *, formed: Sequence[Formed], share: float, small: bool) -> bool:
    """Whether memory answers without the engine that is attached.

    The rules are in no engine's context, so they are listed for all. A `small` model gets no question that a
    list answers or that it could only make something up for, no greeting (it says its one note to it), nor a
    message that only states things: its echo would be noise. `share` of the message was settled into what
    was `formed`.
    """
    part = inventory.asked(text)
    if part is not None or not small:
        return small or part is inventory.Part.FORBIDDEN
    if asks(text):
        return not parts.just_formed and _nobody_said(text, parts)
    if courtesy(text):
        return True
    stated = share >= SETTLED_SHARE or all(event.change in ("retract", "same") for event in formed)
    return bool(formed) and stated


def _nobody_said(text: str, parts: Parts) -> bool:
    """Whether it is a question for a fact about the operator on which memory holds nothing."""
    line = " ".join(words(text)) + " "
    return (
        not (parts.near or parts.earlier)
        and len(text) <= 200
        and bool(_FACT.match(line) and _OWN.search(line))
    )
