"""German compounds without a dictionary: what a long word may begin and end with."""

from __future__ import annotations

from functools import lru_cache

SHORTEST = 9  # letters from which a word is taken for a possible compound
PIECE = 5  # letters that a piece must have, and the rest at least one less
HEAD_GRADE, TAIL_GRADE = 0.6, 0.5
KIND_GRADE = 0.8  # of the head where the compound is said and its head is meant: 'Sauerteig' is 'Teig'


@lru_cache(maxsize=4096)
def compound_keys(stem: str) -> dict[str, float]:
    """Beginnings and endings of a long stem as keys; its ending is its head and counts for more.

    'kuppelbeleuchtung' -> 'beleuchtung' 0.6, 'kuppel' 0.5 and others that no text will ever say.
    """
    if len(stem) < SHORTEST or not stem.isalpha():
        return {}
    keys: dict[str, float] = {}
    for cut in range(PIECE - 1, len(stem) - PIECE + 3):
        tail = stem[cut:]
        if len(tail) >= PIECE - 1:
            keys[tail] = HEAD_GRADE
        first = stem[:cut]
        for linked in (first, first.removesuffix("s"), first.removesuffix("n"), first.removesuffix("en")):
            if len(linked) >= PIECE - 1:
                keys.setdefault(linked, TAIL_GRADE)
    return keys
