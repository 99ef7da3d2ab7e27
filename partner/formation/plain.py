"""The words of a proposition without what only frames them: dates in brackets, announcements, wishes."""

from __future__ import annotations

import re

from partner.formation.grammar import SUBJECT_PRONOUNS, finite
from partner.formation.verbs import lemma
from partner.formation.words import words


def plain(text: str) -> str:
    """Without ISO dates in brackets, emphasis and trailing reasons."""
    text = re.sub(r" \(\d{4}-\d{2}-\d{2}\)", "", text)
    text = re.sub(r"(?i)\b(?:don['’]t|do not) mind\b", "like", text)
    text = re.sub(r"(?i)\btak(?:e|es|ing) place\b", "happens", text)
    text = _WHEN.sub("", _HAS_CHANGED.sub(" has ", text))
    return re.sub(r"[*_`]", "", text)


# 'I usually get up at six', 'the key is now in the shed': when, inside the sentence, is no part of what.
_WHEN = re.compile(
    r"(?i)(?<=\w )(?<!right )(?<!by )(?<!until )(?<!for )(?<!just )(?<!from )"
    r"(?:now|usually|normally|currently|generally|mostly|nowadays) (?=[a-z])"
)
# 'The landlord's put the unit up to 715': a change by somebody, and nothing that he is.
_HAS_CHANGED = re.compile(
    r"(?i)['’]s (?=(?:put|raised|lowered|cut|moved|pushed|bumped|changed|increased|reduced|brought|dropped) "
    r".{2,60} to \S*\d)"
)


def unannounced(text: str) -> str:
    """Without what announces a whole sentence ('Small reshuffle: trench B is led by Ike'), and without the
    form of a wish ('I'd rather get the takings by mail' is about getting them)."""
    found = re.match(r"^[^:.!?]{2,60}:\s+(?=\w)", text)
    if found and (rest := finite(words(text[found.end() :]))) is not None:
        first = words(text[found.end() :])[rest.subject].low
        text = text[found.end() :] if first not in SUBJECT_PRONOUNS else text
    again = _BACK_TO.match(text)
    if again:
        text = f"{again['who']} {lemma(again['verb'].lower())}{text[again.end() :]}"
    wish = _WISH.match(text)
    return "I " + text[wish.end() :] if wish else text


_BACK_TO = re.compile(
    r"(?i)^(?P<who>i|we)(?:['’](?:m|re|ve)| am| are| have)?(?: now| all| gone| went)* back to "
    r"(?P<verb>\w+ing)\b"
)
_WISH = re.compile(
    r"(?i)^i(?:['’]d| would| will|['’]ll)? (?:(?:now|really|much|always|still|also) )*"
    r"(?:rather|sooner|like to|love to|prefer to|want to|have (?:now )?started to|started to) (?=[a-z])"
)
