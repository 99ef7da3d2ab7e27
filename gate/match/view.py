"""A text prepared for matching against many rules: what is worked out once serves them all."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from gate.constraint import Constraint
from gate.language.ages import ages
from gate.language.lexicon import load
from gate.language.moments import Moment, moments
from gate.language.numbers import Quantity, quantities
from gate.language.reading import Reading
from gate.language.times import DAY_MINUTES, Span, spans
from gate.match.approvals import approval_for
from gate.match.region import Region, around, region_of
from gate.match.windows import local_time, moment_at
from gate.model import Facts, TextRequest

if TYPE_CHECKING:
    from gate.match.gist_said import RuleSigns
    from gate.match.signs import TextSigns

WORDING, WHOLE = "wording", "whole"  # bindings of a question: what its clauses say, what the request does
LEANS = 3  # clauses before one that says little by itself
_PARTICLES = ("particle", "verb_particle")  # English; German
_SMALL = ("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "please")


def _start(span: Span) -> int:
    return span.start


@dataclass(slots=True)
class TextView:
    """A reading prepared for matching against many constraints."""

    reading: Reading
    request: TextRequest
    facts: Facts
    regions: list[Region]
    timed: list[Span] | None = None
    said: str | None = None
    signs: TextSigns | None = None  # gate.match.signs makes them when a rule is weighed
    of_rule: RuleSigns | None = None  # the same, of the rule that is weighed at present
    keys: set[str] | None = None  # everything that a clause may be asked for
    used: set[str] = field(default_factory=set)  # ids of the approvals that lifted a rule

    def whole(self) -> str:
        """What the whole text says, as sorted stems: the very request, however its clauses are read."""
        if self.said is None:
            self.said = whole_wording(self.reading)
        return self.said

    def approved(self, constraint: Constraint) -> bool:
        """Whether a recorded approval covers this text; it is noted as used."""
        if not self.facts.approvals:
            return False
        tokens = self.reading.tokens
        said = {key for token in tokens for key in (token.stem, *token.keys)}
        said.update(hit.act for clause in self.reading.clauses for hit in clause.hits)
        found = approval_for(constraint, said, self.facts)
        if found is not None:
            self.used.add(found.id)
        return found is not None

    def spans(self, start: int, end: int) -> list[Span]:
        """Expressions of time between two tokens; the text is searched for them once."""
        if self.timed is None:
            self.timed = spans(self.reading.tokens, 0, len(self.reading.tokens), self.reading.lexicon)
        first = bisect_left(self.timed, start, key=_start)
        last = bisect_left(self.timed, end, key=_start)
        return self.timed[first:last]

    def quantities(self, region: Region) -> list[Quantity]:
        """Numbers of the region, without those that are part of a date or an hour."""
        if "quantities" not in region.kept:
            region.kept["quantities"] = self._quantities(region)
        return region.kept["quantities"]

    def _quantities(self, region: Region) -> list[Quantity]:
        reading = self.reading
        if not region.own:
            return []
        start, end = min(region.own), max(region.own) + 1
        timed = {i for s in self.spans(start, end) for i in range(s.start, s.end)}
        found = quantities(reading.tokens, start, end, reading.lexicon)
        found += self._durations(start, end) + self._counted_up(start, end)
        return [q for q in found if q.start not in timed or q.unit is not None]

    def _durations(self, start: int, end: int) -> list[Quantity]:
        """'from 10:00 to 15:30' as five and a half hours."""
        clocks = [s for s in self.spans(start, end) if s.from_minute is not None and not s.part]
        if len(clocks) != 2 or clocks[0].from_minute is None or clocks[1].from_minute is None:
            return []
        minutes = (clocks[1].from_minute - clocks[0].from_minute) % DAY_MINUTES
        return [Quantity(Decimal(minutes) / 60, "h", None, clocks[0].start, clocks[1].end)]

    def _counted_up(self, start: int, end: int) -> list[Quantity]:
        """'a third coffee' as three of them; 'the third coffee' is one of several, 'a third of it' a part."""
        tokens, lexicon = self.reading.tokens, self.reading.lexicon
        counted = [
            (at, lexicon.ordinals.get(tokens[at].text, 0))
            for at in range(start + 1, end - 1)
            if lexicon.has("one_more", tokens[at - 1].text) and tokens[at + 1].kind == "w"
            and not lexicon.has_any(("preposition", "conjunction"), tokens[at + 1].text)
        ]  # fmt: skip
        return [Quantity(Decimal(value), None, None, at, at + 1) for at, value in counted if value > 1]

    def beside(self, region: Region) -> list[Quantity]:
        """Numbers that the text says outside its other orders: '..., it comes to 1,249 euros'."""
        if "beside" not in region.kept:
            region.kept["beside"] = self._beside(region) + self._ages(region)
        return region.kept["beside"]

    def _beside(self, region: Region) -> list[Quantity]:
        found: list[Quantity] = []
        for clause in around(region, self.reading):
            if (
                clause is not region.clause
                and not (clause.mood.asks and any(not hit.inferred for hit in clause.hits))
                and clause.start not in region.own
            ):
                found += quantities(self.reading.tokens, clause.start, clause.end, self.reading.lexicon)
        return found

    def _ages(self, region: Region) -> list[Quantity]:
        """Years of age that the text says near the clause: 'she is 17', 'aged nine', 'born in March 2010'."""
        reading, today = self.reading, local_time(self.request.at, self.facts).date()
        near = around(region, reading)
        timed = {i for s in self.spans(near[0].start, near[-1].end) if s.from_minute is not None or s.weekdays
                 for i in range(s.start, s.end)}  # fmt: skip
        return [q for q in ages(reading.tokens, near[0].start, near[-1].end, reading.lexicon, today)
                if q.start not in timed]  # fmt: skip

    def moments(self, region: Region) -> list[Moment]:
        """When the clause's act would happen; [] when no clause of its sentence says."""
        if "moments" not in region.kept:
            region.kept["moments"] = self._moments(region)
        return region.kept["moments"]

    def _moments(self, region: Region) -> list[Moment]:
        reading = self.reading
        at = local_time(self.request.at, self.facts)
        start, end = region.clause.start, max(region.own, default=region.clause.start) + 1
        clause = range(start, region.clause.end)
        now = any(reading.lexicon.has("now_word", reading.tokens[i].text) for i in clause)
        if now and not self.spans(start, region.clause.end):
            return [moment_at(at)]  # 'Send it now, the blades are checked this evening'
        own = moments(reading.tokens, self.spans(start, end), reading.lexicon, at, self.spans(0, start))
        if own:
            return own
        sentence = reading.sentences[region.clause.sentence]
        if any(c.mood.asks and c is not region.clause and c.hits and self.spans(c.start, c.end)
               for c in around(region, reading) if c.sentence == region.clause.sentence):  # fmt: skip
            return []
        return moments(reading.tokens, self.spans(sentence.start, sentence.end), reading.lexicon, at)


def prepare(reading: Reading, request: TextRequest, facts: Facts) -> TextView:
    """Regions of the clauses that ask for something."""
    regions = [
        region_of(reading, position) for position, clause in enumerate(reading.clauses) if clause.mood.asks
    ]
    return TextView(reading, request, facts, regions)


def whole_wording(reading: Reading) -> str:
    """What a whole text says, as sorted stems. Never empty."""
    return " ".join(sorted({token.stem for token in reading.tokens if token.kind != "p"})) or "?"


def wording(region: Region, reading: Reading) -> str:
    """What the region says, as sorted stems: the form in which answers are kept. Never empty.

    Its content words, with those of what it points back to; a clause of small words alone says those.
    """
    if "wording" in region.kept:
        return region.kept["wording"]
    words = _content(region.own, reading)
    if region.anaphoric or len(words) < 2:
        for earlier in reading.clauses[max(0, region.position - LEANS) : region.position]:
            if not earlier.refrains:
                unquoted = (i for i in range(earlier.start, earlier.end) if not reading.tokens[i].quoted)
                words |= _content(unquoted, reading)
    if not words:
        own = region.own or range(region.clause.start, region.clause.end)
        words = {reading.tokens[i].stem for i in own if reading.tokens[i].kind != "p"} or {"?"}
    region.kept["wording"] = " ".join(sorted(words))
    return region.kept["wording"]


def _content(indices: Iterable[int], reading: Reading) -> set[str]:
    """Stems of the words at `indices` that say something by themselves."""
    small, tokens = _small_words(reading.language), reading.tokens
    return {
        tokens[i].stem
        for i in indices
        if tokens[i].kind != "p" and (tokens[i].text not in small or _turns_its_verb(reading, i))
    }


def _turns_its_verb(reading: Reading, index: int) -> bool:
    """'off' of 'turn the lights off', 'aus' of 'Mach das Licht aus': without it the opposite is said, too."""
    tokens = reading.tokens
    if not reading.lexicon.has_any(_PARTICLES, tokens[index].text):
        return False
    last = index + 1 == len(tokens) or tokens[index + 1].kind == "p"
    return last or index - 1 in reading.verb_places


@lru_cache(maxsize=16)
def _small_words(language: str) -> frozenset[str]:
    words = load(language).words
    return frozenset().union(*(words.get(group, frozenset()) for group in _SMALL))
