"""The operator's rules as the gate understood them, and correcting what it understood.

A correction never edits a rule: it is a further engram beside it (gate/learning.py), so the log shows who
said what when, and retracting the correction takes it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gate.errors import GateError
from gate.learning import (
    ALIAS,
    CONSTRAINT,
    EXCEPTION,
    NAME,
    constraint_draft,
    learned_of,
    name_draft,
    wording_draft,
)
from gate.snapshot import Learned, compile_rule
from partner.errors import UsageError
from partner.events import Formed, TurnEvent
from partner.names import short
from partner.policy import approvals_of, not_understood
from partner.receive import receive
from partner.writing import uncheckable
from store.model import Engram, EngramType, Klass

if TYPE_CHECKING:
    from gate.model import Approval
    from partner.operations import Partner, Rule

_SAID = {
    ALIAS: "you also meant",
    EXCEPTION: "you did not mean",
    NAME: "also called",
    CONSTRAINT: "given as data",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One thing that was learned for a rule, by the id of the engram that says so."""

    id: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """A rule in force. `refuses` in plain words; `question` is set, and the rule inert, where it protects
    nothing."""

    engram: Engram
    refuses: str
    question: str
    corrections: tuple[Correction, ...]

    @property
    def inert(self) -> bool:
        return bool(self.question)


def views(partner: Partner) -> list[RuleView]:
    """Every rule in force, the oldest first."""
    answers = partner.policy.answers()
    learned = learned_of(answers)
    rules = partner.store.current(klass=Klass.PROHIBITION, newest_first=False)
    return [_view(rule, answers, learned) for rule in rules]


def view(partner: Partner, ref: str) -> RuleView:
    """One rule. Raises UsageError for an engram that is none; the store's errors for an unknown id."""
    answers = partner.policy.answers()
    return _view(_rule(partner, ref), answers, learned_of(answers))


def understood(partner: Partner, event: TurnEvent) -> str:
    """What the gate made of a rule that was just written, in plain words; empty for any other event."""
    if not isinstance(event, Formed) or event.change not in ("new", "supersede"):
        return ""
    if event.engram.type is not EngramType.PROHIBITION:
        return ""
    return _says(_view(event.engram, [], {}))


def _view(rule: Engram, answers: list[Engram], learned: Mapping[str, Learned]) -> RuleView:
    corrections = tuple(_correction(item) for item in answers if item.metadata.get("rule") == rule.id)
    try:
        refuses = compile_rule(rule, learned.get(rule.id, Learned())).explain()
    except GateError as error:
        return RuleView(engram=rule, refuses="", question=str(error), corrections=corrections)
    return RuleView(engram=rule, refuses=refuses, question="", corrections=corrections)


def _correction(answer: Engram) -> Correction:
    kind = str(answer.metadata.get("gate"))
    said = (
        answer.provenance.evidence if kind != CONSTRAINT else str(dict(answer.metadata.get(CONSTRAINT, {})))
    )
    return Correction(id=answer.id, kind=kind, words=said or "")


def _rule(partner: Partner, ref: str) -> Engram:
    found = partner.store.read(ref)
    if found.type is not EngramType.PROHIBITION:
        raise UsageError(f"{short(found.id)} is no rule but: {found.content[:80]}")
    if not partner.store.status(found.id).holds:
        raise UsageError(f"The rule {short(found.id)} is no longer in force. See them with: partner rules")
    return found


def text(item: RuleView) -> str:
    """A rule for people to read: the sentence, what it refuses, and what was corrected."""
    lines = [f"{short(item.engram.id)}  {item.engram.content}", _says(item)]
    lines += [f"  {_SAID.get(c.kind, c.kind)} ({short(c.id)}): {c.words}" for c in item.corrections]
    return "\n".join(lines)


def _says(item: RuleView) -> str:
    return f"  {not_understood(item.question)}" if item.inert else f"  {item.refuses}"


# ---- correcting


def add_name(partner: Partner, ref: str, words: str) -> Engram:
    """Another name for what the rule is about; for a rule about no thing, a request that it means."""
    rule, clean = _rule(partner, ref), receive(words)[0]
    try:
        constraint = compile_rule(rule, Learned())
        about = constraint.objects or constraint.recipients
    except GateError:
        about = ()
    draft = name_draft(rule, clean) if about else wording_draft(rule, clean, means=True)
    return partner.policy.correct(draft)


def add_meaning(partner: Partner, ref: str, words: str, *, means: bool) -> Engram:
    """A request in words that the rule means from now on, or does not mean."""
    return partner.policy.correct(wording_draft(_rule(partner, ref), receive(words)[0], means=means))


def give_data(partner: Partner, ref: str, data: Any) -> Engram:
    """The constraint as data, in place of what was understood. Raises BadConstraint, writing nothing."""
    if not isinstance(data, dict):
        raise UsageError(
            'A constraint is a JSON object, as in {"acts": ["deploy"], "places": ["production"]}'
        )
    return partner.policy.correct(constraint_draft(_rule(partner, ref), data))


def forget(partner: Partner, ref: str) -> Engram:
    """Take a correction back. Returns it; raises UsageError for an engram that is none."""
    found = partner.store.read(ref)
    if found.klass is Klass.PROHIBITION:
        own = short(found.id)
        raise UsageError(f"{own} is the rule itself. A rule is taken back with: partner retract {own}")
    if found.id not in {answer.id for answer in partner.policy.answers()}:
        raise UsageError(
            f"{short(found.id)} is no correction in force of a rule. See them with: partner rules"
        )
    partner.store.retract(found.id, reason="the rule does not say so")
    return found


# ---- approvals


def approvals(partner: Partner, *, at: datetime) -> list[tuple[Approval, bool]]:
    """Every approval that was not taken back, the newest first, and whether it is still in force."""
    listed = approvals_of(partner.store.current(type=EngramType.APPROVAL))
    return [(item, item.until is None or at < item.until) for item in listed]


def approval_text(item: Approval, lasting: bool) -> str:
    """An approval for people to read."""
    end = f"until {item.until.isoformat(timespec='minutes')}" if item.until else "without an end"
    return f"{short(item.id)}  {item.by}: {item.subject} ({end if lasting else 'ended, ' + end})"


def forbid_each(partner: Partner, text: str, *, at: datetime | None = None) -> list[Rule]:
    """Each sentence a rule of its own; one that gives none stays with the words of the rule beside it.

    All of them are written, or none: raises CompileQuestion where nothing checkable is said.
    """
    said: list[str] = []
    for sentence in _sentences(receive(text)[0]):
        if said and (uncheckable(sentence) or uncheckable(said[-1])):
            said[-1] += f" {sentence}"
        else:
            said.append(sentence)
    with partner.store.transaction():
        return [partner.forbid(rule, at=at) for rule in said or [text]]


def unchecked_part(rule: Engram) -> str:
    """What is said of the sentences of a rule that are none by themselves; empty where there are none."""
    sentences = _sentences(rule.content)
    beside = [sentence for sentence in sentences if uncheckable(sentence)] if len(sentences) > 1 else []
    return f"  kept beside it, and no rule by itself: {' '.join(beside)}" if beside else ""


def _sentences(text: str) -> list[str]:
    from partner.formation.sentences import sentences

    return [text[span.start : span.end] for span in sentences(text, 0, len(text))]
