"""A correction that gives the new value alone ('Make that 350.', 'Move the talk to Friday.').

The claim it corrects, the last one formed or the one whose topic it names, is said again with that value in
the old one's place. It needs one value of the same kind there, else nothing is revised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner.formation.frames import frame
from partner.formation.model import Context
from partner.formation.overlay import Overlay
from partner.formation.topics import content_words, spoken_words
from store.model import Authority, Engram, EngramType, Klass

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
# The specific before the general: in '30 June' the day is no bare number.
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("time", re.compile(r"(?i)\b\d{1,2}[:.]\d\d(?: ?[ap]m)?\b|\b\d{1,2} ?[ap]m\b|\b(?:noon|midnight)\b")),
    (
        "date",
        re.compile(
            rf"(?i)\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b"
        ),
    ),
    ("day", re.compile(r"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)day")),
    ("number", re.compile(r"(?i)(?<![\w.,])\d[\d.,]*\d|(?<![\w.,])\d(?!\w|\.\d)")),
)
_VALUE = r"(?P<v>(?:number |no\.? |room |at |on |to )?[€$£]?[\w:.,/-]+(?: (?:of )?[\w%€$£]+){0,2})"
_BARE = re.compile(
    r"(?i)^(?:(?:no|oh|ah|oops|sorry|wait|actually|hang on|my (?:bad|mistake)|correction|a (?:small |"
    r"quick )?correction|"
    r"typo|rather|or rather|better|scratch that|strike that|apologies|i misspoke|i mistyped|"
    r"on second thoughts?)[\s,:;.!–—-]+)*"
    r"(?:(?:make|let['’]s make|call) (?:that|it)|i meant(?: to say)?|i mean|(?:that|it) should (?:be|"
    r"have been|read|say)|"
    r"should (?:be|have been|read)|(?:that|it)(?:['’]s| is) (?:now |actually )?|now|correction:?|rather|"
    r"better)?[\s,:]*" + _VALUE + r"(?:,? (?:not|instead of|rather than) [\w:., ]{1,20})?"
    r"(?: instead| actually| please| then| after all)*[.!]*$"
)
_CUE = re.compile(
    r"(?i)\b(?:make (?:that|it)|i mean|meant|should|correction|typo|rather|oops|sorry|wait|misspoke|"
    r"mistyped|my bad|"
    r"my mistake|scratch that|strike that|actually|instead|no|second thoughts?|better|not)\b"
)
_NAMED = re.compile(
    r"(?i)^(?:please |let['’]s |now |then |can you |could you )*(?:(?:change|move|shift|push|extend|shorten|"
    r"update|reschedule|postpone|bring forward)|"
    r"(?P<sets>bump|set|raise|lower|cut|reduce|increase|adjust|put|switch)) (?P<t>(?:the|our|"
    r"my) [\w' -]{2,40}?)"
    r"(?: back| up| down| forward| out)? (?:to|at|until) " + _VALUE + r"(?: instead| please| then|"
    r" after all| now)*[.!]*$"
)


@dataclass(frozen=True, slots=True)
class Revision:
    """`target` is superseded by `text`, the same words with the new value."""

    target: Engram
    text: str


def revise(sentence: str, holds: Overlay, context: Context) -> Revision | None:
    """What a bare correction revises, or None."""
    named = _NAMED.match(sentence)
    bare = None if named else _BARE.match(sentence)
    if not named and not (bare and _CUE.search(sentence)):
        return None
    value = (named or bare or {"v": ""})["v"]
    kind = _kind(value)
    if not kind or (named and named["sets"] and not _FIGURES.search(named["t"])):
        return None  # 'Set the oven to 240 degrees' is an order, whatever is known of the oven
    if named:
        topic = content_words(named["t"])
        found = [
            e for e in holds.about(spoken_words(named["t"])) if topic and topic <= frame(e.content).topic
        ]
    else:
        own = holds.own()
        recent = [e for e in holds.recent(30) if e.id in context.formed]
        found = own[:1] or sorted(recent, key=lambda e: -e.seq)
    revised = [Revision(e, text) for e in found if _may_change(e) and (text := _with_value(e, value))]
    unit = content_words(re.sub(r"\S*\d\S*", "", value))
    alike = [r for r in revised if unit & content_words(r.target.content)] if unit else []
    fitting = alike or revised
    return fitting[0] if len(fitting) == 1 or (named and fitting) else None


def _may_change(engram: Engram) -> bool:
    return (
        engram.provenance.authority is Authority.OPERATOR
        and engram.klass in (Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE)
        and engram.type is not EngramType.DIRECTIVE
    )


def _kind(value: str) -> str:
    return next((name for name, pattern in _KINDS if pattern.search(value)), "")


def _with_value(engram: Engram, value: str) -> str:
    """The claim with each figure of the value in place of its only one of that kind; '' where it has none or
    several: of a change that cannot be read whole nothing is made that nobody said."""
    made = left = re.sub(r" \(\d{4}-\d\d-\d\d\)", "", engram.content)
    given, moved = value, False
    for _, pattern in _KINDS:
        spans, new = list(pattern.finditer(left)), list(pattern.finditer(given))
        if new and (len(spans) != 1 or len(new) != 1):
            return ""
        if new:
            moved = moved or new[0][0].lower() != spans[0][0].lower()
            made = made.replace(spans[0][0], new[0][0], 1)
        left, given = (pattern.sub(lambda m: "x" * len(m[0]), t) for t in (left, given))
    return made if moved else ""


_FIGURES = re.compile(
    r"(?i)\b(?:price|fee|rate|rent|charge|cost|limit|budget|deadline|date|day|time|hour|start|end|duration|"
    r"length|"
    r"target|goal|quota|salary|wage|deposit|allowance|minimum|maximum|fare|tariff|meeting|appointment|"
    r"call)s?$"
)
