"""Words that point at what was said before, and what a sentence does that only points (English)."""

from __future__ import annotations

import re

from partner.formation.cues import Cues
from partner.formation.grammar import in_past
from partner.formation.verbs import AUXILIARIES, form_of
from partner.formation.words import Word, has_cjk, words

COURTESY = re.compile(
    r"すみません|ごめん(?:なさい)?|失礼(?:しました)?|です|ます|でした|对不起|抱歉|不好意思|[\s、。，,！!]"
)
POINTING = re.compile(r"(?i)(?:it|that|this|they|he|she)\b")
OWN_WORDS = re.compile(r"(?i)\b(?:i|we) (?:say|mean|call)\b")
THIRD = re.compile(r"(?i)(?:he|she|they)\b")
# 'Closed on Mondays.' says something of what the sentence before speaks of.
SUBJECTLESS = re.compile(
    r"(?i)^(?:(?:also|only|always|usually|normally|mostly|never|not) )?(?:closed|open|shut|booked|reserved|"
    r"available|"
    r"included|excluded|payable|due|unavailable|refundable|cancellable|renewable) "
    r"(?:on|at|in|from|until|till|every|for|all|by|daily|only|to|between|after|before)\b"
)
REPLACES = re.compile(
    r"(?i)^(?:and |so )?(?:that|this|it|das|eso|cela|ça)(?:['’]s| is| now| will| should)* "
    r"?(?:replaces?|supersedes?|overrides?|instead of|takes? the place of|in place of|ersetzt|"
    r"sustituye|reemplaza|remplace)\b"
)


def comments(clause: str, cues: Cues) -> bool:
    """'That helps a lot' comments on what was said; 'that is 40 euros' and 'this must never leave' add to
    it."""
    tokens = words(clause)
    if tokens[0].low not in ("that", "this") or (len(tokens) > 1 and not _follows_pronoun(tokens[1])):
        return False
    acts = len(tokens) > 1 and tokens[1].low not in AUXILIARIES
    named = any(t.number or (t.capital and not acts) for t in tokens[1:])
    return not named and cues.prohibition.search(clause) is None


def says_it_ended(text: str) -> bool:
    """'I no longer smoke': one clause that ends something and gives nothing new."""
    ended = re.search(r"(?i)\bno longer\b|\bn[o']t\b.*\bany ?more\b|\bstopped\b(?!.*;)", text)
    return ended is not None and not re.search(r"[;,]", text)


def gives_reason(clause: str) -> bool:
    """'..., it nearly finished him last time' behind a rule tells why there is one."""
    return POINTING.match(clause) is not None and in_past(clause) and not re.search(r"\d", clause)


def only_announces(raw: str, cues: Cues) -> bool:
    """'Change of plan.', 'I changed my mind.': the next claim is a correction."""
    match = cues.correction.search(raw)
    if not match or cues.retract.search(raw) or match[0].startswith("cancel"):
        return False
    rest = raw[: match.start()] + raw[match.end() :]
    if has_cjk(rest):
        return len(COURTESY.sub("", rest)) <= 2
    return len([w for w in words(rest) if w.low not in cues.stop]) <= 1


def _follows_pronoun(word: Word) -> bool:
    """'that helps' and 'that is', not 'that boat'."""
    return word.low in AUXILIARIES or form_of(word.low) in {"s", "past"} or word.low.endswith("s")
