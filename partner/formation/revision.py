"""A correction that gives the new value alone ('Make that 350.', 'No wait, ash.', 'Move the talk to
Friday.').

The claim it corrects, the last one formed or the one whose topic it names, is said again with that value in
the old one's place (`placing`). Where no place is certain, nothing is revised. Words:
`configs/formation/revision.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from partner.formation.data import load
from partner.formation.frames import frame
from partner.formation.grammar import finite, imperative
from partner.formation.languages import cues_for
from partner.formation.model import Context
from partner.formation.overlay import Overlay
from partner.formation.placing import MAX_VALUE_WORDS, put
from partner.formation.topics import content_words, spoken_words
from partner.formation.values import kind_of
from partner.formation.verbs import COPULA
from partner.formation.words import words
from store.model import Authority, Engram, EngramType, Klass

_VALUE = r"(?P<v>(?:number |no\.? |room |at |on |to )?[€$£]?[\w:.,/-]+(?: (?:of )?[\w%€$£]+){0,2})"
_NAMED = re.compile(
    r"(?i)^(?:please |let['’]s |now |then |can you |could you )*(?:(?:change|move|shift|push|extend|shorten|"
    r"update|reschedule|postpone|bring forward)|"
    r"(?P<sets>bump|set|raise|lower|cut|reduce|increase|adjust|put|switch)) (?P<t>(?:the|our|"
    r"my) [\w' -]{2,40}?)"
    r"(?: back| up| down| forward| out)? (?:to|at|until) " + _VALUE + r"(?: instead| please| then|"
    r" after all| now)*[.!]*$"
)
_FIGURES = re.compile(
    r"(?i)\b(?:price|fee|rate|rent|charge|cost|limit|budget|deadline|date|day|time|hour|start|end|duration|"
    r"length|"
    r"target|goal|quota|salary|wage|deposit|allowance|minimum|maximum|fare|tariff|meeting|appointment|"
    r"call)s?$"
)
MAX_FIGURE_WORDS = 3  # 'le 13 mars': no verb, whatever its words look like in English
_SUBJECT = re.compile(r"(?i)^(?:it|he|she|they|that)(?=['’\s])")
# 'It's the 25th now', 'it's 40, not 30', 'channel 77 instead of 72': a figure said without an opener.
_NOW_IS = re.compile(
    r"(?i)^(?:it|that)(?:['’]s| is| will be) (?:now |actually )?(?:the |on |"
    r"at )?(?P<v>[^,;:]{1,30}?)(?: now)?[.!]*$"
)
# '8 kilos, actually', 'Karl, I meant', 'not under the sink - behind the machine'.
_BEHIND = re.compile(
    r"(?i)^(?P<v>[^,;:]{1,40}?), (?:actually|sorry|i meant?|rather|i should (?:say|have said)|correction|"
    r"i (?:misread|misheard|miscounted|mistyped|misremembered|got (?:it|that) wrong|was wrong)(?: it| that)?)"
    r"[.!]*$"
)
_NOT_BUT = re.compile(
    r"(?i)^not (?P<old>[^,;:–—]{2,30}?)(?:[,;:]| [-–—]+) (?:but )?(?P<v>[^,;:]{1,40}?)[.!]*$"
)
# 'They've brought it forward to 28 March', 'it's been moved to 15:00', '80 now!'.
_MOVED_IT = re.compile(
    r"(?i)^(?:(?:they|we|i|he|she|(?!it\b)[\w'’]+(?: [\w'’]+)?)(?:['’](?:ve|s|d)| have| has| had)? (?:\w+ )?"
    r"(?:moved|brought|pushed|put|shifted|postponed|rescheduled|changed|raised|lowered) (?:it|that|this)|"
    r"it(?:['’]s| has| is| was)? (?:now |just )?(?:been )?"
    r"(?:moved|brought|pushed|put|shifted|postponed|rescheduled|"
    r"changed|raised|lowered))(?: forward| back| up| down)? to (?P<v>[^,;:]{1,30}?)"
    r"(?: now| instead|,? same (?:time|place|day))*[.!]*$"
)
_V_NOW = re.compile(
    r"(?i)^(?:(?:it['’]s |i['’]m |we['’]re |now |already )*(?:down|up|back) to )?"
    r"(?P<v>[€$£]?\d[\d.,:]*(?: [a-z€%]+)?) (?:now|as of today|these days)[.!]*$"
)
# 'Scrap Cork, it's in Galway.'
_DROPS = re.compile(
    r"(?i)^(?:scrap|scratch|forget|strike|drop|not) (?P<old>[^,;:–—]{2,30}?)(?:[,;:]| [-–—]+) "
    r"(?P<v>[^,;:]{1,40}?)[.!]*$"
)
# 'They can't do the 14th, it's the 16th.'
_CANNOT = re.compile(
    r"(?i)^(?:they|he|she|we|i|[a-z]+) (?:can['’]t|cannot|can not|couldn['’]t) "
    r"(?:do |make |manage |on )+(?P<old>[^,;:–—]{2,30}?)(?:[,;]| [-–—]+) (?:so |but |and )?"
    r"(?:let['’]s (?:do|say|take|make it|have it on) |make it |we(?:['’]ll)? do )?(?P<v>[^,;:]{1,40}?)[.!]*$"
)
_GOAL_IS = re.compile(
    r"(?i)^(?:the |our |my )?(?:new )?(?:target|goal|aim|objective)(?:['’]s| is) (?:now )?"
    r"(?P<v>[^,;:]{1,30}?)(?: now)?[.!]*$"
)
_FOR_OLD = re.compile(
    r"(?i)^(?P<v>[^,;:]{1,30}?)(?:,? (?:instead of|rather than)|, not) (?P<old>[^,;:]{1,30}?)(?: please|"
    r" now)*[.!]*$"
)


@dataclass(frozen=True, slots=True)
class Revision:
    """`target` is superseded by `text`, the same words with the new value."""

    target: Engram
    text: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A new value said alone; `sure` when its opener says that what stood before is wrong."""

    value: str
    sure: bool


def revise(sentence: str, holds: Overlay, context: Context) -> Revision | None:
    """What a bare correction revises, or None."""
    named = _NAMED.match(sentence)
    if named:
        return _by_topic(named, holds)
    goal = _GOAL_IS.match(sentence)
    if goal and kind_of(goal["v"]) and re.search(r"(?i)\b(?:now|new)\b", sentence):
        return _only_goal(goal["v"], holds)
    said = bare(sentence)
    if said is None:
        return None
    own = holds.own()
    recent = sorted((e for e in holds.recent(30) if e.id in context.formed), key=lambda e: -e.seq)
    for near in (own[:1], own[1:], recent) if own else (recent,):
        fitting = [
            Revision(e, text)
            for e in near
            if may_change(e, rules=said.sure) and (text := _corrected(e, said))
        ]
        alike = _of_unit(fitting, said.value)
        if len(alike or fitting) == 1:
            return (alike or fitting)[0]
        if fitting:
            return None
    return None


def _by_topic(named: re.Match[str], holds: Overlay) -> Revision | None:
    value = named["v"]
    if not kind_of(value) or (named["sets"] and not _FIGURES.search(named["t"])):
        return None  # 'Set the oven to 240 degrees' is an order, whatever is known of the oven
    topic = content_words(named["t"])
    found = [e for e in holds.about(spoken_words(named["t"])) if topic and topic <= frame(e.content).topic]
    fitting = [
        Revision(e, text) for e in found if may_change(e) and (text := put(e.content, value, sure=True))
    ]
    return next(iter(_of_unit(fitting, value) or fitting), None)


def _only_goal(value: str, holds: Overlay) -> Revision | None:
    """'The target's 800 now', where one open goal alone has a figure of that kind."""
    goals = [e for e in holds.recent(30, Klass.OBJECTIVE) if e.metadata.get("status", "open") == "open"]
    fitting = [
        Revision(e, text) for e in goals if may_change(e) and (text := put(e.content, value, sure=True))
    ]
    unit = content_words(re.sub(r"\S*\d\S*", "", value))
    return fitting[0] if len(fitting) == 1 and unit <= content_words(fitting[0].target.content) else None


def _of_unit(fitting: Sequence[Revision], value: str) -> list[Revision]:
    """Those that count in the unit of the value ('15 customers')."""
    unit = content_words(re.sub(r"\S*\d\S*", "", value)) if kind_of(value) else frozenset[str]()
    return [r for r in fitting if unit & content_words(r.target.content)] if unit else []


def _corrected(engram: Engram, said: Correction) -> str:
    """The claim with the value. A value with a verb of its own ('it gets in at 11:45') corrects only a claim
    with
    that verb."""
    tokens = words(said.value)
    foreign = cues_for(engram.content).parting
    if foreign is not None and any(t.low in foreign.verbs for t in tokens[1:]):
        return ""  # 'Nein, Karl ist krank' is a sentence
    found = finite(tokens) if _SUBJECT.match(said.value) else None
    if found is None:
        return put(engram.content, said.value, sure=said.sure)
    if frame(said.value).verb != frame(engram.content).verb or tokens[found.verb].low in COPULA:
        return ""
    return put(engram.content, said.value[tokens[found.verb].end :], sure=said.sure)


def supplied(engram: Engram, value: str) -> str:
    """The claim that a retraction is about, with the value that was said in its place; '' where it has no
    place."""
    return put(engram.content, value, sure=True) if may_change(engram) else ""


def bare(sentence: str) -> Correction | None:
    """The value that a sentence gives as a correction of what was said before, or None."""
    rest, sure, opened = _opened(sentence)
    if opened:
        value = _value(rest)
        return Correction(value, sure) if value else None
    return _figure_alone(sentence)


def _figure_alone(sentence: str) -> Correction | None:
    behind = _BEHIND.match(sentence) or _NOT_BUT.match(sentence)
    if behind and (value := _value(behind["v"])) and not _SUBJECT.match(value) and not imperative(value):
        old = behind.groupdict().get("old")
        return Correction(f"{value}, not {old}" if old else value, sure=True)
    drops = _DROPS.match(sentence)
    if drops and (value := _value(drops["v"])) and not _SUBJECT.match(value) and not imperative(value):
        return Correction(f"{value}, not {drops['old']}", sure=True)
    cannot = _CANNOT.match(sentence)
    if cannot and (value := _value(cannot["v"])) and kind_of(cannot["old"]) and kind_of(value):
        return Correction(value, sure=True)
    moved = _MOVED_IT.match(sentence) or _V_NOW.match(sentence)
    if moved and kind_of(moved["v"]):
        return Correction(moved["v"], sure=True)
    now = _NOW_IS.match(sentence)
    if now and kind_of(now["v"]) and (re.search(r"(?i)\bnow\b", sentence) or now["v"][:1] in "€$£0123456789"):
        value = now["v"]
        return (
            Correction(value, sure=True) if finite(words(value)) is None and len(words(value)) <= 4 else None
        )
    for_old = _FOR_OLD.match(sentence)
    if for_old and finite(words(sentence)) is None and not imperative(sentence):
        return Correction(f"{for_old['v']}, not {for_old['old']}", sure=True)
    return None


def _opened(sentence: str) -> tuple[str, bool, bool]:
    """(what follows the openers, whether one of them is sure, whether there is any)."""
    rest, sure, opened = sentence.strip(), False, False
    for _ in range(5):
        if found := _sure().match(rest):
            rest, sure, opened = rest[found.end() :], True, True
        elif found := _light().match(rest):
            rest, opened = rest[found.end() :], True
        else:
            break
    return rest, sure, opened


def _value(rest: str) -> str:
    """A value, without what frames it ('it was 150'), or '' when it is something else that people say."""
    rest = _tail().sub("", rest.strip(" .!,;–—-")).strip(" .!,;")
    bared = _frame().sub("", rest, count=1)
    tokens = words(bared)
    if not tokens or len(tokens) > MAX_VALUE_WORDS + 3 or "?" in rest:
        return ""
    if _SUBJECT.match(bared) and finite(tokens) is not None:
        return bared
    if (
        _no_value().match(bared)
        or len(tokens) > MAX_VALUE_WORDS
        or not _verdicts().isdisjoint(t.low for t in tokens)
    ):
        return ""
    if finite(tokens) is not None and not (kind_of(bared) and len(tokens) <= MAX_FIGURE_WORDS):
        return ""
    return bared


def after_retraction(sentence: str) -> str:
    """The value that a retraction says in the place of what it takes back ('that's wrong, it was 150'), or
    ''."""
    head = re.match(r"[^,:;.!–—]{3,120}(?:[,:;.!–—]+|\s-)\s*", sentence)
    if not head:
        return ""
    rest = sentence[head.end() :].strip()
    rest = re.sub(r"(?i)^(?:no(?! longer)|actually|sorry|and|but|so|rather)[, ]+", "", rest)
    if re.match(r"(?i)that\b", rest):
        return ""  # '..., that was a different shop' tells why
    return _value(rest) if not _SUBJECT.match(_value(rest)) else ""


def within(sentence: str) -> str:
    """'We sail on Thursday - no, Friday.' as the sentence that it corrects itself to, or ''."""
    found = _inline().match(sentence)
    if (
        not found
        or finite(words(found["head"])) is None
        or (_MEANS.search(found["op"]) and _TERM.search(found["head"]))
    ):
        return ""
    value = _value(found["v"])
    if not value or _SUBJECT.match(value):
        return ""
    return put(found["head"].rstrip(" ,;–—-"), value, sure=_sure().match(found["op"]) is not None)


# 'Whenever I say blue folder, I mean the tenancy papers' corrects nothing.
_MEANS = re.compile(r"(?i)\b(?:mean|meine)\b")
_TERM = re.compile(r"(?i)\b(?:say|says|said|write|call|when|whenever|if|by|with|sage|wenn|mit)\b")


@cache
def _pattern(name: str) -> str:
    return re.sub(r"\s*\n\s*", "", load("revision")[name])


@cache
def _sure() -> re.Pattern[str]:
    return re.compile(rf"(?i)^(?:{_pattern('sure')})(?:[\s,:;.!–—-]+|$)")


@cache
def _light() -> re.Pattern[str]:
    return re.compile(rf"(?i)^(?:{_pattern('light')})(?:[\s]*[,:;.!–—-]+\s*|\s+(?={_pattern('sure')}))")


@cache
def _frame() -> re.Pattern[str]:
    return re.compile(rf"(?i)^(?:{_pattern('frame')})")


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?:{_pattern('tail')})$")


@cache
def _no_value() -> re.Pattern[str]:
    return re.compile(rf"(?i)^(?:{_pattern('no_value')})\b")


@cache
def _verdicts() -> frozenset[str]:
    return frozenset(load("revision")["verdicts"].split())


@cache
def _inline() -> re.Pattern[str]:
    return re.compile(
        rf"(?i)^(?P<head>.{{6,160}}?)\s*(?:[,;–—…]|\s-|\.\.\.)+\s*"
        rf"(?P<op>(?:(?:{_pattern('inline')})[\s,:;.!–—-]+)+)(?P<v>(?:[^,;:!?]|"
        rf":(?=\d)){{1,50}}?(?:, not [^,;:!?]{{1,30}})?)[.!]*$"
    )


def may_change(engram: Engram, *, rules: bool = False) -> bool:
    """Whether a correction may say this claim again: the operator's own word, a rule only with `rules`."""
    return (
        engram.provenance.authority is Authority.OPERATOR
        and (
            engram.klass in (Klass.CONCLUSION, Klass.DISPOSITION, Klass.OBJECTIVE)
            or (rules and engram.klass is Klass.PROHIBITION)
        )
        and engram.type is not EngramType.DIRECTIVE
    )
