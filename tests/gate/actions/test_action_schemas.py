"""A malformed action is the caller's fault, and the message names the field."""

from __future__ import annotations

from typing import Any

import pytest
from judging import frames, judged, request

from gate import Decision
from gate.actions import KINDS, read_action
from gate.errors import BadAction
from gate.model import Facts

MALFORMED: list[tuple[str, dict[str, Any], str]] = [
    ("shell", {}, "command"),
    ("shell", {"command": 7}, "command"),
    ("shell", {"command": "ls\0-la"}, "command"),
    ("shell", {"command": ["ls", 3]}, "command"),
    ("shell", {"command": "ls", "env": "PATH=/x"}, "env"),
    ("file.read", {}, "path"),
    ("file.read", {"path": ""}, "path"),
    ("file.read", {"path": ["a", 3]}, "path"),
    ("file.delete", {"path": "x" * 20_000}, "path"),
    ("file.write", {"path": "/x", "content": 3.5}, "content"),
    ("http", {"method": "GET"}, "url"),
    ("http", {"url": "https://x.example", "method": "GE T"}, "method"),
    ("http", {"url": "https://x.example", "headers": "Host: y"}, "headers"),
    ("sql", {"database": "ledger"}, "statement"),
    ("sql", {"statement": ["DROP TABLE x"]}, "statement"),
    ("email.send", {"subject": "x"}, "to"),
    ("email.send", {"to": [{"x": 1}]}, "to"),
    ("email.send", {"to": "a@b.example" + "(" * 50}, "to"),
    ("payment", {"amount": 3}, "payee"),
    ("payment", {"payee": "X"}, "amount"),
    ("payment", {"payee": "X", "amount": True}, "amount"),
    ("payment", {"payee": "X", "amount": float("nan")}, "amount"),
    ("payment", {"payee": "X", "amount": 3, "count": -1}, "count"),
    ("model.call", {"model": "x"}, "prompt"),
    ("model.call", {"messages": "hello"}, "messages"),
    ("mcp.tool", {"arguments": {}}, "tool"),
    ("mcp.tool", {"tool": "x", "arguments": [1]}, "arguments"),
    ("agent.call", {"agent": "x"}, "instructions"),
    ("teleport", {}, "kind"),
]


@pytest.mark.parametrize(("kind", "args", "field"), MALFORMED)
def test_a_malformed_action_is_refused_by_naming_the_field(
    kind: str, args: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadAction) as caught:
        read_action(request(kind, args), Facts())
    assert caught.value.field == field
    assert field in str(caught.value)


@pytest.mark.conforms("P19")
def test_a_malformed_action_is_a_refusal_that_says_so() -> None:
    verdict = judged("Never delete anything under /srv/prod.", "file.delete", {"path": 7})
    assert verdict.decision is Decision.REFUSE
    assert "path" in verdict.note


def test_every_kind_of_action_has_a_reader() -> None:
    named = (
        "shell file.read file.write file.delete http sql email.send payment model.call mcp.tool agent.call"
    )
    assert set(KINDS) == set(named.split())


def test_an_argument_that_nobody_knows_changes_nothing() -> None:
    known = frames("file.read", {"path": "/tmp/x"})
    assert frames("file.read", {"path": "/tmp/x", "colour": "blue"}) == known
