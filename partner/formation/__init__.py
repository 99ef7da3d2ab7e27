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

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from partner.formation.documents import form_document, form_tool_result
    from partner.formation.former import form
    from partner.formation.memory import MemoryHolds
    from partner.formation.model import Change, ChangeKind, Context, Formed, HoldsView
    from partner.formation.proposals import Proposals, accepted, propose, schema_for

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
    found = next((of()[name] for names, of in _HOMES.items() if name in names), None)
    if found is None:
        raise AttributeError(f"module 'partner.formation' has no attribute {name!r}")
    return found


def _documents() -> dict[str, Any]:
    from partner.formation.documents import form_document, form_tool_result

    return {"form_document": form_document, "form_tool_result": form_tool_result}


def _former() -> dict[str, Any]:
    from partner.formation.former import form

    return {"form": form}


def _memory() -> dict[str, Any]:
    from partner.formation.memory import MemoryHolds

    return {"MemoryHolds": MemoryHolds}


def _model() -> dict[str, Any]:
    from partner.formation.model import Change, ChangeKind, Context, Formed, HoldsView

    kinds = (Change, ChangeKind, Context, Formed, HoldsView)
    return {kind.__name__: kind for kind in kinds}


def _proposals() -> dict[str, Any]:
    from partner.formation.proposals import Proposals, accepted, propose, schema_for

    return {"Proposals": Proposals, "accepted": accepted, "propose": propose, "schema_for": schema_for}


_HOMES = {
    ("form_document", "form_tool_result"): _documents,
    ("form",): _former,
    ("MemoryHolds",): _memory,
    ("Change", "ChangeKind", "Context", "Formed", "HoldsView"): _model,
    ("Proposals", "accepted", "propose", "schema_for"): _proposals,
}


def __dir__() -> list[str]:
    return sorted(__all__)
