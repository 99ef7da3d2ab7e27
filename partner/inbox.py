"""The inbox: what an engine has proposed waits here for the operator's word.

A proposal is an inference. It is kept out of what holds, of the context and of every answer until it is
accepted; then a claim of the operator's takes its place. Prohibitions are never proposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from partner.context import settled
from partner.errors import UsageError
from partner.events import Formed
from partner.holds import StoreHolds
from store.model import Draft, Engram, Klass, Link, Relation

if TYPE_CHECKING:
    from store import Store

PROPOSED = frozenset({Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE})


def waiting(store: Store) -> list[Engram]:
    """What waits, oldest first."""
    found = [e for klass in PROPOSED for e in store.current(klass=klass) if not settled(e)]
    return sorted(found, key=lambda engram: engram.seq)


def accept(store: Store, ref: str, *, text: str | None, at: datetime) -> Formed:
    """Let a proposal hold, in its own words or in `text`, in place of whatever it changes.

    Raises UsageError for an engram that does not wait, NotFound for an unknown id.
    """
    from partner.formation import accepted

    engram = _waiting(store, ref)
    draft = accepted(engram, text=text)
    if text is not None:
        draft = _worded_anew(draft, at)
    over = _replaces(store, draft)
    links = tuple(Link(relation=Relation.SUPERSEDES, target=target) for target in over)
    written = store.supersede(engram.id, replace(draft, links=(*draft.links, *links)))
    return Formed(engram=written, change="supersede", old=engram, note="accepted")


def discard(store: Store, ref: str, *, reason: str = "") -> Formed:
    """Take a proposal out of the inbox; the log keeps that it was made. Raises as `accept`."""
    engram = _waiting(store, ref)
    entry = store.retract(engram.id, reason=reason or "discarded from the inbox")
    return Formed(engram=entry, change="retract", old=engram)


def keep(store: Store, drafts: Sequence[Draft], *, utterance: Engram, auto: bool) -> Iterator[Formed]:
    """Write what passed the checks: into the inbox, or (`auto`) as an inference that holds."""
    for draft in drafts:
        metadata = {k: v for k, v in draft.metadata.items() if not auto or k != "inbox"}
        link = Link(relation=Relation.DERIVED_FROM, target=utterance.id)
        written = store.write(replace(draft, metadata=metadata, links=(*draft.links, link)))
        yield Formed(engram=written, change="new" if auto else "proposed")


def _waiting(store: Store, ref: str) -> Engram:
    engram = store.read(ref)
    if settled(engram) or not store.status(engram.id).holds:
        raise UsageError(f"{ref} does not wait in the inbox. What waits: partner inbox")
    return engram


def _worded_anew(draft: Draft, at: datetime) -> Draft:
    """Dates and keys of the operator's own wording."""
    from partner.formation.claims import keys
    from partner.formation.dates import resolve
    from partner.formation.slots import fill

    dated = resolve(draft.content, at)
    subject, attribute, value = keys(draft.content, fill(draft.content))
    named = {"subject": subject, "attribute": attribute, "value": value} if attribute else {}
    kept = {k: v for k, v in draft.metadata.items() if k not in ("subject", "attribute", "value")}
    return replace(draft, content=dated.text, valid_from=dated.valid_from, metadata=kept | named)


def _replaces(store: Store, draft: Draft) -> tuple[str, ...]:
    """What holds and says otherwise about the same subject and attribute."""
    from partner.formation.compare import Candidate, Signals, compare
    from store.model import Authority

    claim = Candidate(text=draft.content, type=draft.type)
    outcome = compare(claim, Signals(), StoreHolds(store), authority=Authority.OPERATOR)
    return outcome.over
