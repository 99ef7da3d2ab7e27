"""Formation: what a turn settles becomes an engram, in that turn.

    form(text, at=..., holds=..., context=...) -> Formed       the operator's words
    form_document(text, source, at, holds) -> Formed           passages, with a document's authority
    form_tool_result(tool, result, at, holds) -> Formed        observations, with an executed action's
    authority

Pure and deterministic: no clock, no model, no store (only `store.model`); what holds is asked through
`HoldsView`.
The steps, one module each: secrets out (`redaction`), blocks and sentences with their places (`blocks`,
`sentences`),
settled or not (`mood`), one claim a clause (`clauses`), pronouns (`anaphora`), class (`classify`), dates
(`dates`),
subject, attribute and value (`slots`, `frames`), comparison with what holds (`compare`), and the two that
take
claims out again (`retraction`, `objectives`). The cue words of a language are its file in `languages/`.

    propose(text, ask, engine=..., at=..., holds=...) -> Proposals    the engine's part (`proposals`)

An engine's claims are checked word for word, are `inference`, and carry `metadata["inbox"] == "open"`: they
are
kept out of what holds for the operator until `accepted(engram)` is written in their place.

Changes are applied in order: NEW writes `draft`; SUPERSEDE supersedes `targets[0]` by `draft`, whose links
name the
further targets; RETRACT retracts each target, reason in `note`; SAME reinforces the targets and writes
nothing.

Names are looked up when they are used (PEP 562): a start that forms nothing compiles none of the patterns.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from partner.formation.documents import form_document, form_tool_result
    from partner.formation.former import form
    from partner.formation.memory import MemoryHolds
    from partner.formation.model import Change, ChangeKind, Context, Formed, HoldsView
    from partner.formation.proposals import Proposals, accepted, propose, schema_for

_HOMES = {
    "partner.formation.documents": ("form_document", "form_tool_result"),
    "partner.formation.former": ("form",),
    "partner.formation.memory": ("MemoryHolds",),
    "partner.formation.model": ("Change", "ChangeKind", "Context", "Formed", "HoldsView"),
    "partner.formation.proposals": ("Proposals", "accepted", "propose", "schema_for"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Change",
    "ChangeKind",
    "Context",
    "Formed",
    "HoldsView",
    "MemoryHolds",
    "Proposals",
    "accepted",
    "form",
    "form_document",
    "form_tool_result",
    "propose",
    "schema_for",
]


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'partner.formation' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted(__all__)
