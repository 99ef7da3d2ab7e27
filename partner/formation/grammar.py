"""The finite verb of an English clause and what stands before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from partner.formation.calendar_words import MONTHS, WEEKDAYS
from partner.formation.verbs import AUXILIARIES, COPULA, form_of
from partner.formation.words import Word, listed, words

DETERMINERS = listed("""the a an this that these those my your his her its our their some any no every each
all both few
    many several most another other such which whose what two three four five six seven eight nine
    ten""")
PREPOSITIONS = listed("""of in on at by for with from to into onto over under about behind beside besides
next near
    between among through during before after since until till against along across around above
    below beyond inside outside without within per via towards toward upon off out up down like than
    as""")
SUBJECT_PRONOUNS = listed(
    "i we you they he she it who someone somebody everyone everybody nobody anyone there"
)
ADVERBS = listed("""now then also still always usually often never ever just only already again soon really
actually
    currently normally generally typically mostly rarely seldom longer sometimes finally recently today
    tomorrow yesterday tonight officially temporarily permanently probably both all together no not
    even simply both""")
SUBORDINATORS = listed("""if when while whenever because since although though unless until once after
before as whereas
    whether which who whom whose that where wherever so than""")
_SUBJECT_FORMS = frozenset(["i", "we", "they", "he", "she", "you"])


@dataclass(frozen=True, slots=True)
class Finite:
    """Index of the finite verb among the words, and of the first word of its subject."""

    verb: int
    subject: int


def finite(tokens: Sequence[Word]) -> Finite | None:
    """The finite verb with a subject before it, or None (an imperative or a fragment has none)."""
    start = _skip(tokens)
    if tokens and tokens[0].low in _TOPICAL:
        start = next((i for i, t in enumerate(tokens) if t.low in SUBJECT_PRONOUNS), start)
    candidate: int | None = None
    for at in range(start + 1, len(tokens)):
        if _is_auxiliary(tokens, at):
            return Finite(at if candidate is None or _reduced(tokens, candidate, at) else candidate, start)
        if candidate is None and _is_verb(tokens, at, start):
            candidate = at
            if tokens[at - 1].low in SUBJECT_PRONOUNS or form_of(tokens[at].low) != "past":
                break
    if candidate is None:
        candidate = next((at for at in range(start + 1, len(tokens)) if _may_be_is(tokens, at)), None)
    return Finite(candidate, start) if candidate is not None else None


def _may_be_is(tokens: Sequence[Word], at: int) -> bool:
    """'The cellar's dry': where a clause has no other verb, a `'s` before its last words is 'is', unless it
    is a time's ('yesterday's bread') or a name's behind a verb that orders ('Bring Anna's keys').
    """
    if tokens[at].low != "'s" or at + 1 >= len(tokens) or tokens[at + 1].capital:
        return False
    owner = tokens[at - 1]
    ordered = at >= 2 and owner.capital and form_of(tokens[0].low) == "base"
    return owner.low not in _CLOSES_TIME and not ordered


def _skip(tokens: Sequence[Word]) -> int:
    """Past adverbs and a leading prepositional phrase of time or place ('From today, ...')."""
    at = 1 if len(tokens) > 2 and tokens[0].low == "right" and tokens[1].low == "now" else 0
    while at < len(tokens) - 1 and tokens[at].low in ADVERBS and tokens[at].low not in {"all", "both", "no"}:
        at += 1
    if tokens and tokens[0].low in _OPENS_TIME:
        for end in range(1, min(6, len(tokens) - 2)):
            if tokens[end].low in _CLOSES_TIME or tokens[end].number:
                return (
                    end + 1
                    if tokens[end + 1].low not in _CLOSES_TIME and not tokens[end + 1].number
                    else end + 2
                )
    return at


_TOPICAL = listed("for about regarding concerning re")  # 'For the labels you draft, ...'
_NO_PAST = listed(
    "need feed seed speed weed deed reed bleed breed shed sled red bed indeed hundred sacred naked wicked"
)
_SAID_WHEN = listed("yesterday today tonight this last again early late overnight twice")
_OPENS_TIME = listed("from as starting since by on in until after before next this")
_CLOSES_TIME = (
    frozenset(WEEKDAYS)
    | frozenset(MONTHS)
    | listed("today yesterday tonight tomorrow now week month year")
    | listed("morning evening afternoon spring summer autumn winter")
)


def _is_auxiliary(tokens: Sequence[Word], at: int) -> bool:
    low = tokens[at].low
    if low not in AUXILIARIES or (tokens[at].capital and low in {"may", "will"}):
        return False
    if low == "'s":
        before = tokens[at - 1].low
        after = tokens[at + 1].low if at + 1 < len(tokens) else ""
        return (
            before
            in {
                "it",
                "he",
                "she",
                "that",
                "there",
                "here",
                "who",
                "what",
                "this",
                "where",
            }
            or after
            in {
                "the",
                "a",
                "an",
                "not",
                "in",
                "on",
                "at",
                "been",
                "now",
                "still",
                "going",
                "off",
                "out",
                "got",
                "gone",
                "just",
                "already",
            }
            or _participle_closes(tokens, at + 1)
        )
    return not (low in {"must", "can", "will", "may"} and tokens[at - 1].low in DETERMINERS)


def _participle_closes(tokens: Sequence[Word], at: int) -> bool:
    """'Theo's swamped, so' and 'the hall's booked for', not 'Theo's painted fence'."""
    if at >= len(tokens) or form_of(tokens[at].low) not in ("past", "ing"):
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is None or after.low in PREPOSITIONS or after.start - tokens[at].end > 1


def _reduced(tokens: Sequence[Word], candidate: int, at: int) -> bool:
    """'The boat moored in dock is ours': the participle belongs to the subject."""
    if form_of(tokens[candidate].low) != "past" and form_of(tokens[candidate].low):
        return False
    between = tokens[candidate + 1 : at]
    return bool(between) and not any(
        t.low in SUBJECT_PRONOUNS or t.low in {"that", "and", "but"} for t in between
    )


def _is_verb(tokens: Sequence[Word], at: int, start: int) -> bool:
    low, before = tokens[at].low, tokens[at - 1]
    form = form_of(low) or _guessed(tokens, at)
    labelled = before.capital and len(before.text) == 1 and at - 1 > start  # 'Unit A uses ...'
    if not form or form == "ing" or before.low in PREPOSITIONS or before.low == "'s":
        return False
    if (before.low in DETERMINERS and not labelled) or (
        before.number and (at - 1 == start or tokens[at - 2].low in PREPOSITIONS | DETERMINERS)
    ):
        return False
    after = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if form == "base":
        subject = _head(tokens, at, start)
        return (
            subject in {"i", "we", "you", "they", "who"}
            or (
                subject.endswith("s")
                and not subject.endswith(("ss", "us", "is"))
                and after not in AUXILIARIES
            )
            or subject in {"people", "staff", "children", "men", "women", "police", "kids"}
            or _joined(tokens, start, at)
            or (low in _PAST_OR_PRESENT and _has_measure(tokens, at))
        )
    if form == "s":
        return not (
            after in AUXILIARIES
            or (
                form_of(after) in {"s", "base", "past"}
                and after not in PREPOSITIONS
                and not _object_like(after)
            )
        )
    return not (before.low in {"and", "or"} and at - 1 == start)


def _has_measure(tokens: Sequence[Word], at: int) -> bool:
    """'The sofa cost 400', 'the storm hit the pier': a past that looks like the base form."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    measured = after is not None and (after.number or after.low in DETERMINERS)
    return measured and tokens[at - 1].low not in ADVERBS


def _guessed(tokens: Sequence[Word], at: int) -> str:
    """The form of a verb that no list has ('Rui mends the nets', 'the pump sputtered')."""
    low, before = tokens[at].low, tokens[at - 1]
    after = tokens[at + 1].low if at + 1 < len(tokens) else ""
    closed = after in DETERMINERS or after in PREPOSITIONS or (at + 1 < len(tokens) and tokens[at + 1].number)
    named = before.capital or before.low in SUBJECT_PRONOUNS
    if (
        before.low in {"i", "we"}
        and at == 1
        and low not in ADVERBS
        and low.isalpha()
        and not low.endswith(("ly", "ed"))
    ):
        return "base"
    if low.endswith("s") and not low.endswith(("ss", "us", "is")) and len(low) > 3 and not tokens[at].capital:
        return "s" if closed and named and before.low not in DETERMINERS else ""
    if not low.endswith("ed") or len(low) <= 3 or low in _NO_PAST or tokens[at].capital:
        return ""
    when = after == "" or after in _SAID_WHEN  # 'the mare foaled yesterday'
    return "past" if closed or (when and at > 1 and tokens[at - 2].low in DETERMINERS) else ""


def _object_like(after: str) -> bool:
    """A base form that is far more often a noun after a verb ('handles support')."""
    return form_of(after) == "base"


def _joined(tokens: Sequence[Word], start: int, at: int) -> bool:
    """'Ana and Ben share the office', 'Kral & Son charge 140' (no word stands for the sign)."""
    subject = tokens[start:at]
    signs = (a.capital and b.start - a.end == len(" & ") for a, b in pairwise(subject))
    return tokens[at - 1].capital and (any(t.low == "and" for t in subject) or any(signs))


def _head(tokens: Sequence[Word], at: int, start: int) -> str:
    index = at - 1
    while index > start and (tokens[index].low in ADVERBS or tokens[index].low.endswith("ly")):
        index -= 1
    return tokens[index].low


def imperative(clause: str) -> bool:
    """Starts with a base form (after please, always, never, don't)."""
    tokens = words(clause)
    at = 0
    while at < len(tokens) and tokens[at].low in ADVERBS | {"please", "kindly", "don't", "do", "not"}:
        at += 1
    if at >= len(tokens):
        return False
    low = tokens[at].low
    return form_of(low) == "base" and not (at + 1 < len(tokens) and tokens[at + 1].low in AUXILIARIES)


_PAST_AUXILIARIES = listed("was were had did didn't couldn't could wasn't weren't hadn't")
_PAST_OR_PRESENT = listed("put cut set cost read let hit shut")


def in_past(text: str) -> bool:
    """Whether the main verb of an English clause is in the past."""
    tokens = words(text)
    found = finite(tokens)
    if found is None:
        return False
    low = tokens[found.verb].low
    plain = form_of(low) == "past" and low not in AUXILIARIES and low not in _PAST_OR_PRESENT
    return low in _PAST_AUXILIARIES or plain


def is_clause(text: str) -> bool:
    """Has a subject and a finite verb of its own."""
    return finite(words(text)) is not None


__all__ = ["COPULA", "DETERMINERS", "Finite", "finite", "imperative", "in_past", "is_clause"]
