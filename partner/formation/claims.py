"""From a clause to a draft: wording, dates, keys, evidence."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from partner.formation.compare import Candidate
from partner.formation.cues import Cues
from partner.formation.dates import resolve
from partner.formation.frames import Frame, frame
from partner.formation.grammar import finite
from partner.formation.slots import Filled, also_asked_by
from partner.formation.topics import spoken_words
from partner.formation.words import words
from store.model import Draft, Engram, EngramType, Link, Provenance, ProvenanceKind, Relation, Tier

_ABOUT_ME = re.compile(r"(?i)\b(?:i|my|we|our)\b")
_BEEN = re.compile(r"^[Bb]een (?=(?:there|here|in|at|on|with|to|off)\b|\w+ing\b)")  # 'Been there since 2012'
_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|`|~~")
_REASON = re.compile(
    r"(?i),\s+(?=(?:the|that|it|they|he|she|we|i|you|my|our|his|her|their|this|last time|"
    r"people)\b)|,?\s+(?=(?P<why>because|or else|otherwise)\b)"
)
_EMOJI = re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B00-\u2BFF\uFE0F\u200D\u20E3]+")
_TIER = {
    EngramType.CONVENTION: Tier.PROCEDURAL,
    EngramType.PROHIBITION: Tier.PROCEDURAL,
    EngramType.IDENTITY: Tier.SEMANTIC,
    EngramType.DISPOSITION: Tier.SEMANTIC,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A classed clause, ready to be compared: its final wording and where it stood in the turn."""

    text: str
    type: EngramType
    salience: float
    evidence: str
    filled: Filled | None = None
    status: str = ""
    listed: str = ""  # the line that announced it, when that is part of the wording

    def candidate(self, old: frozenset[str] = frozenset(), absent: frozenset[str] = frozenset()) -> Candidate:
        subject, attribute, value = keys(self.text, self.filled)
        return Candidate(
            text=self.text,
            type=self.type,
            subject=subject,
            attribute=attribute,
            value=value,
            slot=self.filled is not None,
            old=old,
            absent=absent,
            listed=bool(self.listed),
            single=self.filled.slot.single if self.filled else False,
        )


def clean(text: str) -> str:
    """Without emphasis marks, emoji and stray blanks; addresses are left alone."""
    parts = re.split(r"(https?://\S+)", text)
    parts = [p if p.startswith("http") else _EMOJI.sub(" ", _MARKUP.sub("", p)) for p in parts]
    return re.sub(r"\s+([,.;:!?])", r"\1", re.sub(r"\s+", " ", "".join(parts))).strip(" \t-–—;,")


def wording(text: str, cues: Cues) -> str:
    """The clause as a sentence: openers cut, first letter up, a full stop at the end."""
    for _ in range(6):
        cut = cues.lead.sub("", text, count=1)
        if cut == text or not cut.strip():
            break
        text = cut
    text = _BEEN.sub("I've been ", clean(text), count=1)
    if not text:
        return ""
    if not re.search(r"[.!?…。！？]$", text):
        text += "。" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text[-1]) else "."
    first = text.split(" ", 1)[0]
    keeps_case = re.search(r"[./_:\d]|.[A-Z]", first.rstrip(".,:;!")) is not None
    return text if keeps_case else text[:1].upper() + text[1:]


_REASON_FIRST = re.compile(
    r"(?i)^(?:because(?: of)?|due to|owing to|given|in view of|in (?:the )?light of|thanks to|"
    r"on account of)\b[^,;:]{2,80}, (?=\w)"
)


# '..., he panics', '... again after last time': why there is a rule.
_HE_DOES = re.compile(r"(?i), (?:he|she|it|they) (?!(?:or|and)\b)[a-z]+s?(?: [a-z]+){0,2}[.!]*$")
_AFTER_WHAT = re.compile(r"(?i),? after (?:last time|what happened(?: [\w ]{2,30})?|the last time)(?=[.!]*$)")


def rule_alone(text: str) -> str:
    """A rule without its reason ('Because of the drought, ...', '..., the drummer panics'); conditions and
    exceptions stay."""
    reason = _REASON_FIRST.match(text)
    if reason:
        text = text[reason.end() : reason.end() + 1].upper() + text[reason.end() + 1 :]
    text = _AFTER_WHAT.sub("", text)
    if (why := _HE_DOES.search(text)) and not re.search(r"(?i)\b(?:when|if|unless)\b", why[0]):
        return text[: why.start()].rstrip() + "."
    for comma in _REASON.finditer(text):
        rest = text[comma.end() :]
        count = len(words(rest))
        listing = re.search(r"(?i)\b(?:or|and)\b", rest) is not None
        if comma["why"] or finite(words(rest)) is not None or (3 <= count <= 8 and not listing):
            return text[: comma.start()].rstrip() + "."
    return text


def keys(text: str, filled: Filled | None) -> tuple[str, str, str]:
    """(subject, attribute, value) as stored in the metadata; '' where the words do not tell."""
    if filled is not None:
        return filled.owner, filled.slot.name, filled.value
    found: Frame = frame(text)
    subject = " ".join(sorted(found.topic)).replace("@i", "operator").replace("@we", "we")
    value = " ".join([*found.rest, *found.numbers])
    if not subject or not value:
        return "", "", ""
    return subject, found.attribute, value


def draft(
    claim: Claim,
    at: datetime,
    source: str | None,
    *,
    against: Iterable[str] = (),
    over: Iterable[str] = (),
    was: Engram | None = None,
) -> Draft:
    """The engram to write: dates resolved, keys and evidence set, contradictions and further superseded
    ones linked. It is also asked for by what the goal that it replaces was called."""
    resolved = resolve(claim.text, at)
    subject, attribute, value = keys(claim.text, claim.filled)
    metadata: dict[str, str] = {}
    if attribute:
        metadata = {"subject": subject, "attribute": attribute, "value": value}
    asked_by = claim.filled.slot.words if claim.filled is not None else frozenset[str]()
    asked_by |= also_asked_by(claim.text) if _ABOUT_ME.search(claim.text) else frozenset()
    asked_by |= _called(was) if was is not None and was.type is EngramType.OBJECTIVE else frozenset()
    if asked_by:
        metadata["keys"] = " ".join(sorted(asked_by))
    if claim.listed:
        metadata["list"] = claim.listed
    if claim.status or claim.type is EngramType.OBJECTIVE:
        metadata["status"] = claim.status or "open"
    links = (*differing(against), *(Link(relation=Relation.SUPERSEDES, target=t) for t in over))
    return Draft(
        type=claim.type,
        content=resolved.text,
        provenance=Provenance(
            kind=ProvenanceKind.OPERATOR,
            source=source,
            evidence=claim.evidence,
            evidence_hash=evidence_hash(claim.evidence),
        ),
        salience=claim.salience,
        tier=_TIER.get(claim.type, Tier.WORKING),
        valid_from=resolved.valid_from,
        links=links,
        metadata=metadata,
    )


def _called(goal: Engram) -> frozenset[str]:
    """The words of a goal without its figures and names ('New target: 6500 by June' doesn't say 'save')."""
    spoken = spoken_words(goal.content)
    return frozenset(w.low for w in words(goal.content) if w.low in spoken and not w.number and not w.capital)


def dated(text: str, at: datetime) -> str:
    """The text with its relative dates resolved."""
    return resolve(text, at).text


def differing(ids: Iterable[str]) -> tuple[Link, ...]:
    """Links to claims of another authority that say otherwise. They stay siblings and both hold:
    `contradicts`
    would end the weaker one, and what a tool or a document says is worth knowing beside the operator's
    word."""
    return tuple(Link(relation=Relation.RELATES_TO, target=i) for i in ids)


def evidence_hash(evidence: str) -> str:
    """`sha256:<hex>` over the UTF-8 bytes of the span."""
    return "sha256:" + hashlib.sha256(evidence.encode("utf-8")).hexdigest()
