"""What only announces what follows a colon or a dash ('They rang:', 'One thing:'), and what a label is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from partner.formation.clause import Clause, sliced
from partner.formation.cues import Cues
from partner.formation.grammar import PREPOSITIONS, finite, imperative
from partner.formation.sentences import mask
from partner.formation.verbs import form_of
from partner.formation.words import Word, words

_COLON = re.compile(r"(?<!\d)\s*[:：](?=\s)|(?<=\d)\s*:(?=\s)|\s[—–](?=\s)")
_ANNOUNCES = re.compile(
    r"(?i)\b(?:handovers?|upshot|gist|bottom line|essence|moral|"
    r"decisions?|word|things?|notes?|updates?|corrections?|news|plans?|"
    r"summary|results?|outcomes?|points?|facts?|info"
    r"|information|heads-up|reminders?|rules?|goals?|minutes|agenda|recap|details|story short|"
    r"briefly|short|quick|status|answers?|target"
    r"|(?:keep|remember|know|tell|note) (?:from|that|this|about|you)|down|brief|objectives?|"
    r"aims?|who you're dealing with|background|context|preferences?|habits?)\b"
)
_GOAL_LABEL = re.compile(r"(?i)\b(?:goal|target|objective|aim|plan)\b.*\b(?:for|of|with|on|in)\b")
# Text to be worked on stands after the colon, nothing that the operator states.
_ASKS_OVER = re.compile(
    r"(?i)(?:please |can you |could you |now )*(?:translate|proofread|rephrase|rewrite|"
    r"paraphrase|summari[sz]e|"
    r"shorten|correct|reply to|answer|respond to|complete|continue|read|spell-?check|edit|improve|explain|"
    r"compare|analy[sz]e|write|draft|format)\b(?! (?:this|that|it) down)(?! down)(?=.*\w)"
)


def announced(clause: Clause, cues: Cues) -> Clause:
    """'The surgery rang: Paul's appointment is at 15:30' keeps what comes after the colon."""
    found = _COLON.search(mask(clause.text))
    if not found:
        return clause
    left, right = clause.text[: found.start()], clause.text[found.end() :]
    if not right.strip():
        return clause
    topic = _ABOUT.search(left)
    if topic and cues.code == "en" and cues.correction.search(left) and (said := _bare_value(right)):
        return replace(clause, text=f"{topic['topic']}: {said}", lead=f"{clause.lead} {left}".strip())
    whole = (
        finite(words(right)) is not None
        or imperative(right)
        or re.match(r"(?i)\s*(?:never|no|do not|don't|nobody)\b", right)
    )
    left_tokens = words(left)
    if _ASKS_OVER.match(left) and not re.match(r"(?i)\s*(?:never|do not|don't)\b", right):
        return replace(clause, text="")
    label = (
        finite(left_tokens) is None
        and bool(left_tokens)
        and form_of(left_tokens[0].low) != "ing"
        and not _leads_up(left_tokens, right)
        and not _ANNOUNCES.search(left)
        and not (finite(words(right)) is not None and cues.correction.search(left))
        and not imperative(left)
    )
    topical = finite(words(right)) is None and _GOAL_LABEL.search(left) is not None
    label = label or topical
    if cues.code != "en" and (_repeats(left, right) or _LOOKED_AGAIN.match(left)):
        label, whole = False, True
    elif cues.code != "en":
        whole, label = (
            len(words(right)) >= 2,
            not (cues.correction.search(left) or cues.decision.search(left) or cues.lead.match(left + ": x")),
        )
    if not whole or label or len(left_tokens) > 24:
        return clause
    inner = sliced(clause, found.end(), len(clause.text))
    return replace(inner, lead=f"{clause.lead} {left}".strip())


def _leads_up(left: Sequence[Word], right: str) -> bool:
    """'By way of introduction: I'm a farrier': a phrase that names nothing, before one's own words."""
    own = words(right)[:1]
    named = any(t.number or (t.capital and t.start > 0) for t in left)
    return left[0].low in PREPOSITIONS and not named and bool(own) and own[0].low in ("i", "we", "my", "our")


_ABOUT = re.compile(
    r"(?i)\b(?:on|about|for|regarding|concerning|with|to) (?P<topic>(?:the|my|our|that|"
    r"this) [\w' -]{2,40})$"
)


# What one did to know better, before a colon: 'He vuelto a contar: ...', 'J'ai recompté : ...'
_LOOKED_AGAIN = re.compile(
    r"(?i)\s*(?:(?:yo )?he|hemos|me|j['’]ai|je|on a|nous|ich|wir|hab|habe|haben|nach)\b"
)


def _bare_value(right: str) -> str:
    """'black it is' and 'bark instead of gravel': a value without a sentence of its own; else ''."""
    said = re.sub(
        r"(?i) it(?:['’]s going to be| is| will be)[.!]*$|^(?:it['’]s|it is|it will be|now)(?: "
        r"going to be| now)? (?!\w+ing\b)",
        "",
        right.strip(),
    )
    return said if finite(words(said)) is None and not imperative(said) and len(words(said)) <= 8 else ""


def _repeats(left: str, right: str) -> bool:
    """'Kurz zum Brot: Das Brot kostet 4 Euro': what stands after the colon names its topic itself."""
    named = {w.low for w in words(left) if len(w.low) > 4}
    return len(words(right)) >= 3 and bool(named & {w.low for w in words(right)[:4]})
