"""A clause of the message on its way to a claim."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """`text` is the claim's wording so far, `start:end` its evidence in the message, `lead` what announced
    it."""

    text: str
    start: int
    end: int
    lead: str = ""
    item: bool = False
    caused: bool = False  # it follows from what was said before it ('the hall is shut, so we meet outside')


def sliced(clause: Clause, begin: int, end: int) -> Clause:
    """A part of a clause whose text still is the message's (nothing rewritten yet)."""
    text = clause.text[begin:end]
    left = len(text) - len(text.lstrip(" ,;"))
    right = len(text.rstrip(" ,;"))
    return replace(
        clause, text=text[left:right], start=clause.start + begin + left, end=clause.start + begin + right
    )
