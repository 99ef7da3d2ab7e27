"""Which classes a question is about, when the operation doesn't say: a small deterministic router.

Only classes that are retrieved by meaning take part: dispositions and open objectives are in every context
already, prohibitions are compiled into the gate and control entries are about entries (P4, P5, P9).
A cue narrows; without one all three are asked. What was chosen and why is part of the answer.
"""

from __future__ import annotations

from collections.abc import Collection

from store.model import Klass

RETRIEVED = (Klass.CONCLUSION, Klass.OBSERVATION, Klass.KNOWLEDGE)
STANDING = (Klass.DISPOSITION, Klass.OBJECTIVE)


def route(query: str, asked: Collection[Klass] | None) -> tuple[tuple[Klass, ...], str]:
    """The classes to search, in order, and a sentence that says how they were chosen."""
    if asked is not None:
        wanted = tuple(klass for klass in (*STANDING, *RETRIEVED) if klass in asked)
        return wanted, "the operation named " + (", ".join(wanted) or "no class that is retrieved")
    return RETRIEVED, "nothing in the question narrows it"
