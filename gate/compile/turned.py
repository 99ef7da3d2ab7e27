"""Rules that say in other words what 'Only X may ...' and 'Never ...' say.

'Nobody feeds the otters except Pascale' is read as 'Only Pascale may feed the otters', 'Court 5 is reserved
for juniors' as 'Court 5 is not for anyone except juniors'. The pairs of pattern and reading are each
language's own (`turned` in configs/lexicon). In a reading {verb} is the pattern's `v` without its ending.
"""

from __future__ import annotations

import re
from functools import cache

from gate.language.lexicon import Lexicon, load
from gate.language.reading import Reading
from gate.language.thesaurus import noun_class

_SAID_OF = {"me": "I", "us": "we", "myself": "I", "him": "he", "her": "she", "them": "they"}  # 'but me' may


@cache
def _pairs(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    listed = load(language).patterns.get("turned", ())
    return tuple((re.compile(rf"\A{source}\Z", re.IGNORECASE), said) for source, said in listed)


def turned_round(sentence: str, reading: Reading) -> str:
    """The rule as an order to whoever acts; the sentence itself where it already is one."""
    turned = _turned(sentence, reading)
    return turned if turned == sentence else _turned(turned, reading)  # 'see to it that nobody ...'


def _turned(sentence: str, reading: Reading) -> str:
    text = sentence.strip().rstrip(".! ")
    for pattern, said in _pairs(reading.language):
        match = pattern.match(text)
        if match is None:
            continue
        words = {name: within(value or "", reading.language) for name, value in match.groupdict().items()}
        if "v" in words:
            words["verb"] = _base(words["v"], reading.lexicon)
        if "who" in words:
            words["actor"] = _SAID_OF.get(words["who"].casefold(), words["who"])
        return re.sub(r"\s+", " ", said.format(**words)).strip() + "."
    return sentence


def within(words: str, language: str) -> str:
    """Words that began a sentence as they stand within one: only a name keeps its capital."""
    first = words.split(" ", 1)[0]
    common = first[1:].islower() and first[:1].isupper() and language == "en"
    lexicon = load("en")
    known = common and (
        lexicon.has_any(("determiner", "pronoun", "preposition"), first.lower())
        or noun_class(first.lower().removesuffix("'s").removesuffix("'")) is not None
        or lexicon.base(first.lower()) in lexicon.concepts
    )
    return words[:1].lower() + words[1:] if known else words


def _base(verb: str, lexicon: Lexicon) -> str:
    """'feeds', 'tuned', 'driven' as an order has them."""
    text = verb.casefold()
    if lexicon.language == "de":
        return text.removesuffix("t") + "en"
    if lexicon.language in ("es", "it", "pt"):
        return (
            text + "r" if lexicon.language != "it" else text[:-1] + ("are" if text.endswith("a") else "ere")
        )
    if lexicon.language != "en" or text in lexicon.irregular:
        return lexicon.irregular.get(text, text)
    tries = {
        "ies": (text[:-3] + "y",),
        "ied": (text[:-3] + "y",),
        "es": (text[:-1], text[:-2]),
        "s": (text[:-1],),
        "ed": (text[:-1], text[:-2], text[:-3]),
    }
    for ending, bases in tries.items():
        if text.endswith(ending):
            return next((base for base in bases if base in lexicon.verb_words), bases[0])
    return text
