"""The cue lists of one language: which words settle, unsettle, class or correct a sentence.

Every field is a pattern over one sentence or clause, case-insensitive. A pattern that never matches stands for
'this language has no such cue here'. One file a language in `languages/`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from re import Pattern

NEVER: Pattern[str] = re.compile(r"(?!)")


def rx(*alternatives: str) -> Pattern[str]:
    """One case-insensitive pattern out of alternatives; `^` and `$` mean the ends of the sentence."""
    return re.compile("|".join(f"(?:{a})" for a in alternatives), re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """Patterns of one language. The first group of fields unsettles, the second classes, the third compares."""

    code: str
    words: frozenset[str]  # function words that give the language away
    stop: frozenset[str]  # words that carry no topic

    question: Pattern[str] = NEVER  # a question, with or without its mark
    hedge: Pattern[str] = NEVER  # thinking aloud: maybe, might, not sure
    hypothetical: Pattern[str] = NEVER  # if we did, suppose
    supposed: Pattern[str] = NEVER  # goes on with a supposition: could, would
    joke: Pattern[str] = NEVER  # said of the words before it
    sarcasm: Pattern[str] = NEVER
    undo_before: Pattern[str] = NEVER  # a whole sentence that takes back the one before ('Not.')
    smalltalk: Pattern[str] = NEVER  # the whole sentence settles nothing
    example: Pattern[str] = NEVER
    report: Pattern[str] = NEVER  # somebody else says, thinks, wants
    request: Pattern[str] = NEVER  # asks for one act now

    prohibition: Pattern[str] = NEVER
    not_prohibition: Pattern[str] = NEVER
    permission: Pattern[str] = NEVER  # lifts a prohibition
    reminder: Pattern[str] = NEVER  # do not forget to
    preference: Pattern[str] = NEVER
    habit: Pattern[str] = NEVER  # whenever, always, from now on: how things are done
    identity: Pattern[str] = NEVER
    objective: Pattern[str] = NEVER
    not_objective: Pattern[str] = NEVER
    decision: Pattern[str] = NEVER

    correction: Pattern[str] = NEVER  # strong: what was said before is replaced
    now: Pattern[str] = NEVER  # weak: it changed since
    gone: Pattern[str] = NEVER  # no longer: the old claim ends, no new value is given
    retract: Pattern[str] = NEVER
    reached: Pattern[str] = NEVER
    dropped: Pattern[str] = NEVER
    goal: Pattern[str] = NEVER  # the words for a goal

    lead: Pattern[str] = NEVER  # openers that may be cut from a proposition
    passing: Pattern[str] = NEVER  # 'by the way' in mid-sentence: what stands before it is another matter
    joiner: Pattern[str] = NEVER  # between two clauses
    dates: tuple[tuple[Pattern[str], str], ...] = field(default=())
