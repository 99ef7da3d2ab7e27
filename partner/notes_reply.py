"""The answer without a language engine: the engrams that would have gone into the context, as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.language.detect import detect_language
from gate.language.lexicon import LANGUAGES
from gate.language.normalise import fold
from partner import earlier, inventory
from partner.context import SETTLED_SHARE, Parts, note_line
from partner.events import Formed
from partner.manners import asks, courtesy, inquires, orders_a_deed, parted, said_back
from store.model import Engram
from store.retrieval.text import words

if TYPE_CHECKING:
    from router.model import Capabilities
    from store import Store

SHOWN = 6
_END_OF_LATIN = "\u0250"
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


@dataclass(frozen=True, slots=True)
class Settled:
    """What a message itself settled, the share of its words that did, and whether the operator was asked back
    what was meant."""

    formed: Sequence[Formed]
    share: float
    asked_back: bool = False

    @property
    def mostly(self) -> bool:
        return bool(self.formed) and self.share >= SETTLED_SHARE


def notes_reply(
    store: Store, text: str, parts: Parts, settled: Settled, *, attached: bool = False
) -> tuple[str, tuple[Engram, ...]]:
    """What memory alone can say, and the engrams it says. Never pretends to have understood more.

    `attached` says that an engine is there, and not asked.
    """
    if inventory.asked(text) is not None:
        return inventory.listed(store, text)
    if deed := _undone(text, settled):
        return deed, ()
    if settled.formed and not asks(text):
        return said_back("noted", text), ()
    if settled.asked_back and not inquires(text):
        return "", ()
    if kind := courtesy(text):
        return kind, ()
    past = parts.earlier[:SHOWN]
    shown = _bearing(text, parts.near)[: SHOWN - len(past)]
    if not shown and not past:
        if not wants_something(text):
            return said_back("unsettled", text), ()
        nothing = said_back("nothing", text)
        return nothing if attached else f"{nothing} {said_back('without_engine', text)}", ()
    lines = [
        said_back("as_noted" if attached else "from_memory", text),
        *map(earlier.line, past),
        *map(note_line, shown),
    ]
    return "\n".join(lines), (*(one.engram for one in past), *shown)


def _undone(text: str, settled: Settled) -> str:
    """What is said to an order for a deed, which nobody here does; '' for any other message."""
    if settled.mostly or not orders_a_deed(text):
        return ""
    cannot = said_back("cannot", text)
    return f"{said_back('noted', text)} {cannot}" if settled.formed else cannot


def _bearing(text: str, near: Sequence[Engram]) -> Sequence[Engram]:
    """Of the notes that are near those that answer: to an order only those that share its words."""
    from partner.formation.grammar import imperative
    from partner.formation.topics import content_words

    if inquires(text) or not imperative(text):
        return near
    ordered = content_words(text)
    return [engram for engram in near if ordered & content_words(engram.content)]


def wants_something(text: str) -> bool:
    """Whether any sentence asks or orders; a statement only tells."""
    from partner.formation.grammar import imperative

    return inquires(text) or any(map(imperative, parted(text)))


def enough(text: str, parts: Parts, settled: Settled, *, engine: Capabilities | None) -> bool:
    """Whether memory answers without the `engine` that is attached (None: it cannot be had).

    The rules are in no engine's context, so they are listed for all. A small model gets no question that a
    list answers or that it could only make something up for, no greeting (it says its one note to it), nor a
    message that only states things: its echo would be noise; nor an order that no words carry out, which it
    says is done. Asked in a language that it does not write, or told a note in one, it garbles the note: the
    note itself is the better answer.
    """
    part = inventory.asked(text)
    small = engine is not None and engine.notes_in_user
    if part is not None or not small:
        return small or part is inventory.Part.FORBIDDEN
    if courtesy(text) or orders_a_deed(text) or (settled.asked_back and not inquires(text)):
        return True
    if not parts.just_formed and not writes(engine, text):
        return True
    if asks(text) or (not settled.formed and inquires(text)):
        return not parts.just_formed and (_nobody_said(text, parts) or _foreign(engine, parts))
    only_ended = all(event.change in ("retract", "same") for event in settled.formed)
    return bool(settled.formed) and (settled.mostly or only_ended or not wants_something(text))


def _foreign(engine: Capabilities | None, parts: Parts) -> bool:
    """Whether the note that answers is in a language that the engine does not write."""
    return bool(parts.near) and not parts.earlier and not writes(engine, parts.near[0].content)


def writes(engine: Capabilities | None, text: str) -> bool:
    """Whether an engine writes the language of a text; one that names no languages is taken to write all."""
    if engine is None or not engine.languages:
        return True
    letters = [mark for mark in text if mark.isalpha()]
    if 2 * sum(mark < _END_OF_LATIN for mark in letters) < len(letters):
        return not set(engine.languages) <= set(LANGUAGES)  # in another script: not told apart here
    return detect_language(fold(text).text, text) in engine.languages


def _nobody_said(text: str, parts: Parts) -> bool:
    """Whether it is a question for a fact about the operator on which memory holds nothing."""
    line = " ".join(words(text)) + " "
    return (
        not (parts.near or parts.earlier)
        and len(text) <= 200
        and bool(_FACT.match(line) and _OWN.search(line))
    )
