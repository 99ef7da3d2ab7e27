"""What says something without a sentence: a row of a table, 'label: value', a question with its answer."""

from __future__ import annotations

import re

from partner.formation.claims import clean
from partner.formation.grammar import finite, is_clause
from partner.formation.words import words


def asked_about(sentence: str) -> str:
    """What a question without a verb names ('Kai's birthday?'), or ''."""
    found = re.fullmatch(r"(?:[Aa]nd |[Tt]he )?(?P<named>[\w' ’-]{3,50})\?", sentence.strip())
    if not found or re.match(
        r"(?i)(?:and|or|what|who|why|how|when|where|which|really|right|okay|ok|no|yes|any|so|sure)\b",
        sentence,
    ):
        return ""
    return found["named"] if finite(words(found["named"])) is None and len(words(found["named"])) >= 2 else ""


def answers(sentence: str) -> bool:
    """Some words without a verb of their own, with a figure or a name in them."""
    tokens = words(sentence)
    named = any(t.number or t.capital for t in tokens)
    return 0 < len(tokens) <= 8 and named and not sentence.rstrip().endswith("?") and finite(tokens) is None


def row_claim(row: str, heading: str) -> str:
    """What a row says: what its first cell names, and the other cells under their headings; '' for no row."""
    heads, cells = _cells(heading), _cells(row)
    if len(cells) < 2 or not cells[0]:
        return ""
    if len(cells) == 2:
        label = f"{heads[1]} of {cells[0]}" if len(heads) == 2 else cells[0]
        return f"{label}: {cells[1]}."
    under = zip(heads[1:] or [""] * len(cells), cells[1:], strict=False)
    return f"{cells[0]}: {', '.join(f'{h} {c}' if h else c for h, c in under if c)}."


def row_passage(row: str, heading: str) -> str:
    """A row of a document's table, each cell behind its column's name ('Item: Snow, By: tenant.')."""
    heads, cells = _cells(heading), _cells(row)
    named = [
        f"{heads[at]}: {cell}" if at < len(heads) and heads[at] else cell for at, cell in enumerate(cells)
    ]
    return (
        ", ".join(told for told, cell in zip(named, cells, strict=True) if cell).rstrip(".") + "."
        if any(cells)
        else ""
    )


def _cells(row: str) -> list[str]:
    return [clean(cell) for cell in row.strip().strip("|").split("|")] if row.strip() else []


def stands_alone(text: str) -> bool:
    """Whether an item of a list can be read without the line that announces the list."""
    return is_clause(text) or re.match(r"^[^:]{2,60}:\s", text) is not None
