"""Which classes a question is about, when the operation doesn't say: a small deterministic router.

Only classes that are retrieved by meaning take part unless they are asked for by name: dispositions and
open objectives are in every context already, prohibitions are compiled into the gate and control entries are
about entries (P4, P5, P9). A cue in the question prefers a class, it never shuts the others out: a decision
may have been told in passing. What was chosen and why is part of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from store.model import Klass
from store.retrieval.text import words

RETRIEVED = (Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE)
STANDING = (Klass.DISPOSITION, Klass.OBJECTIVE)

# On folded words, in en de es fr it pt: nouns for documents, after a word that makes them a source.
_DOCUMENT = (
    "document|documents|documentation|docs|file|files|readme|manual|handbook|report|"
    "policy|contract|specification|guide|attachment|pdf|dokument|dokumente|handbuch|bericht|datei|vertrag|"
    "documento|documentos|informe|manuale|archivo|rapport|fichier|relatorio|arquivo|documenti|relazione"
)
_CUES: tuple[tuple[Klass, re.Pattern[str], str], ...] = (
    (
        Klass.KNOWLEDGE,
        re.compile(
            r"\b(?:according to|in|from|does|do|says?|laut|im|steht|segun|selon|dans|secondo|no|na)\b"
            rf"(?: \w+)? (?:the |a |our |my |der |dem |das |el |la |le |il |o )?(?:\w+ )?(?:{_DOCUMENT})\b"
        ),
        "it asks what a document says",
    ),
    (
        Klass.CONCLUSION,
        re.compile(
            r"\b(?:(?:did|have|had) we (?:\w+ )?(?:decided?|agreed?|settled?|concluded?|choose|chosen)"
            r"|(?:our|the|which|what) decisions?|was (?:\w+ )?decided|(?:our|the) conclusions?|why did we"
            r"|haben wir (?:\w+ )*(?:entschieden|beschlossen|vereinbart)|entscheidung(?:en)?|beschluss"
            r"|(?:que|por que) (?:decidimos|acordamos)|decision(?:es)?|avons nous decide|decisione|decisao)\b"
        ),
        "it asks what was decided",
    ),
    (
        Klass.OBSERVATION,
        re.compile(
            r"\b(?:(?:did|have|had) (?:i|you) (?:\w+ )?(?:say|said|tell|told|mention(?:ed)?|ask(?:ed)?)"
            r"|(?:i|you) (?:said|told|mentioned|asked)|(?:our|last|the) (?:conversation|chat|talk)"
            r"|(?:habe ich|hast du) (?:\w+ )*(?:gesagt|erzahlt|erwahnt)"
            r"|te dije|tai dit|ti ho detto|te disse)\b"
        ),
        "it asks what was said",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The classes to search, in order; the one a cue prefers, if any; how they were chosen, in words."""

    classes: tuple[Klass, ...]
    preferred: Klass | None
    reason: str


def route(query: str, asked: Collection[Klass] | None) -> Route:
    """The route of a question; `asked` are the classes the operation names, None when it names none.

    Where it names several, a cue still prefers one of them.
    """
    named = "" if asked is None else _named(asked)
    open_to = RETRIEVED if asked is None else tuple(k for k in (*STANDING, *RETRIEVED) if k in asked)
    if len(open_to) > 1:
        line = " ".join(words(query))
        for klass, pattern, reason in _CUES:
            if klass in open_to and pattern.search(line):
                others = tuple(other for other in open_to if other is not klass)
                return Route(
                    classes=(klass, *others), preferred=klass, reason=f"{named}{reason}: {klass} first"
                )
    reason = named.removesuffix("; ") or "nothing in the question prefers a class"
    return Route(classes=open_to, preferred=None, reason=reason)


def _named(asked: Collection[Klass]) -> str:
    wanted = ", ".join(klass for klass in (*STANDING, *RETRIEVED) if klass in asked)
    return f"the operation names {wanted or 'no class that is retrieved'}; "
