"""A relative clause in the middle of a sentence, which says something in passing (English)."""

from __future__ import annotations

import re

from partner.formation.grammar import finite
from partner.formation.words import words

_RELATIVE = re.compile(
    r"^(?P<s>[^,;:]{2,60}), (?P<rel>(?:who|which)\b[^,;:]{3,120}), (?P<rest>(?!and\b|or\b|but\b)[^,].*)$"
)


def main_clause(text: str) -> str:
    """'Lena, who paints the sign in May, wants 310 euros' without what it says of Lena in passing."""
    found = _RELATIVE.match(text)
    if found is None or finite(words(found["s"])) is not None:
        return text
    main = f"{found['s']} {found['rest']}"
    return main if finite(words(main)) is not None else text
