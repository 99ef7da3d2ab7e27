"""How the frames of two propositions relate: each function is one way in which the new replaces the old."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from partner.formation.attributes import same_attribute, verbs_of
from partner.formation.calendar_words import MONTHS, WEEKDAYS
from partner.formation.data import load
from partner.formation.frames import RESPONSIBLE, Frame
from partner.formation.lifting import GENERIC
from partner.formation.stems import stem
from partner.formation.topics import content_words
from partner.formation.words import listed

_SINGLE_VERBS = listed("cost live weigh call name expire start end belong close open")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What the words around a claim say about change. `also` says that it stands beside."""

    strong: bool = False
    weak: bool = False
    also: bool = False
    permission: bool = False


def _topics_match(new: Frame, was: Frame) -> bool:
    if new.topic == was.topic:
        return bool(new.topic)
    small, large = sorted((new.topic, was.topic), key=len)
    if not small or not small < large or small & {"@i", "@we"}:
        return False
    if (
        new.head
        and was.head
        and new.head != was.head
        and not {new.head, was.head} <= new.content & was.content
    ):
        return False  # 'Sunniva is 26', 'Sunniva's fee is 4000'; but 'Timo has his lesson', 'Timo's lesson'
    extra = large - small
    return not (extra & (new.names | was.names)) and len(extra) <= 2


def updates(new: Frame, was: Frame, signals: Signals) -> bool:
    """The same topic and verb with another value, where only one can hold or the words tell of a change."""
    if new.negative != was.negative:
        return False
    if _absent(new) != _absent(was):
        return False  # 'Joy is off sick till the 20th' ends none of her days
    if _role_swapped(new, was):
        return signals.strong or signals.weak
    if not _topics_match(new, was):
        return False
    if new.topic == was.topic and not new.topic & {"@i", "@we"} and _set_for(new, was, signals):
        return new.value != was.value
    if not same_attribute(new, was):
        return False
    be = {"be", ""}
    moved = bool(new.numbers) == bool(was.numbers) and (new.changed or (bool(new.numbers) and new.verb in be))
    if new.verb != was.verb and not (new.verb in be and was.verb in be) and not moved:
        return False
    if new.value == was.value:
        return False
    cue = signals.strong or signals.weak or new.changed
    if new.numbers and was.numbers and set(new.numbers) != set(was.numbers):
        if cue and new.topic == was.topic and not new.topic & {"@i", "@we"} and _dated(new) and _dated(was):
            return True
        told = bool(set(new.rest) & set(was.rest) or not new.rest or not was.rest)
        return _comparable(new, was) or (cue and told)
    exact = new.topic == was.topic and not new.topic & {"@i", "@we"}
    if exact and new.changed and new.verb != was.verb and set(new.rest) & set(was.rest):
        return True
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


def _absent(f: Frame) -> bool:
    """Whether somebody is said to be away for a while."""
    return not _away().isdisjoint(f.rest)


@cache
def _away() -> frozenset[str]:
    return frozenset(map(stem, load("revision")["absent"].split()))


_NEUTRAL = frozenset({"be", "", "take", "happen", "meet", "hold", "run", "fall", "schedul", "schedule"})


def _set_for(new: Frame, was: Frame, signals: Signals) -> bool:
    """'The review takes place on Mondays' and 'it's Wednesdays now': another day, whatever verb tells it."""
    cue = signals.strong or signals.weak or new.changed
    return cue and (new.verb in _NEUTRAL or was.verb in _NEUTRAL) and _dated(new) and _dated(was)


def restated(new: Frame, was: Frame, signals: Signals) -> bool:
    """The whole old topic comes back with another figure ('they want 400 as deposit for the hall now')."""
    cued = signals.strong or signals.weak or new.changed
    if not cued or new.negative or not new.numbers or not was.numbers:
        return False
    topic = was.topic - {"@i", "@we"} - GENERIC
    if not topic and new.changed:  # 'we rent the unit for 640', 'the landlord has put the unit up to 715'
        topic = frozenset(was.rest) - GENERIC
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


def retargets(new: Frame, was: Frame, signals: Signals) -> bool:
    """Another figure for an open goal: 'make that 15 customers', 'the packaging target moves to 60 kilos'."""
    if not new.numbers or set(new.numbers) == set(was.numbers) or not was.numbers:
        return False
    if new.verb in ("have", "get"):
        return False  # 'I've got 8 pupils now' tells how far one is
    own = new.content - frozenset(new.numbers) - _GOAL_WORDS - {"prefer"}
    shared = own & was.content
    if new.content & _GOAL_WORDS and (new.changed or signals.strong or signals.weak):
        return bool(shared) and len(shared) >= 0.5 * len(own)
    return signals.strong and bool(shared) and len(shared) >= 0.8 * len(own)


_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")


def _dated(f: Frame) -> bool:
    return any(n in MONTHS or n in WEEKDAYS or ":" in n or _ORDINAL.fullmatch(n) for n in f.numbers) or any(
        s in WEEKDAYS for s in f.rest
    )


def aligned(new: Frame, was: Frame, signals: Signals) -> bool:
    """Sentences of a language without a grammar here: the same words but for one place."""
    if new.verb or was.verb or new.negative != was.negative or _absent(new) != _absent(was):
        return False
    a, b = frozenset(new.rest), frozenset(was.rest)
    common = len(a & b)
    if new.numbers and was.numbers and set(new.numbers) != set(was.numbers):
        return common >= 1 and (
            common >= 0.6 * len(a | b)
            or ((signals.strong or signals.weak) and common >= 0.5 * min(len(a), len(b)))
        )
    if common == 1 and max(len(a), len(b)) > 2 and a & b <= new.names | was.names:
        return False  # 'Karl bringt den Grill mit' and 'Karl ist krank' only speak of the same man
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


_TASTES = listed("prefer hate dislike detest loathe enjoy adore avoid")


def flipped(new: Frame, was: Frame) -> bool:
    """The same said with and without its negation, or liked that was disliked."""
    if {new.verb, was.verb} <= _TASTES and new.verb != was.verb and new.topic == was.topic:
        return bool(new.rest) and set(new.rest) == set(was.rest)
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


def ended(new: Frame, was: Frame) -> bool:
    """'Nadia stepped down as treasurer' ends 'Nadia is our treasurer'."""
    if (
        new.verb not in verbs_of("ending")
        or new.negative
        or was.negative
        or new.topic != was.topic
        or was.numbers
    ):
        return False
    left = frozenset(was.rest)
    return bool(left) and left <= frozenset(new.rest) and new.verb != was.verb


def called_off(new: Frame, was: Frame) -> bool:
    """'The operation has been postponed': whatever day it was to be, it is not."""
    if new.verb not in verbs_of("called_off") or new.negative or was.negative or new.numbers or new.changed:
        return False
    return bool(new.topic) and new.topic == was.topic and frozenset(new.rest) <= {"off"} and _dated(was)


_EXCEPTED = re.compile(
    r"(?i)\b(?:on|at|in|during|for|over) (?:(?:the|public|school|bank) )?"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends?|holidays|winter|summer|spring|autumn|members|"
    r"children|kids|students|pensioners|seniors|groups|christmas|easter)\b"
    r"|\b(?:en (?:verano|invierno|été|hiver)|im (?:sommer|winter)|mittwochs|"
    r"(?:mon|diens|donners|frei|sams|sonn)tags|le (?:week-end|dimanche|samedi)|"
    r"los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos))\b"
)


def is_exception(new: str, was: str, *, cued: bool) -> bool:
    """'The gate shuts at 21:00 on Sundays' leaves 'the gate closes at 22:00' in force for the other days."""
    if cued:
        return False
    theirs = {m[0].lower() for m in _EXCEPTED.finditer(was)}
    return any(m[0].lower() not in theirs for m in _EXCEPTED.finditer(new)) and not theirs


def other_agent(new: Frame, was: Frame, signals: Signals) -> bool:
    """The same duty or place with another agent ('Dunja handles the payroll now')."""
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


def names_old(new: Frame, was: Frame, old: frozenset[str]) -> bool:
    """The words name the old value as over (`old`: its stems)."""
    if not old:
        return False
    values = was.content | frozenset(was.numbers)
    habit = was.verb in verbs_of("habitual") and old == frozenset(was.rest)
    whole = (old == values or habit) and bool(
        was.topic & {"@i", "@we"}
    )  # 'from law to botany', and 'I study law'
    mine = was.topic & new.topic & {"@i"} and {new.verb, was.verb} <= {"be", ""}
    if mine and was.rest and old == frozenset(was.rest[: len(old)]):
        return True  # 'I'm a dispatcher now, not a paramedic any more', and 'I'm a paramedic with the crew'
    return old <= values and (whole or bool((new.content - old) & was.content) or bool(old & was.names))


_JOINED = re.compile(r"(?i)\s(?:and|und|y|e|et)\s|,")


def one_of_several(old: frozenset[str], content: str) -> bool:
    """Whether what is over is one of several that a claim names: 'I sold the Saab', 'I have a Honda and a
    Saab'."""
    parts = [
        {stem(word) for word in content_words(part)} | content_words(part) for part in _JOINED.split(content)
    ]
    within = [part for part in parts if part & old]
    return len(parts) > 1 and len(within) == 1 and any(part - old for part in parts if part is not within[0])


def stands_in(new: Frame, was: Frame, absent: frozenset[str], signals: Signals) -> bool:
    """'Kajsa's on leave, Moritz orders the flour': the same but for what cannot serve now. Of what follows
    ('oak is too dear, so the pews will be larch') the same topic is enough."""
    shared = (new.content & was.content) - absent - GENERIC
    least = min(len(new.content), len(was.content))
    follows = signals.weak and bool(new.topic) and new.topic <= was.content
    alike = bool(shared) and 2 * len(shared) >= least
    return bool(absent & was.content - new.content) and (alike or follows)


def corrects(new: Frame, was: Frame, shared: frozenset[str], score: float, *, least: float) -> bool:
    """A spoken correction about the same topic; `least`: the share of words that must be shared."""
    if not new.topic & was.content and not was.topic & new.content and shared <= {new.verb, stem(new.verb)}:
        return False  # 'the display didn't arrive' and 'the tubes arrived'
    topical = shared & (new.topic | was.topic) or shared
    if not shared - (new.topic & was.topic) - {"prefer"} and not same_attribute(new, was):
        return False  # nothing in common but whom they speak of
    mine, theirs = new.topic & new.names, was.topic & was.names
    if mine and theirs and mine.isdisjoint(theirs) and not shared & frozenset(new.rest) & frozenset(was.rest):
        return False
    persons = {"@i", "@we"}
    left_new, left_was = new.topic - was.content - persons, was.topic - new.content - persons
    if left_new and left_was and new.topic & was.topic:
        return False
    subject = new.topic - persons - GENERIC
    return bool(topical) and (score >= least or (bool(subject) and subject <= was.content))
