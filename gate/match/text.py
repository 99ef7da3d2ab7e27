"""A constraint against a text: how sure the act is, how sure the object, and what the slots say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gate.constraint import LIKELY, Constraint, Part, Term
from gate.language.lexicon import CJK
from gate.language.normalise import fold_words
from gate.language.numbers import Quantity
from gate.language.reading import ActHit, Mood, Reading
from gate.match.about import object_level, on_people_at_times
from gate.match.acts import (
    MAYBE,
    NO,
    PLANNED,
    RECORDING,
    SURE,
    act_level,
    declines,
    records,
    tells_the_operator,
)
from gate.match.asking import NEAR, asks, nearest, within_reach
from gate.match.circumstance import is_over
from gate.match.contact import context_keys, names_said, of_somebody_else, only_looks
from gate.match.ending import ends_it
from gate.match.features import Settled, features
from gate.match.limits import for_acts, text_truth
from gate.match.modifier import only_modifies
from gate.match.own_words import said_again
from gate.match.region import Region, around, part_grade, region_of
from gate.match.rivals import contrasts, told_apart
from gate.match.signs import asking_regions, text_signs
from gate.match.unless import lifted
from gate.match.view import WHOLE, WORDING, TextView, wording
from gate.match.windows import all_of, in_windows, local_time, moment_at
from gate.model import Match, Truth
from gate.taxonomy import near

_MOVING = frozenset(("move",))  # 'déplace le rendez-vous de lundi': the time named is the old one


def match_text(constraint: Constraint, view: TextView) -> Match | None:
    """The strongest match of a constraint in a text, or None. TRUE refuses, UNKNOWN asks."""
    best: Match | None = None
    regions = asking_regions(view)
    if not regions:  # nothing asks for anything; but the operator may have said that this very text is meant
        first = region_of(view.reading, 0) if view.reading.clauses else None
        told = first is not None and _meant(constraint, view, first, frozenset())
        return _make(constraint, view, first, None, Truth.TRUE, ()) if first and told else None
    for region in regions:
        match = _match_region(constraint, view, region)
        if match is not None:
            best = match if best is None else stronger(best, match)
            if match.truth is Truth.TRUE:
                break
    return best


def stronger(first: Match, second: Match) -> Match:
    """The surer of two matches of one rule. Of two questions the first, asked for the words of both."""
    if Truth.TRUE in (first.truth, second.truth):
        return first if first.truth is Truth.TRUE else second
    said: dict[str, str] = {}
    for name in (WORDING, WHOLE):
        lines = [line for match in (first, second) for line in match.bindings.get(name, "").split("\n")]
        said[name] = "\n".join(dict.fromkeys(line for line in lines if line))
    return replace(first, bindings={**first.bindings, **said})


def _match_region(constraint: Constraint, view: TextView, region: Region) -> Match | None:
    """The match of one clause, as corrected by what the operator answered before."""
    match = _unlearned_match(constraint, view, region)
    if (match and match.truth is Truth.TRUE) or not (constraint.aliases or constraint.exceptions):
        return match
    if "=" + view.whole() in constraint.exceptions:
        return None  # the very request that was waved through, whatever was said of others like it
    said = wording(region, view.reading)
    if _meant(constraint, view, region, frozenset(said.split())):
        return _make(constraint, view, region, None, Truth.TRUE, ())
    return None if said in constraint.exceptions else match


def _meant(constraint: Constraint, view: TextView, region: Region, words: frozenset[str]) -> bool:
    """Whether the operator said that this is meant: these words, or this very request.

    Words stand for act and thing: a time, a value, an exception or an approval may still speak against it.
    """
    whole = "=" + view.whole() in constraint.aliases
    if not whole and not any(_says(alias, words) for alias in constraint.aliases):
        return False
    if view.approved(constraint):
        return False
    untimely = _when(constraint, view, region, None) is Truth.FALSE
    if whole:  # read as it was when the operator said so, but for the present time
        return not untimely or bool(view.moments(region))
    clause = region.clause
    denied = clause.hits and all(hit.negated for hit in clause.hits)
    if untimely or denied or clause.refrains or declines(constraint, clause):
        return False
    if _limits(constraint, view, region) is Truth.FALSE:
        return False
    return lifted(constraint, view.reading, region, view.facts, True) is not Truth.TRUE


def _says(alias: str, words: frozenset[str]) -> bool:
    """Whether a clause says at least what the alias does; one word alone must be all that it says."""
    wanted = set(alias.split())
    return wanted == words if len(wanted) < 2 else wanted <= words


def _unlearned_match(constraint: Constraint, view: TextView, region: Region) -> Match | None:
    """TRUE where act, object and every slot are sure; else UNKNOWN where the weights say to ask."""
    if not constraint.gist or view.reading.language in CJK:  # no words to weigh: possible is enough to ask
        return None if constraint.loose else settled_match(constraint, view, region)
    if region.clause.mood is not Mood.QUESTION and not constraint.loose:
        sure = settled_match(constraint, view, region)
        if sure is not None and sure.truth is Truth.TRUE:
            return sure
        if said_again(constraint, region, view.reading) and not view.approved(constraint):
            return _make(constraint, view, region, None, Truth.TRUE, ())
        if sure is not None and not constraint.has_things and constraint.limits and view.quantities(region):
            return sure  # 'pay 60' under 'never pay more than 50 euros': a value, and nothing else to go by
        if sure is not None and on_people_at_times(constraint) and view.moments(region):
            return sure  # 'call Mrs Sommer at seven' under 'no calls to customers after six'
    return _weighed_match(constraint, view, region)


@dataclass(slots=True)  # not frozen: made for every clause, in half the time
class Evidence:
    """What there is to weigh between a rule and a clause (gate/match/features.py), and what is not known."""

    numbers: Mapping[str, float]
    hit: ActHit | None
    missing: tuple[str, ...]


def evidence(constraint: Constraint, view: TextView, region: Region) -> Evidence | None:
    """What speaks for asking; None where the rule is out of reach, or a slot or exception speaks against."""
    if not within_reach(constraint, view, region):
        return None
    reading = view.reading
    if (
        only_looks(constraint, region)
        or tells_the_operator(constraint, region, reading)
        or records(constraint, region, reading)
        or ends_it(constraint, region.clause, reading)
        or contrasts(constraint, region, reading, text_signs(view))
        or _is_anothers(constraint, view, region)
    ):
        return None
    when, limits = _when(constraint, view, region, None), _limits(constraint, view, region)
    if all_of((when, limits)) is Truth.FALSE:
        return None
    free = lifted(constraint, reading, region, view.facts, True)
    if free is Truth.TRUE or _unlike(constraint, reading):
        return None
    act, hit = act_level(constraint, region, reading)
    settled = Settled(
        act=MAYBE if constraint.loose else act,
        about=MAYBE if constraint.loose else object_level(constraint, region, reading),
        time_met=bool(constraint.windows) and when is Truth.TRUE,
        limit_passed=bool(constraint.limits) and limits is Truth.TRUE,
        value_named=_passed(constraint, view, region, when, limits),
    )
    sure = settled.act == SURE and settled.about == SURE
    missing = _missing(when, limits, free) if sure else ()
    return Evidence(features(constraint, view, region, settled), hit, missing)


def _is_anothers(constraint: Constraint, view: TextView, region: Region) -> bool:
    """Whether the rule is on the operator's own things alone and the clause names those of somebody else."""
    terms, reading = constraint.objects, view.reading
    if not terms or not all(term.mine and of_somebody_else(term, region, reading) for term in terms):
        return False
    mine = {word for name in view.facts.operator_names for word in fold_words(name).split()}
    return not any(reading.tokens[at].text in mine for at in region.own)


def _weighed_match(constraint: Constraint, view: TextView, region: Region) -> Match | None:
    """A question where the clause is likely to be about the rule."""
    found = evidence(constraint, view, region)
    if found is None or not asks(found.numbers) or view.approved(constraint):
        return None
    match = _make(constraint, view, region, found.hit, Truth.UNKNOWN, found.missing)
    return replace(match, bindings={**match.bindings, NEAR: nearest(constraint, view, region)})


def _missing(when: Truth, limits: Truth, free: Truth) -> tuple[str, ...]:
    slots = (("time", when), ("amount", limits), ("exception", free))
    return tuple(name for name, truth in slots if truth is Truth.UNKNOWN)


def settled_match(constraint: Constraint, view: TextView, region: Region) -> Match | None:
    """What the slots settle: TRUE, or UNKNOWN where act and object are possible, or None."""
    reading = view.reading
    if not names_said(constraint, context_keys(reading, region)):
        return None
    about = object_level(constraint, region, reading)
    if about == NO:
        return None
    act, hit = act_level(constraint, region, reading)
    if act + about < SURE + MAYBE:
        return None
    when = _when(constraint, view, region, hit)
    moved = hit is None and any(
        h.sure and not h.inferred and not h.nominal and h.act in _MOVING for h in region.clause.hits
    )
    scheduled = "schedule" in constraint.acts and when is Truth.TRUE and view.moments(region)
    if act == MAYBE and scheduled and not moved:
        act = SURE  # to order a thing for a time is to schedule it
    limits = _limits(constraint, view, region)
    if act == MAYBE and about == SURE and constraint.has_things:
        way = hit is not None and hit.inferred and hit.act in constraint.acts
        told = _passed(constraint, view, region, when, limits) and not _records(constraint, region)
        if way or (told and not moved):
            act = SURE  # a way of doing it, to the very thing; or its forbidden time or value is named
    slots = all_of((when, limits))
    if slots is Truth.FALSE or (slots is Truth.UNKNOWN and region.clause.weak):
        return None
    if slots is Truth.UNKNOWN and act == MAYBE and (about < SURE or not constraint.has_things):
        return None  # nothing but hints, and a value missing on top
    if act == MAYBE and not constraint.has_things and not constraint.limits:
        return None
    free = lifted(constraint, reading, region, view.facts, bool(constraint.recipients))
    if free is Truth.TRUE:
        return None
    if view.approved(constraint):
        return None
    sure = act == SURE and about == SURE and slots is Truth.TRUE and free is Truth.FALSE
    sure = sure and not only_modifies(constraint, region, reading) and _qualified(constraint, region, reading)
    sure = sure and not any(
        told_apart(term, region, reading, text_signs(view)) for term in constraint.qualifiers
    )
    truth = Truth.TRUE if sure else Truth.UNKNOWN
    return _make(constraint, view, region, hit, truth, _missing(when, limits, free))


def _qualified(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """Whether the text says what the rule says of its things; a limit that is passed says it, too."""
    if not constraint.qualifiers or constraint.limits:
        return True
    context = {**context_keys(reading, region), **_told_of(reading, region)}
    named = [
        part
        for term in constraint.qualifiers
        for part in telling(term)
        if part_grade(part, context) >= LIKELY
    ]
    return bool(named) and not is_over(named, constraint, reading)


def _unlike(constraint: Constraint, reading: Reading) -> bool:
    """Whether the text says that its things are not those which the rule means: 'she passed it in May'."""
    if not any(term.denied for term in constraint.qualifiers):
        return False
    parts = [part for term in constraint.qualifiers for part in term.parts]
    return is_over(parts, constraint, reading)


def telling(term: Term) -> tuple[Part, ...]:
    """The parts of a term that tell something; all where none does ('word' of 'Word files')."""
    return tuple(part for part in term.parts if part.weight >= 1.0) or term.parts


def _told_of(reading: Reading, region: Region) -> dict[str, float]:
    """Every word of the clauses that hang on this one ('where he got off') or state something beside it."""
    said: dict[str, float] = {}
    for clause in around(region, reading):
        if clause.sentence != region.clause.sentence:
            continue
        hangs = clause.mood in (Mood.CONTENT, Mood.RELATIVE) and clause.start > region.clause.start
        told = clause.mood is Mood.STATEMENT and not reading.lexicon.has("condition", clause.link)
        if hangs or told:
            for token in reading.tokens[clause.start : clause.end]:
                said.update(dict.fromkeys(token.keys, 1.0))
    return said


def _records(constraint: Constraint, region: Region) -> bool:
    """Whether the clause may only write down or tell what has been: then a value proves nothing."""
    if region.clause.tentative:
        return True
    told = {hit.act for hit in region.clause.hits if not hit.nominal and not hit.negated} & RECORDING
    return bool(told) and not any(near(forbidden, act) for forbidden in constraint.acts for act in told)


def _passed(constraint: Constraint, view: TextView, region: Region, when: Truth, limits: Truth) -> bool:
    """Whether the text itself names a value beyond the rule's limit or a time in its window."""
    if all_of((when, limits)) is not Truth.TRUE:
        return False
    today = local_time(view.request.at, view.facts).date()
    ahead = any(moment.day is None or moment.day >= today for moment in view.moments(region))
    return bool(constraint.limits) or bool(constraint.windows and ahead)


def _limits(constraint: Constraint, view: TextView, region: Region) -> Truth:
    if not constraint.limits:
        return Truth.TRUE
    own = [q for q in view.quantities(region) if not _names(constraint, q)]
    beside = view.beside(region)
    limits = (for_acts(limit, constraint.acts) for limit in constraint.limits)
    return all_of(text_truth(limit, own, beside, view.reading, region) for limit in limits)


def _names(constraint: Constraint, quantity: Quantity) -> bool:
    """'lot 77': a number that the rule's own thing is called by is no value."""
    if quantity.unit is not None or not constraint.objects:
        return False
    value = str(quantity.value)
    return any(part.exact and part.word == value for term in constraint.objects for part in term.parts)


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
        bindings={WORDING: wording(region, reading), WHOLE: view.whole()} if truth is Truth.UNKNOWN else {},
        missing=missing,
        lifted_by="; ".join(unless.lifting for unless in constraint.unless),
    )


def _when(constraint: Constraint, view: TextView, region: Region, hit: ActHit | None) -> Truth:
    if not constraint.windows:
        return Truth.TRUE
    found = view.moments(region)
    if found:
        return in_windows(constraint.windows, found)
    if constraint.acts and set(constraint.acts) & PLANNED and set(constraint.acts) <= PLANNED | {"book"}:
        return Truth.UNKNOWN
    return in_windows(constraint.windows, [moment_at(local_time(view.request.at, view.facts))])
