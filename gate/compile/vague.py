"""Rules that forbid no particular doing: 'Never do anything stupid', 'Do not do that'."""

from __future__ import annotations

from gate.constraint import Constraint
from gate.language.reading import Reading


def _only_is(reading: Reading) -> bool:
    """Whether a rule's verb is 'be', before nothing but one word for how: no doing and no thing."""
    lexicon, tokens = reading.lexicon, reading.tokens
    said = [token for token in tokens if token.kind == "w" and not lexicon.has("determiner", token.text)]
    at = next((i for i, token in enumerate(said) if lexicon.has("be", token.text)), -1)
    denied = at > 0 and all(
        lexicon.has_any(("negator", "please", "auxiliary", "filler", "adverb"), token.text)
        for token in said[:at]
    )
    return denied and len(said) - at == 2  # 'be' and the word


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
    if not constraint.verbs and _only_is(reading):
        return True  # 'Don't be evil'
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
