"""Documents and tool results: each sentence a passage or an observation, with the authority of its source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from partner.formation.blocks import blocks
from partner.formation.claims import dated, differing, evidence_hash
from partner.formation.compare import Candidate, Signals, compare
from partner.formation.grammar import finite
from partner.formation.model import Change, ChangeKind, Formed, HoldsView
from partner.formation.redaction import redact
from partner.formation.sentences import sentences
from partner.formation.shapes import row_passage
from partner.formation.topics import content_words, spoken_words
from partner.formation.words import words
from store.model import Draft, EngramType, Provenance, ProvenanceKind

MAX_PASSAGE_CHARS = 1_200
MAX_RESULT_CHARS = 600
MAX_TITLE_WORDS = 4  # of an item


def form_document(text: str, source: str, at: datetime, holds: HoldsView) -> Formed:
    """Passages of a document as knowledge. They never supersede what the operator said; a passage that is
    already
    held from the same source is met again, not written twice."""
    redacted = redact(text)
    changes: list[Change] = []
    seen: set[str] = set()
    for passage in _passages(redacted.text):
        alone = not passage.lead or len(content_words(passage.text)) >= 3
        content = passage.text if alone else f"{passage.lead}: {passage.text}"
        if content in seen:
            continue
        seen.add(content)
        changes.append(
            _change(content, passage.evidence, source, at, holds, EngramType.PASSAGE, ProvenanceKind.DOCUMENT)
        )
    return Formed(changes=tuple(changes), utterance_text=redacted.text, secrets=redacted.kinds)


def form_tool_result(tool: str, result: str, at: datetime, holds: HoldsView) -> Formed:
    """What a tool returned, as observations of that time. A later figure of the same tool replaces the
    earlier one."""
    redacted = redact(result)
    changes: list[Change] = []
    if len(redacted.text) <= MAX_RESULT_CHARS:
        passages = [passage.text for passage in _passages(redacted.text)] or (
            [redacted.text.strip()] if redacted.text.strip() else []
        )
    else:
        passages = [redacted.text.strip()]
    for passage in passages:
        changes.append(
            _change(passage, passage, tool, at, holds, EngramType.OBSERVATION, ProvenanceKind.ACTION)
        )
    return Formed(changes=tuple(changes), utterance_text=redacted.text, secrets=redacted.kinds)


@dataclass(frozen=True, slots=True)
class _Passage:
    """`text` can be read alone, `evidence` is how it is written, `lead` the heading that it stands under."""

    text: str
    evidence: str
    lead: str


def _passages(text: str) -> list[_Passage]:
    """The sentences of the prose and the rows of tables; very long sentences are cut at a blank."""
    found: list[_Passage] = []
    for block in blocks(text, said=False):
        whole = text[block.start : block.end]
        if block.kind == "row":
            if told := row_passage(whole, block.lead):
                found.append(_Passage(told, whole.strip(), ""))
            continue
        said = [_plain(text[s.start : s.end]) for s in sentences(text, block.start, block.end)]
        title = _title(said) if block.kind == "item" else ""
        for sentence in said[1:] if title else said:
            for part in _pieces(sentence):
                if content_words(part):
                    found.append(_Passage(f"{title}: {part}" if title else part, part, block.lead))
    return found


def _plain(sentence: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\*\*|__", "", sentence)).strip()


def _title(said: list[str]) -> str:
    """What an item is headed by ('2. Bees. Two hives may stand ...'): its other sentences are about that."""
    first = said[0].rstrip(".:：") if len(said) > 1 else ""
    return first if 0 < len(words(first)) <= MAX_TITLE_WORDS and finite(words(first)) is None else ""


def _pieces(sentence: str) -> list[str]:
    found: list[str] = []
    while len(sentence) > MAX_PASSAGE_CHARS:
        cut = sentence.rfind(" ", 0, MAX_PASSAGE_CHARS)
        cut = cut if cut > 0 else MAX_PASSAGE_CHARS
        found.append(sentence[:cut])
        sentence = sentence[cut:].strip()
    return [*found, sentence]


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
