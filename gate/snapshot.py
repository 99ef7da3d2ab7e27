"""The prohibitions of a store as the gate evaluates them: compiled, indexed, immutable."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gate.compile import compile_prohibition, loose_prohibition
from gate.constraint import Constraint
from gate.errors import BadConstraint, CompileQuestion
from gate.kept import Compiled, key_of
from gate.learning import Learned, learned_of
from store.model import Engram, EngramType

if TYPE_CHECKING:
    from gate.kept import KeptRules
    from gate.match.action_index import ActionIndex
    from gate.match.text_index import TextIndex


@dataclass(frozen=True, slots=True)
class Inert:
    """A prohibition from which nothing checkable follows, and the question that it raises. It refuses
    nothing; the gate asks where a text says its words."""

    engram_id: str
    sentence: str
    question: str


NOTHING_LEARNED = Learned()


def _compiled(engram: Engram, learned: Learned, kept: KeptRules | None) -> Compiled:
    """What a prohibition compiles to without its learned wordings: kept from before, or made now."""
    key = ""
    if kept is not None:
        aliases = engram.metadata.get("aliases")
        data = dict(learned.data) if learned.data is not None else None
        key = key_of(engram.content, aliases, learned.names, data)
        found = kept.find(key)
        if found is not None:
            return found
    try:
        compiled = Compiled(compile_rule(engram, replace(learned, aliases=(), exceptions=())))
    except (CompileQuestion, BadConstraint) as question:
        compiled = Compiled(loose_prohibition(engram.id, engram.content), str(question))
    if kept is not None:
        kept.add(key, compiled)
    return compiled


def compile_rule(engram: Engram, learned: Learned) -> Constraint:
    """One prohibition with what was learned for it. Raises CompileQuestion, or BadConstraint for its data."""
    if learned.data is not None:
        from gate.given import given_constraint

        data = dict(learned.data)
        if data.get("objects"):
            data["objects"] = [*data["objects"], *learned.names]
        compiled = given_constraint(engram.id, engram.content, data)
    else:
        metadata = engram.metadata
        if learned.names:
            metadata = {**metadata, "aliases": [*metadata.get("aliases", ()), *learned.names]}
        compiled = compile_prohibition(engram.id, engram.content, metadata=metadata)
    if not (learned.aliases or learned.exceptions):
        return compiled
    return replace(compiled, aliases=learned.aliases, exceptions=learned.exceptions)


@contextmanager
def _uncollected() -> Iterator[None]:
    """An index of many rules is built of objects that all stay: looking for garbage among them, again and
    again as they grow, would take most of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@dataclass(slots=True)
class _Book:
    """Compiled rules and their indexes, shared by snapshots that grew from each other. It only grows."""

    rules: list[Constraint]
    positions: dict[str, int]
    text: TextIndex | None = None
    action: ActionIndex | None = None

    @classmethod
    def of(cls, rules: Iterable[Constraint]) -> _Book:
        listed = list(rules)
        return cls(listed, {rule.engram_id: at for at, rule in enumerate(listed)})

    def append(self, rule: Constraint) -> None:
        self.positions[rule.engram_id] = len(self.rules)
        self.rules.append(rule)
        if self.text is not None:
            self.text.add(rule)
        if self.action is not None:
            self.action.add(rule)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Compiled prohibitions under the head of the store they came from.

    It reads the first `size` rules of a book that later snapshots may lengthen.
    """

    head: str
    size: int = 0
    inert: tuple[Inert, ...] = ()
    _book: _Book = field(default_factory=lambda: _Book.of(()), compare=False, repr=False)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """All compiled rules, in the order of the book."""
        return tuple(self._book.rules[: self.size])

    def rule(self, position: int) -> Constraint:
        """The rule at a position that an index named."""
        return self._book.rules[position]

    def find(self, engram_id: str) -> Constraint | None:
        """The rule compiled from a prohibition, or None."""
        position = self._book.positions.get(engram_id, self.size)
        return self._book.rules[position] if position < self.size else None

    @property
    def text_index(self) -> TextIndex:
        """Which rules a text could touch; built with the first text that is judged."""
        if self._book.text is None:
            from gate.match.text_index import TextIndex

            index = TextIndex()
            with _uncollected():
                for rule in self._book.rules:
                    index.add(rule)
            self._book.text = index
        return self._book.text

    @property
    def action_index(self) -> ActionIndex:
        """Which rules an action could touch; built with the first action that is judged."""
        if self._book.action is None:
            from gate.match.action_index import ActionIndex

            with _uncollected():
                self._book.action = ActionIndex.build(self._book.rules)
        return self._book.action

    @classmethod
    def build(
        cls,
        prohibitions: Iterable[Engram],
        *,
        head: str,
        answers: Iterable[Engram] = (),
        kept: KeptRules | None = None,
    ) -> Snapshot:
        """Compile every prohibition; those that do not compile are listed as inert.

        `answers` are the engrams of gate.learning; others among them are passed over. What is in `kept` is
        not compiled again, and what is compiled is added there.
        """
        constraints: dict[str, Constraint] = {}
        learned = learned_of(answers)
        inert: dict[str, Inert] = {}
        for engram in prohibitions:
            if engram.type is not EngramType.PROHIBITION or engram.erased or engram.id in constraints:
                continue
            known = learned.get(engram.id, NOTHING_LEARNED)
            compiled = _compiled(engram, known, kept)
            constraints[engram.id] = replace(
                compiled.constraint,
                engram_id=engram.id,
                aliases=known.aliases,
                exceptions=known.exceptions,
            )
            if compiled.question is not None:
                inert[engram.id] = Inert(engram.id, engram.content, compiled.question)
        return cls.of(
            (constraints[key] for key in sorted(constraints)),
            head=head,
            inert=tuple(inert[key] for key in sorted(inert)),
        )

    @classmethod
    def of(cls, rules: Iterable[Constraint], *, head: str, inert: tuple[Inert, ...] = ()) -> Snapshot:
        """A snapshot of rules that are compiled already."""
        book = _Book.of(rules)
        return cls(head, len(book.rules), inert, book)

    def with_added(self, engram: Engram, head: str) -> Snapshot:
        """This snapshot and one more prohibition, in time that does not grow with the number of rules."""
        if self.find(engram.id) is not None:
            return Snapshot(head, self.size, self.inert, self._book)
        added = Snapshot.build([engram], head=head)
        book = self._book
        if len(book.rules) != self.size:  # somebody else lengthened it: a branch has a book of its own
            book = _Book.of(book.rules[: self.size])
        for rule in added.constraints:
            book.append(rule)
        return Snapshot(head, len(book.rules), self.inert + added.inert, book)
