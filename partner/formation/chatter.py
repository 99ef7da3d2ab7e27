"""Talk for its own sake, told from what settles by what a clause is tied to, not by its words (English).

What settles names somebody or something that can be found again: a figure, a name, something of one's own or
something known ('the', 'my'). What is said to be sociable is tied to the moment and the one who listens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from partner.formation.grammar import ADVERBS, SUBJECT_PRONOUNS, finite, in_past
from partner.formation.verbs import AUXILIARIES, COPULA, form_of
from partner.formation.words import Word, listed, words

LONG_STORY_SENTENCES = 8
STORY_SENTENCES, STORY_SHARE = 5, 0.5
SOCIABLE_SENTENCES, SOCIABLE_SHARE = 2, 0.5
_YOU = listed("you your yours yourself ya u")
_POINTING = listed("it that this they these those he she")
_KNOWN = listed("the my our his her their")
_HERE = listed("today now here there so all")
_ADDRESSED = re.compile(r"(?:,\s*[A-Z][a-z]+)(?=[.!?]*$)")
_NEWCOMER = re.compile(r"(?i)\ba new [a-z-]+$")
_CALLED = re.compile(
    r"^(?:(?:[Hh]ey|[Hh]i|[Hh]ello|[Ww]oah?|[Ww]ow|[Oo]h|[Yy]eah|[Yy]ep|[Yy]es|[Nn]o|[Tt]hanks|[Cc]heers|"
    r"[Oo]k(?:ay)?|"
    r"[Ww]ell|[Ss]ure|[Gg]reat|[Cc]ool)[,!]? )+(?:[A-Z][a-z]+)(?:[,!.] |\s[-–—]\s)(?=\w)"
)


def without_address(text: str) -> str:
    """Without the name of the one who is spoken to ('Hey Evan, ...', '..., Evan!')."""
    plain = _CALLED.sub("", text, count=1)
    found = _ADDRESSED.search(plain)
    if found and _NEWCOMER.search(plain[: found.start()]):
        return plain  # 'We've got a new accompanist, Sunniva'
    return plain if not found or finite(words(plain[: found.start()])) is None else _ADDRESSED.sub("", plain)


def is_story(said: Sequence[str]) -> bool:
    """A long message, or one mostly told in the past: only clear claims of it count."""
    if len(said) < STORY_SENTENCES:
        return False
    told = sum(in_past(sentence) for sentence in said)
    return len(said) >= LONG_STORY_SENTENCES or told >= STORY_SHARE * len(said)


def is_sociable(said: Sequence[str]) -> bool:
    """A turn at least half of whose sentences exclaim, ask, or speak of the one who listens."""
    marked = sum(_reaches_out(sentence) for sentence in said)
    return marked >= SOCIABLE_SENTENCES and marked >= SOCIABLE_SHARE * len(said)


def _reaches_out(sentence: str) -> bool:
    if sentence.rstrip().endswith(("!", "?")) or _CALLED.match(sentence):
        return True
    return not _YOU.isdisjoint(t.low for t in words(sentence)) and not re.search(r"\d", sentence)


def idles(text: str, typed: str) -> bool:
    """Whether a clause speaks to the moment, whatever the turn around it: without a subject ('Glad it
    helps'), to the listener ('your words gave me a boost'), of what is true of everybody ('breaking habits is
    hard'). `typed` is the clause before its pronouns were spelled out."""
    tokens = words(text)
    if not tokens or _tied(tokens):
        return False
    lows = [t.low for t in tokens]
    if _subjectless(words(typed)):
        return True
    known = not _KNOWN.isdisjoint(lows[1:])
    if lows[0] in ("your", "you're", "you") or (not _YOU.isdisjoint(lows) and not known):
        return True
    return form_of(lows[0]) == "ing" and not known


def is_anchored(text: str, typed: str) -> bool:
    """Whether a statement in a sociable turn settles something all the same: it speaks of something known and
    says more of it than what it is like."""
    tokens = words(text)
    found = finite(tokens)
    if found is None:
        return False
    if _tied(tokens):
        return True
    first = words(typed)[:1]
    if not first or first[0].low in _POINTING or not _YOU.isdisjoint(t.low for t in tokens):
        return False
    subject = tokens[found.subject]
    named = subject.low in _KNOWN or subject.low in ("i", "we")
    rest = tokens[found.verb + 1 :]
    says = any(t.low in _KNOWN or t.low in ("a", "an") for t in rest)
    return (
        named and says and tokens[found.verb].low not in COPULA | {"feel", "feels", "felt", "seems", "looks"}
    )


_IS_LIKE = COPULA | listed("feel feels felt seems looks")


def ties(text: str) -> bool:
    """Whether a clause has a figure, a name or something known in it."""
    tokens = words(text)
    return _tied(tokens) or not _KNOWN.isdisjoint(t.low for t in tokens[1:])


def has_no_verb(text: str) -> bool:
    """'Always a blessing', 'always good chatting with you': no order, though it opens like a standing one."""
    tokens = words(text)
    return len(tokens) > 1 and tokens[0].low == "always" and form_of(tokens[1].low) not in ("base", "ing")


def is_light(text: str) -> bool:
    """A plan with nothing in it but 'it' ('I'll give it a go', 'I'd love to', 'let's do it')."""
    tokens = words(text)
    if _tied(tokens) or not tokens or tokens[0].low not in ("i", "we", "let", "let's", "lets"):
        return False
    lows = [t.low for t in tokens]
    own = [
        low
        for low in lows
        if low not in AUXILIARIES | ADVERBS | SUBJECT_PRONOUNS | _POINTING | _LIGHT and not form_of(low)
    ]
    gerund = any(form_of(low) == "ing" and low not in ("going", "doing") for low in lows)
    pointed = not _POINTING.isdisjoint(lows) or len(tokens) <= 4
    return pointed and not own and not gerund


_DEFERS = re.compile(
    r"(?i)^(?:i|we|let['’]s|let us|let me)(?:['’]ll| will|['’]m going to| am going to| are going to| should|"
    r" need to| "
    r"have to| must| want to)?(?: (?:just|still|really|first|also|certainly|definitely|all))* (?:go and )?"
    r"(?:think (?:about|on|over|it|that|this|things)|mull|ponder|consider|chew|reflect|weigh (?:it|that|"
    r"this|up|the)|dwell|"
    r"meditate|brood|sleep on|(?:turn|roll|go) (?:it|that|this|things|the \w+) over|"
    r"give (?:it|that|this|the \w+)(?: all)? (?:a|some|more|another|serious|my|"
    r"further) (?:\w+ )?(?:thoughts?|think)|"
    r"see (?:what|how|if|whether|about)|wait and see|have (?:a|another) think|run (?:it|that|this) by)\b"
)


def defers(text: str) -> bool:
    """'I'll turn it over in my mind' is no plan: it puts the matter off."""
    return _DEFERS.match(text) is not None and not re.search(r"\d", text)


_LIGHT = listed("to a an the at in for of and as one day time step soon too well let's lets so")


def _tied(tokens: Sequence[Word]) -> bool:
    """A figure or a name behind the first word."""
    return any(t.number or (t.capital and t.low not in ("i",)) for t in tokens[1:])


def _subjectless(tokens: Sequence[Word]) -> bool:
    """'Glad you asked', 'sounds great', 'hope he is better': a remark whose own subject is left out."""
    if len(tokens) < 2 or tokens[0].low in SUBJECT_PRONOUNS | _KNOWN | _POINTING | _HERE:
        return False
    first, second = tokens[0].low, tokens[1].low
    if first in ("even", "especially") or (second in ("me", "us") and form_of(first) in ("past", "s")):
        return True
    if (
        first.endswith("s")
        and form_of(first) == "s"
        and first in ("sounds", "looks", "seems", "feels", "tastes")
    ):
        return True
    told = second in SUBJECT_PRONOUNS - {"there", "who"} or second in ("that", "it's")
    return told and first not in _JOINTS and form_of(first) != "ing"


_JOINTS = listed(
    """if when while whenever because since although though unless until once after before as whereas that
    whether and but or so then now what who where how why also still yes no maybe which for thus"""
)
