"""The prohibitions of a store as the gate evaluates them: compiled, indexed, immutable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gate.compile import compile_prohibition
from gate.constraint import Constraint
from gate.errors import CompileQuestion
from gate.learning import Learned, learned_of
from store.model import Engram, EngramType

if TYPE_CHECKING:
    from gate.match.action_index import ActionIndex


@dataclass(frozen=True, slots=True)
class Inert:
    """A prohibition from which nothing checkable follows, and the question that it raises."""

    engram_id: str
    sentence: str
    question: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Compiled prohibitions in the order of their ids, under the head of the store they came from."""

    head: str
    constraints: tuple[Constraint, ...] = ()
    inert: tuple[Inert, ...] = field(default=())
    _built: dict[str, ActionIndex] = field(default_factory=dict, compare=False, repr=False)

    @property
    def action_index(self) -> ActionIndex:
        """Which constraints an action could touch; built with the first action that is judged."""
        if "action" not in self._built:
            from gate.match.action_index import ActionIndex

            self._built["action"] = ActionIndex.build(self.constraints)
        return self._built["action"]

    @classmethod
    def build(cls, prohibitions: Iterable[Engram], *, head: str, answers: Iterable[Engram] = ()) -> Snapshot:
        """Compile every prohibition; those that do not compile are listed as inert.

        `answers` are the engrams of gate.learning; others among them are passed over.
        """
        constraints: dict[str, Constraint] = {}
        learned = learned_of(answers)
        inert: list[Inert] = []
        for engram in prohibitions:
            if engram.type is not EngramType.PROHIBITION or engram.erased or engram.id in constraints:
                continue
            try:
                compiled = compile_prohibition(engram.id, engram.content, metadata=engram.metadata)
                more = learned.get(engram.id, Learned())
                constraints[engram.id] = replace(compiled, aliases=more.aliases, exceptions=more.exceptions)
            except CompileQuestion as question:
                inert.append(Inert(engram.id, engram.content, str(question)))
        ordered = tuple(constraints[key] for key in sorted(constraints))
        return cls(head, ordered, tuple(sorted(inert, key=lambda item: item.engram_id)))

    def with_added(self, engram: Engram, head: str) -> Snapshot:
        """This snapshot and one more prohibition."""
        added = Snapshot.build([engram], head=head)
        kept = {c.engram_id: c for c in (*self.constraints, *added.constraints)}
        return Snapshot(head, tuple(kept[key] for key in sorted(kept)), self.inert + added.inert)
