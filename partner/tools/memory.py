"""Tools over the partner's own memory: what an engine may look up, and what it may propose to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from partner.formation.redaction import redact
from partner.history import PARTNER
from partner.tags import all_of
from partner.tools.model import Action, Bounds, Param, Place, Remembered, Tool, ToolFailed
from store.errors import StoreError
from store.model import Draft, EngramType, Klass, Provenance, ProvenanceKind

if TYPE_CHECKING:
    from store import Store
    from store.model import Engram

FOUND = 8
SEARCHED = (Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE, Klass.DISPOSITION, Klass.OBJECTIVE)
QUERY_CHARS = 2_000


def _call(tool: str) -> Callable[[Mapping[str, Any], Place], Action]:
    return lambda args, place: ("mcp.tool", {"server": "partner", "tool": tool, "arguments": dict(args)})


def recall(store: Store, line: Callable[[Engram], str]) -> Tool:
    """Retrieval alone. `line` writes an engram as the engine reads it."""

    def run(args: Mapping[str, Any], place: Place, bounds: Bounds) -> str:
        query = str(args["arguments"]["query"])[:QUERY_CHARS]
        try:
            hits = store.search(query, classes=SEARCHED, limit=FOUND)
        except StoreError as error:
            raise ToolFailed(str(error)) from error
        found = Remembered("\n".join(line(hit.engram) for hit in hits) or "Nothing remembered bears on this.")
        found.tags = all_of(hit.engram for hit in hits)
        return found

    return Tool(
        name="recall",
        says="Look up what is remembered about something.",
        params=(Param(name="query", says="what to look for, in words"),),
        action=_call("recall"),
        run=run,
    )


def remember(store: Store) -> Tool:
    """A note of the engine's own: an inference, which never outweighs what the operator said."""

    def run(args: Mapping[str, Any], place: Place, bounds: Bounds) -> str:
        text = redact(str(args["arguments"]["text"])).text.strip()
        provenance = Provenance(kind=ProvenanceKind.INFERENCE, source="remember", evidence=text)
        try:
            written = store.write(
                Draft(type=EngramType.NOTE, content=text, provenance=provenance, salience=0.3), author=PARTNER
            )
        except StoreError as error:
            raise ToolFailed(str(error)) from error
        return f"kept as {written.id}"

    return Tool(
        name="remember",
        says="Keep a short note for later conversations.",
        params=(Param(name="text", says="the note, one claim"),),
        action=_call("remember"),
        run=run,
        confirm=True,
    )
