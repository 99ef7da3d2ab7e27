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
from store.retrieval.text import content_words, words

RETRIEVED = (Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE)
STANDING = (Klass.DISPOSITION, Klass.OBJECTIVE)

# On folded words, in en de es fr it pt. A document is named after a word that makes it a source, or as what
# says, requires or covers something.
_DOCUMENT = (
    r"(?:document|doc|file|manual|handbook|report|policy|contract|spec|specification|guide|attachment|pdf|lease|"
    r"datasheet|tender|brochure|leaflet|letter|e?mail|article|paper|warranty|transcript|annex|appendix|clause|"
    r"section|chapter|license|licence|protocol|syllabus|invoice|offer|study|note)s?|policies|readme|wiki|"
    r"documentation|minutes|bylaws|terms|instructions|faq|changelog|rfc|adr|"
    r"dokumente?|handbuch|bericht|datei|vertrag|mietvertrag|protokoll|anleitung|satzung|richtlinie|gutachten|"
    r"documentos?|informe|archivo|contrato|manual|reglamento|acta|poliza|rapport|fichier|contrat|bail|reglement|"
    r"notice|manuel|relatorio|arquivo|regulamento|ata|apolice|documenti|relazione|contratto|verbale|manuale|"
    r"regolamento|polizza"
)
_ARTICLE = (
    r"(?:the|a|an|any|our|my|your|his|her|their|this|that|which|der|die|das|den|dem|el|la|los|las|le|les|il|lo|"
    r"gli|o|os|as|no|na)"
)
_SOURCE = (
    r"(?:according to|in|from|per|under|read(?:s)?|laut|gemass|im|in der|segun|selon|dapres|dans|secondo|nel|"
    r"nella|de acordo com)"
)
_SPEAKING = (
    r"(?:does|do|did|sagt|steht|verlangt|schreibt|regelt|dit|prevoit|exige|dice|establece|prevede|diz|preve)"
)
_DECIDED = (
    r"(?:decided?|agreed?|settled?|concluded?|choose|chose|chosen|pick(?:ed)?|resolved?|opt(?:ed)?|selected|"
    r"(?:go|going|went|gone) (?:with|for))"
)
_SAID = (
    r"(?:say|said|saying|tell|told|telling|mention(?:ed|ing)?|ask(?:ed|ing)?|describ(?:e|ed|ing)|"
    r"complain(?:ed|ing)?|talk(?:ed|ing)?|discuss(?:ed|ing)?|call(?:ed)?|bring up|brought up)"
)
_CUES: tuple[tuple[Klass, re.Pattern[str], str], ...] = (
    (
        Klass.KNOWLEDGE,
        re.compile(
            rf"\b(?:{_SOURCE} (?:{_ARTICLE} )?(?:\w+ )?(?:{_DOCUMENT})"
            rf"|{_SPEAKING} {_ARTICLE} (?:\w+ )?(?:{_DOCUMENT})"
            r"|(?:section|clause|chapter|paragraph|article|annex|page|artikel|kapitel|seite|articulo) \d+"
            r"|what (?:is|was|stands?) (?:\w+ )?(?:written|stated|documented))\b"
        ),
        "it asks what a document says",
    ),
    (
        Klass.CONCLUSION,
        re.compile(
            rf"\b(?:(?:did|have|had|do|are) we (?:\w+ ){{0,2}}{_DECIDED}"
            r"|(?:was|were|been|got) (?:\w+ )?(?:decided|agreed|settled|concluded|chosen|picked|resolved"
            r"|selected)|(?:our|the|which|what) (?:\w+ )?decisions?|(?:our|the) conclusions?"
            r"|our (?:position|stance|choice)|why did we"
            r"|haben wir (?:\w+ )*(?:entschieden|beschlossen|vereinbart|gewahlt)|entscheidung(?:en)?"
            r"|beschluss|(?:que|por que|como) (?:decidimos|acordamos)|decision(?:es)?"
            r"|(?:avons nous|on a) decide|decisione|abbiamo deciso|decisao)\b"
        ),
        "it asks what was decided",
    ),
    (
        Klass.OBSERVATION,
        re.compile(
            rf"\b(?:(?:did|have|had|was|were) (?:i|you|we) (?:\w+ ){{0,2}}{_SAID}"
            r"|(?:i|you) (?:said|told|mentioned|asked|described)"
            r"|(?:our|last|the|this) (?:last )?(?:conversation|chat|talk)"
            r"|(?:habe ich|hast du|haben wir) (?:\w+ )*(?:gesagt|erzahlt|erwahnt|gesprochen)"
            r"|(?:te|me) (?:dije|dijiste|conte|contaste)|tai (?:je )?dit|mas dit|ti ho detto|mi hai detto"
            r"|te disse|me disseste)\b"
        ),
        "it asks what was said",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The classes to search, in order; the one a cue prefers, if any; how they were chosen, in words.

    `content` is the question without the words that chose the class: what the report says on turnover is
    about turnover, and a decision on how it is reported must not come first for the word.
    """

    classes: tuple[Klass, ...]
    preferred: Klass | None
    reason: str
    content: str


def route(query: str, asked: Collection[Klass] | None) -> Route:
    """The route of a question; `asked` are the classes the operation names, None when it names none.

    Where it names several, a cue still prefers one of them.
    """
    named = "" if asked is None else _named(asked)
    open_to = RETRIEVED if asked is None else tuple(k for k in (*STANDING, *RETRIEVED) if k in asked)
    if len(open_to) > 1:
        line = " ".join(words(query))
        for klass, pattern, reason in _CUES:
            cue = pattern.search(line) if klass in open_to else None
            if cue is not None:
                return Route(
                    classes=(klass, *(other for other in open_to if other is not klass)),
                    preferred=klass,
                    reason=f"{named}{reason}: {klass} first",
                    content=_without(line, cue, query),
                )
    reason = named.removesuffix("; ") or "nothing in the question prefers a class"
    return Route(classes=open_to, preferred=None, reason=reason, content=query)


def _without(line: str, cue: re.Match[str], query: str) -> str:
    """The question's words but for the cue's; the question itself where they alone say nothing."""
    rest = f"{line[: cue.start()]} {line[cue.end() :]}"
    return rest if content_words(rest) else query


def _named(asked: Collection[Klass]) -> str:
    wanted = ", ".join(klass for klass in (*STANDING, *RETRIEVED) if klass in asked)
    return f"the operation names {wanted or 'no class that is retrieved'}; "
