"""Rules that forbid no particular doing: 'Never do anything stupid', 'Do not do that'."""

from __future__ import annotations

from gate.constraint import Constraint
from gate.language.reading import Reading


def is_vague(reading: Reading, constraint: Constraint) -> bool:
    """Whether a rule says no more than 'do', a word for anything, and what sort it is of.

    A named place, person, time, amount, exception or clause ('anything that harms the archive') makes it
    checkable.
    """
    named = (
        *(constraint.recipients, constraint.places, constraint.paths, constraint.hosts),
        *(constraint.windows, constraint.limits, constraint.qualifiers, constraint.unless),
    )
    if any(named):
        return False
    lexicon, tokens = reading.lexicon, reading.tokens
    last = next((token.text for token in reversed(tokens) if token.kind == "w"), "")  # 'etwas Dummes tun'
    doing = lexicon.stems["doing"]
    if lexicon.base(constraint.verbs) not in doing and lexicon.base(last) not in doing:
        return False
    if not constraint.objects:
        return True
    anything = [i for i, token in enumerate(tokens) if lexicon.has("anything", token.text)]
    if not anything:
        return False
    of_it = {i + 1 for i in anything}  # 'rien de stupide'
    return not any(
        token.kind in "nx" or (lexicon.has("preposition", token.text) and index not in of_it)
        for index, token in enumerate(tokens)
    )
