"""A new claim against what holds: the same again, an update, or something beside it.

Decided on subject and attribute (frames and slots) and on what the words themselves say is over. Overlap of
words
alone never supersedes: it only finds which claim a spoken correction is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache

from partner.formation import foreign
from partner.formation.data import load
from partner.formation.events import ended_by
from partner.formation.frames import Frame, frame
from partner.formation.grammar import DETERMINERS
from partner.formation.lifting import GENERIC, is_conditional, lifts
from partner.formation.model import HoldsView
from partner.formation.permitting import permitted
from partner.formation.relations import (
    Signals,
    aligned,
    called_off,
    corrects,
    ended,
    flipped,
    is_exception,
    names_old,
    one_of_several,
    other_agent,
    restated,
    retargets,
    stands_in,
    updates,
)
from partner.formation.rulings import adjusts
from partner.formation.stems import ALIASES, LIGHT, stem
from partner.formation.topics import spoken_words
from partner.formation.words import words
from store.model import Authority, Engram, EngramType, Klass


class Tier(IntEnum):
    """How sure a relation is; higher wins."""

    BESIDE = 0
    MAYBE = 1  # only a spoken correction and shared topic words
    NAMED = 2  # the old value is named as over
    KEYED = 3  # same subject and attribute, another value
    SAME = 4


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
    authority). `retargets`: what is superseded is an open objective, so the claim is one too; `was`: the one
    claim that is superseded, where it is one."""

    retargets: bool = False
    was: Engram | None = None
    same: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


MAX_RULES = 500
_SELF = frozenset(("operator", "we"))  # as subjects are written for '@i' and '@we'
_TELLS = frozenset({EngramType.CONCLUSION, EngramType.DECISION, EngramType.IDENTITY})  # what may be an event
_CLAIM_KINDS = frozenset({Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE, Klass.PROHIBITION})


def compare(claim: Candidate, signals: Signals, holds: HoldsView, *, authority: Authority) -> Outcome:
    """Relate one claim to what holds. Only claims of the same or lower authority are superseded."""
    new = frame(claim.text)
    found: dict[str, tuple[Tier, float, Engram]] = {}
    against: list[str] = []
    for old in _candidates(claim, signals, holds):
        if _speaks_of_other(claim, new, old, signals):
            continue
        tier, score = _relate(claim, new, old, signals)
        if tier is Tier.BESIDE:
            continue
        if old.provenance.authority != authority and old.provenance.authority is not Authority.INFERENCE:
            if tier is Tier.KEYED:
                against.append(old.id)
            continue
        found[old.id] = (tier, score, old)
    outcome = _choose(_siblings_out(new, found), tuple(against))
    if outcome.over or outcome.same or authority is not Authority.OPERATOR or claim.type not in _TELLS:
        return outcome
    return replace(outcome, over=tuple(e.id for e in ended_by(claim.text, holds)))


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


def _siblings_out(
    new: Frame, found: dict[str, tuple[Tier, float, Engram]]
) -> dict[str, tuple[Tier, float, Engram]]:
    """Without those that held beside the one whose own words come again: 'she takes 10 mg of A now' leaves
    the 3 mg of B at night."""
    keyed = {i: frame(e.content) for i, (t, _, e) in found.items() if t is Tier.KEYED}
    if len(keyed) < 2:
        return found
    meant = {i for i, f in keyed.items() if _own_words(f, i, keyed) & new.content}
    return {i: row for i, row in found.items() if i not in keyed or not meant or i in meant}


def _own_words(own: Frame, place: str, all_of_them: dict[str, Frame]) -> frozenset[str]:
    """The words of one that none of the others has, figures aside."""
    others = frozenset[str]().union(*(f.content for i, f in all_of_them.items() if i != place))
    return own.content - others - frozenset(own.numbers)


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
    only = found[chosen[0]][2] if len(chosen) == 1 else None
    return Outcome(over=chosen, against=against, retargets=pursued, was=only)


def _open_goal(engram: Engram) -> bool:
    return engram.type is EngramType.OBJECTIVE and engram.metadata.get("status", "open") == "open"


def _speaks_of_other(claim: Candidate, new: Frame, old: Engram, signals: Signals) -> bool:
    """Whether the keys that were written with a claim already tell that nothing relates it to the new one.
    Spares its words to be read (0.3 ms). Where nothing is said about change: other topics, none in the
    other's words, another verb; or keys that none of the relations below allows."""
    verb, sign, _ = str(old.metadata.get("attribute", "")).partition(":")
    cued = signals.strong or signals.permission or claim.old or claim.absent or new.old
    if not sign or cued or not new.topic or old.type is EngramType.OBJECTIVE:
        return False
    topic = frozenset(str(old.metadata.get("subject", "")).split())
    value = frozenset(str(old.metadata.get("value", "")).split())
    if not topic:
        return False
    apart = not new.topic & (topic | value) and not topic & (new.content | new.topic)
    apart = apart and not (topic <= _SELF and value & new.content)  # 'I hate figs', 'I love figs now'
    return (verb != new.verb and apart) or (not signals.weak and _unlike(new, verb, topic, value))


def _unlike(new: Frame, verb: str, topic: frozenset[str], value: frozenset[str]) -> bool:
    """Whether a plain statement cannot be the same as one with these keys, nor update or deny it: `_same`,
    `updates`, `other_agent` and `flipped` all ask for more in common."""
    if not verb or not new.verb or not topic.isdisjoint(_SELF):
        return False
    if new.topic <= topic or topic < new.topic or new.value == value:
        return False
    content = topic | value | (frozenset() if verb in LIGHT else {ALIASES.get(verb, stem(verb))})
    if new.content <= content:
        return False
    least = min(len(new.content), len(content))
    return len(new.content & content) < max(1, round(0.8 * least))


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
    permits = signals.permission and not is_conditional(claim.text)
    if permits and old.klass is Klass.PROHIBITION and (lifts(new, was) or permitted(claim.text, old.content)):
        return Tier.KEYED, score
    if claim.type is old.type is EngramType.PROHIBITION and not signals.strong:
        # 'no more meetings on Monday' tells of no change to 'no more meetings on Friday': rules add up
        return (Tier.KEYED, 1.0) if adjusts(claim.text, old.content) else (Tier.BESIDE, 0.0)
    relabelled = new.labelled and was.labelled and new.topic == was.topic and bool(new.topic)
    if relabelled and not claim.listed and "list" not in old.metadata:
        return Tier.KEYED, score
    if (signals.also and not signals.strong) or is_exception(
        claim.text, old.content, cued=signals.strong or signals.weak
    ):
        return Tier.BESIDE, 0.0
    for tier, holds_true in (
        (
            Tier.KEYED,
            flipped(new, was)
            or ended(new, was)
            or called_off(new, was)
            or (aligned(new, was, signals) and not foreign.apart(claim.text, old.content))
            or ((signals.strong or signals.weak) and foreign.same_attribute(claim.text, old.content))
            or updates(new, was, signals)
            or other_agent(new, was, signals)
            or restated(new, was, signals)
            or (_open_goal(old) and retargets(new, was, signals)),
        ),
        (
            Tier.NAMED,
            (
                names_old(new, was, new.old | claim.old)
                and not one_of_several(new.old | claim.old, old.content)
            )
            or stands_in(new, was, claim.absent, signals),
        ),
        (
            Tier.MAYBE,
            signals.strong
            and not foreign.apart(claim.text, old.content)
            and corrects(new, was, shared, score, least=0.2 if old.type is claim.type else 0.3),
        ),
    ):
        if holds_true and _may_replace(claim, old, tier):
            return tier, score
    return Tier.BESIDE, 0.0


def _by_slot(claim: Candidate, old: Engram, signals: Signals, score: float) -> tuple[Tier, float]:
    if claim.attribute == "dose" and _other_medicine(claim.text, old.content):
        return Tier.BESIDE, 0.0
    before, now = _fold(str(old.metadata.get("value", ""))), _fold(claim.value)
    cue = signals.strong or signals.weak
    if before == now or (now < before and not cue):
        return Tier.SAME, 1.0
    if signals.also and not signals.strong:
        return Tier.BESIDE, 0.0
    if claim.single or signals.strong or signals.weak:
        return Tier.KEYED, score
    return Tier.BESIDE, 0.0


def _other_medicine(new: str, was: str) -> bool:
    """'20 mg of A at night' says nothing of '5 mg of B in the morning'."""
    ours, theirs = (frozenset(frame(text).rest) - _of_doses() for text in (new, was))
    return bool(ours) and bool(theirs) and ours.isdisjoint(theirs)


@cache
def _of_doses() -> frozenset[str]:
    return frozenset(map(stem, load("revision")["doses"].split()))


def _fold(value: str) -> frozenset[str]:
    return frozenset(stem(w.low) for w in words(value) if w.low not in DETERMINERS or len(w.low) == 1)


def _same_use(claim: Candidate, old: Engram) -> bool:
    """A prohibition and a statement in the same words are not the same claim."""
    return (claim.type is EngramType.PROHIBITION) == (old.type is EngramType.PROHIBITION)


def _may_replace(claim: Candidate, old: Engram, tier: Tier) -> bool:
    """Rules and goals are replaced by their like, or by what flips them; a fact in passing leaves them
    alone."""
    if old.type is EngramType.PROHIBITION and claim.type is not EngramType.PROHIBITION:
        return False  # a permission has been tried before
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
