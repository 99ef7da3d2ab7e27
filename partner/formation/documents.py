"""Documents and tool results: each sentence a passage or an observation, with the authority of its source."""

from __future__ import annotations

import re
from datetime import datetime

from partner.formation.blocks import blocks
from partner.formation.claims import dated, differing, evidence_hash
from partner.formation.compare import Candidate, Signals, compare
from partner.formation.model import Change, ChangeKind, Formed, HoldsView
from partner.formation.redaction import redact
from partner.formation.sentences import sentences
from partner.formation.topics import content_words, spoken_words
from store.model import Draft, EngramType, Provenance, ProvenanceKind

MAX_PASSAGE_CHARS = 1_200
MAX_RESULT_CHARS = 600


def form_document(text: str, source: str, at: datetime, holds: HoldsView) -> Formed:
    """Passages of a document as knowledge. They never supersede what the operator said; a passage that is
    already
    held from the same source is met again, not written twice."""
    redacted = redact(text)
    changes: list[Change] = []
    seen: set[str] = set()
    for passage, lead in _passages(redacted.text):
        content = f"{lead}: {passage}" if lead and len(content_words(passage)) < 3 else passage
        if content in seen:
            continue
        seen.add(content)
        changes.append(
            _change(content, passage, source, at, holds, EngramType.PASSAGE, ProvenanceKind.DOCUMENT)
        )
    return Formed(changes=tuple(changes), utterance_text=redacted.text, secrets=redacted.kinds)


def form_tool_result(tool: str, result: str, at: datetime, holds: HoldsView) -> Formed:
    """What a tool returned, as observations of that time. A later figure of the same tool replaces the
    earlier one."""
    redacted = redact(result)
    changes: list[Change] = []
    if len(redacted.text) <= MAX_RESULT_CHARS:
        passages = [p for p, _ in _passages(redacted.text)] or (
            [redacted.text.strip()] if redacted.text.strip() else []
        )
    else:
        passages = [redacted.text.strip()]
    for passage in passages:
        changes.append(
            _change(passage, passage, tool, at, holds, EngramType.OBSERVATION, ProvenanceKind.ACTION)
        )
    return Formed(changes=tuple(changes), utterance_text=redacted.text, secrets=redacted.kinds)


def _passages(text: str) -> list[tuple[str, str]]:
    """(sentence, heading) of the prose; very long sentences are cut at a blank."""
    found: list[tuple[str, str]] = []
    for block in blocks(text, said=False):
        for span in sentences(text, block.start, block.end):
            sentence = re.sub(r"\s+", " ", re.sub(r"\*\*|__", "", text[span.start : span.end])).strip()
            while len(sentence) > MAX_PASSAGE_CHARS:
                cut = sentence.rfind(" ", 0, MAX_PASSAGE_CHARS)
                cut = cut if cut > 0 else MAX_PASSAGE_CHARS
                found.append((sentence[:cut], block.lead))
                sentence = sentence[cut:].strip()
            if content_words(sentence):
                found.append((sentence, block.lead))
    return found


def _change(
    content: str,
    passage: str,
    source: str,
    at: datetime,
    holds: HoldsView,
    kind: EngramType,
    origin: ProvenanceKind,
) -> Change:
    provenance = Provenance(
        kind=origin, source=source, evidence=passage, evidence_hash=evidence_hash(passage)
    )
    text = dated(content, at) if origin is ProvenanceKind.ACTION else content
    for engram in holds.about(spoken_words(content), 10):
        if engram.content == text and engram.provenance.source == source:
            return Change(kind=ChangeKind.SAME, targets=(engram.id,), note="already known from this source")
    outcome = compare(Candidate(text=content, type=kind), Signals(), holds, authority=provenance.authority)
    draft = Draft(
        type=kind, content=text, provenance=provenance, salience=0.4, links=differing(outcome.against)
    )
    over = tuple(
        i for i in outcome.over if origin is ProvenanceKind.ACTION and _same_source(i, source, holds, content)
    )
    if over:
        return Change(kind=ChangeKind.SUPERSEDE, draft=draft, targets=over[:1], note="a newer result")
    return Change(kind=ChangeKind.NEW, draft=draft, note=kind.value)


def _same_source(engram_id: str, source: str, holds: HoldsView, content: str) -> bool:
    return any(
        e.id == engram_id and e.provenance.source == source for e in holds.about(spoken_words(content))
    )
