"""What the store answers with, beside engrams themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from store.model import Engram, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Where an engram stands: the answers to what holds, what it replaced, and what replaced it.

    `why` says how it ended: superseded, retracted, outranked (a more authoritative claim stands against
    it) or erased; None while it holds. `since` is the position of the entry that ended it.
    """

    holds: bool
    superseded_by: tuple[str, ...] = ()
    retracted_by: str | None = None
    contradicts: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    why: str | None = None
    since: int | None = None
    erased: bool = False

    @property
    def contended(self) -> bool:
        """Several engrams claim to supersede this one."""
        return len(self.superseded_by) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """`src` -relation-> `dst`, claimed by entry `claim` (the engram itself, or a link entry)."""

    claim: str
    seq: int
    src: str
    relation: Relation
    dst: str
    author: str
    created_at: datetime
    holds: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result; `reasons` are the terms that the score is the sum of."""

    engram: Engram
    score: float
    reasons: Mapping[str, float] = field(default_factory=dict)
    holds: bool = True
    duplicates: tuple[str, ...] = ()  # ids of engrams that say the same words
    route: str = ""  # how the classes were chosen
    near: bool = True  # likely about what was asked, and not merely the least unlike it


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """The first bad entry: its kind, position, id where it can be read, and what was found there."""

    kind: str
    seq: int
    id: str | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """`checked` entries were examined, from position `start` on; `problem` is the first bad one."""

    ok: bool
    checked: int
    start: int = 1
    problem: Problem | None = None
