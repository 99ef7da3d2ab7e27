"""A rule's own words given as an order: 'Open the hives before noon' where that is never to be done."""

from __future__ import annotations

from gate.constraint import Constraint
from gate.language.reading import Mood, Reading
from gate.match.modifier import describes
from gate.match.region import Region

FEWEST = 2  # words from which a rule's body says enough to be told again


def said_again(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """Whether the clause, with what its sentence says after it, orders what the rule forbids word for word.

    Then its times, values and conditions are those of the rule, however they are read otherwise.
    """
    wanted, clause = constraint.body, region.clause
    if len(wanted) < FEWEST or clause.mood is not Mood.ORDER or clause.refrains or clause.tentative:
        return False
    lexicon, tokens = reading.lexicon, reading.tokens
    first = _verb(region)
    if all(tokens[at].stem != wanted[0] for at in range(first, min(first + 2, clause.end))):
        return False
    if any(lexicon.has("negator", tokens[at].text) for at in range(clause.start, _verb(region))):
        return False
    at = _verb(region)
    end = reading.sentences[clause.sentence].end
    said = 0
    while at < end and said < len(wanted):
        if tokens[at].stem == wanted[said]:
            if not said and tokens[at].quoted:
                return False  # a quotation orders nothing; a quoted word may be what the rule is about
            said += 1
        elif not passes(reading, at):
            return False
        at += 1
    last = constraint.objects[-1] if constraint.objects else None
    ends = last is not None and reading.language == "en" and last.parts[-1].word == tokens[at - 1].text
    if last is not None and ends and describes(at - 1, last, region, reading):
        return False  # 'open the crypt records' for a rule on opening the crypt
    rest = (tokens[after] for after in range(at, end))
    return said == len(wanted) and not any(
        token.kind != "p" and lexicon.has("negator", token.text) for token in rest
    )


def _verb(region: Region) -> int:
    return region.clause.verbs[0] if region.clause.verbs else region.clause.start


def passes(reading: Reading, at: int) -> bool:
    """Whether a word is left out when a rule and an order are compared: articles, fillers, signs."""
    token = reading.tokens[at]
    if token.kind == "p":
        return True
    lexicon = reading.lexicon
    if lexicon.has("ordering", token.text):
        return False
    small = lexicon.has_any(("determiner", "filler", "please"), token.text)
    return small and not lexicon.has("negator", token.text)
