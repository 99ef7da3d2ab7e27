"""The cue lists of one language: which words settle, unsettle, class or correct a sentence.

The lists are data (`configs/formation/<language>.toml`); here is what each is for and how it is matched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from re import Pattern
from typing import Any

from partner.formation.data import expand
from partner.formation.literals import Sieve


class Cue:
    """Alternatives of one cue, searched without regard to case.

    Text and patterns are put in lower case once instead of matching with IGNORECASE, the alternatives that
    can only stand at the start are tried there alone, and none is tried on a text without its letters
    (`literals`): measured twenty times faster, with the same matches. Compiled on first use, so that a
    language that is never met costs nothing.
    """

    __slots__ = ("_alternatives", "_free", "_ready", "_start")

    def __init__(self, alternatives: Sequence[str]) -> None:
        self._alternatives = tuple(alternatives)
        self._ready = False
        self._start: _Joined | None = None
        self._free: _Joined | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """The first match; its positions are those of the text."""
        self._compile()
        low = lowered(text)
        return (self._start and self._start.match(low)) or (self._free and self._free.search(low)) or None

    def match(self, text: str) -> re.Match[str] | None:
        """A match at the start of the text, or None."""
        self._compile()
        low = lowered(text)
        return (self._start and self._start.match(low)) or (self._free and self._free.match(low)) or None

    def _compile(self) -> None:
        if self._ready:
            return
        low = [_lower(a) for a in self._alternatives]
        start = [a for a in low if a.startswith("^") and not _parted(a)]
        free = [a for a in low if not a.startswith("^") or _parted(a)]
        self._start = _Joined(start) if start else None
        self._free = _Joined(free) if free else None
        self._ready = True


class _Joined:
    """Alternatives as one pattern; a text that lacks the letters of most is tried with the others alone."""

    __slots__ = ("_alternatives", "_every", "_others", "_sieve")

    def __init__(self, alternatives: Sequence[str]) -> None:
        self._alternatives = alternatives
        self._sieve = Sieve(alternatives)
        others = [alternatives[place] for place in self._sieve.always]
        self._others = _joined(others) if others else None
        self._every: Pattern[str] | None = None

    def search(self, low: str) -> re.Match[str] | None:
        pattern = self._for(low)
        return pattern.search(low) if pattern is not None else None

    def match(self, low: str) -> re.Match[str] | None:
        pattern = self._for(low)
        return pattern.match(low) if pattern is not None else None

    def _for(self, low: str) -> Pattern[str] | None:
        if not self._sieve.any(low):
            return self._others
        if self._every is None:
            self._every = _joined(self._alternatives)
        return self._every


@lru_cache(maxsize=512)
def lowered(text: str) -> str:
    """In lower case, of the same length (a letter whose lower case is longer stays as it is)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _lower(pattern: str) -> str:
    """The pattern's letters in lower case, its escapes untouched."""
    return re.sub(r"\\.|[^\\]", lambda m: m[0] if m[0].startswith("\\") else m[0].lower(), pattern)


def _parted(pattern: str) -> bool:
    """Whether `|` parts the pattern at its top level, so that `^` holds for its first part only."""
    depth = 0
    for letter in re.sub(r"\\.|\[[^\]]*\]", "", pattern):
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0:
            return True
    return False


def _joined(alternatives: Sequence[str]) -> Pattern[str]:
    return re.compile("|".join(f"(?:{a})" for a in alternatives))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """How a language without a grammar here joins its statements (`parting`)."""

    verbs: frozenset[str]  # common finite forms
    single: frozenset[str]  # those by which a subject has one value
    openers: frozenset[str]  # determiners and pronouns that open a subject
    first: frozenset[str]  # pronouns of the first person: nothing is put in their place
    clitics: frozenset[str]  # lean on the verb and are not of the subject
    relatives: frozenset[str]  # articles that may be relative pronouns
    subordinators: frozenset[str]
    dropped: frozenset[str]  # open a statement whose subject is left out ('Vive en Sevilla.')
    third: dict[str, frozenset[str]]  # pronoun -> determiners of the phrases it may stand for
    whose: dict[str, frozenset[str]]  # the same for possessives: 'sa maîtresse' after 'ma fille'
    joint: Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """Cues of one language. The first group unsettles, the second classes, the third compares, the fourth
    cuts."""

    code: str
    words: frozenset[str]  # function words that give the language away
    stop: frozenset[str]  # words that carry no topic
    parting: Parting | None

    question: Cue  # a question, with or without its mark
    hedge: Cue  # thinking aloud: maybe, might, not sure
    hypothetical: Cue  # if we did, suppose
    supposed: Cue  # goes on with a supposition: could, would
    joke: Cue  # said of the words before it
    sarcasm: Cue
    undo_before: Cue  # a whole sentence that takes back the one before ('Not.')
    smalltalk: Cue  # settles nothing
    example: Cue
    report: Cue  # somebody else says, thinks, wants
    request: Cue  # asks for one act now
    errand: Cue  # an order for one act on one thing

    prohibition: Cue
    not_prohibition: Cue  # looks like one and forbids nothing
    permission: Cue  # lifts a prohibition
    reminder: Cue  # do not forget to
    preference: Cue
    habit: Cue  # whenever, always, from now on: how things are done
    identity: Cue
    objective: Cue
    not_objective: Cue
    decision: Cue

    correction: Cue  # strong: what was said before is replaced
    now: Cue  # weak: it changed since
    gone: Cue  # no longer: the old claim ends, no new value is given
    retract: Cue
    reached: Cue
    dropped: Cue
    goal: Cue  # the words for a goal

    lead: Pattern[str]  # openers that may be cut from a proposition
    passing: Pattern[str]  # 'by the way' in mid-sentence: what stands before it is another matter
    joiner: Pattern[str]  # between two clauses


_CUTTING = ("lead", "passing", "joiner")


def cues_from(data: dict[str, Any]) -> Cues:
    """The cues of a parsed language file. Raises KeyError for a list that is missing, re.error for a bad
    pattern."""
    fragments = data.get("fragments", {})
    lists = {name: [expand(p, fragments) for p in patterns] for name, patterns in data["cues"].items()}
    parts: dict[str, Any] = {name: Cue(patterns) for name, patterns in lists.items()}
    for name in _CUTTING:
        parts[name] = re.compile("|".join(f"(?:{p})" for p in lists[name]), re.IGNORECASE)
    return Cues(
        code=data["code"],
        words=frozenset(data["words"].split()),
        stop=frozenset(data["stop"].split()),
        parting=_parting(data["parting"]) if "parting" in data else None,
        **parts,
    )


_PARTING = ("verbs", "single", "openers", "first", "clitics", "relatives", "subordinators", "dropped")


def _parting(data: dict[str, Any]) -> Parting:
    lists: dict[str, frozenset[str]] = {name: frozenset(data[name].split()) for name in _PARTING}
    third = {pronoun: frozenset(taken.split()) for pronoun, taken in data["third"].items()}
    whose = {word: frozenset(taken.split()) for word, taken in data["whose"].items()}
    return Parting(joint=re.compile(data["joint"], re.IGNORECASE), third=third, whose=whose, **lists)
