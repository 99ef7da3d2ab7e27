"""What there is to see between a rule and a clause that asks for something, as numbers.

Nothing here decides. Every number is a count, a share or a grade from words that are said: what the clause is
(an order, a wish, a polite question), how much of the rule's gist it names and how well, whether its act is
the rule's, and what speaks against it. gate/match/asking.py weighs them; SEMANTICS.md names each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gate.constraint import Constraint
from gate.language.reading import ActHit
from gate.match.acts import SURE, declines
from gate.match.contact import TOUCH
from gate.match.ending import told_done
from gate.match.gist_said import rule_signs
from gate.match.region import Region
from gate.match.rivals import rivals_of
from gate.match.signs import clause_signs, region_places, text_signs
from gate.match.view import TextView
from gate.taxonomy import covers, near

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
    *("rival_which", "told_done"),
)
_UNDOING = frozenset(
    ("cancel", "delete", "remove", "refund", "give_back", "reject", "repair", "stop", "change", "discard")
) | {"refrain"}


@dataclass(slots=True)  # not frozen: made for every clause, in half the time
class Settled:
    """What the matcher worked out for a rule and a clause: levels 0 to 2, and what the slots say."""

    act: int
    about: int
    time_met: bool
    limit_passed: bool
    value_named: bool  # the text itself names the time or the value


def features(constraint: Constraint, view: TextView, region: Region, settled: Settled) -> dict[str, float]:
    """Every feature of FEATURES for one rule and one clause."""
    reading, text = view.reading, text_signs(view)
    signs, rule = clause_signs(reading, region), rule_signs(constraint, view)
    own, whole = rule.share(signs.own), rule.share(region_places(reading, region))
    around, shown = rule.share(signs.near), rule.everywhere
    everywhere = shown.share
    family, covered, undoes = _acts(constraint, signs.acts)
    other = float(signs.known and not covered and not family)
    act, about = settled.act / 2, settled.about / 2
    sure = settled.act == SURE  # only then another of the rule's kind tells anything
    which = rivals_of(constraint, region, reading, text).which if sure else 0.0
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
        "sentence_plain": rule.share(signs.sentence).plain,
        "denied_gist": float(signs.denies) * whole.soft,
        "denied_word": shown.denied_word,
        "other_kind": float(shown.other_kind) * (1.0 - own.soft),
        "same_kind": float(shown.same_kind),
        "time_met": float(settled.time_met),
        "limit_passed": float(settled.limit_passed),
        "value_named": float(settled.value_named),
        "text_records": float(shown.records),
        "told_done": float(not sure and told_done(constraint, region, reading)),
        "rival_which": which,
    }


def _acts(constraint: Constraint, said: Iterable[ActHit]) -> tuple[bool, float, bool]:
    """Whether a clause's acts are of the family of the rule's, how surely one is covered, and whether one
    undoes."""
    family, covered, undoes = False, 0.0, False
    for hit in said:
        for act in constraint.acts:
            family = family or near(act, hit.act)
            if covers(act, hit.act):
                covered = 1.0 if hit.sure else max(covered, 0.6)
        undoes = undoes or hit.act in _UNDOING
    return family, covered, undoes and constraint.acts.keys().isdisjoint(_UNDOING)


def likenesses(constraint: Constraint, view: TextView, region: Region) -> list[tuple[str, str, float]]:
    """Which words of the request are near to which of the rule, the nearest first: (said, rule's, grade)."""
    reading = view.reading
    found = []
    for part in rule_signs(constraint, view).parts:
        for places in (region_places(reading, region), text_signs(view).said):
            grade, at = places.best(part)
            if grade >= TOUCH and at >= 0:
                found.append((reading.tokens[at].text, part.word, grade))
                break
    return sorted(dict.fromkeys(found), key=lambda one: -one[2])
