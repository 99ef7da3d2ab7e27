"""The gist of a rule: its telling words, in whatever place they stand.

The slots of a constraint hold what the compiler understood. The gist is kept beside them so that a question
can still be put where it understood little: every content word of the sentence but those of its exceptions
and of its times, weighed by how rare the word is.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from gate.compile.phrases import aliases, is_proper, name_keys
from gate.constraint import Part, Term, Unless, Window
from gate.language.reading import Reading
from gate.language.thesaurus import noun_class, rarity
from gate.language.tokens import Token

GENERIC_WEIGHT = 0.3
FOREIGN_WEIGHT = 0.8  # of a word in a language of which no frequencies are shipped
SMALL = (
    "determiner", "pronoun", "preposition", "conjunction", "auxiliary", "filler", "please", "adverb",
    "negator", "question", "subordinator", "anyword", "ignorable", "generic_verb",
)  # fmt: skip


def gist_of(
    reading: Reading, terms: Iterable[Term], windows: Iterable[Window], unless: Iterable[Unless]
) -> tuple[Part, ...]:
    """The parts of a rule's sentence; a verb that names no thing has weight 0."""
    named = {word for term in terms for word in term.words.split()}
    left_out = {word for window in windows for word in window.words.split()}
    left_out |= {word for item in unless for word in item.words.split()} - named
    found: list[Part] = []
    for index, token in enumerate(reading.tokens):
        if token.text in left_out or not _tells(reading, token, named):
            continue
        name = token.kind == "n" or (reading.language != "de" and is_proper(reading, index))
        keys = name_keys(token, reading.lexicon) if name else aliases(token, reading.lexicon)
        verbal = token.stem in reading.lexicon.acts or reading.lexicon.verbs.get(token.stem) == "V"
        noun = any(part.weight == 0.0 for part in found) and noun_class(token.text) is not None
        deed = verbal and token.text not in named and not noun  # 'send contracts': one verb is enough
        weight = 0.0 if deed else 1.0 if name else _weight(reading, token)
        found.append(Part(word=token.text, keys=MappingProxyType(keys), weight=weight, exact=name))
    return tuple(found)


def gist_of_terms(terms: Iterable[Term]) -> tuple[Part, ...]:
    """The gist of a rule that was given as data: the words of its terms."""
    return tuple(part for term in terms for part in term.parts)


def _tells(reading: Reading, token: Token, named: set[str]) -> bool:
    if token.kind == "n":
        return token.text in named
    if token.kind != "w" or reading.lexicon.has("rule_word", token.text):
        return False
    return not reading.lexicon.has_any(SMALL, token.text)


def _weight(reading: Reading, token: Token) -> float:
    lexicon = reading.lexicon
    if any(token.stem in lexicon.stems.get(group, frozenset()) for group in ("generic", "empty_verb")):
        return GENERIC_WEIGHT
    return rarity(token.text, token.stem) if reading.language == "en" else FOREIGN_WEIGHT
