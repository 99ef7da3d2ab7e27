"""Whether two phrases name the same person or thing: 'the tap' and 'the bathroom tap' do, 'my grandmother'
and 'my grandmother's cat', 'the keys' and 'the keys to the shed' do not.

What is named later may leave words out and must not add any, except to a name. The head is compared with the
head: the last word before what further describes it, the first after a Romance article.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from partner.formation.data import load
from partner.formation.people import kin, persons
from partner.formation.stems import stem
from partner.formation.words import Word, listed, words


@dataclass(frozen=True, slots=True)
class Phrase:
    """`title`: the noun before a name ('my uncle Karl'); `theirs`: begins with his, her, their; `proper`: a
    name alone; `owned`: names an owner."""

    head: str
    rest: frozenset[str]
    title: str
    theirs: bool
    proper: bool
    owned: bool

    @property
    def stems(self) -> frozenset[str]:
        return self.rest | {self.head}


@lru_cache(maxsize=1024)
def phrase(said: str) -> Phrase | None:
    """None where nothing is left to know it by."""
    tokens = list(words(said.replace("’", "'").removesuffix("'s")))
    opening = [t.low for t in tokens[:1]]
    while tokens and tokens[0].low in _set("light") | _set("operator"):
        tokens.pop(0)
    if not tokens:
        return None
    cut = next((i for i, t in enumerate(tokens) if i and t.low in _set("linking")), len(tokens))
    front = [t for t in tokens[:cut] if t.low != "'s"]
    at = _head(front, romance=bool(opening) and opening[0] in _set("romance"))
    others = [t for t in tokens if t is not front[at] and t.low not in _set("linking") | _set("light")]
    owned = any(t.low == "'s" for t in tokens[:cut])
    named = at == len(front) - 1 > 0 and front[at].capital and not owned
    return Phrase(
        head=_known(front[at].low),
        rest=frozenset(_known(t.low) for t in others if t.low != "'s"),
        title=_known(front[at - 1].low) if named else "",
        theirs=bool(opening) and opening[0] in _set("theirs"),
        proper=all(t.capital for t in tokens) and not owned,
        owned=owned,
    )


def same(event: Phrase, claim: Phrase, around: frozenset[str], *, named: bool) -> bool:
    """Whether what an event names is what a claim names. `around`: the stems of the whole claim, where an
    owner said with a pronoun may stand; `named`: a thing may be called by its make alone ('the Honda')."""
    extra = event.rest - claim.rest
    if event.theirs != claim.theirs and not (claim.theirs and extra and extra <= around):
        return False
    if event.head == claim.head:
        if claim.theirs and extra <= around:
            return True
        return not extra or (not event.owned and (event.proper or extra <= _titles()))
    if event.proper and claim.proper:
        return event.stems <= claim.stems or claim.stems <= event.stems
    if claim.title and event.head == claim.title:
        return not extra
    return named and event.proper and not claim.owned and event.stems <= claim.rest


def living(said: Phrase) -> bool:
    """A person, by name or by what they are to somebody, or an animal."""
    return said.proper or bool({said.head, said.title} & (_titles() | _animals()))


def _head(front: Sequence[Word], *, romance: bool) -> int:
    if romance:
        return 0
    return next((i for i in reversed(range(len(front))) if not front[i].number), len(front) - 1)


def _known(low: str) -> str:
    """The stem of a word, or of the one that means the same."""
    return _alike().get(low) or stem(low)


@cache
def _alike() -> dict[str, str]:
    lines = load("events")["alike"].strip().splitlines()
    return {word: stem(line.split()[0]) for line in lines for word in line.split()}


@cache
def _titles() -> frozenset[str]:
    return frozenset(map(_known, persons() | kin() | _set("kin")))


@cache
def _animals() -> frozenset[str]:
    return frozenset(map(_known, _set("animals")))


@cache
def _set(name: str) -> frozenset[str]:
    return listed(load("events")[name])
