"""Rules and requests for the gate: the examples, and pairs whose author had not read the rules."""

from __future__ import annotations

import json
import tomllib
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from gate import ActionRequest, Facts, Request, TextRequest, Verdict
from store.model import Draft, Engram, EngramType, Provenance, ProvenanceKind

ROOT = Path(__file__).resolve().parents[2]
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
FACTS = Facts(cwd="/home/ines", home="/home/ines", locality="local")


def prohibition(sentence: str, position: int = 1) -> Engram:
    return Engram(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{position}:{sentence}")),
        seq=position,
        type=EngramType.PROHIBITION,
        content=sentence,
        author="operator",
        provenance=Provenance(kind=ProvenanceKind.OPERATOR),
        created_at=EPOCH,
    )


def written(draft: Draft, position: int = 2) -> Engram:
    """The engram that a store would make of a draft."""
    return Engram(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{position}:{draft.content}")),
        seq=position,
        type=draft.type,
        content=draft.content,
        author="operator",
        provenance=draft.provenance,
        created_at=EPOCH,
        links=draft.links,
        metadata=draft.metadata,
    )


@cache
def examples() -> tuple[Engram, ...]:
    """The thirty shipped example prohibitions."""
    data = tomllib.loads((ROOT / "configs/examples/prohibitions.toml").read_text(encoding="utf-8"))
    return tuple(prohibition(rule["text"], seq) for seq, rule in enumerate(data["prohibition"], 1))


@cache
def pairs() -> tuple[dict[str, str], ...]:
    """Contrast pairs: {prohibition, request, now, expect, category}."""
    text = (ROOT / "tests/data/gate-fresh.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


@cache
def rules_of_pairs() -> tuple[Engram, ...]:
    sentences = dict.fromkeys(pair["prohibition"] for pair in pairs())
    return tuple(prohibition(sentence, seq) for seq, sentence in enumerate(sentences, 1))


@cache
def text_requests() -> tuple[TextRequest, ...]:
    return tuple(TextRequest(text=p["request"], at=datetime.fromisoformat(p["now"])) for p in pairs())


ACTIONS: tuple[Request, ...] = tuple(
    ActionRequest(kind=kind, args=args, at=datetime(2026, 3, 6, 10, 15, tzinfo=UTC))
    for kind, args in (
        ("shell", {"command": "rm -rf /srv/prod/cache && git push origin main"}),
        ("shell", {"command": "ls -la"}),
        ("file.delete", {"path": "/srv/prod/a"}),
        ("http", {"method": "POST", "url": "https://billing.example.com/v1"}),
        ("sql", {"database": "ledger", "statement": "DROP TABLE postings"}),
        ("email.send", {"to": ["ana@clients.example"], "subject": "Quote", "body": "Attached."}),
        ("payment", {"payee": "Glazier", "amount": "12,500.00", "currency": "EUR"}),
        ("model.call", {"model": "x", "locality": "hosted", "prompt": "hi", "data_labels": ["client"]}),
    )
)


def essence(verdict: Verdict) -> tuple[object, ...]:
    """What two equal verdicts share: everything but the head they were judged under and the time it took."""
    return (verdict.decision, verdict.matches, verdict.request_hash, verdict.facts_missing, verdict.note)


def sample(items: Sequence[Request], step: int) -> Sequence[Request]:
    return items[::step]
