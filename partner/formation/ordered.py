"""Orders that forbid, as the gate reads them: in its languages, and in words that no cue of ours has."""

from __future__ import annotations

import re
from functools import cache

from gate.compile import compile_prohibition
from gate.compile.opening import open_rule
from gate.errors import CompileQuestion
from gate.language.detect import detect_language
from gate.language.lexicon import Lexicon
from gate.language.lexicon import load as lexicon_of
from gate.language.normalise import fold_words
from partner.formation.data import load
from partner.formation.words import has_cjk, listed

_FIRST_WORDS = 4


def forbids(text: str, taken_for: str) -> bool:
    """Whether a sentence in another language than English is an order that forbids an act which the gate
    knows ('Non consegnare chiavi agli operai', 'Kein sudo benutzen', 'Aucun virement à Rotal').

    A statement may deny in the same words ('Non lavoro il lunedì', 'Aucun mail de la banque'): the verb has
    to be in a form that orders, or the noun be that of an act with a word of where to or how far behind it.
    `taken_for`: the language of the message.
    """
    folded = fold_words(text).replace("'", "' ").rstrip(".! ")
    said = folded.split()
    if len(said) < 3 or "?" in text or has_cjk(text) or not (language := _language(text, said, taken_for)):
        return False
    opening, lexicon = open_rule(text, language), lexicon_of(language)
    if opening is None or opening.lead:
        return False
    bans = not _signs(language, "bans").isdisjoint(said[:3])
    bound = bans or _modal().search(folded) or _orders(said, lexicon)
    try:
        return opening.kind == "touch" or bool(
            bound and compile_prohibition("", text, language=language).acts
        )
    except CompileQuestion:
        return False


def _language(text: str, said: list[str], taken_for: str) -> str:
    """The language whose negation stands in it: that which alone has such a word; of words that several have
    ('no', 'so', 'que') the one that the gate takes it for, unless it was taken for English."""
    first = frozenset(said)
    found = [code for code in load("denied")["negations"] if not _signs(code).isdisjoint(first)]
    sole = [code for code in found if not (_signs(code) & first) <= _shared()]
    if len(sole) == 1:
        return sole[0]
    if not found or (taken_for == "en" and not sole):
        return ""
    taken = detect_language(text)  # asked last: it reads the lexicons of all languages
    return taken if taken in found else ""


def _orders(said: list[str], lexicon: Lexicon) -> bool:
    """Whether the verb orders what the negation denies, or its noun is an act's."""
    code = lexicon.language
    at = next((i for i, word in enumerate(said[:_FIRST_WORDS]) if word in _signs(code)), None)
    if at is None:
        return False
    if at > 0:
        return said[0] in lexicon.orders and not any(word.endswith((",", ":")) for word in said[:at])
    behind = next((word for word in said[1:] if word not in _list("clitics")), "")
    if behind in _list("idle"):
        return False
    if code != "de" and said[0] in _signs(code, "verbal") and behind in lexicon.orders:
        return True
    if code == "de" and said[-1].endswith("n"):
        told = any(lexicon.has("auxiliary", word) for word in said)
        return said[-1] in lexicon.orders and not told  # 'Nicht im Keller rauchen', 'Kein sudo benutzen'
    act = lexicon.base(behind) in lexicon.nominals
    return said[0] in _signs(code, "nominal") and act and not _list("limits").isdisjoint(said[2:])


@cache
def _list(name: str) -> frozenset[str]:
    return listed(load("denied")[name])


@cache
def _signs(code: str, *parts: str) -> frozenset[str]:
    """The words of a language that deny or forbid."""
    data = load("denied")["negations"][code]
    return frozenset().union(*(listed(data[part]) for part in parts or data))


@cache
def _shared() -> frozenset[str]:
    """Those that English or more than one of the languages has ('no', 'so', 'solo')."""
    sets = [_signs(code) for code in load("denied")["negations"]]
    both = {word for one in sets for other in sets if one is not other for word in one & other}
    return frozenset(both | listed("no so on que solo ni ne"))


@cache
def _modal() -> re.Pattern[str]:
    return re.compile("|".join(load("denied")["modal"]))
