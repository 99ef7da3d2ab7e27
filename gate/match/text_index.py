"""Which rules a text can touch at all, so that its cost follows the text and not the number of rules.

A rule on things is posted under the words that can stand for them (shared between rules that use the
same word); a rule on an act alone under the acts it covers; rules on paths and hosts under those. The
index only ever leaves out rules that the matcher would not match; the tests compare it with trying all.

Postings only grow, and a reader looks no further than the size it was given, so that a snapshot with one
more rule shares them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter

from gate.constraint import Constraint, Part, Term
from gate.match.about import on_people_at_times
from gate.match.acts import MANY
from gate.match.features import TOUCH
from gate.match.signs import asking_regions
from gate.match.view import TextView, wording
from gate.taxonomy import COVERED

_ANY = "*"
_IS_EXACT = attrgetter("exact")
_NOTHING: list[int] = []


@dataclass(slots=True)
class TextIndex:
    """Postings of rules by position. `size` rules are in it; later ones belong to a longer reader."""

    size: int = 0
    part_ids: dict[str, int] = field(default_factory=dict)  # plain keys: nothing for gc to look through
    parts_of_key: dict[str, list[int]] = field(default_factory=dict)
    rules_of_part: list[list[int]] = field(default_factory=list)
    rules_of_act: dict[str, list[int]] = field(default_factory=dict)
    described_of_act: dict[str, list[int]] = field(default_factory=dict)  # rules on things, by act
    rules_of_path: dict[str, list[int]] = field(default_factory=dict)
    rules_of_host: dict[str, list[int]] = field(default_factory=dict)
    learned: bool = False  # whether a rule has aliases, which stand under what clauses say
    everywhere: list[int] = field(default_factory=list)  # on everything outside a path or a host

    def add(self, constraint: Constraint) -> None:
        """Post one rule at the next position."""
        position = self.size
        self.size += 1
        for path in constraint.paths:
            _post(self.rules_of_path, path.rstrip("/") or "/", position)
        for host in constraint.hosts:
            _post(self.rules_of_host, host, position)
        if (constraint.paths or constraint.hosts) and (constraint.outside or constraint.mode == "only"):
            self.everywhere.append(position)
        for alias in constraint.aliases:
            telling = max(alias.removeprefix("=").split(), key=len, default="")
            if telling:
                self.learned = True
                self._post_part(Part(word="learned:" + telling, keys={telling: 1.0}), position)
        if constraint.paths or constraint.hosts:
            return
        terms = [term for term in _terms(constraint) if not term.soft]
        named = _named_group(constraint)
        for term in named or terms:
            self._post_term(term, position)
        if named:
            return
        for part in constraint.gist:
            if part.weight > 0.0:
                self._post_part(part, position)
        if not terms or not any(part.weight > 0.0 for part in constraint.gist):
            self._post_acts(constraint, position)
        elif len(constraint.acts) <= MANY:
            for act in _covered(constraint):
                _post(self.described_of_act, act, position)
            if on_people_at_times(constraint):
                self._post_acts(constraint, position)

    def _post_term(self, term: Term, position: int) -> None:
        exact = [part for part in term.parts if part.exact]
        for part in exact[:1] or term.parts:
            self._post_part(part, position)
        if not exact:
            for key in term.whole:
                self._post_part(Part(word=key, keys={key: 1.0}), position)

    def _post_part(self, part: Part, position: int) -> None:
        name = f"{part.word}\n{part.exact:d}{len(part.keys)}"
        number = self.part_ids.get(name)
        if number is None:
            number = self.part_ids[name] = len(self.rules_of_part)
            self.rules_of_part.append([])
            for key, grade in part.keys.items():
                if grade >= TOUCH:
                    self.parts_of_key.setdefault(key, []).append(number)
        rules = self.rules_of_part[number]
        if not rules or rules[-1] != position:
            rules.append(position)

    def _post_acts(self, constraint: Constraint, position: int) -> None:
        if not constraint.acts or "use" in constraint.acts:
            _post(self.rules_of_act, _ANY, position)
        for act in _covered(constraint):
            _post(self.rules_of_act, act, position)

    def candidates(self, view: TextView, size: int) -> list[int]:
        """Positions below `size` of the rules that a text may touch, in order."""
        found: set[int] = set()
        reading = view.reading
        acts = {_ANY}
        for clause in reading.clauses:
            acts.update(hit.act for hit in clause.hits)
            acts.update(f"do:{reading.tokens[at].stem}" for at in clause.verbs)
        described = reading.language != "en"  # English is only weighed where a word of the rule is touched
        for act in acts:
            found.update(self.rules_of_act.get(act, _NOTHING))
            if described:
                found.update(self.described_of_act.get(act, _NOTHING))
        said: set[str] = set()
        for token in reading.tokens:
            said.update(token.keys)
            if token.kind == "x":
                self._add_places(token.text, found)
        if self.learned:
            said.update(view.whole().split())
        for region in asking_regions(view):
            said.update(region.keys)
            if self.learned:
                said.update(wording(region, reading).split())
        parts: set[int] = set()
        for key in said & self.parts_of_key.keys():
            parts.update(self.parts_of_key[key])
        for number in parts:
            found.update(self.rules_of_part[number])
        return sorted(position for position in found if position < size)

    def _add_places(self, text: str, found: set[int]) -> None:
        found.update(self.everywhere)
        for ancestor in _ancestors(text):
            found.update(self.rules_of_path.get(ancestor, _NOTHING))
        bare = text.partition("://")[2].partition("/")[0] or text.rpartition("@")[2]
        labels = bare.partition(":")[0].split(".")
        for start in range(len(labels)):
            found.update(self.rules_of_host.get(".".join(labels[start:]), _NOTHING))


def _terms(constraint: Constraint) -> Iterable[Term]:
    return (*constraint.objects, *constraint.recipients, *constraint.places)


def _named_group(constraint: Constraint) -> tuple[Term, ...]:
    """The slot that is filled with names alone, one of which a text must say."""
    for group in (constraint.objects, constraint.recipients, constraint.places):
        if group and all(map(_has_name, group)):
            return group
    return ()


def _has_name(term: Term) -> bool:
    return any(map(_IS_EXACT, term.parts))


def _covered(constraint: Constraint) -> Iterable[str]:
    if len(constraint.acts) > MANY:
        return constraint.acts
    covered = {other for act in constraint.acts for other in COVERED.get(act, frozenset((act,)))}
    return sorted(covered | constraint.acts.keys())


def _post(postings: dict[str, list[int]], key: str, position: int) -> None:
    rules = postings.setdefault(key, [])
    if not rules or rules[-1] != position:
        rules.append(position)


def _ancestors(path: str) -> list[str]:
    """A path and every folder above it."""
    if not path.startswith(("/", "~")):
        return []
    parts = path.rstrip("/").split("/")
    return ["/".join(parts[:end]) or "/" for end in range(len(parts), 0, -1)]
