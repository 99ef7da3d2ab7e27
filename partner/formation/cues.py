"""The cue lists of one language: which words settle, unsettle, class or correct a sentence.

Every field is a pattern over one sentence or clause, case-insensitive. A pattern that never matches stands for
'this language has no such cue here'. One file a language in `languages/`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from re import Pattern

class Cue:
    """Alternatives of one cue, searched without regard to case.

    Text and patterns are put in lower case once instead of matching with IGNORECASE, and the alternatives that
    can only stand at the start are tried there alone: measured 4 times faster, with the same matches.
    """

    __slots__ = ("_free", "_start")

    def __init__(self, alternatives: tuple[str, ...]) -> None:
        start = [a for a in map(_lower, alternatives) if a.startswith("^") and not _splits(a)]
        free = [a for a in map(_lower, alternatives) if not (a.startswith("^") and not _splits(a))]
        self._start = _joined(start)
        self._free = _joined(free)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, positions in the text in lower case."""
        low = lowered(text)
        return (self._start and self._start.match(low)) or (self._free and self._free.search(low)) or None

    def match(self, text: str) -> re.Match[str] | None:
        """A match at the start of the text, or None."""
        low = lowered(text)
        return (self._start and self._start.match(low)) or (self._free and self._free.match(low)) or None


@lru_cache(maxsize=512)
def lowered(text: str) -> str:
    """In lower case, of the same length (a letter whose lower case is longer stays as it is)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def _lower(pattern: str) -> str:
    """The pattern's letters in lower case, its escapes untouched."""
    return re.sub(r"\\.|[^\\]", lambda m: m[0] if m[0].startswith("\\") else m[0].lower(), pattern)


def _splits(pattern: str) -> bool:
    """Whether `|` parts the pattern at its top level, so that `^` holds for its first part only."""
    depth = 0
    bare = re.sub(r"\\.|\[[^\]]*\]", "", pattern)
    for letter in bare:
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0:
            return True
    return False


def _joined(alternatives: list[str]) -> Pattern[str] | None:
    return re.compile("|".join(f"(?:{a})" for a in alternatives)) if alternatives else None


def rx(*alternatives: str) -> Cue:
    """One cue out of alternatives; `^` and `$` mean the ends of the sentence."""
    return Cue(alternatives)


def places(*alternatives: str) -> Pattern[str]:
    """A case-insensitive pattern for cutting a sentence: its positions are those of the text itself."""
    return re.compile("|".join(f"(?:{a})" for a in alternatives), re.IGNORECASE)


NEVER = Cue(("(?!)",))
NOWHERE: Pattern[str] = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """Patterns of one language. The first group of fields unsettles, the second classes, the third compares."""

    code: str
    words: frozenset[str]  # function words that give the language away
    stop: frozenset[str]  # words that carry no topic

    question: Cue = NEVER  # a question, with or without its mark
    hedge: Cue = NEVER  # thinking aloud: maybe, might, not sure
    hypothetical: Cue = NEVER  # if we did, suppose
    supposed: Cue = NEVER  # goes on with a supposition: could, would
    joke: Cue = NEVER  # said of the words before it
    sarcasm: Cue = NEVER
    undo_before: Cue = NEVER  # a whole sentence that takes back the one before ('Not.')
    smalltalk: Cue = NEVER  # the whole sentence settles nothing
    example: Cue = NEVER
    report: Cue = NEVER  # somebody else says, thinks, wants
    request: Cue = NEVER  # asks for one act now

    prohibition: Cue = NEVER
    not_prohibition: Cue = NEVER
    permission: Cue = NEVER  # lifts a prohibition
    reminder: Cue = NEVER  # do not forget to
    preference: Cue = NEVER
    habit: Cue = NEVER  # whenever, always, from now on: how things are done
    identity: Cue = NEVER
    objective: Cue = NEVER
    not_objective: Cue = NEVER
    decision: Cue = NEVER

    correction: Cue = NEVER  # strong: what was said before is replaced
    now: Cue = NEVER  # weak: it changed since
    gone: Cue = NEVER  # no longer: the old claim ends, no new value is given
    retract: Cue = NEVER
    reached: Cue = NEVER
    dropped: Cue = NEVER
    goal: Cue = NEVER  # the words for a goal

    lead: Pattern[str] = NOWHERE  # openers that may be cut from a proposition
    passing: Pattern[str] = NOWHERE  # 'by the way' in mid-sentence: what stands before it is another matter
    joiner: Pattern[str] = NOWHERE  # between two clauses
