"""The limits of value that a rule names: from what number on, of what, counted how."""

from __future__ import annotations

from collections.abc import Set

from gate.compile.slots import is_person, preceded
from gate.constraint import ANY, Limit
from gate.language.numbers import Quantity, quantities
from gate.language.reading import Reading

# words of a comparison that tell what is compared -> the dimensions it may be said in
_MEASURES = (
    ("compares_speed", ("kmh", "knot")),
    ("compares_cost", ("money",)),
    ("compares_weight", ("mass", "lb")),
    ("compares_heat", ("temperature",)),
    ("compares_span", ("time", "night", "month", "length", "mile")),
    ("compares_distance", ("length", "mile")),
)
_OPPOSITE = {"above": "at_most", "at_least": "below", "below": "at_least", "at_most": "above"}


def find_limits(
    reading: Reading, start: int, end: int, turned: bool, taken: Set[int] = frozenset(), whole: bool = False
) -> tuple[tuple[Limit, ...], set[int]]:
    """Limits said between two tokens and the tokens that say them, without hours and dates, which are
    `taken`. It is `turned` round in an only-rule and, in a `whole` order ('Pay no more than 50'), where its
    own 'no' is what forbids."""
    lexicon = reading.lexicon
    found: list[Limit] = []
    used: set[int] = set()
    for quantity in quantities(reading.tokens, start, end, lexicon):
        if quantity.start in taken:
            continue
        for kind in ("at_least", "at_most", "above", "below"):
            first = preceded(
                reading, quantity.start, start, lexicon.calendar["limits"].get(kind, ()), reach=1
            )
            if first < 0:
                continue
            value = quantity.value
            unit = quantity.unit
            if unit is None and value < 1 and quantity.end < len(reading.tokens):
                unit, value = "%", value * 100
            unit, last = (
                _counted(reading, quantity, first, start, end)
                if unit in (None, "piece")
                else (unit, quantity.end)
            )
            denies = whole and kind == "at_most" and lexicon.has("negator", reading.tokens[first].text)
            kind = _OPPOSITE[kind] if turned or denies else kind
            of = () if unit is not None else _measured(reading, quantity, first, last, end, taken)
            found.append(Limit(kind=kind, value=value, unit=unit, per=quantity.per, of=of))
            used.update(range(first, last))
            break
    if found:
        used.update(_scope(reading, start, end))
    return tuple(found), used


def _measured(
    reading: Reading, quantity: Quantity, first: int, last: int, end: int, taken: Set[int]
) -> tuple[str, ...]:
    """What a bare number may measure; nothing where its own noun says it ('12 crates', 'force 6')."""
    lexicon, tokens = reading.lexicon, reading.tokens
    said = [token.text for token in tokens[first : quantity.start]]
    for words, dimensions in _MEASURES:
        if any(lexicon.has(words, word) for word in said):
            return dimensions
    named = not any(
        phrase and tuple(said[-len(phrase) :]) == phrase
        for phrases in lexicon.calendar["limits"].values()
        for phrase in phrases
    )
    if named and not lexicon.has_any(("determiner", "adverb", "filler"), said[-1]):
        return ()
    after = tokens[last] if last < end and last not in taken else None
    bare = (
        after is None
        or after.kind != "w"
        or lexicon.has_any(("preposition", "conjunction", "each", "adverb", "filler"), after.text)
    )
    return (ANY,) if bare else ()


def _counted(
    reading: Reading, quantity: Quantity, first: int, start: int, end: int
) -> tuple[str | None, int]:
    """What a bare number counts: years of age ('anyone under 18'), persons ('two instructors'), or things,
    whose noun stays with the rule. Returns the unit and where the words that say it end."""
    lexicon, tokens = reading.lexicon, reading.tokens
    after = quantity.start + 1 if quantity.unit is None else _number_end(reading, quantity)
    head = None
    for index in range(after, min(end, after + 4)):
        token = tokens[index]
        if token.text == "-" and head is not None:
            return quantity.unit, after  # 'guest-list places': the first word only says which
        if token.kind != "w" or lexicon.has_any(("preposition", "conjunction", "each"), token.text):
            break
        head = index
    if head is None:
        before = tokens[first - 1] if first > start else None
        person = before is not None and (
            lexicon.has("anyword", before.text) or lexicon.has("pronoun", before.text) or is_person(before)
        )
        return ("age" if person and quantity.unit is None else quantity.unit), quantity.end
    if is_person(tokens[head]) and lexicon.language == "en":
        return "person", head + 1
    return quantity.unit, after


def _number_end(reading: Reading, quantity: Quantity) -> int:
    """Where the number of a quantity ends and its noun begins."""
    lexicon = reading.lexicon
    at = quantity.start
    while at < quantity.end and (
        reading.tokens[at].kind == "n" or reading.tokens[at].text in lexicon.number_words
    ):
        at += 1
    return at if at < quantity.end - 1 else quantity.end


def _scope(reading: Reading, start: int, end: int) -> set[int]:
    """'for a single crossing', 'at a time': what the limit is counted for, no thing of its own."""
    lexicon, tokens = reading.lexicon, reading.tokens
    used: set[int] = set()
    for index in range(start, end):
        for phrase in lexicon.words.get("at_once", ()):
            words = phrase.split()
            if [token.text for token in tokens[index : index + len(words)]] == words:
                used.update(range(index, index + len(words)))
        if tokens[index].text == "per" and index + 1 < end:
            used.update((index, index + 1))
        step = index + 1 + (index + 1 < end and tokens[index + 1].text in ("a", "an"))
        while step < end - 2 and lexicon.has("each_single", tokens[step + 1].text):
            step += 1
        if (
            lexicon.has("preposition", tokens[index].text)
            and step < end - 1
            and lexicon.has("each_single", tokens[step].text)
        ):
            used.update(range(index, min(end, step + 2)))
    return used
