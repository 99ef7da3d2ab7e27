"""What formation takes and what it gives back. Values only; the store applies them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from store.model import Draft, Engram, Klass


class ChangeKind(StrEnum):
    """What one claim of a turn does to what holds."""

    NEW = "new"
    SUPERSEDE = "supersede"
    RETRACT = "retract"
    SAME = "same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One effect of a turn, to be applied in the order given.

    `draft` is what to write (NEW, SUPERSEDE) and None otherwise; `targets` are the ids of the engrams that
    are superseded, retracted or met again; `note` is one quiet line for the operator (for RETRACT: the
    reason).
    """

    kind: ChangeKind
    draft: Draft | None = None
    targets: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        writes = self.kind in (ChangeKind.NEW, ChangeKind.SUPERSEDE)
        if writes != (self.draft is not None):
            raise ValueError(f"{self.kind} and a draft do not go together like this")
        if (self.kind is ChangeKind.NEW) == bool(self.targets):
            raise ValueError(f"{self.kind} with targets {self.targets!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Formed:
    """Result of forming one turn.

    `utterance_text` is the raw turn with every secret replaced (empty for an empty turn); `question` is what
    to ask the operator when the turn points at something that cannot be told apart; `secrets` the kinds
    found.
    """

    changes: tuple[Change, ...] = ()
    question: str | None = None
    utterance_text: str = ""
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The conversation so far, as far as formation looks back. Read it from the log, never from memory alone.

    `previous`: the operator's last turns (utterance texts), oldest first. `formed`: ids of the engrams
    written
    by the last operator turn that wrote any, newest first. `partner_said`: the partner's last reply;
    nothing in
    it ever becomes a claim, it only tells what a bare 'that was wrong' points at.
    """

    previous: tuple[str, ...] = ()
    formed: tuple[str, ...] = ()
    partner_said: str | None = None


class HoldsView(Protocol):
    """What holds now, as the former sees it: no control entries, utterances or traces, nothing superseded."""

    def by_key(self, subject: str, attribute: str) -> Sequence[Engram]:
        """Engrams whose metadata has exactly this subject and attribute."""
        ...

    def about(self, words: Sequence[str], limit: int = 30) -> Sequence[Engram]:
        """Engrams of any class that share at least one of the words, best first."""
        ...

    def recent(self, limit: int = 20, klass: Klass | None = None) -> Sequence[Engram]:
        """Newest first."""
        ...
