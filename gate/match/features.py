"""What there is to see between a rule and a clause that asks for something, as numbers.

Nothing here decides. Every number is a count, a share or a grade from words that are said: what the clause is
(an order, a wish, a polite question), how much of the rule's gist it names and how well, whether its act is
the rule's, and what speaks against it. gate/match/asking.py weighs them; SEMANTICS.md names each.
"""

from __future__ import annotations

from dataclasses import dataclass

from gate.constraint import Constraint, Part
from gate.language.reading import Reading
from gate.match.acts import SURE, declines
from gate.match.region import Region
from gate.match.signs import (
    Places,
    TextSigns,
    clause_signs,
    region_places,
    small_words,
    text_signs,
)
from gate.match.view import TextView
from gate.taxonomy import covers, near

PLAIN, TOUCH, ALIGNED = 0.8, 0.45, 0.75  # grades: said plainly, touched, the same word for all purposes
FEATURES = (
    *("order", "wish", "weak", "polite", "verb_first", "to_you"),
    *("act", "act_sure", "object", "act_object", "act_gist", "covered", "family", "declines", "undoes"),
    *("other_act_gist", "order_gist", "region_gist", "region_plain", "own_most", "own_touched", "near_gist"),
    *("near_most", "text_most", "name_unsaid", "own_name", "sentence_plain", "denied_gist", "denied_word"),
    *("other_kind", "same_kind", "time_met", "limit_passed", "value_named"),
    *(
        "text_refrains",
        "text_undoes",
        "text_records",
        "text_past",
        "text_chat",
        "text_chat_share",
        "text_mine",
    ),
    *("text_questions", "own_words", "soft", "act_alone"),
)
_UNDOING = frozenset(
    ("cancel", "delete", "remove", "refund", "give_back", "reject", "repair", "stop", "change", "discard")
) | {"refrain"}


@dataclass(frozen=True, slots=True)
class Settled:
    """What the matcher worked out for a rule and a clause: levels 0 to 2, and what the slots say."""

    act: int
    about: int
    time_met: bool
    limit_passed: bool
    value_named: bool  # the text itself names the time or the value


@dataclass(frozen=True, slots=True)
class _Share:
    """How much of a gist is said somewhere."""

    soft: float  # grades by weight
    most: float  # the best grade of a word that tells something
    plain: float  # words said plainly, in thirds, three at most
    touched: float  # words touched, in quarters, four at most
    name_said: bool
    name_unsaid: bool


_NO_GIST = _Share(0.5, 0.5, 0.5, 0.5, False, False)


def _share(gist: tuple[Part, ...], places: Places) -> _Share:
    said = total = most = 0.0
    plain = touched = 0
    name = -1.0  # the best grade of a name; negative where there is none
    for part in gist:
        weight = part.weight
        if weight <= 0.0:
            continue
        grade, _ = places.best(part)
        total += weight
        said += weight * grade
        most = max(most, grade * min(1.0, weight + 0.1))
        plain += grade >= PLAIN
        touched += grade >= TOUCH
        if part.exact and grade > name:
            name = grade
    if not total:
        return _NO_GIST
    return _Share(
        soft=said / total,
        most=most,
        plain=min(3, plain) / 3,
        touched=min(4, touched) / 4,
        name_said=name >= 0.9,
        name_unsaid=0.0 <= name < 0.9,
    )


@dataclass(frozen=True, slots=True)
class RuleSigns:
    """What a text as a whole shows of a rule, whichever clause is weighed."""

    everywhere: _Share
    denied_word: float
    other_kind: bool
    same_kind: bool
    records: bool


def _rule_signs(constraint: Constraint, view: TextView) -> RuleSigns:
    known = view.of_rule
    if known is None or known[0] is not constraint:
        gist, text = constraint.gist, text_signs(view)
        other_kind, same_kind = _kinds(gist, view.reading, text)
        signs = RuleSigns(
            everywhere=_share(gist, text.said),
            denied_word=max((text.denied.best(part)[0] for part in gist), default=0.0),
            other_kind=other_kind,
            same_kind=same_kind,
            records=bool(text.recorded - {part.word for part in gist}),
        )
        known = view.of_rule = (constraint, signs)
    return known[1]


def features(constraint: Constraint, view: TextView, region: Region, settled: Settled) -> dict[str, float]:
    """Every feature of FEATURES for one rule and one clause."""
    reading, text = view.reading, text_signs(view)
    signs, gist = clause_signs(reading, region), constraint.gist
    rule = _rule_signs(constraint, view)
    own, whole = _share(gist, signs.own), _share(gist, region_places(reading, region))
    around, everywhere = _share(gist, signs.near), rule.everywhere
    family = any(near(act, hit.act) for hit in signs.acts for act in constraint.acts)
    covered = max(
        (1.0 if hit.sure else 0.6 for hit in signs.acts if any(covers(a, hit.act) for a in constraint.acts)),
        default=0.0,
    )
    other = float(signs.known and not covered and not family)
    undoes = any(hit.act in _UNDOING for hit in signs.acts) and not constraint.acts.keys() & _UNDOING
    act, about = settled.act / 2, settled.about / 2
    return {
        **text.numbers,
        **signs.numbers,
        "act_alone": float(max(whole.touched, everywhere.touched) == 0.0),
        "act": act,
        "act_sure": float(settled.act == SURE),
        "object": about,
        "act_object": act * about,
        "act_gist": act * whole.soft,
        "covered": covered,
        "family": float(family),
        "declines": float(declines(constraint, region.clause)),
        "undoes": float(undoes),
        "other_act_gist": other * whole.soft,
        "order_gist": signs.numbers["order"] * whole.soft,
        "region_gist": whole.soft,
        "region_plain": whole.plain,
        "own_most": own.most,
        "own_touched": own.touched,
        "near_gist": around.soft,
        "near_most": around.most,
        "text_most": everywhere.most,
        "name_unsaid": float(everywhere.name_unsaid),
        "own_name": float(own.name_said),
        "sentence_plain": _share(gist, signs.sentence).plain,
        "denied_gist": float(signs.denies) * whole.soft,
        "denied_word": rule.denied_word,
        "other_kind": float(rule.other_kind) * (1.0 - own.soft),
        "same_kind": float(rule.same_kind),
        "time_met": float(settled.time_met),
        "limit_passed": float(settled.limit_passed),
        "value_named": float(settled.value_named),
        "text_records": float(rule.records),
    }


def _kinds(gist: tuple[Part, ...], reading: Reading, text: TextSigns) -> tuple[bool, bool]:
    """Whether a word of the rule stands behind a word that is none of it, and behind one that is."""
    lexicon = reading.lexicon
    other = same = False
    for part in gist:
        grade, at = text.said.best(part) if part.weight else (0.0, -1)
        if grade < ALIGNED or at < 1:
            continue
        before = reading.tokens[at - 1]
        if (
            before.kind != "w"
            or before.text in small_words(reading.language)
            or lexicon.has("generic", before.text)
        ):
            continue
        if any(one.keys.get(key, 0.0) >= TOUCH for one in gist for key in before.keys):
            same = True
        elif not before.quoted and at - 1 not in reading.verb_places:
            other = True
    return other, same


def likenesses(constraint: Constraint, view: TextView, region: Region) -> list[tuple[str, str, float]]:
    """Which words of the request are near to which of the rule, the nearest first: (said, rule's, grade)."""
    reading = view.reading
    found = []
    for part in constraint.gist:
        for places in (region_places(reading, region), text_signs(view).said):
            grade, at = places.best(part)
            if grade >= TOUCH and at >= 0:
                found.append((reading.tokens[at].text, part.word, grade))
                break
    return sorted(dict.fromkeys(found), key=lambda one: -one[2])
