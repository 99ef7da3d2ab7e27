"""Payments (kind `payment`): whom, how much, how often. A memo is content: it pays nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.actions.money import currency_of, read_amount
from gate.actions.schema import MAX_NAME, first_of, optional_text, text
from gate.actions.spelling import plain
from gate.errors import BadAction
from gate.model import Amount, Facts, Frame

_COUNTS = ("count", "quantity", "times", "repeat", "installments", "instalments")


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`payee` (required), `amount` (required: a number or its text), `currency`, `memo`, `count`."""
    payee = text(args, first_of(args, "payee", "to", "recipient", "beneficiary"), MAX_NAME)
    if not payee.strip():
        raise BadAction("payee", "must not be empty")
    if args.get("amount") is None:
        raise BadAction("amount", "is required")
    value, named = read_amount(args["amount"])
    currency = optional_text(args, "currency")
    unit = (currency_of(currency) or plain(currency).upper()) if currency.strip() else named
    missing = set()
    if value is None:
        missing.add("amount")
    if unit is None:
        missing.add("currency")
    if currency.strip() and named is not None and named != unit:
        missing |= {"currency", "amount"}  # the two say different things, so neither is known
    count = _count(args)
    amounts: tuple[Amount, ...] = ()
    if value is not None:
        amounts = (Amount(value=value, unit=unit),)
        if count is not None and count > 1:
            amounts += (Amount(value=value * count, unit=unit),)
    memo = "\n".join(
        part for name in ("memo", "reference", "description", "note") if (part := optional_text(args, name))
    )
    frame = Frame(
        act="pay",
        objects=("payment",),
        recipients=(plain(payee),),
        amounts=amounts,
        count=count,
        unknown=frozenset(missing),
        text=memo,
    )
    return (frame,)


def _count(args: Mapping[str, Any]) -> int | None:
    for name in _COUNTS:
        value = args.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 10**9:
            raise BadAction(name, "must be a positive whole number")
        return value
    return None
