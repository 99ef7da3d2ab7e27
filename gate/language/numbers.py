"""Numbers, amounts and units in a text, as exact decimals.

Conversions are made only where they are exact (minutes to hours, Fahrenheit to Celsius as a fraction
rounded to 6 places); currencies are never converted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from gate.language.lexicon import Lexicon
from gate.language.tokens import Token

CURRENCIES = frozenset(("EUR", "USD", "GBP", "CHF", "JPY"))
# unit -> (dimension, factor to the dimension's base)
_SCALE: Mapping[str, tuple[str, Decimal]] = {
    "min": ("time", Decimal(1)), "h": ("time", Decimal(60)), "d": ("time", Decimal(1440)),
    "week": ("time", Decimal(10080)), "night": ("night", Decimal(1)),
    "month": ("month", Decimal(1)), "year": ("month", Decimal(12)),
    "mg": ("mass", Decimal(1)), "g": ("mass", Decimal(1000)), "kg": ("mass", Decimal(1000000)),
    "t": ("mass", Decimal(1000000000)), "ml": ("volume", Decimal(1)), "l": ("volume", Decimal(1000)),
    "cm": ("length", Decimal(1)), "m": ("length", Decimal(100)), "km": ("length", Decimal(100000)),
    "MB": ("data", Decimal(1)), "GB": ("data", Decimal(1000)),
}  # fmt: skip
_PER_WORDS = frozenset(
    [
        "a",
        "an",
        "per",
        "each",
        "every",
        "/",
        "pro",
        "je",
        "por",
        "par",
        "al",
        "alla",
        "alle",
        "ao",
        "a",
        "la",
        "le",
        "la",
        "cada",
        "chaque",
        "ogni",
        "the",
    ]
)
_BULLET = re.compile(r"\d+\Z")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at tokens [start, end): its unit, and the unit it is counted per ('a night', 'each')."""

    value: Decimal
    unit: str | None
    per: str | None
    start: int
    end: int


def parse_number(text: str, language: str) -> Decimal | None:
    """'1,249' '2.300,00' '499.99' '1.840' as a Decimal; None for a clock time or nonsense."""
    if ":" in text:
        return None
    text = text.replace("'", "").replace("’", "")
    comma, dot = text.rfind(","), text.rfind(".")
    if comma >= 0 and dot >= 0:
        thousands = "." if comma > dot else ","
        text = text.replace(thousands, "").replace(",", ".")
    elif comma >= 0:
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+", text)
        text = text.replace(",", "") if grouped else text.replace(",", ".")
    elif (
        dot >= 0 and re.fullmatch(r"\d{1,3}(?:\.\d{3})+", text) and (language != "en" or text.count(".") > 1)
    ):
        text = text.replace(".", "")
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def quantities(tokens: list[Token], start: int, end: int, lexicon: Lexicon) -> list[Quantity]:
    """Every quantity between two tokens, left to right, clock times left out."""
    found: list[Quantity] = []
    index = start
    while index < end:
        token = tokens[index]
        read = None
        if token.kind in "nw" and not token.quoted:
            read = number_at(tokens, index, end, lexicon)
        if read is None:
            index += 1
            continue
        value, after = read
        unit, after = _unit_after(tokens, after, end, lexicon)
        begin = index
        if unit is None and index > start:
            unit = _currency_before(tokens[index - 1], lexicon)
            begin = index - 1 if unit else index
        per, after = _per_after(tokens, after, end, lexicon)
        if index > start and _is_below_zero(tokens, index, unit, lexicon):
            value, begin = -value, index - 1
        found.append(Quantity(value, unit, per, begin, after))
        index = max(after, index + 1)
    return found


def _is_below_zero(tokens: list[Token], index: int, unit: str | None, lexicon: Lexicon) -> bool:
    """'minus 3', '-3 degrees': a sign that stands at the number and behind a space, before a temperature."""
    before = tokens[index - 1]
    if lexicon.has("minus", before.text):
        return unit in (None, "degC", "degF")
    signed = before.text == "-" and before.end == tokens[index].start
    apart = index < 2 or tokens[index - 2].end < before.start
    return signed and apart and unit in ("degC", "degF")


def number_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> tuple[Decimal, int] | None:
    """The number that begins at `index`, in digits or words, and where it ends; None where none begins."""
    found = _number(tokens, index, end, lexicon)
    if found is None or found[1] + 2 >= end or not lexicon.has("and_a", tokens[found[1]].text):
        return found
    part = lexicon.fractions.get((tokens[found[1] + 2].text,))
    if part is None or not lexicon.has("and_a", tokens[found[1] + 1].text) or found[0] % 1:
        return found
    return found[0] + Decimal(part), found[1] + 3  # 'two and a half hours'


def _number(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> tuple[Decimal, int] | None:
    token = tokens[index]
    known = token.kind != "w" or token.text in lexicon.number_words or token.text in "½¼¾"
    if not known and (lexicon.language != "de" or len(token.text) < 6):
        return None
    fraction = _fraction_at(tokens, index, end, lexicon)
    if fraction is not None:
        return fraction
    if token.kind == "n":
        value = parse_number(token.text, lexicon.language)
        if value is None:
            return None
        after = index + 1
        if after < end and lexicon.numbers.get(tokens[after].text, 0) >= 1000:
            return value * lexicon.numbers[tokens[after].text], after + 1
        return value, after
    if token.text in ("½", "¼", "¾"):
        return {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}[token.text], index + 1
    return _words_at(tokens, index, end, lexicon)


def _fraction_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> tuple[Decimal, int] | None:
    """'a quarter', 'half price' as a percentage: only where nothing else is counted."""
    for phrase, value in lexicon.fractions.items():
        if tokens[index].text == phrase[0] and all(
            index + at < end and tokens[index + at].text == word for at, word in enumerate(phrase)
        ):
            after = index + len(phrase)
            if (
                after + 1 < end
                and lexicon.has("determiner", tokens[after].text)
                and tokens[after + 1].text in lexicon.units
            ):
                return Decimal(value), after + 1  # 'half a kilo'
            if after < end and (tokens[after].kind == "n" or lexicon.has("not_fraction", tokens[after].text)):
                return None
            return Decimal(value), after
    return None


def word_number(text: str, lexicon: Lexicon) -> int | None:
    """One number word; German compounds ('fuenfundzwanzig') are taken apart."""
    known = lexicon.numbers.get(text)
    if known is not None or lexicon.language != "de" or len(text) < 6:
        return known
    return _german(text, lexicon)


def _german(text: str, lexicon: Lexicon) -> int | None:
    for word, factor in (("tausend", 1000), ("hundert", 100)):
        head, mark, tail = text.partition(word)
        if mark:
            left = word_number(head, lexicon) if head else 1
            right = word_number(tail, lexicon) if tail else 0
            return None if left is None or right is None else left * factor + right
    head, mark, tail = text.partition("und")
    if mark and head in lexicon.numbers and lexicon.numbers.get(tail, 0) >= 20:
        return lexicon.numbers[head] + lexicon.numbers[tail]
    return None


def _words_at(tokens: list[Token], index: int, end: int, lexicon: Lexicon) -> tuple[Decimal, int] | None:
    total, current, at = 0, 0, index
    last = -1
    while at < end:
        text = tokens[at].text
        number = word_number(text, lexicon)
        if number is None:
            joins = text == "-" or text in lexicon.joiners
            follows = at + 1 < end and word_number(tokens[at + 1].text, lexicon) is not None
            if last >= 0 and joins and follows and (text == "-" or current >= 20):
                at += 1
                continue
            break
        if number in (100, 1000, 1000000):
            current = max(current, 1) * number
            if number >= 1000:
                total, current = total + current, 0
        elif current and (current % 100 or number >= 100) and not (current % 100 >= 20 and number < 10):
            break
        else:
            current += number
        last = at
        at += 1
    if last < 0:
        return None
    return Decimal(total + current), last + 1


def _unit_after(tokens: list[Token], at: int, end: int, lexicon: Lexicon) -> tuple[str | None, int]:
    begin = at
    while at < end and tokens[at].text == "-":
        at += 1
    skipped = at
    for _ in range(2):  # one adjective may stand between: 'three overtime hours', '11 extra hours'
        if at >= end or tokens[at].kind not in "wp":
            break
        for rest, unit in lexicon.units.get(tokens[at].text, ()):
            if all(at + 1 + k < end and tokens[at + 1 + k].text == word for k, word in enumerate(rest)):
                return unit, at + 1 + len(rest)
        if lexicon.has("preposition", tokens[at].text) or tokens[at].kind == "p":
            break
        if lexicon.has("determiner", tokens[at].text) or lexicon.has("conjunction", tokens[at].text):
            break
        at += 1
    return None, begin if skipped == begin else skipped


def _currency_before(token: Token, lexicon: Lexicon) -> str | None:
    for rest, unit in lexicon.units.get(token.text, ()):
        if not rest and unit in CURRENCIES:
            return unit
    return None


def _per_after(tokens: list[Token], at: int, end: int, lexicon: Lexicon) -> tuple[str | None, int]:
    while at < end and tokens[at].text == "-":
        at += 1
    if at >= end:
        return None, at
    if lexicon.has("each", tokens[at].text):
        return "each", at + 1
    timed = lexicon.language != "en" and any(
        not rest and unit in ("h", "d", "week", "month", "night")
        for rest, unit in lexicon.units.get(tokens[at].text, ())
    )
    if timed and at and lexicon.units.get(tokens[at - 1].text):
        return next(
            unit for rest, unit in lexicon.units[tokens[at].text] if not rest
        ), at + 1  # '16 euro l'ora'
    if (
        tokens[at].text in _PER_WORDS or (lexicon.language == "de" and tokens[at].text in ("die", "den"))
    ) and at + 1 < end:
        step = at + 1
        while step < end and tokens[step].text in ("-", "the"):
            step += 1
        if step < end:
            for rest, unit in lexicon.units.get(tokens[step].text, ()):
                if not rest and (unit in _SCALE or unit in ("person", "piece", "word", "page")):
                    return unit, step + 1
    return None, at


def dimension(unit: str | None) -> str | None:
    """What a unit measures; a unit of its own dimension is its own name."""
    if unit is None:
        return None
    if unit in ("degC", "degF"):
        return "temperature"
    if unit in CURRENCIES:
        return "money"
    return _SCALE[unit][0] if unit in _SCALE else unit


def in_unit(value: Decimal, unit: str | None, wanted: str | None) -> Decimal | None:
    """`value` in another unit of the same dimension, or None when that is not exactly known."""
    if unit == wanted:
        return value
    if unit == "degF" and wanted == "degC":
        return round((value - 32) * 5 / 9, 6)
    if unit == "degC" and wanted == "degF":
        return value * 9 / 5 + 32
    if unit is None or wanted is None:
        return None
    if unit in _SCALE and wanted in _SCALE and _SCALE[unit][0] == _SCALE[wanted][0]:
        return value * _SCALE[unit][1] / _SCALE[wanted][1]
    return None
