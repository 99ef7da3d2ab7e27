"""Settled or not: a question, a joke, sarcasm, a quotation, a supposition or thinking aloud settles
nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from partner.formation.cues import Cues
from partner.formation.sentences import quotations


class Mood(StrEnum):
    """Why a sentence settles nothing; SETTLED when it may."""

    SETTLED = "settled"
    QUESTION = "question"
    SUPPOSED = "supposed"
    HEDGED = "hedged"
    JOKE = "joke"
    SARCASM = "sarcasm"
    QUOTED = "quoted"
    EXAMPLE = "example"
    SMALLTALK = "smalltalk"
    UNDOES = "undoes"  # takes back the sentence before it


@dataclass(slots=True)
class Thread:
    """What the sentences before this one leave behind."""

    supposing: bool = False
    example: bool = False
    sarcastic: bool = False


_END_MARK = re.compile(r"[?？][\s\"'”’»)\]*_.!]*$")
_TAIL = re.compile(r"[\s\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+$")
_TITLE_BEFORE = re.compile(
    r"(?i)\b(?:called|named|titled|name|title|label(?:l?ed)?|tag(?:ged)?|word|phrase|code "
    r"?name|nicknamed|heißt|namens|llamad[oa]|appelée?|nommée?|folder|say|sage|digo|dis)\s*$"
)


_GOES_ON = re.compile(r"(?i)(?:and |then |or |also )*(?:let's|lets|we could|why not|maybe|while we)\b")


def after_interjections(sentence: str) -> str:
    """Without the cries and particles that open it ('Ugh, no, ...')."""
    return _INTERJECTED.sub("", sentence, count=1)


_INTERJECTED = re.compile(
    r"(?i)^(?:(?:sorry|no|oh|ugh|yeah|yes|god|man|jeez|lord|blimey|thanks|hm+|oops|wait|actually|ok|okay|"
    r"well|ah|please|and|but|so|"
    r"apologies|my bad|right|"
    r"nein|ach|moment|perdón|ah|non|pardon|attends|espera)\b[,.!…–-]*\s+)+(?=\S)"
)


def mood(sentence: str, cues: Cues, thread: Thread, opened: str = "") -> Mood:
    """The mood of one sentence, given what went before; updates `thread`.

    `opened` is the sentence without what only leads up to it ('while I think of it, ...').
    """
    bare = _TAIL.sub("", sentence)
    opened = after_interjections(opened or bare)
    if cues.undo_before.search(sentence.strip()):
        thread.supposing = False
        return Mood.UNDOES
    found = _first(bare, opened, sentence, cues)
    follows = thread.sarcastic and _GOES_ON.match(bare) is not None
    thread.sarcastic = found is Mood.SARCASM or follows
    if follows:
        return Mood.SARCASM
    if found is Mood.SUPPOSED or (found is Mood.QUESTION and cues.hypothetical.search(bare)):
        thread.supposing = True
    elif found is Mood.EXAMPLE:
        thread.example = True
    elif thread.supposing and cues.supposed.search(bare):
        return Mood.SUPPOSED
    else:
        thread.supposing = False
    return found


def _first(bare: str, opened: str, sentence: str, cues: Cues) -> Mood:
    if (_END_MARK.search(bare) or cues.question.search(bare)) and not _orders(opened, cues):
        return Mood.QUESTION
    if _ASKS_OF.match(opened) and not bare.endswith(("!", ".")):
        return Mood.QUESTION  # 'is Ana vegetarian'
    if cues.code == "en" and _HANGS.match(bare):
        return Mood.SMALLTALK
    if cues.sarcasm.search(sentence):
        return Mood.SARCASM
    laughed = cues.joke.search(sentence)
    if laughed and not cues.retract.search(opened) and not _ABOUT_BEFORE.match(sentence[laughed.end() :]):
        return Mood.JOKE
    if cues.example.search(bare):
        return Mood.EXAMPLE
    if quoted(bare, cues):
        return Mood.QUOTED
    wanted = cues.preference.search(bare) or cues.prohibition.search(bare) or cues.decision.search(bare)
    if cues.hypothetical.search(bare) and not (wanted and _opens_wish(bare, cues)):
        return Mood.SUPPOSED
    if cues.hedge.search(opened) and not cues.retract.search(opened):
        return Mood.HEDGED
    return Mood.SETTLED


_ASKS_OF = re.compile(
    r"(?:(?i:is|are|was|were|does|did|has|ist|sind|war|hat|haben|wohnt|kommt|heißt|isst|weiß|braucht)"
    r"(?:n['’]t)?) "
    r"[A-ZÄÖÜ][\w-]+(?:['’]s [\w-]+)? (?!(?:and|und|since|for|seit|bis)\b)\w[^,;:]*$"
)
# What hangs on the sentence before it and says nothing alone: 'so I can go to yoga', 'not while I'm alive'.
_HANGS = re.compile(
    r"(?i)so (?:that )?(?:i|we|you|he|she|they) (?:can|could|may|might)\b"
    r"(?!.*\b(?:now|always|any ?time)\b)[^\d,;:]*$|"
    r"not (?:while|as long as|if|because|until|till|when|unless)\b[^,;:]*$"
)
_TAG = re.compile(
    r"(?i),? (?:ok(?:ay)?|right|alright|all right|yes|please|will you|deal|got it|understood|agreed|"
    r"ja|gut|klar|vale|claro|d['’]accord|compris)\s*\?+$"
)


def without_tag(sentence: str) -> str:
    """Without the little word that asks for a nod ('..., okay?')."""
    return _TAG.sub(".", sentence.rstrip(), count=1)


def _orders(opened: str, cues: Cues) -> bool:
    """'Never give out my number, okay?' asks nothing."""
    plain = without_tag(opened)
    return plain != opened.rstrip() and cues.prohibition.match(plain) is not None


_ABOUT_BEFORE = re.compile(r"[\s)\U0001F000-\U0001FAFF]*:\s+\S")  # '..., lol: the varnish needs 12 hours'


def _opens_wish(bare: str, cues: Cues) -> bool:
    """'I'd like my reports in French' uses the form of a supposition and is none."""
    head = cues.lead.sub("", bare)
    match = cues.preference.search(head) or cues.prohibition.search(head) or cues.decision.search(head)
    return match is not None and not re.match(r"(?i)(?:if|suppose|imagine|what if|wenn|si|stell)\b", head)


def quoted(sentence: str, cues: Cues) -> bool:
    """Somebody else's words: a quotation of some length, unless it only names a thing."""
    for span in quotations(sentence):
        inside = sentence[span.start + 1 : span.end - 1]
        before = sentence[: span.start]
        if _TITLE_BEFORE.search(before):
            continue
        long = (
            len(inside.split()) >= 4
            or re.search(r"[.!?,;]", inside)
            or (len(inside) >= 8 and " " not in inside and not inside.isascii())
        )
        if long or (cues.report.search(before) and len(inside.split()) >= 1 and before.strip()):
            return True
    return False
