"""The gate on text without an index: every rule tried on the text. Slow, short, and plainly right."""

from __future__ import annotations

from gate import Facts, Match, Snapshot, TextRequest
from gate.language.reading import read
from gate.match.text import match_text
from gate.match.view import prepare


def all_matches(request: TextRequest, facts: Facts, snapshot: Snapshot) -> tuple[Match, ...]:
    """What every rule of the snapshot says of a text, in the order of their ids."""
    view = prepare(read(request.text), request, facts)
    found = (match_text(rule, view) for rule in snapshot.constraints)
    return tuple(sorted((match for match in found if match), key=lambda match: match.engram_id))
