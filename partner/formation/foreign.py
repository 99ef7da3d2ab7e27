"""Claims in a language without a grammar here, by the short list of its common verbs: who a leading pronoun
stands for, and whether two of them say another value of one attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from partner.formation.cues import Cues, Parting
from partner.formation.languages import cues_for
from partner.formation.parting import agrees, subject_of
from partner.formation.topics import content_words
from partner.formation.words import words


def named_for(text: str, cues: Cues, before: Iterable[str]) -> str:
    """'Elle a déménagé' after 'Ma soeur s'appelle Inés': the phrase in its pronoun's place. `before`:
    sentences, newest first; the first that has a subject decides."""
    known = cues.parting
    tokens = words(text)
    if known is None or len(tokens) < 2:
        return text
    if _LEFT_OUT.match(text) or tokens[0].low in known.dropped:
        return _with_subject(text, known, before)
    owned = tokens[0].low in known.whose
    if tokens[0].low not in known.third and not owned:
        return text
    for sentence in before:
        subject = subject_of(sentence, known.verbs, known.clitics, known.first | known.third.keys())
        if not subject or words(subject)[0].low in known.first | known.third.keys() | known.whose.keys():
            continue
        if not agrees(tokens[0].low, subject, known.whose if owned else known.third):
            return text
        if owned:
            return f"{subject}, {text[:1].lower()}{text[1:]}"
        return subject + text[tokens[0].end :]
    return text


# 'Se ha mudado a Cádiz', 'se jubiló': what a person did, whose name is left out.
_LEFT_OUT = re.compile(r"(?i)^se (?:ha|han) \w+d[oa]\b|^se (?:mudó|jubiló|casó|fue|divorció|separó)\b")


def _with_subject(text: str, known: Parting, before: Iterable[str]) -> str:
    """The subject of the last sentence in front of a sentence that has none, where that is no first
    person."""
    last = next(iter(before), "")
    subject = subject_of(last, known.verbs, known.clitics, known.first | known.third.keys())
    if not subject or words(subject)[0].low in known.first | known.third.keys():
        return text
    return f"{subject} {text[:1].lower()}{text[1:]}"


def same_attribute(new: str, was: str) -> bool:
    """'Mi médico es el doctor Ruiz' and 'mi médico ahora es la doctora Paz': one subject, and one verb
    that gives one value."""
    known = _shared(new, was)
    if known is None:
        return False
    ours, theirs = _verb(new, known), _verb(was, known)
    if not ours or ours != theirs or ours not in known.single:
        return False
    mine, its = (_subject(text, known) for text in (new, was))
    return bool(mine) and mine == its


def apart(new: str, was: str) -> bool:
    """Whether both have a verb that is known, not the same, and another subject: what they are called,
    and how many I have."""
    known = _shared(new, was)
    if known is None:
        return False
    ours, theirs = _verb(new, known), _verb(was, known)
    if not ours or not theirs or ours == theirs or {ours, theirs}.isdisjoint(known.single):
        return False
    mine, its = (_subject(text, known) for text in (new, was))
    return not (mine and its and (mine <= its or its <= mine))


def _shared(new: str, was: str) -> Parting | None:
    mine, its = cues_for(new), cues_for(was)
    return mine.parting if mine.code == its.code else None


def _verb(text: str, known: Parting) -> str:
    return next((t.low for t in words(text) if t.low in known.verbs), "")


def _subject(text: str, known: Parting) -> frozenset[str]:
    return content_words(subject_of(text, known.verbs, known.clitics))
