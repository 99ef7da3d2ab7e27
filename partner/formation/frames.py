"""What a proposition is about: topic, attribute, value. Derived from the words alone, the same for every
wording.

Two propositions are compared on these, never on similarity: 'Marek handles the payroll' and 'The payroll is
handled by Dunja' have the same attribute (handle the payroll) and another agent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from partner.formation.calendar_words import MONTHS, WEEKDAYS
from partner.formation.grammar import PREPOSITIONS, finite
from partner.formation.held import held
from partner.formation.languages import cues_for
from partner.formation.plain import plain, unannounced
from partner.formation.relative import main_clause
from partner.formation.replaced import old_value
from partner.formation.stems import ALIASES, LIGHT, NEGATIONS, content_stem, stem
from partner.formation.verbs import COPULA, form_of, lemma
from partner.formation.words import Word, has_cjk, listed, words

RESPONSIBLE = listed(
    "handle lead keep write maintain approve represent teach coach edit chair host moderate "
    "cook sign mow prepare plan run"
)
_CHANGE = listed("""raise lower change move push shift increase decrease reduce cut postpone reschedule
bring extend set rename switch bump
    adjust correct update go rise drop fall slip relocate transfer put migrate convert revert upgrade
    downgrade amend alter swap lift climb jump sink shrink grow advance delay hand""")
_COUNTS = listed(
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty "
    "fifty hundred noon midnight"
)
_DRIFT = listed(
    "go rise drop fall slip bring put climb jump sink shrink grow hand"
)  # a change only with a figure or a 'from'
_MOVES = listed("move relocate transfer shift go migrate")  # of itself: to another place
_SOON = listed("today tomorrow week weekend month year")
_PLACES = listed("in at behind under beside above below near next inside outside with on between opposite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """`topic`: stems of the subject; `verb`: its lemma ('be' for the copula and for 'label: value');
    `rest`: stems after it; `numbers`: figures, dates and times as written; `old`: stems of a value said to
    be over.
    """

    topic: frozenset[str]
    verb: str
    rest: tuple[str, ...]
    numbers: tuple[str, ...]
    negative: bool
    place: bool
    names: frozenset[str]
    content: frozenset[str]
    changed: bool = False
    old: frozenset[str] = frozenset()
    head: str = ""  # stem of the topic's noun
    article: bool = False  # the value is 'the' or 'a' something
    labelled: bool = False  # written as 'label: value'

    @property
    def attribute(self) -> str:
        return f"{self.verb}:{'number' if self.numbers else 'place' if self.place else 'value'}"

    @property
    def value(self) -> frozenset[str]:
        return frozenset(self.rest) | frozenset(self.numbers)


@lru_cache(maxsize=4096)
def frame(text: str) -> Frame:
    """The frame of one proposition (any language; verbs are found in English only)."""
    stop = cues_for(text).stop
    old = old_value(text, stop)
    text = main_clause(unannounced(text))
    tokens = words(plain(text))
    label = _label(text)
    duty = _DUTY.match(label[0]) if label is not None else None
    if label is not None and duty is not None:
        return _build(words(label[1]), "handle", words(label[0][duty.end() :]), stop, old=old)
    if label is not None:
        return replace(_build(words(label[0]), "be", words(label[1]), stop, old=old), labelled=True)
    found = finite(tokens) if not has_cjk(text) and cues_for(text).code == "en" else None
    if found is None:
        return _build([], "", tokens, stop, old=old)
    subject, verb, rest = tokens[found.subject : found.verb], tokens[found.verb], tokens[found.verb :]
    return _oriented(subject, verb, rest, old, stop)


_NO_GRAMMAR = frozenset(("de", "es", "fr"))

# 'In charge of the lighting desk: Samir'
_DUTY = re.compile(r"(?i)(?:in charge of|responsible for|taking care of|looking after|handling|on duty for) ")


def _label(text: str) -> tuple[str, str] | None:
    match = re.match(r"^([^:.!?]{2,60}?)\s*[:：]\s+(\S.*)$", plain(text))
    if not match or finite(words(match[2])) is not None:
        return None
    if cues_for(text).code in _NO_GRAMMAR and min(len(words(match[1])), len(words(match[2]))) >= 3:
        return None  # two statements, as far as can be told: 'La cosecha se adelanta: empieza el 3'
    return match[1], match[2]


def _oriented(
    subject: Sequence[Word], verb: Word, rest: Sequence[Word], old: frozenset[str], stop: frozenset[str]
) -> Frame:
    lows = [t.low for t in rest]
    main = _main_verb(rest)
    passive = _passive(lows)
    if passive is not None:
        participle, by = passive
        duty = _duty(rest[by + 1 :], [*rest[participle:by], *subject])
        if duty is not None:  # 'the pump is looked after by Oskar'
            return _build(duty[0], "handle", duty[1], stop, old=old, negative=_negative(rest[:participle]))
        return _build(
            rest[by + 1 :],
            lemma(lows[participle]),
            [*subject, *rest[participle + 1 : by]],
            stop,
            old=old,
            negative=_negative(rest[:participle]),
        )
    if lows[0] in COPULA and (level := _LEVEL.match(" ".join(lows))):
        return _build(
            subject, "be", rest[len(level[0].split()) :], stop, old=old, changed=True, negative=False
        )
    change = _change(subject, rest, main)
    if change is not None:
        gone = frozenset(change[2])
        moved = lemma(lows[main]) in _MOVES
        return _build(
            change[0], "be", change[1], stop, old=old | gone, changed=True, negative=False, moved=moved
        )
    if main >= 0 and lemma(lows[main]) == "belong" and "to" in lows[main + 1 : main + 2]:
        return _build(rest[main + 2 :], "own", subject, stop, old=old, negative=_negative(rest))
    if (
        main >= 0
        and lows[0] in COPULA
        and lows[main] in ("assigned", "given")
        and "to" in lows[main + 1 : main + 2]
    ):
        return _build(rest[main + 2 :], "own", subject, stop, old=old, negative=_negative(rest))
    if (own := held(subject, rest)) is not None:
        return _build(own[0], "be", own[1], stop, old=old)
    placed = _placed(rest, main)
    if placed is not None:
        return _build(placed[0], "be", placed[1], stop, old=old, changed=True, negative=False)
    duty = _duty(subject, rest)
    if duty is not None:
        return _build(duty[0], "handle", duty[1], stop, old=old, negative=_negative(rest[:3]))
    after = rest[main + 1 :] if main >= 0 else rest[1:]
    name = lemma(lows[main]) if main >= 0 else lemma(verb.low)
    return _build(
        subject,
        "be" if name in {"be", "'s", "'re", "'m", "become"} or lows[max(main, 0)] in COPULA else name,
        after,
        stop,
        old=old,
        negative=_negative(rest) or _negative(subject),
        changed=name == "become",
    )


_BETWEEN = listed("""not now also always never just still only usually been going to be really all longer no
    rather again""")
_LEVEL = re.compile(r"\S+ (?:now |already )?(?:down|up) to(?= \S*\d)")  # 'the club is down to 52 members'
_MODALS = listed("will 'll would 'd must may can could should shall")
_HELPERS = _MODALS | listed("""do does did don't doesn't didn't won't can't mustn't cannot have has had 've
haven't
    hasn't""")


def _main_verb(rest: Sequence[Word]) -> int:
    """Index of the full verb behind auxiliaries; the copula itself when nothing else follows."""
    first = rest[0].low
    for at, token in enumerate(rest[1:6], 1):
        low = token.low
        if low in _BETWEEN or low.endswith("ly"):
            continue
        passive = any(t.low == "be" for t in rest[1:at])  # 'will be rust' rusts nothing
        if first in _HELPERS and form_of(low) in (("past", "ing") if passive else ("base", "past")):
            return at
        stands = first in COPULA or any(t.low == "been" for t in rest[:at])
        if stands and form_of(low) in ("past", "ing") and low not in ("left", "set" if at > 3 else ""):
            return at
        break
    if first in _MODALS:
        return next((i for i, t in enumerate(rest[:5]) if t.low in ("be", "have", "get")), 0)
    return 0


def _passive(lows: list[str]) -> tuple[int, int] | None:
    """(participle, 'by') of 'is handled by Ruth'; None when the agent is no agent ('by 30 June')."""
    if lows[0] not in COPULA | {"will", "'ll", "has", "gets", "must"} or "by" not in lows:
        return None
    by = lows.index("by")
    participle = next((i for i in range(by - 1, 0, -1) if form_of(lows[i]) == "past"), -1)
    if (
        participle < 1
        or by + 1 >= len(lows)
        or lows[by + 1][:1].isdigit()
        or lows[by + 1] in MONTHS
        or lows[by + 1] in WEEKDAYS
    ):
        return None
    return participle, by


def _change(
    subject: Sequence[Word], rest: Sequence[Word], main: int
) -> tuple[Sequence[Word], Sequence[Word], list[str]] | None:
    """(topic, new value, old stems) of 'we've lowered X (from A) to B' and 'X moves to B'."""
    if main < 0 or lemma(rest[main].low) not in _CHANGE:
        return None
    after = rest[main + 1 :]
    lows = [t.low for t in after]
    to = next(
        (
            i
            for i in range(len(lows) - 1, -1, -1)
            if lows[i] in ("to", "till", "until") and lows[i - 1] not in ("next", "close")
        ),
        -1,
    )
    if to < 0 or to + 1 >= len(after):
        return None
    drifts = lemma(rest[main].low) in _DRIFT and "from" not in lows
    if drifts and not any(
        t.number or t.low in WEEKDAYS or t.low in MONTHS or t.low in _SOON for t in after[to + 1 : to + 4]
    ):
        return None
    source = lows.index("from") if "from" in lows[: to + 1] or "from" in lows else -1
    topic = after[: min(i for i in (source, to) if i >= 0)]
    topic = topic[
        : next((i for i, t in enumerate(topic) if t.low == "by"), len(topic))
    ]  # 'slips by a week, to'
    topic = [
        t
        for t in topic
        if t.low not in ("again", "now", "back", "up", "down", "forward", "once", "more", "over", "out")
    ]
    old = (
        [stem(t.low) for t in after[source + 1 : to]]
        if 0 <= source < to
        else [stem(t.low) for t in after[source + 1 :]]
        if source > to
        else []
    )
    value = after[to + 1 :] if source < to else after[to + 1 : source]
    if not topic and rest[0].low in COPULA and lemma(rest[main].low) == "set":
        return None
    return (topic or subject), value, old


def _placed(rest: Sequence[Word], main: int) -> tuple[Sequence[Word], Sequence[Word]] | None:
    """(object, place) of 'I put the spare fuse in the tool box': where the object is from now on."""
    if main < 0 or lemma(rest[main].low) not in {"put", "store", "leave", "hang", "hide"}:
        return None
    after = rest[main + 1 :]
    at = next((i for i, t in enumerate(after) if t.low in _PLACES), -1)
    return (after[:at], after[at:]) if at > 0 else None


def _duty(subject: Sequence[Word], rest: Sequence[Word]) -> tuple[Sequence[Word], Sequence[Word]] | None:
    """(agent, object) of 'is responsible for', 'is in charge of', 'takes care of', 'looks after', 'are
    Ravi's responsibility'."""
    text = " ".join(t.low for t in rest)
    match = re.search(
        r"^(?:is|are|'s|will be|'ll be|takes?|taken|look(?:s|ed)?|took|has|have|'ve|has taken|have taken|"
        r"steps|"
        r"stepped)"
        r"(?: now| also)? (?:responsible "
        r"for|in charge of|care of|after|over|charge of|responsibility for|taken over|in for) ",
        text + " ",
    )
    if match:
        count = len(match[0].split())
        return subject, rest[count:]
    if lowered := [
        i
        for i, t in enumerate(rest)
        if (t.low in ("responsibility", "job", "duty", "task") and i > 1 and rest[i - 1].low in ("'s",))
        or (t.low == "responsibility" and i > 0)
    ]:
        agent = [t for t in rest[1 : lowered[0]] if t.low != "'s"]
        return agent, subject
    return None


def _negative(tokens: Sequence[Word]) -> bool:
    lows = [t.low for t in tokens]
    return sum(low in NEGATIONS for low in lows) % 2 == 1


def _build(
    topic: Sequence[Word],
    verb: str,
    rest: Sequence[Word],
    stop: frozenset[str],
    *,
    old: frozenset[str] = frozenset(),
    negative: bool | None = None,
    changed: bool = False,
    moved: bool = False,
) -> Frame:
    topic_stems = _stems(topic, stop)
    body = _cut_reason(rest)
    numbers = tuple(
        t.low.rstrip(".")
        for t in body
        if t.number or t.low in MONTHS or t.low in WEEKDAYS or t.low in _COUNTS
    )
    stems = tuple(s for t in body if t.low.rstrip(".") not in numbers and (s := content_stem(t, stop)))
    lows = [t.low for t in body]
    named = [t for t in [*topic, *body] if t.capital and t.low not in stop and t.low not in numbers]
    alone = [t for t in topic if t.low not in stop]
    noun = next((t for t in reversed(_bare_phrase(topic)) if t.low not in stop), None)
    names = frozenset(stem(t.low) for t in named if t.start > 0 or (len(alone) == 1 and alone[0] is t))
    verb = ALIASES.get(verb, verb)
    return Frame(
        topic=topic_stems,
        verb=verb,
        rest=stems,
        numbers=numbers,
        negative=_negative(rest) if negative is None else negative,
        place=(moved or (bool(lows) and lows[0] in _PLACES)) and not numbers,
        head=stem(noun.low) if noun else "",
        article=bool(lows) and lows[0] in ("the", "a", "an"),
        names=names,
        content=frozenset(stems)
        | frozenset(numbers)
        | topic_stems - {"@i", "@we"}
        | ({ALIASES.get(verb, stem(verb))} if verb and verb not in LIGHT else frozenset()),
        changed=changed,
        old=old,
    )


def _bare_phrase(topic: Sequence[Word]) -> Sequence[Word]:
    """A phrase without what hangs on it ('the key of the shed': the key)."""
    return topic[: next((i for i, t in enumerate(topic) if i and t.low in PREPOSITIONS), len(topic))]


def _cut_reason(rest: Sequence[Word]) -> Sequence[Word]:
    for at, token in enumerate(rest):
        if (
            at
            and token.low in ("because", "since", "so", "otherwise")
            and not (token.low == "since" and at + 1 < len(rest) and rest[at + 1].number)
        ):
            return rest[:at]
    return rest


def _stems(tokens: Sequence[Word], stop: frozenset[str]) -> frozenset[str]:
    found = {s for t in tokens if (s := content_stem(t, stop, topic=True))}
    if not found and tokens:
        first = tokens[0].low
        found = {"@i"} if first in ("i", "me") else {"@we"} if first in ("we", "us") else set()
    return frozenset(found)
