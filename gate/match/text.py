"""A constraint against a text: how sure the act is, how sure the object, and what the slots say."""

from __future__ import annotations

from dataclasses import dataclass

from gate.constraint import CERTAIN, LIKELY, Constraint, Term
from gate.language.numbers import Quantity, quantities
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.times import Moment, moments, spans
from gate.match.limits import text_truth
from gate.match.region import Region, region_of, term_grade
from gate.match.unless import approved_by_facts, lifted
from gate.match.windows import all_of, in_windows, local_time, moment_at
from gate.model import Facts, Match, TextRequest, Truth
from gate.taxonomy import EFFECTS, LOOKING, covers

SURE, MAYBE, NO = 2, 1, 0
_DECLINING = frozenset(("reject", "cancel", "refrain", "refund"))
_PLANNED = frozenset(("schedule", "book", "rent", "invite", "postpone", "order", "enrol"))


@dataclass(slots=True)
class TextView:
    """A reading prepared for matching against many constraints."""

    reading: Reading
    request: TextRequest
    facts: Facts
    regions: list[Region]

    def quantities(self, region: Region) -> list[Quantity]:
        """Numbers of the region, without those that are part of a date or an hour."""
        reading = self.reading
        if not region.own:
            return []
        start, end = min(region.own), max(region.own) + 1
        timed = {i for s in spans(reading.tokens, start, end, reading.lexicon) for i in range(s.start, s.end)}
        found = quantities(reading.tokens, start, end, reading.lexicon)
        return [q for q in found if q.start not in timed or q.unit is not None]

    def moments(self, region: Region) -> list[Moment]:
        """When the clause's act would happen; [] when no clause of its sentence says."""
        reading = self.reading
        at = local_time(self.request.at, self.facts)
        start, end = region.clause.start, max(region.own, default=region.clause.start) + 1
        own = moments(reading.tokens, start, end, reading.lexicon, at)
        if own:
            return own
        sentence = reading.sentences[region.clause.sentence]
        if any(c.mood.asks and c is not region.clause and c.hits and moments(reading.tokens, c.start, c.end, reading.lexicon, at)
               for c in reading.clauses if c.sentence == region.clause.sentence):  # fmt: skip
            return []
        return moments(reading.tokens, sentence.start, sentence.end, reading.lexicon, at)


def prepare(reading: Reading, request: TextRequest, facts: Facts) -> TextView:
    """Regions of the clauses that ask for something."""
    regions = [
        region_of(reading, position) for position, clause in enumerate(reading.clauses) if clause.mood.asks
    ]
    return TextView(reading, request, facts, regions)


def match_text(constraint: Constraint, view: TextView) -> Match | None:
    """The strongest match of a constraint in a text, or None. TRUE refuses, UNKNOWN asks."""
    best: Match | None = None
    for region in view.regions:
        match = _match_region(constraint, view, region)
        if match is not None and (
            best is None or (match.truth is Truth.TRUE and best.truth is not Truth.TRUE)
        ):
            best = match
            if match.truth is Truth.TRUE:
                break
    return best


def _match_region(constraint: Constraint, view: TextView, region: Region) -> Match | None:
    reading = view.reading
    about = object_level(constraint, region, reading)
    if about == NO:
        return None
    act, hit = act_level(constraint, region, reading)
    if act + about < SURE + MAYBE:
        return None
    when = _when(constraint, view, region, hit)
    found = view.quantities(region) if constraint.limits else []
    limits = all_of(text_truth(limit, found, reading, region) for limit in constraint.limits)
    slots = all_of((when, limits))
    if slots is Truth.FALSE:
        return None
    free = lifted(constraint, reading, region, view.facts, bool(constraint.recipients))
    if free is Truth.TRUE:
        return None
    if approved_by_facts(constraint, reading, view.facts):
        return None
    sure = act == SURE and about == SURE and slots is Truth.TRUE and free is Truth.FALSE
    missing = tuple(
        name
        for name, truth in (("time", when), ("amount", limits), ("exception", free))
        if truth is Truth.UNKNOWN
    )
    return _make(constraint, view, region, hit, Truth.TRUE if sure else Truth.UNKNOWN, missing)


def _make(
    constraint: Constraint,
    view: TextView,
    region: Region,
    hit: ActHit | None,
    truth: Truth,
    missing: tuple[str, ...],
) -> Match:
    reading = view.reading
    clause = region.clause
    span = reading.folded.span(reading.tokens[clause.start].start, reading.tokens[clause.end - 1].end)
    return Match(
        engram_id=constraint.engram_id,
        sentence=constraint.sentence,
        truth=truth,
        act=hit.act if hit else "",
        span=span,
        matched=view.request.text[span[0] : span[1]],
        missing=missing,
        lifted_by="; ".join(unless.words for unless in constraint.unless),
    )


def object_level(constraint: Constraint, region: Region, reading: Reading) -> int:
    """How surely the region is about what the rule names."""
    groups = [group for group in (constraint.objects, constraint.recipients, constraint.places) if group]
    if not groups:
        return SURE
    grades = [_best(group, region, reading) for group in groups]
    main = grades[0]
    level = SURE if main >= CERTAIN else MAYBE if main >= LIKELY else NO
    for grade in grades[1:]:
        if grade < LIKELY:
            level -= 1
        elif grade < CERTAIN:
            level = min(level, MAYBE)
    return max(level, NO)


def _best(terms: tuple[Term, ...], region: Region, reading: Reading) -> float:
    return max(term_grade(term, region, reading) for term in terms)


def act_level(constraint: Constraint, region: Region, reading: Reading) -> tuple[int, ActHit | None]:
    """How surely the clause asks for the forbidden act, and the words that do."""
    clause = region.clause
    if clause.refrains and not _more_than_refrain(clause):
        return NO, None
    best, chosen = NO, None
    for hit in clause.hits:
        level = _hit_level(constraint, hit, clause)
        if level > best:
            best, chosen = level, hit
    if best == NO:
        best = _unknown_verb(constraint, clause, reading)
    if clause.mood is Mood.FRAGMENT and best == SURE:
        best = MAYBE if not any(hit.nominal for hit in clause.hits) else best
    return best, chosen


def _more_than_refrain(clause: Clause) -> bool:
    return False


def _hit_level(constraint: Constraint, hit: ActHit, clause: Clause) -> int:
    if hit.negated:
        return NO
    if constraint.any_act:
        if hit.nominal or hit.act not in EFFECTS:
            return NO
        return SURE if hit.sure else MAYBE
    if not any(covers(act, hit.act) for act in constraint.acts):
        return NO
    if not hit.nominal:
        return SURE if hit.sure else MAYBE
    return _nominal_level(constraint, hit, clause)


def _nominal_level(constraint: Constraint, hit: ActHit, clause: Clause) -> int:
    """A noun of the act is the act when a light verb governs it, and is not when it is declined or looked at."""
    governing = [other for other in clause.hits if not other.nominal and other.start < hit.start]
    if not governing:
        return SURE if clause.mood in (Mood.FRAGMENT, Mood.WISH) or not clause.verbs else MAYBE
    acts = {other.act for other in governing}
    if acts & _DECLINING:
        return NO
    if acts <= LOOKING | {"translate", "print", "delete", "remove"}:
        return NO
    light = acts & (
        _PLANNED
        | {
            "create",
            "send",
            "give",
            "execute",
            "start",
            "approve",
            "offer",
            "insert",
            "store",
            "fetch",
            "set",
            "use",
        }
    )
    return SURE if light else MAYBE


def _unknown_verb(constraint: Constraint, clause: Clause, reading: Reading) -> int:
    """An order whose verb no act covers may be anything; one of a known other act is that."""
    lexicon = reading.lexicon
    for index in clause.verbs:
        stem = reading.tokens[index].stem
        if f"do:{stem}" in constraint.acts:
            return SURE
    known = [hit for hit in clause.hits if not hit.nominal]
    if any(hit.negated for hit in known):
        return NO
    generic = any(
        reading.tokens[i].stem in lexicon.stems.get("generic_verb", frozenset()) for i in clause.verbs
    )
    if clause.mood is Mood.FRAGMENT:
        return NO
    return MAYBE if generic or not known else NO


def _when(constraint: Constraint, view: TextView, region: Region, hit: ActHit | None) -> Truth:
    if not constraint.windows:
        return Truth.TRUE
    found = view.moments(region)
    if found:
        return in_windows(constraint.windows, found)
    if constraint.acts and set(constraint.acts) & _PLANNED and set(constraint.acts) <= _PLANNED | {"book"}:
        return Truth.UNKNOWN
    return in_windows(constraint.windows, [moment_at(local_time(view.request.at, view.facts))])
