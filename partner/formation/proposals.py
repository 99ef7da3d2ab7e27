"""The engine's part of formation: it may propose, and every proposal is checked against the operator's words.

The engine chooses its evidence among pieces of the message (`schema_for`), where it can be held to a schema.
A proposal is kept only when its evidence stands in the turn word for word, says it in a settled mood, and
carries
every figure, name and negation of the proposition. What passes is `inference` and waits in the inbox;
nothing is
ever superseded by it, and a prohibition comes from the operator alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from partner.formation.claims import evidence_hash, keys
from partner.formation.clauses import Clause, split
from partner.formation.compare import Candidate, Signals, compare
from partner.formation.dates import resolve
from partner.formation.frames import frame
from partner.formation.grammar import finite
from partner.formation.languages import cues_for
from partner.formation.model import HoldsView
from partner.formation.mood import Mood, Thread, mood
from partner.formation.pointing import OWN_WORDS
from partner.formation.redaction import MARK, redact
from partner.formation.sentences import sentences
from partner.formation.slots import fill
from partner.formation.topics import content_words
from partner.formation.verbs import AUXILIARIES, COPULA, lemma
from partner.formation.words import listed, words
from store.model import Authority, Draft, Engram, EngramType, Provenance, ProvenanceKind

INBOX = "inbox"  # metadata key; 'open' until the operator accepts, edits or discards
MAX_PROPOSALS = 12
MAX_PROPOSITION_CHARS = 400
MAX_EVIDENCE = 40  # pieces of a message that may be quoted
LEAST_QUOTED = 3  # words
_TYPES = ("identity", "disposition", "convention", "objective", "decision", "conclusion")
_KEPT_WORDS = 0.6  # share of a proposition's content words that its evidence has to carry

_PRONOUNS = listed(
    "he she it they him her them his its their this that er sie es sein ihr él ella lo il elle"
)


def schema_for(evidence: Sequence[str], claims: int = MAX_PROPOSALS) -> Mapping[str, Any]:
    """The shape of an answer whose evidence is one of these pieces of the message, chosen before the
    proposition is written: an engine that is held to it cannot invent a quotation."""
    properties = {
        "evidence": {"enum": list(evidence)},
        "proposition": {"type": "string"},
        "type": {"enum": list(_TYPES)},
    }
    item = {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["claims"],
        "properties": {"claims": {"type": "array", "maxItems": claims, "items": item}},
    }


INSTRUCTION = (
    "List what the message settles: decisions, facts, preferences, goals, who the writer is. "
    "One claim an item. "
    "`evidence` is the part of the message that says it; `proposition` says it in one sentence "
    "that can be read alone, in the same words. Leave out questions, jokes, quotations, what is only "
    "considered, and what others say. Nothing settled: an empty list."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A proposal that was not kept, and why."""

    proposition: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """`drafts` for the inbox; `failure` is set when the engine's output could not be used at all (try again
    later)."""

    drafts: tuple[Draft, ...] = ()
    refused: tuple[Refused, ...] = ()
    failure: str | None = None


Ask = Callable[[str, str, Mapping[str, Any]], str]
"""(instruction, message, JSON schema) -> the engine's whole output."""


def propose(text: str, ask: Ask, *, engine: str, at: datetime, holds: HoldsView) -> Proposals:
    """Let an engine propose over one turn. What the engine raises passes through; its output never does
    unchecked. It is not asked about a turn in which no sentence settles anything: all of it would be refused.

    Secrets are replaced before the engine sees the turn.
    """
    turn = redact(text).text
    settled = [sentence for sentence in _sentences(turn) if _may_settle(sentence, turn)]
    if not settled:
        return Proposals()
    pieces = dict.fromkeys(piece for sentence in settled for piece in quotable(sentence))
    claims = min(MAX_PROPOSALS, sum(_claims_in(sentence) for sentence in settled))
    schema = schema_for(list(pieces)[:MAX_EVIDENCE], claims)
    return check(ask(INSTRUCTION, turn, schema), turn, engine=engine, at=at, holds=holds)


def _sentences(turn: str) -> list[str]:
    return [turn[span.start : span.end] for span in sentences(turn, 0, len(turn))]


def _may_settle(sentence: str, turn: str) -> bool:
    small = cues_for(turn).smalltalk.search(sentence) is not None
    return MARK not in sentence and not small and not _unsettled(sentence, turn)


def _claims_in(sentence: str) -> int:
    """How many claims a sentence may hold: a small engine says the same again until it is stopped."""
    return max(len(_parts(sentence)), min(2, len(quotable(sentence))))


def _parts(sentence: str) -> list[Clause]:
    return split(Clause(text=sentence, start=0, end=len(sentence)), cues_for(sentence))


def quotable(sentence: str) -> list[str]:
    """A sentence, and what stands between its commas: one part, or two that follow each other."""
    marks = [0, *(m.end() for m in re.finditer(r"[,;:–—](?=\s)|[、，；：]", sentence)), len(sentence)]
    runs = [(marks[at], marks[at + size]) for size in (2, 1) for at in range(len(marks) - size)]
    parts = [sentence[start:end].strip().rstrip(",;:–—、，；： ") for start, end in runs]
    return [sentence, *(part for part in parts if len(words(part)) >= LEAST_QUOTED and part != sentence)]


def check(output: str, turn: str, *, engine: str, at: datetime, holds: HoldsView) -> Proposals:
    """Judge an engine's output over `turn` (secrets already replaced)."""
    items, failure = _items(output)
    drafts: list[Draft] = []
    refused: list[Refused] = []
    for item in items[:MAX_PROPOSALS]:
        proposition = str(item.get("proposition", "")).strip()
        reason = _reason(item, turn, drafts, holds, at)
        if reason:
            refused.append(Refused(proposition=proposition[:MAX_PROPOSITION_CHARS], reason=reason))
        else:
            drafts.append(_draft(item, engine, at))
    return Proposals(drafts=tuple(drafts), refused=tuple(refused), failure=failure)


def accepted(engram: Engram, *, text: str | None = None) -> Draft:
    """The draft that takes an inbox engram's place once the operator has accepted it (with `text`:
    edited)."""
    metadata = {k: v for k, v in engram.metadata.items() if k != INBOX}
    return Draft(
        type=engram.type,
        content=(text or engram.content).strip(),
        provenance=Provenance(
            kind=ProvenanceKind.OPERATOR,
            source="accepted from the inbox",
            evidence=engram.provenance.evidence,
            evidence_hash=engram.provenance.evidence_hash,
        ),
        salience=max(engram.salience, 0.5),
        tier=engram.tier,
        valid_from=engram.valid_from,
        metadata=metadata,
    )


def _items(output: str) -> tuple[list[dict[str, Any]], str | None]:
    try:
        value = json.loads(output)
    except json.JSONDecodeError as error:
        return [], f"not JSON: {error.msg} at {error.pos}" if output.strip() else "empty output"
    claims = value.get("claims") if isinstance(value, dict) else None
    if not isinstance(claims, list):
        return [], "no list of claims"
    return [c for c in claims if isinstance(c, dict)], None


def _reason(item: Mapping[str, Any], turn: str, kept: Sequence[Draft], holds: HoldsView, at: datetime) -> str:
    """Why a proposal is refused; '' when it is kept. Cheapest checks first."""
    proposition, evidence = item.get("proposition"), item.get("evidence")
    if (
        not isinstance(proposition, str)
        or not isinstance(evidence, str)
        or not proposition.strip()
        or not evidence.strip()
    ):
        return "no proposition or no evidence"
    if len(proposition) > MAX_PROPOSITION_CHARS or "\x00" in proposition or "\n" in proposition.strip():
        return "not one sentence"
    if item.get("type") not in _TYPES:
        return (
            "a prohibition comes only from the operator"
            if item.get("type") == "prohibition"
            else "unknown type"
        )
    if evidence not in turn:
        return "the evidence is not in the message word for word"
    if MARK in proposition or MARK in evidence:
        return "touches a secret"
    return (
        _no_claim(proposition)
        or _unfaithful(proposition, evidence, turn, at)
        or _unsettled(evidence, turn)
        or _known(proposition, kept, holds)
    )


_RELATIVE = re.compile(r"(?i)^[^,;.!?]+, (?:who|whom|whose|which|where) [^,;]*$")


def _no_claim(proposition: str) -> str:
    """One proposition, that can be read alone and forbids nothing."""
    if cues_for(proposition).prohibition.search(proposition):
        return "a prohibition comes only from the operator"
    if _RELATIVE.match(proposition):
        return "no sentence of its own"
    return "more than one claim" if len(_parts(proposition)) > 1 else ""


def _unfaithful(proposition: str, evidence: str, turn: str, at: datetime) -> str:
    dated = resolve(evidence, at)
    figures = {w.low for w in words(evidence) if w.number} | {
        part for d in dated.resolved for part in (d, *d.split("-"))
    }
    added = [w.text for w in words(proposition) if w.number and w.low not in figures]
    if added:
        return f"a figure that the evidence does not have: {added[0]}"
    strange = _strange_name(proposition, evidence, turn)
    if strange:
        return f"a name that the evidence does not have: {strange}"
    if frame(proposition).negative != frame(evidence).negative or _denials(proposition) != _denials(evidence):
        return "its negation differs from the evidence"
    other = _other_doer(proposition, evidence)
    if other:
        return f"a word for who or what is done that the evidence does not have: {other}"
    wanted = content_words(proposition) - {"operator", "user"}
    carried = content_words(evidence) | content_words(dated.text)
    if wanted and len(wanted & carried) < _KEPT_WORDS * len(wanted):
        return "says more than its evidence"
    return ""


def _strange_name(proposition: str, evidence: str, turn: str) -> str:
    """A name (or first word) the evidence lacks; one from the rest of the turn may stand for its pronoun."""
    said = {w.low for w in words(evidence)}
    if said & _PRONOUNS:
        said |= {w.low for w in words(turn)}
    stop = cues_for(turn).stop
    for word in words(proposition):
        if word.capital and word.low not in said and word.low not in stop and not word.number:
            return word.text
    return ""


def _other_doer(proposition: str, evidence: str) -> str:
    """A pronoun that the evidence lacks, or a verb: 'She has a new schema' is not what 'Ana owns the schema'
    says. To be may be added ('Ana is the owner'), the names and things beside it are looked at anyway."""
    said = {w.low for w in words(evidence)}
    done = {lemma(low) for low in said} | said
    for word in words(proposition):
        if word.low in _PRONOUNS and word.low not in said:
            return word.text
    tokens = words(proposition)
    found = finite(tokens) if cues_for(proposition).code == "en" else None
    if found is None or tokens[found.verb].low in COPULA:
        return ""
    verb = tokens[found.verb]
    return "" if verb.low in AUXILIARIES & said or lemma(verb.low) in done else verb.text


def _denials(text: str) -> bool:
    low = text.lower()
    return (
        re.search(
            r"\b(?:not|never|no longer|no|cannot|without|nicht|kein\w*|nie|nunca|pas|jamais)\b|"
            r"n['’]t\b|ない|ません|不|没",
            low,
        )
        is not None
    )


def _unsettled(evidence: str, turn: str) -> str:
    """The mood of the whole sentence that the evidence is taken from."""
    at = turn.find(evidence)
    begin = max((m.end() for m in re.finditer(r"[.!?。！？\n]\s*", turn[:at])), default=0)
    after = re.search(r"[.!?。！？\n]+", turn[at + len(evidence) - 1 :])
    end = at + len(evidence) - 1 + after.end() if after else len(turn)
    sentence = turn[begin:end].strip()
    found = mood(sentence, cues_for(turn), Thread())
    if found is Mood.SETTLED and cues_for(turn).report.search(sentence) and not OWN_WORDS.search(sentence):
        return "what others say settles nothing"
    return "" if found is Mood.SETTLED else f"nothing settled: {found}"


def _known(proposition: str, kept: Sequence[Draft], holds: HoldsView) -> str:
    if any(content_words(d.content) == content_words(proposition) for d in kept):
        return "said twice"
    outcome = compare(
        Candidate(text=proposition, type=EngramType.CONCLUSION),
        Signals(),
        holds,
        authority=Authority.OPERATOR,
    )
    return "known already" if outcome.same else ""


def _draft(item: Mapping[str, Any], engine: str, at: datetime) -> Draft:
    proposition, evidence = item["proposition"].strip(), item["evidence"]
    dated = resolve(proposition, at)
    subject, attribute, value = keys(proposition, fill(proposition))
    metadata = {INBOX: "open"} | (
        {"subject": subject, "attribute": attribute, "value": value} if attribute else {}
    )
    return Draft(
        type=EngramType(item["type"]),
        content=dated.text,
        provenance=Provenance(
            kind=ProvenanceKind.INFERENCE,
            source=engine,
            evidence=evidence,
            evidence_hash=evidence_hash(evidence),
        ),
        salience=0.3,
        valid_from=dated.valid_from,
        metadata=metadata,
    )
