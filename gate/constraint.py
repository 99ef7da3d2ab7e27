"""A prohibition as data: what is stored is what runs.

Grades run from 0 to 1: 1 is the word itself or its exact equivalent, below `LIKELY` a hint at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType

COMPILER_VERSION = "compiler/1"
CERTAIN = 0.75  # share of a term's weight from which it counts as named
LIKELY = 0.49
MODIFIER_WEIGHT = 0.32  # of a part that says whose or which, in languages that put it behind the thing
_MARKERS = frozenset(
    ("without", "unless", "until", "before", "except", "but", "if", "ohne", "sin", "sans", "senza", "sem")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One word of a term: every key that can stand for it, graded. `exact` words have no substitute."""

    word: str
    keys: Mapping[str, float]
    weight: float = 1.0
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """Something a rule names, as the parts of its noun phrase; the head is the last part."""

    words: str
    parts: tuple[Part, ...]
    whole: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({})
    )  # keys of the phrase as one
    soft: bool = False  # 'work e-mails': true of anything unless the contrary is said
    klass: str | None = None  # WordNet class of the head noun
    denied: bool = False  # said with a negator: 'who hasn't passed theory'
    mine: bool = False  # the operator's own: 'my number'

    @property
    def anchor(self) -> Part:
        """The most telling part: what an index can look the term up by."""
        return max(self.parts, key=lambda part: (part.weight, part.exact, len(part.word)))


ANY = "any"  # a dimension that is not told


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A forbidden range of a value. `kind`: above, at_least, below, at_most. `of` is what a number said bare
    may measure ('faster than 80': a speed), ANY where nothing tells; empty where a unit or noun is said."""

    kind: str
    value: Decimal
    unit: str | None = None
    per: str | None = None
    of: tuple[str, ...] = ()

    def forbids(self, value: Decimal) -> bool:
        """Whether a value in the limit's own unit lies in the forbidden range."""
        return {
            "above": value > self.value,
            "at_least": value >= self.value,
            "below": value < self.value,
            "at_most": value <= self.value,
        }[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A time in which the rule is in force; empty sets mean 'any'. Minutes may pass midnight."""

    weekdays: frozenset[int] = frozenset()
    minutes: tuple[tuple[int, int], ...] = ()  # half-open stretches [from, to)
    months: frozenset[int] = frozenset()
    dates: tuple[tuple[tuple[int, int], tuple[int, int]], ...] = ()  # (month, day) to (month, day), inclusive
    words: str = ""
    outside: bool = False  # in force outside this time ('only on Tuesdays')


@dataclass(frozen=True, slots=True, kw_only=True)
class Unless:
    """What lifts the rule. `kind`: approval (somebody's word), recipient (those named are free),
    object (those named are free), condition (something must be the case first), actor (who may)."""

    kind: str
    words: str
    terms: tuple[Term, ...] = ()

    @property
    def lifting(self) -> str:
        """What would lift the rule, said for itself: 'my approval' of 'without my approval'."""
        first, _, rest = self.words.partition(" ")
        if self.kind == "actor":
            return f"{self.words} doing it"
        return rest if rest and first in _MARKERS else self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """A compiled prohibition.

    `acts` are graded act ids; empty means that every effect on the objects is forbidden. All of
    `objects` are alternatives; so are `recipients` and `places`. `windows` are alternatives too (none:
    always), while every `limit` must be passed to offend. `mode` 'only' forbids what does not meet
    `unless`. The structured slots (paths, hosts, ...) bind on actions; `outside` turns them round.
    """

    engram_id: str
    sentence: str
    language: str = "en"
    mode: str = "forbid"
    acts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    verbs: str = ""  # the words the acts came from
    objects: tuple[Term, ...] = ()
    recipients: tuple[Term, ...] = ()
    places: tuple[Term, ...] = ()
    qualifiers: tuple[Term, ...] = ()  # which of the things are meant: unsaid, the gate asks
    windows: tuple[Window, ...] = ()
    gist: tuple[Part, ...] = ()  # every telling word of the sentence, weighed by how rare it is; 0: an act's
    limits: tuple[Limit, ...] = ()
    unless: tuple[Unless, ...] = ()
    paths: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()  # of e-mail addresses
    labels: frozenset[str] = frozenset()
    locality: str | None = None
    outside: bool = False
    loose: bool = False  # nothing but the gist was understood: it asks, and never refuses
    aliases: tuple[str, ...] = ()  # learned: canonical wordings the operator confirmed
    exceptions: tuple[str, ...] = ()  # learned: canonical wordings the operator waved through
    body: tuple[str, ...] = ()  # stems of what is forbidden from its verb on, where the rule begins with one
    version: str = COMPILER_VERSION

    @property
    def has_things(self) -> bool:
        """Whether the rule names things, people or places that a text must be about."""
        return any(not term.soft for term in (*self.objects, *self.recipients, *self.places))

    @property
    def any_act(self) -> bool:
        return not self.acts

    def explain(self) -> str:
        """What was understood, in plain words: 'refuses: deploy, release ... when: Friday ...'."""
        from gate.explain import explain  # it reads the lexicon's words, which no check needs

        return explain(self)
