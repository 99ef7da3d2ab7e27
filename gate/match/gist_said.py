"""How much of a rule's gist a text says: worked out once for a rule, then for each clause by itself.

Most words of a rule stand nowhere in a text. They are left out once, for all its clauses; what is left is
looked for in each.
"""

from __future__ import annotations

from dataclasses import dataclass

from gate.constraint import Constraint
from gate.match.contact import TOUCH, names_said
from gate.match.signs import Places, TextSigns, asking_regions, small_words, text_signs
from gate.match.view import TextView

PLAIN, ALIGNED = 0.8, 0.75  # grades: said plainly, the same word for all purposes


@dataclass(slots=True)  # not frozen: made for every clause, in half the time
class Share:
    """How much of a gist is said somewhere."""

    soft: float  # grades by weight
    most: float  # the best grade of a word that tells something
    plain: float  # words said plainly, in thirds, three at most
    touched: float  # words touched, in quarters, four at most
    name_said: bool
    name_unsaid: bool


_NO_GIST = Share(0.5, 0.5, 0.5, 0.5, False, False)


@dataclass(slots=True)  # not frozen: made for every clause, in half the time
class Everywhere:
    """What a text as a whole shows of a rule, whichever clause is weighed."""

    share: Share
    denied_word: float
    other_kind: bool
    same_kind: bool
    records: bool


class RuleSigns:
    """A rule beside a text: which words of its gist the text has at all, and what all clauses share."""

    __slots__ = (
        *("_everywhere", "_named", "_nothing", "_total", "_view"),
        *("constraint", "names_said", "parts", "touched"),
    )

    def __init__(self, constraint: Constraint, view: TextView) -> None:
        text = text_signs(view)
        keys = _keys(view)
        self._view = view
        self.constraint = constraint
        self.names_said = names_said(constraint, text.keys)
        self.parts = [part for part in constraint.gist if not part.keys.keys().isdisjoint(keys)]
        self.touched = [part.weight > 0.0 and text.said.best(part)[0] >= TOUCH for part in self.parts]
        self._total, self._named = 0.0, False
        for part in constraint.gist:  # added one by one: `sum` rounds otherwise from Python 3.12 on
            if part.weight > 0.0:
                self._total += part.weight
                self._named = self._named or part.exact
        self._nothing = Share(0.0, 0.0, 0.0, 0.0, False, self._named) if self._total else _NO_GIST
        self._everywhere: Everywhere | None = None

    @property
    def has_gist(self) -> bool:
        """Whether the rule has words that tell something."""
        return self._total > 0.0

    def touches(self, places: Places) -> int:
        """How many words of the gist are touched by the text or by some of its words."""
        return sum(
            touched or (part.weight > 0.0 and places.best(part)[0] >= TOUCH)
            for part, touched in zip(self.parts, self.touched, strict=True)
        )

    def share(self, places: Places) -> Share:
        """How much of the gist is said by some words of the text."""
        said = most = 0.0
        plain = touched = 0
        name = 0.0 if self._named else -1.0  # the best grade of a name; negative where there is none
        for part in self.parts:
            weight = part.weight
            grade = places.best(part)[0] if weight > 0.0 else 0.0
            if grade <= 0.0:
                continue
            said += weight * grade
            most = max(most, grade * min(1.0, weight + 0.1))
            plain += grade >= PLAIN
            touched += grade >= TOUCH
            if part.exact and grade > name:
                name = grade
        if not said:
            return self._nothing
        return Share(
            soft=said / self._total,
            most=most,
            plain=min(3, plain) / 3,
            touched=min(4, touched) / 4,
            name_said=name >= 0.9,
            name_unsaid=0.0 <= name < 0.9,
        )

    @property
    def everywhere(self) -> Everywhere:
        """What the whole text shows of the rule; worked out with the first clause that is weighed."""
        if self._everywhere is None:
            text = text_signs(self._view)
            other_kind, same_kind = self._kinds(text)
            self._everywhere = Everywhere(
                share=self.share(text.said),
                denied_word=max([text.denied.best(part)[0] for part in self.parts], default=0.0),
                other_kind=other_kind,
                same_kind=same_kind,
                records=bool(text.recorded and text.recorded - {part.word for part in self.constraint.gist}),
            )
        return self._everywhere

    def _kinds(self, text: TextSigns) -> tuple[bool, bool]:
        """Whether a word of the rule stands behind a word that is none of it, and behind one that is."""
        reading = self._view.reading
        small, generic = small_words(reading.language), reading.lexicon.words["generic"]
        other = same = False
        for part in self.parts:
            grade, at = text.said.best(part) if part.weight else (0.0, -1)
            if grade < ALIGNED or at < 1:
                continue
            before = reading.tokens[at - 1]
            if before.kind != "w" or before.text in small or before.text in generic:
                continue
            if any(one.keys.get(key, 0.0) >= TOUCH for one in self.parts for key in before.keys):
                same = True
            elif not before.quoted and at - 1 not in reading.verb_places:
                other = True
        return other, same


def _keys(view: TextView) -> set[str]:
    """Every key that a clause of the text may be asked for."""
    if view.keys is None:
        view.keys = set(text_signs(view).keys)
        view.keys.update(*[region.keys for region in asking_regions(view)])
    return view.keys


def rule_signs(constraint: Constraint, view: TextView) -> RuleSigns:
    """The signs of the rule that is weighed at present; the rules are weighed one after the other."""
    known = view.of_rule
    if known is None or known.constraint is not constraint:
        known = view.of_rule = RuleSigns(constraint, view)
    return known
