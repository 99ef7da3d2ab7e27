"""What the operator's answers and corrections teach: wordings that a rule means, and others that it does not.

Each is an engram of type `note` with a link to the prohibition and metadata
{"gate": kind, "rule": id of the prohibition, "wording": words}. Kinds:

- `alias`: a wording that the rule means. It holds for every clause that says at least as much; of one
  word, for a clause that says nothing else. It stands for act and thing: times, values, exceptions and
  approvals of the rule hold as before.
- `exception`: one that it does not mean: for clauses that say exactly that.

A wording that begins with '=' is that of a whole request: this very text, whatever its clauses say.

- `name`: another name for what the rule is about, as words.
- `constraint`: the rule given as data (gate/given.py) under the key `constraint`; the latest holds.

Wordings are sorted stems; several are parted by line ends. An alias wins over an exception but for the
very request that the operator waved through. Retracting the engram takes the answer back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from gate.errors import BadRequest
from gate.match.view import WHOLE, WORDING
from gate.model import Match, TextRequest, Truth
from store.model import Draft, Engram, EngramType, Link, Provenance, ProvenanceKind, Relation

ALIAS, EXCEPTION, NAME, CONSTRAINT = "alias", "exception", "name", "constraint"


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned for one rule: wordings, further names, and the constraint as data if given."""

    aliases: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None


@dataclass(slots=True)
class _Gathered:
    words: dict[str, set[str]] = field(default_factory=dict)
    data: tuple[int, Mapping[str, Any]] | None = None


def answer_draft(match: Match, request: TextRequest, yes: bool) -> Draft:
    """The engram that records the operator's answer to a question of the gate.

    `yes`: 'that is what I meant' (from now on it is refused); no: 'that is something else'. Raises
    BadRequest when the match carries no wording (an action is not asked about).
    """
    said = match.bindings.get(WORDING, "")
    if not said:
        raise BadRequest("this match asked no question that could be answered")
    words = match.matched or request.text
    wholes = ["=" + line for line in match.bindings.get(WHOLE, "").split("\n") if line]
    if yes:
        return _draft(
            match.engram_id, ALIAS, f"The rule '{match.sentence}' also means: {words}", words,
            {WORDING: "\n".join([said.split("\n")[0], *wholes])},
        )  # fmt: skip
    return _draft(
        match.engram_id, EXCEPTION, f"The rule '{match.sentence}' does not mean: {words}", words,
        {WORDING: "\n".join([*said.split("\n"), *wholes])},
    )  # fmt: skip


def name_draft(rule: Engram, words: str) -> Draft:
    """The engram that says: what this rule is about also goes by this name. Raises BadRequest for none."""
    from gate.compile.phrases import named_terms

    if not named_terms([words], "en"):
        raise BadRequest(f"'{words}' names nothing that a request could say")
    return _draft(
        rule.id,
        NAME,
        f"What the rule '{rule.content}' is about is also called: {words}",
        words,
        {WORDING: words},
    )


def wording_draft(rule: Engram, sentence: str, *, means: bool) -> Draft:
    """The engram that adds a request in words to what a rule means, or to what it does not mean."""
    from gate.language.reading import read
    from gate.match.region import region_of
    from gate.match.view import whole_wording, wording

    reading = read(sentence)
    asking = [at for at, clause in enumerate(reading.clauses) if clause.mood.asks] or [0]
    if not reading.clauses:
        raise BadRequest("there are no words to be learned")
    said = f"{wording(region_of(reading, asking[0]), reading)}\n={whole_wording(reading)}"
    verb = "also means" if means else "does not mean"
    kind = ALIAS if means else EXCEPTION
    return _draft(rule.id, kind, f"The rule '{rule.content}' {verb}: {sentence}", sentence, {WORDING: said})


def constraint_draft(rule: Engram, data: Mapping[str, Any]) -> Draft:
    """The engram that gives a rule's constraint as data. Raises BadConstraint where it does not fit."""
    from gate.given import given_constraint

    given_constraint(rule.id, rule.content, data)
    content = f"The rule '{rule.content}' is meant as given in its data"
    return _draft(rule.id, CONSTRAINT, content, rule.content, {CONSTRAINT: dict(data)})


def _draft(rule_id: str, kind: str, content: str, evidence: str, more: Mapping[str, Any]) -> Draft:
    return Draft(
        type=EngramType.NOTE,
        content=content,
        provenance=Provenance(kind=ProvenanceKind.OPERATOR, evidence=evidence),
        links=(Link(relation=Relation.REFERENCES, target=rule_id),),
        metadata={"gate": kind, "rule": rule_id, **more},
    )


def learned_of(answers: Iterable[Engram]) -> Mapping[str, Learned]:
    """Rule id -> what was learned for it. Engrams that are no answers are passed over."""
    found: dict[str, _Gathered] = {}
    for engram in answers:
        kind, rule = engram.metadata.get("gate"), engram.metadata.get("rule")
        if engram.erased or not isinstance(rule, str):
            continue
        data, said = engram.metadata.get(CONSTRAINT), engram.metadata.get(WORDING)
        gathered = found.setdefault(rule, _Gathered())
        if kind == CONSTRAINT and isinstance(data, Mapping):
            if gathered.data is None or engram.seq > gathered.data[0]:
                gathered.data = (engram.seq, MappingProxyType(dict(data)))
        elif kind in (ALIAS, EXCEPTION, NAME) and isinstance(said, str) and said:
            gathered.words.setdefault(kind, set()).update(line for line in said.split("\n") if line)
    return {
        rule: Learned(
            aliases=tuple(sorted(gathered.words.get(ALIAS, ()))),
            exceptions=tuple(sorted(gathered.words.get(EXCEPTION, ()))),
            names=tuple(sorted(gathered.words.get(NAME, ()))),
            data=gathered.data[1] if gathered.data else None,
        )
        for rule, gathered in found.items()
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
