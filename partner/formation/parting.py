"""Sentences of a language without a grammar here, parted where both sides have a verb and a subject.

The verbs are a short list a language (`[parting]` of its file): what is not known stays together, for a claim
that was parted wrongly is worse than one that says two things.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from partner.formation.calendar_words import RELATIVE_DAYS, WEEKDAYS
from partner.formation.clause import Clause, sliced
from partner.formation.cues import Cues, Parting
from partner.formation.sentences import mask
from partner.formation.words import Word, listed, words

MAX_SUBJECT = 6


def parted(clause: Clause, cues: Cues) -> list[Clause]:
    """The statements of one sentence, or an empty list where it is not several."""
    known = cues.parting
    if known is None or cues.prohibition.search(clause.text) or not words(clause.text):
        return []
    parts: list[Clause] = []
    begin, subject, day = 0, "", ""
    for joint in known.joint.finditer(mask(clause.text)):
        left, right = clause.text[begin : joint.start()], clause.text[joint.end() :]
        if _verb(left, known) < 0 or _subordinate(left, known):
            continue
        kind = _opens(right, joint[0], known)
        if not kind:
            continue
        parts.append(_with(sliced(clause, begin, joint.start()), subject, known))
        day = day or _opening_day(parts[-1].text, known)
        subject = subject_of(parts[-1].text, known.verbs, known.clitics, known.first | known.third.keys())
        begin = joint.end()
    if not parts:
        return []
    parts.append(_with(sliced(clause, begin, len(clause.text)), subject, known))
    return [parts[0], *(_on(day, part) for part in parts[1:])] if day else parts


_HOUR = re.compile(
    r"(?i)\d\s?(?:h|uhr)\b|\d{1,2}[:h]\d{2}\b|\b(?:a las?|um|à|gegen|vers) \d{1,2}\b(?![\d.,%€])"
)


def _opening_day(text: str, known: Parting) -> str:
    """The day that a statement opens with ('Jeudi prochain je suis à Lyon'), or ''."""
    tokens = words(text)[:MAX_SUBJECT]
    day = next((i for i, t in enumerate(tokens) if t.low in _DAYS), -1)
    verb = next((i for i, t in enumerate(tokens) if t.low in known.verbs), -1)
    if not 0 <= day < verb or day > 2:
        return ""
    further = day + 1 < verb and tokens[day + 1].low in _WHICH
    return text[: tokens[day + further].end]


def _on(day: str, part: Clause) -> Clause:
    """The hour is of the day that the sentence began with, where the statement names none itself."""
    if not _HOUR.search(part.text) or any(t.low in _DAYS for t in words(part.text)):
        return part
    return replace(part, text=f"{part.text.rstrip(' .!')}, {day[:1].lower()}{day[1:]}")


_DAYS = WEEKDAYS.keys() | {name for name in RELATIVE_DAYS if " " not in name}
_WHICH = listed("prochain prochaine dernier próximo pasado")


def subject_of(
    text: str, verbs: frozenset[str], clitics: frozenset[str], pronouns: Container[str] = ()
) -> str:
    """What stands before the verb, without the little words that lean on it; '' where that is long or
    nothing."""
    tokens = words(text)
    verb = next((i for i, t in enumerate(tokens) if t.low in verbs), -1)
    while verb > 0 and tokens[verb - 1].low in clitics:
        verb -= 1
    if not 0 < verb <= MAX_SUBJECT:
        return ""
    alone = verb > 1 and tokens[verb - 1].low in pronouns  # 'jeudi prochain je suis à Lyon'
    return text[tokens[verb - 1 if alone else 0].start : tokens[verb - 1].end]


def agrees(pronoun: str, subject: str, third: Mapping[str, frozenset[str]]) -> bool:
    """Whether the pronoun may stand for the phrase: its determiner says which it takes, a name takes any."""
    first = words(subject)[:1]
    if not first or first[0].low in third[pronoun]:
        return bool(first)
    determined = any(first[0].low in determiners for determiners in third.values())
    return first[0].capital and not determined and len(words(subject)) <= 2


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
    if tokens[0].low in known.verbs or (tokens[0].low in known.clitics and _leads_to_verb(tokens, known)):
        return replace(piece, text=f"{subject} {piece.text}")
    spoken = words(subject)[0].low not in known.first
    if spoken and tokens[0].low in known.third and agrees(tokens[0].low, subject, known.third):
        return replace(piece, text=subject + piece.text[tokens[0].end :])
    if spoken and tokens[0].low in known.whose and agrees(tokens[0].low, subject, known.whose):
        return replace(piece, text=f"{subject}, {piece.text[:1].lower()}{piece.text[1:]}")
    return piece


def _leads_to_verb(tokens: Sequence[Word], known: Parting) -> bool:
    """'le voit' leans on its verb, 'le train part' has an article."""
    verb = next((i for i, t in enumerate(tokens) if t.low not in known.clitics), -1)
    return verb > 0 and (tokens[verb].low in known.verbs or tokens[0].low not in known.openers)
