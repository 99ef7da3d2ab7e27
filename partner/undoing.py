"""Undo: what a message or a command wrote is taken back by further entries, and what it ended holds again.

The log is only added to. A claim that was new is retracted. A claim that replaced another is replaced by the
old one's words; one that was retracted is written again: each names what it restores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner.events import Formed
from store.model import Draft, Engram, Link, Relation

if TYPE_CHECKING:
    from store import Store

REASON = "undone"


def undo(store: Store, events: Sequence[Formed]) -> list[Engram]:
    """Take back what these events wrote, last first, and return the entries that do it."""
    made: list[Engram] = []
    for event in reversed(events):
        standing = _standing(store, event.engram)
        if event.change in ("new", "proposed") and standing is not None:
            made.append(store.retract(standing.id, reason=REASON))
        elif event.change == "supersede" and standing is not None:
            made += _put_back(store, event.engram, standing)
        elif event.change == "retract" and event.old is not None and _gone(store, event.old):
            made.append(store.write(_again(event.old)))
    return made


def undoes(entry: Engram) -> str:
    """The id of the engram that an entry of `undo` takes back, or lets hold again."""
    ended = [link.target for link in entry.links if link.relation is Relation.RETRACTS]
    return ended[0] if ended else str(entry.metadata["restores"])


def _standing(store: Store, engram: Engram) -> Engram | None:
    """The engram itself while it holds, else what an earlier undo wrote in its words."""
    if store.status(engram.id).holds:
        return engram
    for edge in store.edges(engram.id, Relation.REFERENCES):
        again = store.read(edge.src)
        if edge.dst == engram.id and again.metadata.get("restores") == engram.id:
            return _standing(store, again)
    return None


def _put_back(store: Store, newer: Engram, standing: Engram) -> list[Engram]:
    """Everything that `newer` replaced holds again, the first in the place of what stands for it now."""
    replaced = [old for ref in store.status(newer.id).supersedes if not (old := store.read(ref)).erased]
    if not replaced:
        return [store.retract(standing.id, reason=REASON)]
    first, *others = replaced
    return [store.supersede(standing.id, _again(first)), *(store.write(_again(old)) for old in others)]


def _again(old: Engram) -> Draft:
    """The words of an engram that no longer holds, to hold once more; `metadata.restores` names it."""
    links = tuple(
        link for link in old.links if link.relation not in (Relation.SUPERSEDES, Relation.CONTRADICTS)
    )
    return Draft(
        type=old.type,
        content=old.content,
        provenance=old.provenance,
        salience=old.salience,
        tier=old.tier,
        valid_from=old.valid_from,
        links=(*links, Link(relation=Relation.REFERENCES, target=old.id)),
        metadata={**old.metadata, "restores": old.id},
    )


def _gone(store: Store, engram: Engram) -> bool:
    return not engram.erased and _standing(store, engram) is None
