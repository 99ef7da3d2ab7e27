"""What holds said again with a new value, and what is taken back: the changes that a correction makes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from partner.formation import retraction
from partner.formation.carrying import carried, without_old
from partner.formation.claims import Claim, draft
from partner.formation.model import Change, ChangeKind, Context
from partner.formation.overlay import Overlay
from partner.formation.revision import Revision, after_retraction, supplied
from partner.formation.slots import fill
from partner.formation.topics import spoken_words
from store.model import Engram, EngramType

RECENT = 200  # claims gone through for the one that a retraction names


def said_again(found: Revision, raw: str, at: datetime, source: str | None) -> Change:
    """The claim with the value that `raw` gives, in the old one's place."""
    claim = Claim(
        text=found.text,
        type=found.target.type,
        salience=found.target.salience,
        evidence=raw,
        filled=fill(found.text),
    )
    made = draft(claim, at, source)
    return Change(kind=ChangeKind.SUPERSEDE, draft=made, targets=(found.target.id,), note=claim.type.value)


def taken_back_for(raw: str, pointing: str, overlay: Overlay, context: Context) -> Revision | None:
    """'That's wrong, it was 150': what is taken back, with the value that follows."""
    value = after_retraction(raw)
    own = overlay.own()
    if not value:
        return None
    if own and not retraction.names(pointing):
        targets = own[:1]
    else:
        found = retraction.find(pointing, overlay, context, pending=overlay.pending())
        near = (*own, *overlay.recent(RECENT), *overlay.about(spoken_words(pointing)))
        targets = [e for e in near if e.id in found.targets][:1]
    text = supplied(targets[0], value) if targets else ""
    return Revision(targets[0], text) if text else None


def take_back(raw: str, pending: int, overlay: Overlay, context: Context) -> str | None:
    """End what a retraction names; the question back where it is not clear which."""
    found = retraction.find(raw, overlay, context, pending=pending)
    if set(found.targets) & overlay.formed_after(pending):
        return None  # said anew in this very turn
    if found.targets:
        overlay.add(Change(kind=ChangeKind.RETRACT, targets=found.targets, note=raw.strip()))
    elif overlay.superseded_any():
        return None  # what it points at has gone with the claim that takes its place
    elif found.question:
        return found.question
    elif overlay.pending():
        overlay.drop_last()
    return None


def carrying(claim: Claim, old: Engram | None) -> Claim:
    """The claim with what it leaves standing of the one that it replaces, without what it says is over."""
    if claim.type is EngramType.PROHIBITION:
        return claim
    text = without_old(claim.text)
    if old is not None and old.type not in (EngramType.PROHIBITION, EngramType.OBJECTIVE):
        text = carried(text, old.content)
    return claim if text == claim.text else replace(claim, text=text, filled=fill(text) or claim.filled)
