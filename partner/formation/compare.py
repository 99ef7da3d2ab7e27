"""A new claim against what holds: the same again, an update, or something beside it.

Decided on subject and attribute (frames and slots) and on what the words themselves say is over. Overlap of
words
alone never supersedes: it only finds which claim a spoken correction is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from partner.formation.calendar_words import MONTHS, WEEKDAYS
from partner.formation.frames import RESPONSIBLE, Frame, frame
from partner.formation.grammar import DETERMINERS
from partner.formation.lifting import GENERIC, lifts
from partner.formation.model import HoldsView
from partner.formation.stems import stem
from partner.formation.topics import spoken_words
from partner.formation.words import listed, words
from store.model import Authority, Engram, EngramType, Klass


class Tier(IntEnum):
    """How sure a relation is; higher wins."""

    BESIDE = 0
    MAYBE = 1  # only a spoken correction and shared topic words
    NAMED = 2  # the old value is named as over
    KEYED = 3  # same subject and attribute, another value
    SAME = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What the words around a claim say about change. `also` says that it stands beside."""

    strong: bool = False
    weak: bool = False
    also: bool = False
    permission: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A new claim as far as comparison needs it. Dated words are left out of `text` (the frame ignores them
    anyway)."""

    text: str
    type: EngramType
    subject: str = ""
    attribute: str = ""
    value: str = ""
    slot: bool = False
    old: frozenset[str] = frozenset()  # stems that the rest of the sentence says are over
    absent: frozenset[str] = frozenset()  # stems of what the turn says cannot serve now
    listed: bool = False  # an item under a line that announces it: its siblings share that line
    single: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`same`: ids met again; `over`: ids superseded; `against`: ids contradicted that stay (other
    authority). `retargets`: what is superseded is an open objective, so the claim is one too."""

    retargets: bool = False
    same: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


_SINGLE_VERBS = listed("cost live weigh call name expire start end belong close open")
MAX_RULES = 500
_CLAIM_KINDS = frozenset({Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE, Klass.PROHIBITION})


def compare(claim: Candidate, signals: Signals, holds: HoldsView, *, authority: Authority) -> Outcome:
    """Relate one claim to what holds. Only claims of the same or lower authority are superseded."""
    new = frame(claim.text)
    found: dict[str, tuple[Tier, float, Engram]] = {}
    against: list[str] = []
    for old in _candidates(claim, signals, holds):
        tier, score = _relate(claim, new, old, signals)
        if tier is Tier.BESIDE:
            continue
        if old.provenance.authority != authority and old.provenance.authority is not Authority.INFERENCE:
            if tier is Tier.KEYED:
                against.append(old.id)
            continue
        found[old.id] = (tier, score, old)
    return _choose(found, tuple(against))


def _candidates(claim: Candidate, signals: Signals, holds: HoldsView) -> Sequence[Engram]:
    keyed = holds.by_key(claim.subject, claim.attribute) if claim.attribute else ()
    spoken = spoken_words(claim.text)
    lexical = holds.about(spoken) if spoken else ()
    # rules are never ranked by a search, so those that may be lifted or changed are gone through
    rules = (
        holds.recent(MAX_RULES, Klass.PROHIBITION)
        if signals.permission or claim.type is EngramType.PROHIBITION
        else ()
    )
    return list({e.id: e for e in (*keyed, *lexical, *rules)}.values())


def _choose(found: dict[str, tuple[Tier, float, Engram]], against: tuple[str, ...]) -> Outcome:
    if not found:
        return Outcome(against=against)
    top = max(tier for tier, _, _ in found.values())
    if top is Tier.SAME:
        same = tuple(i for i, (tier, _, _) in found.items() if tier is Tier.SAME)
        return Outcome(same=same, against=against)
    ranked = sorted(((s, e.seq, i) for i, (t, s, e) in found.items() if t is top), reverse=True)
    chosen = tuple(i for _, _, i in ranked) if top is Tier.KEYED else (ranked[0][2],)
    pursued = any(_open_goal(found[i][2]) for i in chosen)
    return Outcome(over=chosen, against=against, retargets=pursued)


def _open_goal(engram: Engram) -> bool:
    return engram.type is EngramType.OBJECTIVE and engram.metadata.get("status", "open") == "open"


def _relate(claim: Candidate, new: Frame, old: Engram, signals: Signals) -> tuple[Tier, float]:
    was = frame(old.content)
    shared = (new.content & was.content) - GENERIC
    score = len(shared) / max(1, min(len(new.content), len(was.content)))
    keyed = (old.metadata.get("attribute"), old.metadata.get("subject")) == (claim.attribute, claim.subject)
    if claim.slot and keyed:
        return _by_slot(claim, old, signals, score)
    if old.klass not in _CLAIM_KINDS and old.klass not in (Klass.KNOWLEDGE, Klass.OBSERVATION):
        return Tier.BESIDE, 0.0
    if _same(new, was, signals) and _same_use(claim, old):
        return Tier.SAME, 1.0
    if signals.permission and old.klass is Klass.PROHIBITION and lifts(new, was):
        return Tier.KEYED, score
    relabelled = new.labelled and was.labelled and new.topic == was.topic and bool(new.topic)
    if relabelled and not claim.listed and "list" not in old.metadata:
        return Tier.KEYED, score
    if signals.also and not signals.strong:
        return Tier.BESIDE, 0.0
    for tier, holds_true in (
        (
            Tier.KEYED,
            _flipped(new, was)
            or _aligned(new, was, signals)
            or _keyed(new, was, signals)
            or _other_agent(new, was, signals)
            or _restated(new, was, signals)
            or (_open_goal(old) and _retargets(new, was, signals)),
        ),
        (
            Tier.NAMED,
            _names_old(new, was, new.old | claim.old) or _stands_in(new, was, claim.absent, signals),
        ),
        (
            Tier.MAYBE,
            signals.strong
            and _corrects(new, was, shared, score, least=0.2 if old.type is claim.type else 0.3),
        ),
    ):
        if holds_true and _may_replace(claim, old, tier):
            return tier, score
    return Tier.BESIDE, 0.0


def _by_slot(claim: Candidate, old: Engram, signals: Signals, score: float) -> tuple[Tier, float]:
    before, now = _fold(str(old.metadata.get("value", ""))), _fold(claim.value)
    cue = signals.strong or signals.weak
    if before == now or (now < before and not cue):
        return Tier.SAME, 1.0
    if signals.also and not signals.strong:
        return Tier.BESIDE, 0.0
    if claim.single or signals.strong or signals.weak:
        return Tier.KEYED, score
    return Tier.BESIDE, 0.0


def _fold(value: str) -> frozenset[str]:
    return frozenset(stem(w.low) for w in words(value) if w.low not in DETERMINERS or len(w.low) == 1)


def _same_use(claim: Candidate, old: Engram) -> bool:
    """A prohibition and a statement in the same words are not the same claim."""
    return (claim.type is EngramType.PROHIBITION) == (old.type is EngramType.PROHIBITION)


def _may_replace(claim: Candidate, old: Engram, tier: Tier) -> bool:
    """Rules and goals are replaced by their like, or by what flips them; a fact in passing leaves them
    alone."""
    if tier is Tier.KEYED or claim.type is old.type:
        return True
    special = {Klass.PROHIBITION, Klass.OBJECTIVE}
    if old.klass in special:
        return False
    return not (claim.type is EngramType.PROHIBITION and tier is Tier.MAYBE)


def _same(new: Frame, was: Frame, signals: Signals) -> bool:
    if new.negative != was.negative or set(new.numbers) != set(was.numbers):
        return False
    if new.content == was.content and new.content:
        return new.topic == was.topic or bool(new.topic & was.content) or not new.topic
    less = new.content < was.content and len(new.content) >= 2 and len(was.content) - len(new.content) <= 2
    return (
        less
        and not signals.strong
        and not signals.weak
        and bool(new.topic & was.topic)
        and new.verb == was.verb
    )


def _topics_match(new: Frame, was: Frame) -> bool:
    if new.topic == was.topic:
        return bool(new.topic)
    small, large = sorted((new.topic, was.topic), key=len)
    if not small or not small < large or small & {"@i", "@we"}:
        return False
    extra = large - small
    return not (extra & (new.names | was.names)) and len(extra) <= 2


def _keyed(new: Frame, was: Frame, signals: Signals) -> bool:
    if new.negative != was.negative:
        return False
    if _role_swapped(new, was):
        return signals.strong or signals.weak
    if not _topics_match(new, was):
        return False
    if new.topic == was.topic and not new.topic & {"@i", "@we"} and _set_for(new, was, signals):
        return new.value != was.value
    be = {"be", ""}
    moved = new.changed and bool(new.numbers) == bool(was.numbers)
    if new.verb != was.verb and not (new.verb in be and was.verb in be) and not moved:
        return False
    if new.value == was.value:
        return False
    cue = signals.strong or signals.weak or new.changed
    if new.numbers and was.numbers and set(new.numbers) != set(was.numbers):
        if cue and new.topic == was.topic and not new.topic & {"@i", "@we"} and _dated(new) and _dated(was):
            return True
        return _comparable(new, was) or (cue and bool(set(new.rest) & set(was.rest) or not new.rest))
    exact = new.topic == was.topic and not new.topic & {"@i", "@we"}
    if exact and (new.place and was.place) and new.rest != was.rest:
        return True
    moved_on = cue and new.topic == was.topic and new.place and was.place and new.verb not in be
    if moved_on and max(len(new.rest), len(was.rest)) <= 2:
        return True
    if exact and new.verb in _SINGLE_VERBS:
        return True
    if exact and cue and not new.topic & {"@i", "@we"} and max(len(new.rest), len(was.rest)) <= 3:
        return True
    if new.topic & {"@i", "@we"} or new.verb not in be:
        return cue and _one_slot(new, was)
    return cue


_NEUTRAL = frozenset({"be", "", "take", "happen", "meet", "hold", "run", "fall", "schedul", "schedule"})


def _set_for(new: Frame, was: Frame, signals: Signals) -> bool:
    """'The review takes place on Mondays' and 'it's Wednesdays now': another day, whatever verb tells it."""
    cue = signals.strong or signals.weak or new.changed
    return cue and (new.verb in _NEUTRAL or was.verb in _NEUTRAL) and _dated(new) and _dated(was)


def _restated(new: Frame, was: Frame, signals: Signals) -> bool:
    """The whole old topic comes back with another figure ('they want 400 as deposit for the hall now')."""
    if not (signals.strong or signals.weak) or new.negative or not new.numbers or not was.numbers:
        return False
    topic = was.topic - {"@i", "@we"} - GENERIC
    alike = not (new.names - was.content) or new.topic <= was.content
    return (
        len(topic) >= 2
        and topic <= new.content
        and set(new.numbers) != set(was.numbers)
        and len(set(new.numbers)) == len(set(was.numbers))
        and frozenset(was.rest) <= new.content
        and alike
    )


_GOAL_WORDS = frozenset(stem(w) for w in listed("goal target objective aim ambition milestone mark"))


def _retargets(new: Frame, was: Frame, signals: Signals) -> bool:
    """Another figure for an open goal: 'make that 15 customers', 'the packaging target moves to 60 kilos'."""
    if not new.numbers or set(new.numbers) == set(was.numbers) or not was.numbers:
        return False
    own = new.content - frozenset(new.numbers) - _GOAL_WORDS
    shared = own & was.content
    if new.content & _GOAL_WORDS and (new.changed or signals.strong or signals.weak):
        return bool(shared) and len(shared) >= 0.5 * len(own)
    return signals.strong and bool(shared) and len(shared) >= 0.8 * len(own)


def _dated(f: Frame) -> bool:
    return any(n in MONTHS or n in WEEKDAYS or ":" in n for n in f.numbers) or any(
        s in WEEKDAYS for s in f.rest
    )


def _aligned(new: Frame, was: Frame, signals: Signals) -> bool:
    """Sentences of a language without a grammar here: the same words but for one place."""
    if new.verb or was.verb or new.negative != was.negative:
        return False
    a, b = frozenset(new.rest), frozenset(was.rest)
    common = len(a & b)
    if new.numbers and was.numbers and set(new.numbers) != set(was.numbers):
        return common >= 1 and (
            common >= 0.6 * len(a | b)
            or ((signals.strong or signals.weak) and common >= 0.5 * min(len(a), len(b)))
        )
    return (signals.strong or signals.weak) and common >= 0.5 * min(len(a), len(b)) and common >= 1 and a != b


def _role_swapped(new: Frame, was: Frame) -> bool:
    """'Ana is the treasurer' and 'the treasurer is Ben'."""
    if new.verb != "be" or was.verb != "be" or new.numbers or was.numbers:
        return False
    role = frozenset(was.rest)
    if new.topic and new.topic <= role and len(role - new.topic) <= 1 and was.topic.isdisjoint(new.rest):
        return True
    return bool(new.rest) and frozenset(new.rest) == was.topic and new.topic.isdisjoint(was.rest)


def _comparable(new: Frame, was: Frame) -> bool:
    a, b = frozenset(new.rest), frozenset(was.rest)
    return a <= b or b <= a or len(a & b) >= 0.5 * len(a | b)


def _one_slot(new: Frame, was: Frame) -> bool:
    """The same sentence but for one phrase."""
    a, b = frozenset(new.rest), frozenset(was.rest)
    return bool(a & b) and len(a - b) <= 3 and len(b - a) <= 3


def _flipped(new: Frame, was: Frame) -> bool:
    if new.negative == was.negative:
        return False
    if new.rest and was.rest and not set(new.rest) & set(was.rest):
        return False
    small = min(len(new.content), len(was.content))
    shared = len(new.content & was.content)
    return (
        small > 0
        and shared >= max(1, round(0.8 * small))
        and (_topics_match(new, was) or (new.topic <= was.content and was.topic <= new.content))
    )


def _other_agent(new: Frame, was: Frame, signals: Signals) -> bool:
    if new.negative or was.negative or not new.topic or not was.topic or new.topic & was.topic:
        return False
    if new.verb != was.verb or set(new.numbers) != set(was.numbers):
        return False
    a, b = frozenset(new.rest), frozenset(was.rest)
    if not a or not b or not (a <= b or b <= a):
        return False
    cue = signals.strong or signals.weak
    if new.verb == "be":
        return cue and bool(new.names & new.topic)
    return (cue and _agent(new)) or (new.verb in RESPONSIBLE and a == b and _agent(new) and _agent(was))


def _agent(f: Frame) -> bool:
    return bool(f.topic & f.names) or bool(f.topic & {"@i", "@we"}) or len(f.topic) == 1


def _names_old(new: Frame, was: Frame, old: frozenset[str]) -> bool:
    if not old:
        return False
    values = was.content | frozenset(was.numbers)
    whole = old == values and bool(was.topic & {"@i", "@we"})  # 'from law to botany', and 'I study law'
    return old <= values and (whole or bool((new.content - old) & was.content) or bool(old & was.names))


def _stands_in(new: Frame, was: Frame, absent: frozenset[str], signals: Signals) -> bool:
    """'Kajsa's on leave, Moritz orders the flour': the same but for what cannot serve now. Of what follows
    ('oak is too dear, so the pews will be larch') the same topic is enough."""
    shared = (new.content & was.content) - absent - GENERIC
    least = min(len(new.content), len(was.content))
    follows = signals.weak and bool(new.topic) and new.topic <= was.content
    alike = bool(shared) and 2 * len(shared) >= least
    return bool(absent & was.content - new.content) and (alike or follows)


def _corrects(new: Frame, was: Frame, shared: frozenset[str], score: float, *, least: float) -> bool:
    topical = shared & (new.topic | was.topic) or shared
    mine, theirs = new.topic & new.names, was.topic & was.names
    if mine and theirs and mine.isdisjoint(theirs) and not shared & frozenset(new.rest) & frozenset(was.rest):
        return False
    persons = {"@i", "@we"}
    left_new, left_was = new.topic - was.content - persons, was.topic - new.content - persons
    if left_new and left_was and new.topic & was.topic:
        return False
    subject = new.topic - persons - GENERIC
    return bool(topical) and (score >= least or (bool(subject) and subject <= was.content))
