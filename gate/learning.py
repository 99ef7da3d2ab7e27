"""What the operator's answers teach: wordings that a rule means, and wordings that it does not.

An answer is an engram of type `note` with metadata {"gate": "alias" | "exception", "rule": id of the
prohibition, "wording": canonical words} and a link to the prohibition. A wording is the sorted stems of
what a clause says; an alias holds for every clause that says at least as much, an exception for one
that says exactly that. Where both hold, the alias wins: deny overrides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gate.errors import BadRequest
from gate.model import Match, TextRequest, Truth
from store.model import Draft, Engram, EngramType, Link, Provenance, ProvenanceKind, Relation

ALIAS, EXCEPTION = "alias", "exception"
WORDING = "wording"  # the key of Match.bindings that carries it


@dataclass(frozen=True, slots=True)
class Learned:
    """The wordings learned for one rule."""

    aliases: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()


def answer_draft(match: Match, request: TextRequest, yes: bool) -> Draft:
    """The engram that records the operator's answer to a question of the gate.

    `yes`: 'that is what I meant' (from now on it is refused); no: 'that is something else'. Raises
    BadRequest when the match carries no wording (an action is not asked about).
    """
    wording = match.bindings.get(WORDING, "")
    if not wording:
        raise BadRequest("this match asked no question that could be answered")
    said = match.matched or request.text
    content = (
        f"The rule '{match.sentence}' also means: {said}"
        if yes
        else f"The rule '{match.sentence}' does not mean: {said}"
    )
    return Draft(
        type=EngramType.NOTE,
        content=content,
        provenance=Provenance(kind=ProvenanceKind.OPERATOR, evidence=said),
        links=(Link(relation=Relation.REFERENCES, target=match.engram_id),),
        metadata={"gate": ALIAS if yes else EXCEPTION, "rule": match.engram_id, WORDING: wording},
    )


def learned_of(answers: Iterable[Engram]) -> Mapping[str, Learned]:
    """Rule id -> what was learned for it. Engrams that are no answers are passed over."""
    found: dict[str, dict[str, set[str]]] = {}
    for engram in answers:
        kind, rule, wording = (engram.metadata.get(key) for key in ("gate", "rule", WORDING))
        if engram.erased or kind not in (ALIAS, EXCEPTION) or not isinstance(rule, str):
            continue
        if isinstance(wording, str) and wording:
            found.setdefault(rule, {ALIAS: set(), EXCEPTION: set()})[kind].add(wording)
    return {
        rule: Learned(tuple(sorted(kinds[ALIAS])), tuple(sorted(kinds[EXCEPTION])))
        for rule, kinds in found.items()
    }


def question_for(match: Match) -> str:
    """The question to the operator about a possible match."""
    missing = f" ({', '.join(match.missing)} not stated)" if match.missing else ""
    return f"This may touch your rule '{match.sentence}'{missing}: '{match.matched}'. Is that what it means?"


def refusal_for(match: Match) -> str:
    """The sentence that names the rule and what would lift it."""
    lifted = f" It would be lifted by: {match.lifted_by}." if match.lifted_by else ""
    missing = f" Not known: {', '.join(match.missing)}." if match.missing else ""
    unsure = "" if match.truth is Truth.TRUE else " What cannot be determined is not done."
    return f"Refused by your rule '{match.sentence}'.{missing}{unsure}{lifted}"
