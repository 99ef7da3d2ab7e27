"""Whether to ask: the features of a rule and a clause, weighed.

The weights were fitted to contrast pairs whose authors had not read the rules, and to ordinary talk as what
is never to be asked about (benchmarks/gate_weights.py). They stand in configs/lexicon/asking.toml, which the
lexicon's version names. Sums and products of IEEE doubles in a fixed order: the same on every machine.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gate.constraint import Constraint
from gate.errors import LexiconDamaged
from gate.language.lexicon import CJK, lexicon_dir
from gate.match.acts import MANY, goes_to_the_operator
from gate.match.contact import described_elsewhere, names_said
from gate.match.features import FEATURES, likenesses
from gate.match.gist_said import rule_signs
from gate.match.region import Region
from gate.match.signs import region_places
from gate.match.view import TextView
from gate.taxonomy import covers

FILE = "asking.toml"
NEAR = "near"  # binding of a question: which words of the request are near to which of the rule
SHOWN = 4  # likenesses that a question names
TWO = 2  # words of a rule that make a text of another language speak of it without its act


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights by feature, in the order of FEATURES; a sum from `ask` on is a question."""

    of: tuple[tuple[str, float], ...]
    bias: float
    ask: float

    def score(self, numbers: Mapping[str, float]) -> float:
        """The weighted sum of the features, in logits."""
        total = self.bias
        for name, weight in self.of:
            total += weight * numbers[name]
        return total


@cache
def weights() -> Weights:
    """The weights in use. Raises LexiconDamaged when the file is missing or does not fit the features."""
    try:
        data = tomllib.loads((lexicon_dir() / FILE).read_text(encoding="utf-8"))
        listed = data["weights"]
        if set(listed) != set(FEATURES) or not all(isinstance(value, int) for value in listed.values()):
            raise LexiconDamaged(f"{FILE}: the weights are not one whole number for each feature")
        return Weights(
            of=tuple((name, listed[name] / 1000) for name in FEATURES),
            bias=data["bias"] / 1000,
            ask=data["ask"] / 1000,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LexiconDamaged(f"{FILE}: {error}") from error


def asks(numbers: Mapping[str, float]) -> bool:
    """Whether the features of a rule and a clause are ground to ask."""
    used = weights()
    return used.score(numbers) >= used.ask


def within_reach(constraint: Constraint, view: TextView, region: Region) -> bool:
    """Whether the text says anything of the rule: a word of its gist, or its act; and its names, if it is
    on names alone. What an index can look up."""
    if constraint.paths or constraint.hosts or region.clause.refrains or view.reading.language in CJK:
        return False
    rule = rule_signs(constraint, view)
    if not (rule.names_said or names_said(constraint, region.keys)):
        return False
    touched = rule.touches(region_places(view.reading, region))
    if touched >= TWO or (touched and (view.reading.language == "en" or _acts(constraint, region))):
        return True
    if not 0 < len(constraint.acts) <= MANY or "use" in constraint.acts:
        return False
    if not rule.has_gist:
        return _acts(constraint, region)
    if view.reading.language == "en":
        return False  # other languages know fewer words that are near: there the act may be ground to weigh
    if goes_to_the_operator(region, view.reading):
        return False  # 'Erzähl mir vom Brot': telling is what a partner does
    said = (hit for hit in region.clause.hits if any(covers(act, hit.act) for act in constraint.acts))
    return any(described_elsewhere(constraint, hit, region, view.reading) for hit in said)


def _acts(constraint: Constraint, region: Region) -> bool:
    """Whether the clause says an act that the rule covers, or a verb that may be any."""
    hits = region.clause.hits
    return any(covers(act, hit.act) for hit in hits for act in constraint.acts)


def nearest(constraint: Constraint, view: TextView, region: Region) -> str:
    """What a question rests on, in plain words: "'xerox' for 'photocopied', 'score' for 'music'"."""
    pairs = likenesses(constraint, view, region)[:SHOWN]
    return ", ".join(f"'{said}'" if said == word else f"'{said}' for '{word}'" for said, word, _ in pairs)
