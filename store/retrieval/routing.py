"""Which classes a question is about, when the operation doesn't say: a small deterministic router.

Whoever names no class is answered from all that are retrieved. The standing classes come last and at a
discount, since dispositions and open objectives are in every context already; prohibitions are compiled into
the gate and control entries are about entries (P4, P5, P9). A cue in the question prefers a class, it never
shuts the others out: a decision may have been told in passing, and a cue missed. What was chosen and why
is part of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from store.model import Klass
from store.retrieval.route_cues import cues
from store.retrieval.text import content_words, ends, words

RETRIEVED = (Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE)
STANDING = (Klass.DISPOSITION, Klass.OBJECTIVE)
UNASKED = -0.25  # of the weight of the route: the prior of a standing class that nothing asks for
MAX_ROUTED_CHARS = 2_000  # a cue stands where the question is put: at the beginning or the end of a long text
_OWNED = re.compile(r"(?i)\b((?:my|our) (?:\w+ )?\w+)['\u2019]s\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The classes to search, in order; the one a cue prefers, if any; how they were chosen, in words.

    `priors` are the shares of the route's weight that a class gets, 0 where none is given. `content` is the
    question without the words that chose the class: what the report says on turnover is about turnover, and a
    decision on how it is reported must not come first for the word. A `bare` question says no more than which
    class it is about ('What are my goals?').
    """

    classes: tuple[Klass, ...]
    preferred: Klass | None
    reason: str
    content: str
    bare: bool = False
    priors: Mapping[Klass, float] = field(default_factory=dict)


def route(query: str, asked: Collection[Klass] | None) -> Route:
    """The route of a question; `asked` are the classes the operation names, None when it names none.

    Where it names several, a cue still prefers one of them.
    """
    named = "" if asked is None else _named(asked)
    open_to = tuple(klass for klass in (*RETRIEVED, *STANDING) if asked is None or klass in asked)
    priors: dict[Klass, float] = dict.fromkeys(STANDING, UNASKED) if asked is None else {}
    line = " ".join(words(_OWNED.sub(r"\1 ofmine", ends(query, MAX_ROUTED_CHARS))))
    known = cues()
    if known.rules.search(line):
        reason = f"{named}it asks for rules, which are never ranked: `partner rules` lists them"
        return Route(classes=open_to, preferred=None, reason=reason, content=query, priors=priors)
    for cue in known.classes if len(open_to) > 1 else ():
        found = cue.pattern.search(line) if cue.klass in open_to else None
        if found is not None:
            return Route(
                classes=(cue.klass, *(other for other in open_to if other is not cue.klass)),
                preferred=cue.klass,
                reason=f"{named}{cue.reason}: {cue.klass} first",
                content=_without(line, found, query) if cue.spent else query,
                bare=not content_words(_rest(line, found)),
                priors={**priors, cue.klass: cue.share},
            )
    reason = named.removesuffix("; ") or "nothing in the question prefers a class"
    return Route(classes=open_to, preferred=None, reason=reason, content=query, priors=priors)


def named(route: Route) -> tuple[Klass, ...]:
    """The standing class that a question names and asks for as a whole ('my goals'); none is ()."""
    whole = route.bare and route.preferred in STANDING
    return tuple(
        klass for klass in STANDING if whole and klass is route.preferred and route.priors[klass] >= 1
    )


def _without(line: str, cue: re.Match[str], query: str) -> str:
    """The question's words but for the cue's; the question itself where they alone say nothing."""
    rest = _rest(line, cue)
    return rest if content_words(rest) else query


def _rest(line: str, cue: re.Match[str]) -> str:
    return f"{line[: cue.start()]} {line[cue.end() :]}"


def _named(asked: Collection[Klass]) -> str:
    wanted = ", ".join(klass for klass in (*STANDING, *RETRIEVED) if klass in asked)
    return f"the operation names {wanted or 'no class that is retrieved'}; "
