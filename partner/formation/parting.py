"""Sentences of a language without a grammar here, parted where both sides have a verb and a subject.

The verbs are a short list a language (`[parting]` of its file): what is not known stays together, for a claim
that was parted wrongly is worse than one that says two things.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from partner.formation.clause import Clause, sliced
from partner.formation.cues import Cues, Parting
from partner.formation.sentences import mask
from partner.formation.words import Word, words

MAX_SUBJECT = 6


def parted(clause: Clause, cues: Cues) -> list[Clause]:
    """The statements of one sentence, or an empty list where it is not several."""
    known = cues.parting
    if known is None or cues.prohibition.search(clause.text) or not words(clause.text):
        return []
    parts: list[Clause] = []
    begin, subject = 0, ""
    for joint in known.joint.finditer(mask(clause.text)):
        left, right = clause.text[begin : joint.start()], clause.text[joint.end() :]
        if _verb(left, known) < 0 or _subordinate(left, known):
            continue
        kind = _opens(right, joint[0], known)
        if not kind:
            continue
        parts.append(_with(sliced(clause, begin, joint.start()), subject, known))
        subject = subject_of(parts[-1].text, known.verbs, known.clitics)
        begin = joint.end()
    if not parts:
        return []
    return [*parts, _with(sliced(clause, begin, len(clause.text)), subject, known)]


def subject_of(text: str, verbs: frozenset[str], clitics: frozenset[str]) -> str:
    """What stands before the verb, without the little words that lean on it; '' where that is long or
    nothing."""
    tokens = words(text)
    verb = next((i for i, t in enumerate(tokens) if t.low in verbs), -1)
    while verb > 0 and tokens[verb - 1].low in clitics:
        verb -= 1
    return text[tokens[0].start : tokens[verb - 1].end] if 0 < verb <= MAX_SUBJECT else ""


def agrees(pronoun: str, subject: str, third: Mapping[str, frozenset[str]]) -> bool:
    """Whether the pronoun may stand for the phrase: its determiner says which it takes, a name takes any."""
    first = words(subject)[:1]
    return bool(first) and (first[0].low in third[pronoun] or (first[0].capital and len(words(subject)) <= 2))


def _verb(text: str, known: Parting) -> int:
    return next((i for i, t in enumerate(words(text)) if t.low in known.verbs), -1)


def _subordinate(text: str, known: Parting) -> bool:
    tokens = words(text)
    return bool(tokens) and tokens[0].low in known.subordinators


def _opens(right: str, joint: str, known: Parting) -> str:
    """'clause' for a right side with a subject of its own, 'verb' for one that shares the left one, else
    ''."""
    segment = re.split(r"[,;]", right, maxsplit=1)[0]
    tokens = words(segment)
    if len(tokens) < 3 or tokens[0].low in known.subordinators:
        return ""
    verb = _verb(segment, known)
    if verb == 0:
        return "verb" if not joint.strip().startswith(",") else ""
    own = tokens[0].low in known.openers or tokens[0].capital
    if not own or not 0 < verb <= MAX_SUBJECT or _relative(tokens, verb, known):
        return ""
    return "clause"


def _relative(tokens: Sequence[Word], verb: int, known: Parting) -> bool:
    """'..., der in Bergen wohnt': a pronoun that is an article elsewhere, with the verb at the end."""
    return tokens[0].low in known.relatives and verb == len(tokens) - 1


def _with(piece: Clause, subject: str, known: Parting) -> Clause:
    """The piece with the subject it shares, or that its pronoun stands for."""
    tokens = words(piece.text)
    if not subject or not tokens:
        return piece
    if tokens[0].low in known.verbs or tokens[0].low in known.clitics:
        return replace(piece, text=f"{subject} {piece.text}")
    spoken = words(subject)[0].low not in known.first
    if spoken and tokens[0].low in known.third and agrees(tokens[0].low, subject, known.third):
        return replace(piece, text=subject + piece.text[tokens[0].end :])
    return piece
