"""A constraint against a text: how sure the act is, how sure the object, and what the slots say."""

from __future__ import annotations

from dataclasses import dataclass

from gate.constraint import CERTAIN, LIKELY, Constraint, Term
from gate.language.numbers import Quantity, quantities
from gate.language.reading import ActHit, Clause, Mood, Reading
from gate.language.times import Moment, moments, spans
from gate.match.limits import text_truth
from gate.match.region import ANAPHOR_GRADE, Region, region_of, term_grade
from gate.match.unless import approved_by_facts, lifted
from gate.match.windows import all_of, in_windows, local_time, moment_at
from gate.model import Facts, Match, TextRequest, Truth
from gate.taxonomy import EFFECTS, FAMILY_OF, LOOKING, REVERSES, covers

SURE, MAYBE, NO = 2, 1, 0
_DECLINING = frozenset(("reject", "cancel", "refrain", "refund", "give_back"))
_SMALL = ("determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "please")
_CHANNELS = frozenset(("call", "email", "message", "invite", "print"))
_PLANNED = frozenset(("schedule", "book", "rent", "invite", "postpone", "order", "enrol"))
_LIGHT = _PLANNED | {
    *(
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
    ),
    *("pay", "buy", "accept", "assign"),
}


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

    def beside(self, region: Region) -> list[Quantity]:
        """Numbers that the text says outside its other orders: '..., it comes to 1,249 euros'."""
        found: list[Quantity] = []
        for clause in self.reading.clauses:
            if (
                clause is not region.clause
                and not (clause.mood.asks and clause.hits)
                and clause.start not in region.own
            ):
                found += quantities(self.reading.tokens, clause.start, clause.end, self.reading.lexicon)
        return found

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


def wording(region: Region, reading: Reading) -> str:
    """What the region says, as sorted stems of its content words: the form in which answers are kept."""
    lexicon = reading.lexicon
    words = {
        reading.tokens[i].stem
        for i in region.own
        if reading.tokens[i].kind != "p"
        and not any(lexicon.has(group, reading.tokens[i].text) for group in _SMALL)
    }
    return " ".join(sorted(words))


def _match_region(constraint: Constraint, view: TextView, region: Region) -> Match | None:
    """The match of one clause, as corrected by what the operator answered before."""
    match = _unlearned_match(constraint, view, region)
    if not (constraint.aliases or constraint.exceptions):
        return match
    said = wording(region, view.reading)
    words = set(said.split())
    if any(set(alias.split()) <= words for alias in constraint.aliases):
        return (
            match
            if match and match.truth is Truth.TRUE
            else _make(constraint, view, region, None, Truth.TRUE, ())
        )
    if match is not None and match.truth is Truth.UNKNOWN and said in constraint.exceptions:
        return None
    return match


def _unlearned_match(constraint: Constraint, view: TextView, region: Region) -> Match | None:
    reading = view.reading
    about = object_level(constraint, region, reading)
    if about == NO:
        return None
    act, hit = act_level(constraint, region, reading)
    if act + about < SURE + MAYBE:
        return None
    when = _when(constraint, view, region, hit)
    if act == MAYBE and "schedule" in constraint.acts and when is Truth.TRUE and view.moments(region):
        act = SURE  # to order a thing for a time is to schedule it
    limits = _limits(constraint, view, region)
    slots = all_of((when, limits))
    if slots is Truth.FALSE or (slots is Truth.UNKNOWN and (region.clause.weak or act == MAYBE)):
        return None  # nothing but hints, and a value missing on top
    if act == MAYBE and not _things(constraint) and not constraint.limits:
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


def _limits(constraint: Constraint, view: TextView, region: Region) -> Truth:
    if not constraint.limits:
        return Truth.TRUE
    own = view.quantities(region)
    beside = view.beside(region)
    return all_of(text_truth(limit, own, beside, view.reading, region) for limit in constraint.limits)


def _things(constraint: Constraint) -> bool:
    return bool(constraint.objects or constraint.recipients or constraint.places)


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
        bindings={"wording": wording(region, reading)} if truth is Truth.UNKNOWN else {},
        missing=missing,
        lifted_by="; ".join(unless.words for unless in constraint.unless),
    )


def object_level(constraint: Constraint, region: Region, reading: Reading) -> int:
    """How surely the region is about what the rule names: things first, then to whom and where."""
    groups = [group for group in (constraint.objects, constraint.recipients, constraint.places) if group]
    if constraint.paths or constraint.hosts:
        return _structured_level(constraint, region, reading)
    if not groups:
        return SURE
    grades = [_best(group, region, reading) for group in groups]
    if grades[0] < LIKELY:
        return MAYBE if any(grade > ANAPHOR_GRADE for grade in grades[1:]) else NO
    level = SURE if grades[0] >= CERTAIN else MAYBE
    if any(grade < CERTAIN for grade in grades[1:]):
        level = MAYBE
    return level


def _structured_level(constraint: Constraint, region: Region, reading: Reading) -> int:
    """A rule on a path or a host, against the paths and hosts that the text names."""
    named = [reading.tokens[i].text for i in region.own if reading.tokens[i].kind == "x"]
    for text in named:
        inside = any(
            text == path or text.startswith(path.rstrip("/") + "/") for path in constraint.paths
        ) or any(
            text == host or text.endswith(("." + host, "@" + host)) or f"//{host}" in text
            for host in constraint.hosts
        )
        if inside != (constraint.outside or constraint.mode == "only"):
            return SURE
    return NO


def _best(terms: tuple[Term, ...], region: Region, reading: Reading) -> float:
    return max(_term(term, region, reading) for term in terms)


def _term(term: Term, region: Region, reading: Reading) -> float:
    if not term.soft:
        return term_grade(term, region, reading)
    private = reading.lexicon.words.get("private", frozenset())
    return 0.0 if any(reading.tokens[i].text in private for i in region.own) else 1.0


def act_level(constraint: Constraint, region: Region, reading: Reading) -> tuple[int, ActHit | None]:
    """How surely the clause asks for the forbidden act, and the words that do."""
    clause = region.clause
    if clause.refrains or _declines(constraint, clause) or _tells_the_operator(constraint, region, reading):
        return NO, None
    best, chosen = NO, None
    for hit in clause.hits:
        level = _hit_level(constraint, hit, clause)
        if level > best:
            best, chosen = level, hit
    if best == NO:
        best = _unknown_verb(constraint, region, reading)
    if clause.mood is Mood.FRAGMENT:
        best = min(best, MAYBE)
    if (
        best < SURE
        and chosen is None
        and not (constraint.objects or constraint.recipients or constraint.places)
    ):
        return NO, None  # a rule on an act alone needs the act itself
    return best, chosen


def _tells_the_operator(constraint: Constraint, region: Region, reading: Reading) -> bool:
    """'Tell me', 'send us': what goes to the operator alone is no message to anybody."""
    if "upload" in constraint.acts or not constraint.acts:
        return False
    if not all(FAMILY_OF.get(act) in ("tell", "disclose") for act in constraint.acts):
        return False
    lexicon, clause = reading.lexicon, region.clause
    tokens = reading.tokens
    mine = [i for i in range(clause.start, clause.end) if lexicon.has("operator", tokens[i].text)]
    if not mine or any(i != clause.start for i in region.names):
        return False
    return not any(
        lexicon.has("to_prep", tokens[i].text) and i + 1 not in mine and tokens[i].text != "for"
        for i in range(clause.start, clause.end)
    )


def _declines(constraint: Constraint, clause: Clause) -> bool:
    """The clause's own verb undoes or declines what is forbidden, and no other verb does it."""
    verbs = [hit for hit in clause.hits if not hit.nominal and not hit.negated]
    if any(covers(act, hit.act) for act in constraint.acts for hit in verbs if hit.act not in _DECLINING):
        first = min(hit.start for hit in verbs)
        return any(hit.act in _DECLINING for hit in verbs if hit.start == first)
    undone = {other for act in constraint.acts for other in REVERSES.get(act, ())} | _DECLINING
    undone -= constraint.acts.keys()
    if constraint.any_act:
        undone = set(_DECLINING)
    return any(hit.act in undone for hit in verbs)


def _hit_level(constraint: Constraint, hit: ActHit, clause: Clause) -> int:
    if hit.negated:
        return NO
    if constraint.any_act or "use" in constraint.acts:
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
    return SURE if acts & _LIGHT else MAYBE


def _unknown_verb(constraint: Constraint, region: Region, reading: Reading) -> int:
    """An order whose verb no act covers may be anything; one of a known other act may still be meant."""
    clause, lexicon = region.clause, reading.lexicon
    if any(f"do:{reading.tokens[index].stem}" in constraint.acts for index in clause.verbs):
        return SURE
    known = [hit for hit in clause.hits if not hit.nominal]
    if clause.mood is Mood.FRAGMENT or clause.weak or any(hit.negated for hit in known):
        return NO
    if known and all(hit.act in LOOKING for hit in known):
        return NO
    if constraint.acts.keys() & _CHANNELS and known and all(hit.act in _CHANNELS for hit in known):
        return NO  # 'no calls' is no rule on letters
    if constraint.acts and all(FAMILY_OF.get(act) == "tell" for act in constraint.acts):
        speech = lexicon.stems.get("speech", frozenset())
        return MAYBE if any(reading.tokens[i].stem in speech for i in region.own) else NO
    return MAYBE


def _when(constraint: Constraint, view: TextView, region: Region, hit: ActHit | None) -> Truth:
    if not constraint.windows:
        return Truth.TRUE
    found = view.moments(region)
    if found:
        return in_windows(constraint.windows, found)
    if constraint.acts and set(constraint.acts) & _PLANNED and set(constraint.acts) <= _PLANNED | {"book"}:
        return Truth.UNKNOWN
    return in_windows(constraint.windows, [moment_at(local_time(view.request.at, view.facts))])
