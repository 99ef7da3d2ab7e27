"""Class and type of one clause, or None when it settles nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from partner.formation.chatter import defers, has_no_verb, idles, is_anchored, is_light
from partner.formation.cues import Cues
from partner.formation.frames import frame
from partner.formation.grammar import DETERMINERS, finite, imperative, in_past
from partner.formation.ordered import forbids
from partner.formation.passing import passes
from partner.formation.permitting import permits
from partner.formation.slots import OPERATOR, Filled
from partner.formation.verbs import AUXILIARIES, form_of
from partner.formation.words import Word, has_cjk, listed, words
from store.model import EngramType

_PERSONAL = listed(
    "name employer occupation home phone coffee diet car editor dentist doctor dose seat "
    "book birthday age pronouns"
) | {"language studied", "blood group", "time zone", "activity day"}
_SETTLES_LIST = re.compile(
    r"(?i)\b(?:decid|decision|agree|settled|plan|will|goes?|rules?|facts?|summary|status|who "
    r"does|handover|minutes|notes|call|meeting|agreed|outcome|sync|team|roles?|dates?|numbers|key|details|"
    r"info|overview"
    r"|beschl|entschied|entscheid|vereinbart|acord|decid|decisi|décid|décision|convenu)"
)
_TASK_LIST = re.compile(
    r"(?i)\b(?:to-?do|shopping|buy|ideas?|options?|maybe|brainstorm|questions?|wish ?list|"
    r"pros|cons|groceries|could|might|packing)\b"
)
_EMPTY_SUBJECT = re.compile(
    r"(?i)^(?:(?:the|these|those) [\w ]{2,20} ones|it|this|that|there|you|he|she|they|these|"
    r"those|one|everything(?! (?:to do with|about|concerning|from|for) \w)|nothing|something|"
    r"someone|what|who|nobody|everybody|anybody|somebody|anyone|people|folks|most people)\b"
)
_COUNTED_THERE = re.compile(
    r"(?i)there (?:is|are|were|will be) (?:now |only |always )?(?:no|one|two|three|four|five|six|seven|"
    r"eight|nine|ten|eleven|"
    r"twelve|several) [\w' -]+ (?!in (?:my|our) (?:house|home|fam))(?:in|on|at|under|behind|beside|above|"
    r"inside|per|for) \w"
)
_MAY = re.compile(
    r"(?i)(?:you|one|people|anyone|everyone|everybody|anybody) may (?!well\b|be\b|have\b|not\b)\w"
)
_PAST_DIARY = listed("i we")
_SELF_CHANGE = re.compile(
    r"(?i)\b(?:moved|switched|quit|left|joined|became|changed|hired|fired|married|divorced|dropped|ditched|"
    r"scrapped|abandoned|signed|"
    r"bought|sold|retired|started|stopped|adopted|renamed|replaced|cancelled|canceled|booked|"
    r"ordered|scheduled"
    r"|postponed|appointed|promoted|sent|paid|lowered|raised|set|agreed|told|promised|ordered|"
    r"registered|gave up|took up|applied|submitted|deployed|released|migrated|installed|rented|lost|"
    r"lent|loaned|borrowed|got the|"
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

# What would settle nothing by itself, but ends something that holds ('I watered Lea's plants').
HAPPENED = Kind(type=EngramType.CONCLUSION, salience=_SALIENCE[EngramType.CONCLUSION])


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where a clause stands. `lead`: what announced it (a list's first line, 'Decision:'); `typed`: its words
    before pronouns were spelled out; `strict`: in a long story; `sociable`: in talk for its own sake."""

    lead: str = ""
    typed: str = ""
    item: bool = False
    strict: bool = False
    sociable: bool = False


def classify(text: str, cues: Cues, filled: Filled | None, setting: Setting) -> Kind | None:
    """Which class the clause belongs to, or None."""
    kind = _kind(text, cues, filled, setting)
    return Kind(type=kind, salience=_SALIENCE[kind]) if kind is not None else None


def _kind(text: str, cues: Cues, filled: Filled | None, setting: Setting) -> EngramType | None:
    lead, plain = setting.lead, filled is None and cues.code == "en"
    if cues.code == "en" and approves(text):
        return None
    verbless = (
        re.match(r"(?i)no [a-z]", text) is not None and lead != "" and cues.decision.search(lead) is not None
    )
    if cues.prohibition.search(text) and not cues.not_prohibition.search(text) and not verbless:
        return EngramType.PROHIBITION
    if not cues.not_prohibition.search(text) and forbids(text, cues.code):
        return EngramType.PROHIBITION
    if permits(text):
        return EngramType.CONCLUSION
    if cues.reminder.search(text) or (lead and cues.reminder.search(f"{lead}:")):
        return EngramType.DIRECTIVE
    if filled is None and (cues.smalltalk.search(text) or (not lead and _one_act(text, cues))):
        return None
    if plain and (passes(text) or defers(text)):
        return None
    reported = cues.report.search(text) is not None and not _OWN_WORDS.search(text)
    if not reported:
        if (cues.objective.search(text) and not cues.not_objective.search(text)) or (
            lead and cues.goal.search(lead) and not _is_rule_lead(lead)
        ):
            return None if plain and not lead and is_light(text) else EngramType.OBJECTIVE
        if cues.habit.search(text) and not (plain and has_no_verb(text)):
            return EngramType.CONVENTION
        if cues.preference.search(text):
            return EngramType.DISPOSITION
    if plain and not lead and (idles(text, setting.typed) or is_light(text)):
        return None
    if filled is not None and filled.owner == OPERATOR and filled.slot.name in _PERSONAL:
        return EngramType.IDENTITY
    if filled is not None and filled.slot.name == "manner":
        return EngramType.DISPOSITION
    if filled is not None:
        return EngramType.CONCLUSION
    if cues.decision.search(text) or (lead and cues.decision.search(lead)):
        return EngramType.DECISION if not reported else None
    told = (_story(text, setting.strict) and not _LIFE.match(text)) or (
        cues.code == "en" and _passing_state(text)
    )
    if cues.identity.search(text) and not reported and not told:
        return EngramType.CONCLUSION if _OPINION.match(text) else EngramType.IDENTITY
    return _statement(text, cues, setting, reported=reported)


# 'I already approved it' claims an approval that the log has or has not; it is none, and no fact either.
_APPROVAL = re.compile(
    r"(?i)^(?:yes,? |go ahead,? |ok,? |sure,? )*(?:i(?:['’]ve| have)?|we(?:['’]ve| have)?|"
    r"it(?:['’]s| is| was| has been)|"
    r"that(?:['’]s| is| was| has been)|this (?:is|was|has been)|you have my|you['’]ve got my|"
    r"(?:the )?(?:boss|manager|"
    r"owner|operator|admin) (?:has )?) ?(?:already |just |also |now |hereby |explicitly |told "
    r"you )*(?:been )?"
    r"(?:approv\w+|authori[sz]\w+|consent\w*|okay'?ed|ok'?d|oked|cleared|green-?lit|"
    r"sign(?:ed)? off(?: on)?|"
    r"gave (?:my|you|the) (?:ok|okay|permission|consent|approval|go-ahead)|given (?:my|you|the) (?:ok|okay|"
    r"permission|consent|approval|go-ahead)|permission|allowed|it['’]s fine|it is fine|that it['’]s fine)"
    r"(?: (?:it|that|this|them|all|everything|already|by me|by the \w+|of it|of that|for (?:it|"
    r"that|this)|before|"
    r"yesterday|today|earlier|last \w+|ages ago))*[.!]*$"
)


def approves(text: str) -> bool:
    """Whether a clause claims that something pointed at was approved."""
    return _APPROVAL.match(text) is not None


def _one_act(text: str, cues: Cues) -> bool:
    """An order for one act now ('Give me three names'), which settles nothing for later."""
    return cues.errand.search(text) is not None and _STANDING.search(text) is None


_STANDING = re.compile(
    r"(?i)\b(?:always|never|every|each|whenever|from now on|in future|in the future|by default|as a rule|"
    r"going forward|henceforth|immer|künftig|siempre|toujours|désormais|when|if|once|until|unless)\b"
)
_UNDER_WAY = re.compile(
    r"(?i)^(?:i(?:['’]m| am)|we(?:['’]re| are)) (?:just |now |still |currently |all |both |also "
    r")*(?P<verb>\w+ing)\b"
)
_LASTS = listed("""moving leaving joining flying learning studying training getting expecting planning aiming
    saving writing building renting selling buying hiring starting using working living teaching
    coaching taking running doing changing switching opening closing meeting staying marrying
    keeping painting going having making hosting launching cancelling postponing replacing giving dropping
    seeing dating retiring reading driving paying charging holding adopting translating restoring
    editing leading sharing volunteering""")


def _passing_state(text: str) -> bool:
    """What one is doing this minute ('I'm putting the kettle on!'). What is done to something somewhere
    ('we're
    spending the outing at the mine') is an event, not this minute."""
    found = _UNDER_WAY.match(text)
    if found is None:
        return False
    tokens = words(text)
    if found["verb"].lower() in _LASTS or any(t.number or t.capital for t in tokens[2:]):
        return False
    return found["verb"].lower() in _BRIEF or not _has_place(words(text[found.end() :]))


_BRIEF = listed("""putting sitting standing lying waiting looking listening watching eating drinking staring
    chewing boiling
    cooking frying baking walking typing texting calling thinking trying wondering feeling hoping kidding
    joking asking
    telling saying talking chatting freezing starving dying struggling enjoying loving heading rushing
    running washing
    chopping peeling cleaning sweeping wiping folding ironing packing unpacking searching finding losing
    scratching
    holding hugging nursing sipping munching scrolling""")


def _has_place(after: Sequence[Word]) -> bool:
    """An object of its own, and where or with whom it is done: '... the company outing at the salt mine'."""
    if len(after) < 4 or after[0].low not in DETERMINERS:
        return False
    at = next((i for i, t in enumerate(after) if i > 1 and t.low in _WHERE), 0)
    return 0 < at < len(after) - 1 and after[at + 1].low in DETERMINERS


_WHERE = listed("at in on with from by to for until through")


def _is_rule_lead(lead: str) -> bool:
    return re.search(r"(?i)\brules?\b", lead) is not None


def _statement(text: str, cues: Cues, setting: Setting, *, reported: bool) -> EngramType | None:
    lead, item, strict = setting.lead, setting.item, setting.strict
    if cues.request.search(text) and not re.search(r"\d", text):
        return None
    if cues.code != "en":
        return None if reported and not re.search(r"\d", text) else _foreign(text, cues, item=item)
    if re.match(r"(?i)(?:doesn|didn|isn|wasn|won|wouldn|can|couldn|hasn)['’]t\b", text):
        return None
    if _passing_state(text) or re.match(r"(?i)(?:let['’]s|let us)\b", text):
        return None
    tokens = words(text)
    found = finite(tokens)
    if found is None:
        figured = re.search(r"\d", text) is not None
        label = re.match(r"^[^:]{2,60}:\s+\S", text) is not None
        settled = bool(lead) and _SETTLES_LIST.search(lead) is not None and not _TASK_LIST.search(lead)
        if settled and figured and len(tokens) >= 4:
            return EngramType.CONCLUSION  # 'Quick facts: rent 900, lease until 2027'
        settled = settled or (item and bool(lead) and figured and not _TASK_LIST.search(lead))
        if (item and (settled or (label and not _TASK_LIST.search(lead)))) or (
            label and len(tokens) >= 2 and not has_question(lead)
        ):
            return EngramType.CONCLUSION
        return None
    if _ordered(tokens, text):
        return None
    if setting.sociable and not is_anchored(text, setting.typed):
        return None
    figures = any(t.number for t in tokens[1:])
    if reported and not re.search(r"\d", text):
        return None
    if (
        _EMPTY_SUBJECT.match(text)
        and not (figures or _COUNTED_THERE.match(text) or _MAY.match(text))
        and not frame(text).changed
    ):
        return None
    if _story(text, strict) or (strict and not figures and not _timeless(tokens, found.verb)):
        return None
    if text.rstrip().endswith("!") and not figures and len(tokens) < 5:
        return None
    if _today_only(text) and not figures and not any(t.capital for t in tokens[1:]):
        return None
    verb = tokens[found.verb].low
    habitual = tokens[found.subject].low == "i" and verb not in AUXILIARIES and form_of(verb) in ("base", "")
    return EngramType.IDENTITY if habitual and verb not in _PASSING_STATES else EngramType.CONCLUSION


def _ordered(tokens: Sequence[Word], text: str) -> bool:
    """An order all the same, though a verb stands in it: 'Take the order Mr Laing phoned in'."""
    return (
        len(tokens) > 2
        and ":" not in text
        and imperative(text)
        and (tokens[1].low in DETERMINERS or tokens[1].low in ("me", "us", "him", "them", "it"))
        and _STANDING.search(text) is None
    )


def _today_only(text: str) -> bool:
    """Something under way that one complains of or notes in passing ('The neighbours are drilling again')."""
    return (
        re.search(r"(?i)\b(?:again|today|right now|as usual|typical(?:ly)?|of course)\b", text) is not None
        and re.search(
            r"(?i)(?:\b(?:is|are|was|were)|['’]s|['’]re) (?:\w+ ){0,2}?(?:\w+ing|late|early|broken|slow|"
            r"down|"
            r"asleep|sick|grumpy|noisy|loud|empty|full|tired|cold|hot|delayed|packed)\b",
            text,
        )
        is not None
    )


def has_question(text: str) -> bool:
    return "?" in text


def _foreign(text: str, cues: Cues, *, item: bool) -> EngramType | None:
    """Without a grammar of the language: a sentence of some length that no cue unsettles is a statement."""
    count = len(text) - 2 if has_cjk(text) else len(words(text))
    enough = count >= 4 or re.search(r"\d", text) is not None
    return EngramType.CONCLUSION if enough and not text.rstrip().endswith(("!", "！")) else None


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
