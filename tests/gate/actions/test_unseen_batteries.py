"""Batteries that an outside author wrote and labelled, and what the gate still judges otherwise."""

from __future__ import annotations

import pytest
from judging import cases, counts

from gate import Decision

SIZES = {  # file: (must be refused, must be allowed) as delivered
    "gate-unseen-shell.jsonl": (65, 30),
    "gate-unseen-sql.jsonl": (32, 18),
    "gate-unseen-path.jsonl": (22, 12),
    "gate-unseen-host.jsonl": (22, 12),
    # written later without a look at the readers; first run: 5 of 129 let by, 0 of 57 wrongly denied
    "gate-further-shell.jsonl": (60, 25),
    "gate-further-sql.jsonl": (25, 10),
    "gate-further-path.jsonl": (20, 10),
    "gate-further-host.jsonl": (24, 12),
    # likewise, of shells, SQL dialects and URLs; first run: 8 let by
    "gate-disguises.jsonl": (167, 52),
}
# id: why the label is not followed, or what is not yet read. A case that comes right must leave the list.
OTHERWISE: dict[str, str] = {
    "gpa-r10": "no shell reads it: braces are part of the name",
    "gpa-r17": "no shell reads it: brackets are part of the name",
}


@pytest.mark.conforms("P5")
@pytest.mark.parametrize("name", SIZES)
def test_no_unseen_case_is_judged_otherwise_but_those_listed_with_a_reason(name: str) -> None:
    judged = {
        case["id"]: (verdict.decision is Decision.ALLOW) == (case["expect"] == "allow")
        for case, verdict in cases(name)
    }
    otherwise = {identity for identity, right in judged.items() if not right}
    assert otherwise == OTHERWISE.keys() & judged.keys()


@pytest.mark.parametrize("name", SIZES)
def test_an_unseen_battery_is_as_large_as_it_was_delivered(name: str) -> None:
    assert counts(name) == SIZES[name]
