"""Class and type of one clause, or None when it settles nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from partner.formation.cues import Cues
from partner.formation.frames import frame
from partner.formation.grammar import finite
from partner.formation.slots import OPERATOR, Filled
from partner.formation.verbs import AUXILIARIES, form_of
from partner.formation.words import Word, has_cjk, listed, words
from store.model import EngramType

_PERSONAL = listed(
    "name employer occupation home phone coffee diet car editor dentist doctor dose seat "
    "book birthday age pronouns"
) | {"language studied", "pet name", "blood group", "time zone", "activity day"}
_SETTLES_LIST = re.compile(
    r"(?i)\b(?:decid|decision|agree|settled|plan|will|goes?|rules?|facts?|summary|status|who "
    r"does|handover|minutes|sync|team|roles?|dates?|numbers|key|details|info|overview"
    r"|beschl|entschied|entscheid|vereinbart|acord|decid|decisi|décid|décision|convenu)"
)
_TODO_LIST = re.compile(
    r"(?i)\b(?:to-?do|shopping|buy|ideas?|options?|maybe|brainstorm|questions?|wish ?list|"
    r"pros|cons|groceries|could|might|packing)\b"
)
_EMPTY_SUBJECT = re.compile(
    r"(?i)^(?:it|this|that|there|you|he|she|they|these|those|one|everything|nothing|something|"
    r"someone|what|who)\b"
)
_PAST_DIARY = listed("i we")
_SELF_CHANGE = re.compile(
    r"(?i)\b(?:moved|switched|quit|left|joined|became|changed|hired|married|divorced|signed|"
    r"bought|sold|retired|started|stopped|adopted|renamed|replaced|cancelled|canceled|booked|"
    r"ordered|scheduled"
    r"|postponed|appointed|promoted|sent|paid|lowered|raised|set|agreed|told|promised|ordered|"
    r"registered|applied|submitted|deployed|released|migrated|installed|rented|lost|got the|"
    r"received)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The verdict on a clause. `strict` of the caller (a long story) lets only clear claims through."""

    type: EngramType
    salience: float


# What a relative likes is a fact about that relative, never a preference of the operator's.
_OPINION = re.compile(
    r"(?i)my [\w ]{2,40}? (?:finds?|hates?|loves?|likes?|prefers?|dislikes?|wants?|can't "
    r"stand|enjoys?|thinks?)\b"
)
_OWN_WORDS = re.compile(r"(?i)\b(?:i|we) (?:say|mean|call)\b")
_PASSING_STATES = listed("""need hope think want see feel know wonder guess believe mean wait look leave
come promise bet miss
    put set cut let hit shut remember forget understand agree expect suppose doubt wish mind care ask beg
    admit apologise apologize""")
_LIFE = re.compile(r"(?i)i (?:was born|grew up|was raised|trained|graduated|studied|served)\b")
_SALIENCE = {
    EngramType.PROHIBITION: 0.95,
    EngramType.IDENTITY: 0.8,
    EngramType.DISPOSITION: 0.75,
    EngramType.CONVENTION: 0.75,
    EngramType.OBJECTIVE: 0.8,
    EngramType.DIRECTIVE: 0.6,
    EngramType.DECISION: 0.75,
    EngramType.CONCLUSION: 0.55,
}


def classify(
    text: str, lead: str, cues: Cues, filled: Filled | None, *, item: bool, strict: bool
) -> Kind | None:
    """Which class the clause belongs to; `lead` is what announced it (a list's first line, 'Decision:')."""
    kind = _kind(text, lead, cues, filled, item=item, strict=strict)
    return Kind(type=kind, salience=_SALIENCE[kind]) if kind is not None else None


def _kind(
    text: str, lead: str, cues: Cues, filled: Filled | None, *, item: bool, strict: bool
) -> EngramType | None:
    verbless = (
        re.match(r"(?i)no [a-z]", text) is not None and lead != "" and cues.decision.search(lead) is not None
    )
    if cues.prohibition.search(text) and not cues.not_prohibition.search(text) and not verbless:
        return EngramType.PROHIBITION
    if cues.reminder.search(text):
        return EngramType.DIRECTIVE
    if filled is None and cues.smalltalk.search(text):
        return None
    reported = cues.report.search(text) is not None and not _OWN_WORDS.search(text)
    if not reported:
        if (cues.objective.search(text) and not cues.not_objective.search(text)) or (
            lead and cues.goal.search(lead) and not _is_rule_lead(lead)
        ):
            return EngramType.OBJECTIVE
        if cues.habit.search(text):
            return EngramType.CONVENTION
        if cues.preference.search(text):
            return EngramType.DISPOSITION
    if filled is not None and filled.owner == OPERATOR and filled.slot.name in _PERSONAL:
        return EngramType.IDENTITY
    if filled is not None and filled.slot.name == "manner":
        return EngramType.DISPOSITION
    if filled is not None:
        return EngramType.CONCLUSION
    if cues.decision.search(text) or (lead and cues.decision.search(lead)):
        return EngramType.DECISION if not reported else None
    told = _story(text, strict) and not _LIFE.match(text)
    if cues.identity.search(text) and not reported and not told:
        return EngramType.CONCLUSION if _OPINION.match(text) else EngramType.IDENTITY
    return _statement(text, lead, cues, item=item, strict=strict, reported=reported)


def _is_rule_lead(lead: str) -> bool:
    return re.search(r"(?i)\brules?\b", lead) is not None


def _statement(
    text: str, lead: str, cues: Cues, *, item: bool, strict: bool, reported: bool
) -> EngramType | None:
    if cues.request.search(text) and not re.search(r"\d", text):
        return None
    if cues.code != "en":
        return _foreign(text, cues, item=item)
    tokens = words(text)
    found = finite(tokens)
    if found is None:
        label = re.match(r"^[^:]{2,60}:\s+\S", text) is not None
        settled = bool(lead) and _SETTLES_LIST.search(lead) is not None and not _TODO_LIST.search(lead)
        if (item and (settled or (label and not _TODO_LIST.search(lead)))) or (
            label and len(tokens) >= 2 and not has_question(lead)
        ):
            return EngramType.CONCLUSION
        return None
    figures = any(t.number for t in tokens[1:])
    if reported and not figures:
        return None
    if _EMPTY_SUBJECT.match(text) and not figures and not frame(text).changed:
        return None
    if _story(text, strict) or (strict and not figures and not _timeless(tokens, found.verb)):
        return None
    if text.rstrip().endswith("!") and not figures and len(tokens) < 5:
        return None
    verb = tokens[found.verb].low
    habitual = tokens[found.subject].low == "i" and verb not in AUXILIARIES and form_of(verb) in ("base", "")
    return EngramType.IDENTITY if habitual and verb not in _PASSING_STATES else EngramType.CONCLUSION


def has_question(text: str) -> bool:
    return "?" in text


def _foreign(text: str, cues: Cues, *, item: bool) -> EngramType | None:
    """Without a grammar of the language: a sentence of some length that no cue unsettles is a statement."""
    count = len(text) - 2 if has_cjk(text) else len(words(text))
    enough = count >= 4 or re.search(r"\d", text) is not None
    return EngramType.CONCLUSION if enough and not text.rstrip().endswith(("!", "！")) else None


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


def _story(text: str, strict: bool) -> bool:
    """What I did or felt, told in the past: nothing that holds now."""
    if not in_past(text):
        return False
    if strict:
        return True
    tokens = words(text)
    found = finite(tokens)
    told_by_me = found is not None and tokens[found.subject].low in _PAST_DIARY
    return told_by_me and not _SELF_CHANGE.search(text) and not any(t.number for t in tokens)


def _timeless(tokens: Sequence[Word], verb: int) -> bool:
    """In a long story only a statement in the present about something named counts."""
    return any(t.capital for t in tokens[1:]) and form_of(tokens[verb].low) in ("s", "base")
