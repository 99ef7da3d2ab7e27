"""Each way in which a provider fails: what the operator sees, what the ledger has, what really arrived.

    python -m benchmarks.faults [--hosted] [--json]

A provider on loopback (`tests/fake_provider.py`) fails once as scripted, through `openai_http` or, with
--hosted, through litellm; behind it stands an engine that answers. Then the same without any other engine:
memory's own answer. The last line is one JSON object. Needs a checkout, for the faults are the tests' own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from router import End, Ledger, Message, Request, Role, Router, Switched, Text
from router.engines.hosted import HostedEngine
from router.engines.none import NoneEngine
from router.engines.openai_http import OpenAIHttpEngine
from router.engines.scripted import ScriptedEngine
from router.model import Engine, Event

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
SHOWN_CHARS = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One failure. `seen`: what the operator is shown; `alone`: with no other engine but memory."""

    fault: str
    seen: str
    ledger: tuple[str, ...]
    arrived: int
    ended: bool
    alone: bool
    leaked: bool


def _engine(kind: str, url: str, key: str, **deadlines: float) -> Engine:
    timeouts = {"first_token_s": 30.0, "between_tokens_s": 30.0, **deadlines}
    if kind == "hosted":
        return HostedEngine("openai/fake", name="remote", api_base=url, api_key=key, **timeouts)
    return OpenAIHttpEngine(url, "fake", name="remote", api_key=key, **timeouts)


def _asked(engines: Sequence[Engine], ledger: Ledger) -> list[Event]:
    router = Router({one.name: one for one in engines}, order=[one.name for one in engines], ledger=ledger)
    question = Request(
        messages=(Message(role=Role.USER, content="Who owns it?"),), notes="- Ana owns the schema."
    )
    events = list(router.stream(question))
    router.close()
    return events


def _said(events: Sequence[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


def measure(kind: str, fault: Any, secret: str) -> Row:
    """One fault, first with an engine that takes over, then with memory alone."""
    from fake_provider import FakeProvider

    clock = lambda: datetime.now(UTC)  # noqa: E731
    server, ledger = FakeProvider(fault.reply), Ledger("memory:", clock=clock)
    events = _asked(
        [_engine(kind, server.url, secret, **fault.deadline), ScriptedEngine("Ana does.")], ledger
    )
    arrived = len(server.all_arrived(1))
    server.close()
    other, unused = FakeProvider(fault.reply), Ledger("memory:", clock=clock)
    alone = _asked([_engine(kind, other.url, secret, **fault.deadline), NoneEngine()], unused)
    other.close()
    switched = next((event for event in events if isinstance(event, Switched)), None)
    told = "" if switched is None else f"{switched.reason} (then {switched.to})"
    partial = f"“{switched.superseded}” no longer counts; " if switched and switched.superseded else ""
    return Row(
        fault=fault.name,
        seen=f"{partial}{told}",
        ledger=tuple(attempt.outcome for attempt in ledger.attempts()),
        arrived=arrived,
        ended=isinstance(events[-1], End) and _said(events).endswith("Ana does."),
        alone=isinstance(alone[-1], End) and "No language engine is available" in _said(alone),
        leaked=secret in repr(events) + repr(alone) + repr(ledger.attempts()),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosted", action="store_true", help="through litellm")
    parser.add_argument("--json", action="store_true", help="print the JSON line only")
    given = parser.parse_args(arguments)
    from provider_faults import FAULTS, SECRET

    kind = "hosted" if given.hosted else "openai_http"
    faults = [fault for fault in FAULTS if not (given.hosted and fault.name == "redirect")]
    rows = [measure(kind, fault, SECRET) for fault in faults]
    if not given.json:
        print("| failure | the operator sees | ledger | requests | next engine answers | alone: memory |")
        print("|---|---|---|---|---|---|")
        for row in rows:
            seen = row.seen if len(row.seen) <= SHOWN_CHARS else row.seen[: SHOWN_CHARS - 1] + "…"
            marks = ("yes" if row.ended else "NO", "yes" if row.alone else "NO")
            print(f"| {row.fault} | {seen} | {', '.join(row.ledger)} | {row.arrived} | {' | '.join(marks)} |")
    result = {
        "through": kind,
        "failures": len(rows),
        "conversations_ended": sum(not row.ended for row in rows),
        "memory_did_not_answer": sum(not row.alone for row in rows),
        "asked_more_than_once": sum(row.arrived != 1 for row in rows),
        "keys_shown": sum(row.leaked for row in rows),
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
