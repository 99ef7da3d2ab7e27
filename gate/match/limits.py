"""Whether a request's values lie in a rule's forbidden range."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from gate.constraint import ANY, Limit
from gate.language.numbers import CURRENCIES, Quantity, dimension, in_unit
from gate.language.reading import Reading
from gate.language.thesaurus import FOOD, PLANT, SUBSTANCE, noun_class
from gate.match.region import Region
from gate.model import Truth

# How many units of a currency one euro may be worth, from and to: wide on purpose. A value that is on
# the same side of a limit at both ends is known to be there; anything else is unknown.
_PER_EURO = {
    "EUR": (Decimal(1), Decimal(1)), "USD": (Decimal("0.9"), Decimal("1.5")),
    "GBP": (Decimal("0.7"), Decimal("1.0")), "CHF": (Decimal("0.85"), Decimal("1.25")),
    "JPY": (Decimal(100), Decimal(220)),
}  # fmt: skip

_COUNTING = (None, "piece", "person")
_THINGS = frozenset(("6", FOOD, PLANT, SUBSTANCE))  # 6: WordNet's class of things made
_TIMES = ("time", "night", "month")
_PAYING = frozenset(("pay", "donate", "invest", "refund", "invoice"))  # what is limited of these is money


def for_acts(limit: Limit, acts: Iterable[str]) -> Limit:
    """A bare limit on paying is one of money, whatever else is counted beside it."""
    return replace(limit, of=("money",)) if ANY in limit.of and not _PAYING.isdisjoint(acts) else limit


def bare_in(limit: Limit, unit: str | None) -> Limit:
    """A bare limit in the unit of what it is compared with, if it may be meant in that."""
    meant = ANY in limit.of or dimension(unit) in limit.of
    return replace(limit, unit=unit) if unit is not None and meant else limit


def compare(limit: Limit, value: Decimal, unit: str | None) -> Truth:
    """Whether a value in `unit` is forbidden; UNKNOWN when the units cannot be compared."""
    if unit is None and limit.unit in CURRENCIES:
        return Truth.UNKNOWN
    converted = value if unit is None else in_unit(value, unit, limit.unit)
    if converted is not None:
        return Truth.TRUE if limit.forbids(converted) else Truth.FALSE
    if unit in _PER_EURO and limit.unit in _PER_EURO:
        low, high = _PER_EURO[unit]
        low_limit, high_limit = _PER_EURO[limit.unit]
        least, most = value / high * low_limit, value / low * high_limit
        if limit.forbids(least) == limit.forbids(most):
            return Truth.TRUE if limit.forbids(least) else Truth.FALSE
    return Truth.UNKNOWN


def text_truth(
    limit: Limit, own: list[Quantity], beside: list[Quantity], reading: Reading, region: Region
) -> Truth:
    """The limit against the quantities of a clause, or of what stands beside it when it says none."""
    if limit.of:
        return _bare_truth(limit, own, beside, reading, region)
    if limit.unit == "age":
        return _age(limit, [*own, *beside])
    own = [_with_unit(limit, q, reading) for q in own]
    beside = [_with_unit(limit, q, reading) if q.value < 0 else q for q in beside]
    if any(_is_beyond(limit, q, region, reading) for q in own):
        return Truth.TRUE
    found = own if any(_applies(limit, q) for q in own) else [*own, *beside]
    if limit.per is not None and not any(q.per == limit.per for q in own):
        found = [*found, *(q for q in beside if q.per == limit.per)]
    if limit.unit in ("person", "piece", None):
        counted = _people(limit, found, reading, region)
        if counted is not Truth.UNKNOWN:
            return counted
    values = [q for q in found if _applies(limit, q) and not _set_aside(q, reading)]
    if limit.unit != "%" and any(_relative(q, reading) for q in own):
        return Truth.FALSE if _moves_away(limit, region, reading) else Truth.UNKNOWN
    if not values:
        return Truth.UNKNOWN
    same_per = [q for q in values if limit.per is not None and q.per == limit.per]
    truths = {
        compare(limit, _total(limit, q, found, reading), q.unit or limit.unit) for q in (same_per or values)
    }
    if truths == {Truth.TRUE}:
        return Truth.TRUE
    return Truth.FALSE if truths == {Truth.FALSE} else Truth.UNKNOWN


def _bare_truth(
    limit: Limit, own: list[Quantity], beside: list[Quantity], reading: Reading, region: Region
) -> Truth:
    """A limit without a unit is one in whatever unit the clause says, if only one kind of thing is said that
    it may be about, or all of them lie on one side of it."""
    plain = replace(limit, of=())
    units = _units(limit, own, reading) if own else _units(limit, beside, reading)
    counts = [q for q in own if q.unit in _COUNTING and not _set_aside(q, reading)]
    if not units:
        return text_truth(plain, own, beside, reading, region)
    truths = {text_truth(replace(plain, unit=unit), own, beside, reading, region) for unit in units}
    if ANY in limit.of and counts:  # 'order 10 crates of 25 kg': either may be meant
        truths |= {text_truth(plain, counts, [], reading, region)}
    return truths.pop() if len(truths) == 1 else Truth.UNKNOWN


def _units(limit: Limit, found: list[Quantity], reading: Reading) -> set[str]:
    """The units that a bare limit may be meant in. A time behind a preposition says when or how long."""
    return {
        q.unit
        for q in found
        if q.unit is not None
        and q.unit not in (*_COUNTING, "age")
        and not _set_aside(q, reading)
        and (dimension(q.unit) in limit.of or (ANY in limit.of and not _says_when(q, reading)))
    }


def _says_when(quantity: Quantity, reading: Reading) -> bool:
    before = reading.tokens[quantity.start - 1].text if quantity.start else ""
    return dimension(quantity.unit) in _TIMES and reading.lexicon.has("preposition", before)


def _is_beyond(limit: Limit, quantity: Quantity, region: Region, reading: Reading) -> bool:
    """'more than 25 kilos' for a rule on more than 25: the value is the limit, what is meant lies beyond."""
    if limit.kind not in ("above", "below") or _set_aside(quantity, reading):
        return False
    value = quantity.value if quantity.unit is None else in_unit(quantity.value, quantity.unit, limit.unit)
    if (
        value is None
        and limit.unit in (None, "piece", "person")
        and quantity.unit in (None, "piece", "person")
    ):
        value = quantity.value
    if value != limit.value or (quantity.unit is None and limit.unit in CURRENCIES):
        return False
    before = reading.tokens[quantity.start - 1].text if quantity.start else ""
    if limit.kind == "above" and reading.lexicon.has("beyond_prep", before):
        return True  # 'after 14 days'
    words = reading.lexicon.calendar["limits"]
    inside = {"above": "at_most", "below": "at_least"}[limit.kind]
    start = region.clause.start
    return _ends_at(quantity.start, start, words.get(limit.kind, ()), reading) and not _ends_at(
        quantity.start, start, words.get(inside, ()), reading
    )


def _ends_at(index: int, start: int, phrases: tuple[tuple[str, ...], ...], reading: Reading) -> bool:
    """Whether one of the phrases stands right before `index`."""
    said = tuple(token.text for token in reading.tokens[start:index])
    return any(phrase and said[-len(phrase) :] == phrase for phrase in phrases)


def _age(limit: Limit, found: list[Quantity]) -> Truth:
    """Several ages may be of several people: one of them too young makes it unknown."""
    truths = {limit.forbids(q.value) for q in found if q.unit == "age"}
    if len(truths) != 1:
        return Truth.UNKNOWN
    return Truth.TRUE if truths == {True} else Truth.FALSE


def _applies(limit: Limit, quantity: Quantity) -> bool:
    if quantity.unit is None:
        return limit.unit is None or (limit.unit == "%" and quantity.value < 1)
    return dimension(quantity.unit) == dimension(limit.unit)


def _with_unit(limit: Limit, quantity: Quantity, reading: Reading) -> Quantity:
    """'bring it down to 22': a bare number that something is brought to is in the limit's own unit."""
    if quantity.unit is not None or limit.unit in (None, "piece", "person", "age"):
        return quantity
    if quantity.value < 0 and dimension(limit.unit) == "temperature":
        return replace(quantity, unit=limit.unit)  # 'it's minus 3'
    tokens, lexicon = reading.tokens, reading.lexicon
    before = tokens[quantity.start - 1].text if quantity.start else ""
    after = tokens[quantity.end] if quantity.end < len(tokens) else None
    ends = (
        after is None
        or after.kind == "p"
        or lexicon.has("preposition", after.text)
        or lexicon.has("conjunction", after.text)
    )
    if not (lexicon.has("brought_to", before) and ends):
        return quantity
    return replace(quantity, unit=limit.unit)


def _relative(quantity: Quantity, reading: Reading) -> bool:
    """'down by three': a change, not a value."""
    before = reading.tokens[quantity.start - 1].text if quantity.start else ""
    return reading.lexicon.has("by_word", before)


def _moves_away(limit: Limit, region: Region, reading: Reading) -> bool:
    """'bring it up by three' moves away from a lower limit, 'down by three' from an upper one."""
    words = {reading.tokens[at].text for at in range(region.clause.start, region.clause.end)}
    rises = not words.isdisjoint(reading.lexicon.words.get("rising", frozenset()))
    falls = not words.isdisjoint(reading.lexicon.words.get("falling", frozenset()))
    below = limit.kind in ("below", "at_most")
    return rises != falls and (rises if below else falls)


def _set_aside(quantity: Quantity, reading: Reading) -> bool:
    """'instead of 900', 'not 900', 'down from 900': a value that is named to be left."""
    lexicon = reading.lexicon
    before = [token.text for token in reading.tokens[max(0, quantity.start - 3) : quantity.start]]
    return any(lexicon.has("set_aside", word) for word in before)


def _total(limit: Limit, quantity: Quantity, found: list[Quantity], reading: Reading) -> Decimal:
    """What the value comes to in the limit's terms: a price each times how many, a sum over its nights."""
    value = quantity.value
    if quantity.unit is None and limit.unit == "%" and value < 1:
        return value * 100
    counts = [
        q
        for q in found
        if q is not quantity and q.unit in (None, "piece", "person") and q.start < quantity.start
    ]
    if limit.per is None:
        if quantity.per in ("each", "piece", "person") and counts:
            return value * counts[-1].value
        if (
            quantity.per is None
            and counts
            and quantity.unit in CURRENCIES
            and _each_at(quantity, counts[-1], reading)
        ):
            return value * counts[-1].value
        if counts and quantity.unit not in CURRENCIES and counts[-1].end == quantity.start:
            return value * counts[-1].value  # 'three 10-kilo cartons'
        periods = [
            q for q in found if q.unit == quantity.per and q is not quantity and quantity.per is not None
        ]
        return value * periods[0].value if periods else value
    if quantity.per is None:
        periods = [q for q in found if q.unit == limit.per and q.value > 0 and q is not quantity]
        return value / periods[0].value if periods else value
    return value


def _each_at(quantity: Quantity, count: Quantity, reading: Reading) -> bool:
    """'3 at 400 EUR': the number right before 'at' counts; 'la mesa 4 deja 12 euros' counts nothing."""
    if quantity.start - count.end > 2 or count.unit is not None:
        return False
    if reading.language == "en" or quantity.start == count.end:
        return True
    between = reading.tokens[quantity.start - 1].text
    return reading.lexicon.has("preposition", between) or between in ("@", "x")


def _people(limit: Limit, found: list[Quantity], reading: Reading, region: Region) -> Truth:
    counts = [
        q.value
        for q in found
        if q.unit in ("person", "piece") or (q.unit is None and q.value == q.value.to_integral_value())
        if limit.unit != "person" or not _of_things(q, reading)
    ]
    if counts and any(limit.forbids(value) for value in counts):
        return Truth.TRUE
    names = _listed_names(reading, region)
    if names >= 2:
        return Truth.TRUE if limit.forbids(Decimal(names)) else Truth.FALSE
    if len(counts) > 1 and limit.forbids(sum(counts, Decimal(0))):
        return Truth.UNKNOWN  # 'nine cars and five vans': together they may be too many
    if counts:
        return Truth.FALSE
    if any(reading.lexicon.has("all", reading.tokens[i].text) for i in region.own):
        return Truth.UNKNOWN
    return Truth.FALSE if names == 1 and limit.kind in ("above", "at_least") else Truth.UNKNOWN


def _of_things(quantity: Quantity, reading: Reading) -> bool:
    """'18 aprons': a number that counts things says nothing of how many people; 'twelve seats' does."""
    at, tokens, lexicon = quantity.end, reading.tokens, reading.lexicon
    if lexicon.language != "en" or quantity.unit == "person":
        return False
    head = None
    while at < len(tokens) and tokens[at].kind == "w" and at - quantity.end < 3:
        if lexicon.has_any(
            ("preposition", "conjunction", "auxiliary", "pronoun", "place_adverb"), tokens[at].text
        ):
            break
        head, at = tokens[at], at + 1
    if head is None or lexicon.has("holds_people", head.text):
        return False
    return noun_class(lexicon.irregular.get(head.text, head.text)) in _THINGS


def _listed_names(reading: Reading, region: Region) -> int:
    """How many names the clause lists ('Ola, Pim, Rhea and Stijn'); apart from each other they are no list
    ('the flight to Osaka that stops in Doha')."""
    start, tokens, lexicon = region.clause.start, reading.tokens, reading.lexicon
    names = [i for i in region.names if i != start and tokens[i].stem not in lexicon.concepts]
    said = 0
    for number, at in enumerate(names):
        before = names[number - 1] if number else -1
        if at - 1 == before:
            continue
        between = tokens[before + 1 : at] if number else []
        if any(lexicon.has("preposition", token.text) for token in between):
            continue
        said += 1
    return said
