"""Years of age in a text: said ('she is 17', 'a nine-year-old'), or told by a birth ('born in 2010')."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from gate.language.lexicon import Lexicon
from gate.language.numbers import Quantity, number_at
from gate.language.thesaurus import PERSON, noun_class
from gate.language.tokens import Token

OLDEST = 120
_BORN_REACH = 6  # tokens after 'born' within which its year stands


def ages(tokens: list[Token], start: int, end: int, lexicon: Lexicon, today: date) -> list[Quantity]:
    """Every age between two tokens as a quantity of unit 'age'; English only."""
    if lexicon.language != "en":
        return []
    found: list[Quantity] = []
    for index in range(start, end):
        if tokens[index].text == "born":
            age = _since_birth(tokens, index, end, lexicon, today)
            if age is not None:
                found.append(Quantity(Decimal(age), "age", None, index, index + 1))
            continue
        number = number_at(tokens, index, end, lexicon) if tokens[index].kind in "nw" else None
        if number is None or not 0 < number[0] <= OLDEST or number[0] % 1:
            continue
        if not (index > start and tokens[index - 1].text == "-") and _is_age(
            tokens, index, number[1], start, end, lexicon
        ):
            found.append(Quantity(number[0], "age", None, index, number[1]))
    return found


def _is_age(tokens: list[Token], index: int, stop: int, start: int, end: int, lexicon: Lexicon) -> bool:
    follow = [token.text for token in tokens[stop : min(end, stop + 4)] if token.text != "-"]
    if follow and lexicon.has("year_word", follow[0]) and {"old", "olds"} & set(follow[1:3]):
        return True
    before = tokens[index - 1].text if index > start else ""
    if lexicon.has("aged", before):
        return True
    if before == "(" and index - start > 1 and stop < end and tokens[stop].text == ")":
        return noun_class(tokens[index - 2].text) == PERSON or tokens[index - 2].text in lexicon.words["them"]
    if before == "," and index - start > 1 and stop < end and tokens[stop].text in ",)":
        return _somebody(tokens[index - 2])  # 'Mika, 16, ...'
    if not lexicon.has("turning", before):
        return False
    after = tokens[stop] if stop < end else None
    if after is None or (after.kind == "p" and after.text not in "%€$£°-"):
        return True
    return lexicon.has_any(("conjunction", "time_follow", "preposition", "from_last"), after.text)


def _somebody(token: Token) -> bool:
    """Whether a word is no thing that is counted or priced: a name, or a person."""
    return token.kind == "w" and noun_class(token.text) in (None, PERSON)


def _since_birth(tokens: list[Token], index: int, end: int, lexicon: Lexicon, today: date) -> int | None:
    """Whole years since the named year and month; without a month the year has not turned yet."""
    month = 12
    for token in tokens[index + 1 : min(end, index + 1 + _BORN_REACH)]:
        for value, phrases in lexicon.calendar["months"].items():
            if (token.text,) in phrases:
                month = int(value)
        if token.kind == "n" and token.text.isdigit() and len(token.text) == 4:
            year = int(token.text)
            age = today.year - year - (today.month < month)
            return age if 0 <= age <= OLDEST else None
    return None
