"""Amounts of a payment as exact decimals, from the spellings that people and programs use."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from gate.errors import BadAction

_SIGNS = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY",
    "zł": "PLN",
    "us$": "USD", "a$": "AUD", "c$": "CAD", "hk$": "HKD", "nz$": "NZD", "r$": "BRL", "fr": "CHF",
    "fr.": "CHF",
    "euro": "EUR", "euros": "EUR", "eur": "EUR", "dollar": "USD", "dollars": "USD", "pound": "GBP",
    "pounds": "GBP", "sterling": "GBP", "yen": "JPY", "franc": "CHF", "francs": "CHF", "franken": "CHF",
}  # fmt: skip
_MINOR = {"cent": ("EUR", 100), "eurocent": ("EUR", 100), "pence": ("GBP", 100), "usc": ("USD", 100)}
_NUMBER = re.compile(r"[-+]?\d(?:[\d.,'’\s_\u00a0\u202f]*\d)?(?:[eE][-+]?\d+)?")
_SCALE = {"k": 1000, "m": 1_000_000, "mio": 1_000_000, "mn": 1_000_000, "million": 1_000_000, "bn": 10**9}
_MAX_EXPONENT = 30


def currency_of(word: str) -> str | None:
    """The ISO 4217 code that a currency's sign, name or code means; None when it means none."""
    key = word.strip().casefold()
    if key in _SIGNS:
        return _SIGNS[key]
    code = key.upper()
    return code if len(code) == 3 and code.isascii() and code.isalpha() else None


def read_amount(value: Any, field: str = "amount") -> tuple[Decimal | None, str | None]:
    """(value, currency named beside it) of a number or of text such as '1.840,50', '€ 1,450', '1.2k'.

    The value is None when the text cannot be read as one number. Errors: BadAction for a boolean, a value
    that is not a number, NaN or an infinity.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise BadAction(field, f"must be a number or its text, not {type(value).__name__}")
    if not isinstance(value, str):
        number = Decimal(str(value)) if not isinstance(value, int) or abs(value) < 10**60 else None
        if number is None or not number.is_finite():
            raise BadAction(field, "must be a finite number")
        return number, None
    return _read_text(value.strip())


def _read_text(text: str) -> tuple[Decimal | None, str | None]:
    text = text.replace("−", "-").replace("–", "-")
    matches = list(_NUMBER.finditer(text[:200]))
    if len(matches) != 1 or len(text) > 200:
        return None, None
    match = matches[0]
    number = _decimal(match.group())
    if number is None:
        return None, None
    currency: str | None = None
    for side in (text[: match.start()], text[match.end() :]):
        for word in re.findall(r"[^\s\d.,\-–]+\.?", side):
            key = word.rstrip(".").casefold()
            if (key in _SCALE and not side.startswith(" ")) or (key in _SCALE and len(key) > 1):
                number *= _SCALE[key]
            elif key in _MINOR:
                currency, divisor = _MINOR[key]
                number /= divisor
            elif (named := currency_of(word)) is not None or (named := currency_of(key)) is not None:
                currency = named
            elif key.startswith("-") or key in ("-", ""):
                continue
            else:
                return None, None
    if text[: match.start()].strip().startswith("-") and number > 0:
        number = -number
    return number, currency


def _decimal(text: str) -> Decimal | None:
    """One number whose separators may be European or not: the last separator decides, unless three
    digits follow it, which only a thousands separator has in money."""
    mantissa, _, exponent = text.lower().partition("e")
    body = re.sub(r"[\s_'’\u00a0\u202f]", "", mantissa)
    dot, comma = body.rfind("."), body.rfind(",")
    if dot >= 0 and comma >= 0:
        decimal_mark = "." if dot > comma else ","
        if body.count(decimal_mark) > 1:
            return None
    elif dot < 0 and comma < 0:
        decimal_mark = ""
    else:
        mark = "." if dot >= 0 else ","
        digits_after = len(body) - 1 - max(dot, comma)
        leading_zero = body.lstrip("+-").startswith("0")
        thousands = body.count(mark) > 1 or (digits_after == 3 and not leading_zero)
        decimal_mark = "" if thousands else mark
    for mark in ".,":
        body = body.replace(mark, "." if mark == decimal_mark else "")
    try:
        if exponent and abs(int(exponent)) > _MAX_EXPONENT:
            return None
        return Decimal(body + (f"e{exponent}" if exponent else ""))
    except (InvalidOperation, ValueError):
        return None
