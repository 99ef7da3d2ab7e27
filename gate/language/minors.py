"""Somebody called by an age: 'the fourteen-year-old' is a child to a rule on children or minors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.language.lexicon import Lexicon

if TYPE_CHECKING:
    from gate.language.tokens import Token

OLD = frozenset(("old", "olds"))
CHILD = "=child"
_OF_AGE = 18
_STEPS = 4  # tokens of 'fourteen-year-' before 'old'


def under_age(tokens: list[Token], index: int, lexicon: Lexicon) -> bool:
    """'the fourteen-year-old at the till': somebody who is no adult, where no noun says what is so old."""
    said = [token for token in tokens[max(0, index - _STEPS) : index] if token.text != "-"]
    if len(said) < 2 or not lexicon.has("year_word", said[-1].text):
        return False
    number = said[-2].text
    age = int(number) if number.isdigit() and len(number) < 3 else lexicon.numbers.get(number)
    follow = tokens[index + 1] if index + 1 < len(tokens) else None
    small = ("preposition", "conjunction", "auxiliary", "subordinator", "determiner", "pronoun")
    ends = follow is None or follow.kind != "w" or lexicon.has_any(small, follow.text)
    return age is not None and age < _OF_AGE and ends and tokens[index - 1].text == "-"
