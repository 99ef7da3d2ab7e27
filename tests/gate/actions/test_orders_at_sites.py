"""What a site is sent may be an order: rules that name the site meet it."""

from __future__ import annotations

from typing import Any

import pytest
from judging import request, snapshot_of

from gate import Decision, Facts, Verdict, gate


def verdict(rule: str, kind: str, args: dict[str, Any]) -> Verdict:
    return gate(request(kind, args), Facts(), snapshot_of(rule))


@pytest.mark.parametrize(
    ("rule", "kind", "args"),
    [
        ("Never order from Merkur.", "http", {"url": "https://www.merkur.com/api/order", "method": "POST"}),
        ("Never book with Aerix.", "http", {"url": "https://shop.aerix.co.uk/book", "method": "PUT"}),
        ("Never order hats from Merkur.", "http", {"url": "https://merkur.com/cart", "method": "POST"}),
        ("Never order from Merkur.", "shell", {"command": "curl -d item=1 https://www.merkur.com/cart"}),
    ],
)
def test_sending_something_to_a_forbidden_shop_is_refused_and_says_what_is_not_known(
    rule: str, kind: str, args: dict[str, Any]
) -> None:
    found = verdict(rule, kind, args)
    assert found.decision is Decision.REFUSE
    assert "deed" in found.facts_missing


@pytest.mark.parametrize(
    ("rule", "kind", "args"),
    [
        ("Never order from Merkur.", "http", {"url": "https://www.merkur.com/hats", "method": "GET"}),
        ("Never order from Merkur.", "http", {"url": "https://www.saturn.com/order", "method": "POST"}),
        ("Never order hats.", "http", {"url": "https://www.merkur.com/order", "method": "POST"}),
        ("Never praise Merkur.", "http", {"url": "https://www.merkur.com/order", "method": "POST"}),
        ("Never order from Merkur.", "shell", {"command": "curl https://www.merkur.com/hats"}),
    ],
)
def test_looking_there_other_sites_and_rules_that_name_none_are_free(
    rule: str, kind: str, args: dict[str, Any]
) -> None:
    assert verdict(rule, kind, args).decision is Decision.ALLOW
