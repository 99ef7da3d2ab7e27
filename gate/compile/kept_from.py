"""Somebody who may not see, know or get a thing: the partner must not show, tell or give it to them.

'Ana may never see the recipes' is read as 'Never show the recipes to Ana'. The pairs of pattern and reading
are each language's own (`kept_from` in configs/lexicon); a thing that 'sees' or 'gets' is left as it stands.
"""

from __future__ import annotations

import re
from functools import cache

from gate.compile.turned import within
from gate.language.lexicon import load
from gate.language.reading import Reading
from gate.language.thesaurus import ANIMAL, GROUP, PERSON, noun_class

_WHO = (PERSON, GROUP, ANIMAL, None)  # None: a name


@cache
def _pairs(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    listed = load(language).patterns.get("kept_from", ())
    return tuple((re.compile(rf"\A{source}\Z", re.IGNORECASE), said) for source, said in listed)


def said_to_the_partner(sentence: str, reading: Reading) -> str:
    """The rule as it binds who acts; the sentence itself where it is no such rule."""
    text = sentence.strip().rstrip(".! ")
    for pattern, said in _pairs(reading.language):
        match = pattern.match(text)
        if match is None or not ("knows" in match.groupdict() or _somebody(match["who"], reading.language)):
            continue
        thing, exception = _parted(match["o"], reading.language)
        return f"{said.format(who=within(match['who'], reading.language), o=thing)}{exception}."
    return sentence


def _somebody(who: str, language: str) -> bool:
    head = re.findall(r"\w+", who.casefold())
    return bool(head) and (language != "en" or noun_class(head[-1]) in _WHO)


def _parted(thing: str, language: str) -> tuple[str, str]:
    """What must be kept, and the exception behind it with its space."""
    source = load(language).patterns.get("exception")
    found = re.search(source, thing, re.IGNORECASE) if source and language != "de" else None
    if found is None or found.start() == 0:
        return thing, ""
    return thing[: found.start()].rstrip(" ,"), " " + thing[found.start() :]
