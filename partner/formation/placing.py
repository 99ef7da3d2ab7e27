"""A new value put in the place of the old one, in the words of the claim that it corrects.

Only where one place can be meant: the value that the correction names as wrong, a word spelled almost the
same,
the one figure of its kind, the one name, the one phrase behind the verb. Elsewhere nothing is made up: a
claim
that nobody said, half of the old and half of the new, would be worse than an old one that stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from partner.formation.calendar_words import MONTHS, WEEKDAYS
from partner.formation.data import load
from partner.formation.grammar import ADVERBS, DETERMINERS, PREPOSITIONS, finite
from partner.formation.languages import cues_for
from partner.formation.values import WORKED_OUT, kind_of, with_figures
from partner.formation.verbs import AUXILIARIES, COPULA, form_of
from partner.formation.words import Word, words

MAX_VALUE_WORDS = 6
LIKE = 0.72  # of letters in common: 'Bettina' and 'Betina'
LIKE_SHORT = 0.66  # 'Ida' and 'Ada'
_NOT_THE_OLD = re.compile(
    r"(?i)[,;]? (?:not|instead of|rather than|statt|nicht|pas|no) (?P<old>[\w'’:., -]{1,40}?)[.!]*$"
)


def put(content: str, value: str, *, sure: bool) -> str:
    """The claim with the value in the old one's place, or '' where no place is certain. `sure`: what was said
    before is wrong for certain; else only names, figures and spellings are put in."""
    text = content.rstrip(".!")
    value, old = _without_old(value.strip(" .!,;"))
    count = len(words(value))
    if not value or count == 0 or count > MAX_VALUE_WORDS:
        return ""
    if old:
        first = words(value)[0]
        if first.low in PREPOSITIONS and once(text, f"{first.text} {old}", value):
            old = f"{first.text} {old}"  # 'Scrap Cork, it's in Galway'
        figures = re.findall(r"[€$£]?\d[\d.,:]*", value)
        made = once(text, old, figures[0] if old[:1].isdigit() and len(figures) == 1 else value)
        return made + "." if made else ""
    if kind_of(value):
        made = with_figures(text, value)
        return made.rstrip(".") + "." if made else ""
    if re.search(r"\d", value):
        return ""
    text = WORKED_OUT.sub("", text)
    made = _anchored(text, value) or _like(text, value) or _named(text, value)
    if not made and cues_for(text).code == "en":
        made = _of_kind(text, value)
    if not made and sure and cues_for(text).code == "en":
        made = _behind_preposition(text, value) or _last_phrase(text, value)
    return made + "." if made and made != text else ""


def _without_old(value: str) -> tuple[str, str]:
    found = _NOT_THE_OLD.search(value)
    return (value[: found.start()].strip(), found["old"].strip()) if found and found.start() else (value, "")


def once(text: str, old: str, value: str) -> str:
    """The text with its only `old` replaced."""
    spans = list(re.finditer(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", text))
    return text[: spans[0].start()] + value + text[spans[0].end() :] if len(spans) == 1 else ""


def _anchored(text: str, value: str) -> str:
    """'Gate D' for 'gate C', 'Herr Wolters' for 'Herr Wouters': the same first word, another last one."""
    said, told = words(value), words(text)
    at = [i for i, t in enumerate(told) if t.low == said[0].low]
    if len(said) < 2 or len(at) != 1 or said[0].low in DETERMINERS or said[0].low in PREPOSITIONS:
        return ""
    last = at[0] + len(said) - 1
    if last >= len(told) or told[last].capital != said[-1].capital:
        return ""
    return _spliced(text, told[at[0]].start, told[last].end, value)


def _like(text: str, value: str) -> str:
    """One word that is spelled almost like the value."""
    if " " in value or len(value) < 3:
        return ""
    least = LIKE if len(value) > 4 else LIKE_SHORT
    near = [
        t
        for t in words(text)
        if len(t.text) >= 3
        and t.low != value.lower()
        and t.capital == value[:1].isupper()
        and SequenceMatcher(None, t.low, value.lower()).ratio() >= least
    ]
    return _spliced(text, near[0].start, near[0].end, value) if len(near) == 1 else ""


def _named(text: str, value: str) -> str:
    """A name in the place of the only name behind the verb, or of the one that is the subject of 'is'."""
    tokens = words(value)
    first = next((t for t in tokens if t.low not in PREPOSITIONS and t.low not in DETERMINERS), None)
    if first is None or not first.capital or not _is_name(tokens[tokens.index(first) :]):
        return ""
    bare = value[first.start :]
    code = cues_for(text).code
    told = words(text)
    verb = finite(told) if code == "en" else None
    begin = told[verb.verb].end if verb else (told[0].end if told else 0)
    if code == "de":
        return ""  # every noun has a capital there
    runs = _name_runs(told, begin)
    if len(runs) == 1:
        return _spliced(text, *runs[0], bare)
    subject = _name_runs(told, 0)
    if verb and not runs and len(subject) == 1 and told[verb.verb].low in COPULA:
        whole = subject[0][0] == told[verb.subject].start and subject[0][1] == told[verb.verb - 1].end
        return _spliced(text, *subject[0], bare) if whole else ""
    return ""


@cache
def _titles() -> frozenset[str]:
    return frozenset(load("revision")["titles"].split())


def _is_name(tokens: Sequence[Word]) -> bool:
    return all(
        t.capital or t.low in ("'s", "de", "la", "of", "the", "von", "van", "del") for t in tokens
    ) and not any(t.low in WEEKDAYS or t.low in MONTHS for t in tokens)


def _name_runs(told: Sequence[Word], begin: int) -> list[tuple[int, int]]:
    """Where names stand behind `begin`, titles included."""
    runs: list[tuple[int, int]] = []
    last = -1
    for at, token in enumerate(told):
        named = token.capital and token.low not in ("i",) and not token.number and not _function(token)
        named = named and token.low not in WEEKDAYS and token.low not in MONTHS
        if token.start < begin or not named:
            continue
        joined = runs and last == at - 1 and token.start - told[last].end <= 2
        if joined:
            runs[-1] = (runs[-1][0], token.end)
        else:
            runs.append((token.start, token.end))
        last = at
    return runs


def _function(token: Word) -> bool:
    return token.start == 0 and (
        token.low in DETERMINERS or token.low in PREPOSITIONS or token.low in ADVERBS
    )


def _of_kind(text: str, value: str) -> str:
    """'Green' for the only colour."""
    for kind in _kinds():
        if value.lower() in kind:
            found = [t for t in words(text) if t.low in kind]
            return _spliced(text, found[0].start, found[0].end, value) if len(found) == 1 else ""
    return ""


@cache
def _kinds() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(kind.split()) for kind in load("revision")["kinds"])


def _behind_preposition(text: str, value: str) -> str:
    """'In the shed' for the only phrase that opens with 'in', where that closes the claim."""
    first = words(value)[0].low
    if first not in PREPOSITIONS:
        return ""
    told = words(text)
    at = [i for i, t in enumerate(told) if t.low == first]
    if len(at) != 1 or any(t.low in PREPOSITIONS for t in told[at[0] + 1 :]):
        return ""
    return text[: told[at[0]].start] + value


def _last_phrase(text: str, value: str) -> str:
    """The one phrase behind the verb of a claim that has no other."""
    told = words(text)
    verb = finite(told)
    said = words(value)
    if verb is None or said[0].low in PREPOSITIONS or finite(said) is not None or re.search(r"[,;:]", text):
        return ""
    if said[0].low in ADVERBS or said[0].low.endswith("ly"):
        return ""
    rest = list(told[verb.verb + 1 :])
    while rest and (
        rest[0].low in ADVERBS | AUXILIARIES | {"going", "to", "be", "been"}
        or _participle(rest, told[verb.verb])
    ):
        rest.pop(0)
    while rest and rest[-1].low in ADVERBS:
        rest.pop()
    cuts = [i for i, t in enumerate(rest) if t.low in PREPOSITIONS or t.low in ("and", "or")]
    if not rest or len(cuts) > 1 or (cuts and cuts[0] > 1):
        return ""  # two phrases: the value may stand for either
    phrase = rest[cuts[0] + 1 :] if cuts else rest
    if not phrase or len(phrase) > 4:
        return ""
    own = [t for t in phrase if t.low not in DETERMINERS]
    if said[0].low in DETERMINERS:
        own = phrase
    elif len(own) > 1 and len(said) == 1 and phrase[0].low in DETERMINERS:
        return ""  # 'the blue tiles', 'no wait, green': the tiles or their colour
    if not own:
        return ""
    return _spliced(text, own[0].start, own[-1].end, value)


def _participle(rest: Sequence[Word], verb: Word) -> bool:
    return verb.low in AUXILIARIES and form_of(rest[0].low) in ("past", "ing", "base") and len(rest) > 1


def _spliced(text: str, start: int, end: int, value: str) -> str:
    if start == 0:
        value = value[:1].upper() + value[1:]
    return text[:start] + value + text[end:]
