"""Questions about what is written down as a whole: who I am, what I pursue, what I have forbidden.

The answer to these is no hit among others but a part of the state, so it is listed and not searched for. A
small model would make one up from the single note that it reads, and a rule is in no engine's context (P5).
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from partner.context import is_open, note_line, settled
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


# On folded words without apostrophes, in en de es fr it pt. The whole question has to read so.
_LEAD = r"(?:(?:so|and|please|now|ok|hey|also|und|sag mal|bitte|y|et|e|allora|entao) )*"
_ABOUT = r"(?: (?:about|on|for|with|to|uber|zu|zur|zum|fur|sobre|para|sur|pour|su|per) (?P<topic>.+))?"
_SO_FAR = (
    r"(?: (?:so far|again|now|currently|at the moment|still|right now|today|bisher|gerade|noch|ahora"
    r"|actuellement|adesso|agora))?"
)
_SHAPES: tuple[tuple[Part, str], ...] = (
    (
        Part.WHO,
        r"(?:(?:tell me )?(?:what|everything|all)(?: else| all)?(?: do)? you (?:know|remember|have|learned)"
        r"(?: written down)? (?:about|of|on) me|who am i|what have i told you about (?:me|myself)"
        r"|(?:what|which)(?: are)? my preferences(?: do you know| are there)?"
        r"|was (?:weisst|merkst) du(?: alles)? (?:uber|von) mi(?:ch|r)|wer bin ich|was sind meine vorlieben"
        r"|que sabes (?:de|sobre) mi|quien soy(?: yo)?|cuales son mis preferencias"
        r"|(?:quest ce que tu sais|que sais tu)(?: de| sur)? moi|qui suis je|quelles sont mes preferences"
        r"|(?:che )?cosa sai (?:di|su) me|chi sono(?: io)?|quali sono le mie preferenze"
        r"|o que (?:voce )?sabes? (?:de|sobre) mim|quem sou eu|quais sao (?:as )?minhas preferencias)",
    ),
    (
        Part.PURSUED,
        r"(?:what(?: are)?(?: all)? my(?: \w+)? (?:goals?|objectives?|aims?|targets?)(?: are(?: \w+)?)?"
        r"|which (?:of my )?(?:goals|objectives|aims|targets)(?: of mine)? (?:are|do i have|have i)"
        r"(?: still)?(?: open| set)?|(?:list|show me|tell me) my(?: \w+)? (?:goals|objectives|aims|targets)"
        r"|what am i (?:working towards?|pursuing|aiming (?:for|at)|after)(?: this \w+)?"
        r"|(?:was|welche) sind meine(?: \w+)? ziele"
        r"|welche(?: meiner)? ziele (?:habe ich|sind)(?: noch)?(?: offen)?"
        r"|cuales son mis(?: \w+)? (?:objetivos|metas)|que (?:objetivos|metas) tengo(?: pendientes)?"
        r"|quels sont mes (?:objectifs|buts)|quali sono i miei obiettivi|che obiettivi ho"
        r"|quais sao (?:os meus|as minhas|meus|minhas) (?:objetivos|metas))",
    ),
    (
        Part.FORBIDDEN,
        r"(?:(?:what|which) (?:rules|prohibitions)(?: (?:have|did) i (?:given?|gave|set|made?)(?: you)?"
        r"| are (?:there|in force)| do you (?:have|follow|know))"
        r"|(?:what are|list|show me|tell me) (?:my|the|your|all my) (?:rules|prohibitions)"
        r"|what (?:have|did) i (?:forbidden?|forbade|prohibit(?:ed)?)(?: you(?: to do)?)?"
        r"|what (?:are you|is) (?:not allowed|forbidden|prohibited|off limits)(?: to do)?"
        r"|what (?:may|must|can|should) you (?:not|never) do"
        r"|what (?:arent|cant|mustnt) you (?:allowed to )?do"
        r"|was darfst du (?:alles )?nicht|welche regeln (?:habe ich dir gegeben|gelten|gibt es)"
        r"|was (?:habe ich dir|ist)(?: alles)? verboten"
        r"|que reglas te he dado|que tienes prohibido|que (?:esta|te he) prohibido|que no puedes hacer"
        r"|quelles regles (?:tai je donnees|y a t il|dois tu suivre)|quest ce qui (?:est|test) interdit"
        r"|que nas tu pas le droit de faire"
        r"|(?:che|quali) regole ti ho dato|(?:che )?cosa (?:non puoi fare|e vietato|ti ho vietato)"
        r"|que regras te dei|o que (?:e|esta) proibido|o que nao podes? fazer)",
    ),
)
_ASKED = tuple((part, re.compile(_LEAD + shape + _SO_FAR + _ABOUT)) for part, shape in _SHAPES)
_TITLES = {
    Part.WHO: "What I know about you:",
    Part.PURSUED: "What you pursue:",
    Part.FORBIDDEN: "What you have forbidden:",
}
_NONE = {
    Part.WHO: "You have told me nothing about yourself yet.",
    Part.PURSUED: "No goal of yours is open that I know of.",
    Part.FORBIDDEN: "You have forbidden nothing so far.",
}


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
        return _NONE[part], ()
    wanted = frozenset(content_words(topic))
    about = [e for e in held if wanted & frozenset(content_words(e.content))]
    title = _TITLES[part]
    if wanted and not about:
        title = f"Nothing of it names “{topic}”. {title}"
    shown = (about or held)[-MOST:]
    lines = [title, *map(note_line, shown)]
    if len(shown) < len(about or held):
        lines.insert(1, f"(the last {MOST} of {len(about or held)}; all of it: /brief)")
    return "\n".join(lines), tuple(shown)


def _match(text: str) -> tuple[Part, str] | None:
    if len(text) > 200:
        return None
    line = " ".join(words(text))
    for part, shape in _ASKED:
        found = shape.fullmatch(line)
        if found:
            return part, found["topic"] or ""
    return None
