"""An approval that a rule makes an exception of, said before its end, moved to its end.

'Nie ohne meine Zustimmung Holz bestellen', 'Without my approval, never order wood': the phrase ends at its
noun ('approval of the board', where no possessive says whose), and what follows is the rule's own.
"""

from __future__ import annotations

import re

from gate.language.reading import Reading
from gate.language.tokens import Token

_MOST_BETWEEN = 4  # words from 'without' to its noun
_VERB_ENDINGS = {
    "en": ("ing", "ed"),
    "de": (),
    "es": ("ar", "er", "ir"),
    "fr": ("er", "ir", "re", "e"),
    "it": ("are", "ere", "ire"),
    "pt": ("ar", "er", "ir"),
}


def approval_last(sentence: str, reading: Reading) -> str:
    """The sentence with the first such phrase at its end, before a German verb that stands last; the
    sentence itself where there is none, where it stands there already, or where its end is not plain."""
    found = _phrase(reading)
    if found is None:
        return sentence
    tokens = reading.tokens
    begin, end = found
    after = end
    before_it = tokens[begin - 1].text if begin else ","
    if tokens[after].text == ",":
        if before_it != ",":
            return sentence  # '..., which ...'
        after += 1
    last = _body_end(reading, after)
    if after >= last:
        return sentence
    cut = begin - 1 if begin and before_it == "," else begin
    pieces = ((0, cut), (after, last), (begin, end), (last, len(tokens)))
    return re.sub(r"\s+", " ", " ".join(_text(sentence, reading, *piece) for piece in pieces)).strip()


def _phrase(reading: Reading) -> tuple[int, int] | None:
    tokens, lexicon = reading.tokens, reading.lexicon
    begin = next((i for i, token in enumerate(tokens) if lexicon.has("lacking", token.text)), None)
    if begin is None or any(token.quoted for token in tokens):
        return None
    owned = False
    noun = None
    for index in range(begin + 1, min(len(tokens), begin + 1 + _MOST_BETWEEN)):
        token = tokens[index]
        if token.kind != "w" or (lexicon.has("preposition", token.text) and token.text not in ("a", "o")):
            return None
        if token.stem in lexicon.stems["approval"] and _is_noun(reading, index):
            noun = index
            while noun + 2 < len(tokens) and tokens[noun + 1].text == "-":
                noun += 2  # 'sign-off'
            break
        owned = owned or token.possessive or lexicon.has("possessive", token.text)
    if noun is None:
        return None
    end = noun + 1 if owned else _giver_end(reading, noun + 1)
    if end >= len(tokens) or not _ends(reading, end, owned or end > noun + 1):
        return None
    return begin, end


def _is_noun(reading: Reading, index: int) -> bool:
    token = reading.tokens[index]
    if reading.language == "de":
        return token.noun or not any(other.noun for other in reading.tokens)
    return not token.text.endswith(_VERB_ENDINGS[reading.language])


def _giver_end(reading: Reading, at: int) -> int:
    """Where 'of the board', 'von Ana', 'de Ana o Luis' ends; `at` where nobody is named."""
    tokens, lexicon = reading.tokens, reading.lexicon
    if at >= len(tokens) or not lexicon.has("giver_prep", tokens[at].text):
        return at
    name = at + 1
    while name < len(tokens) and (
        lexicon.has("determiner", tokens[name].text) or lexicon.has("possessive", tokens[name].text)
    ):
        name += 1
    end = name + 1
    while end < len(tokens) and reading.language != "de" and _capital(reading, tokens[end]):
        end += 1
    return end


def _ends(reading: Reading, end: int, whose: bool) -> bool:
    """Whether the phrase is over at `end`: no list, clause or compound ('permission slips') goes on."""
    token, lexicon = reading.tokens[end], reading.lexicon
    if lexicon.has("conjunction", token.text) or lexicon.has("subordinator", token.text):
        return False
    if lexicon.has("to_prep", token.text) and token.text in ("to", "zu", "para", "pour", "per"):
        return False  # 'without permission to ...'
    plain = token.kind == "w" and not lexicon.has_any(
        ("determiner", "preposition", "negator", "auxiliary"), token.text
    )
    return whose or not plain or reading.language != "en"


def _capital(reading: Reading, token: Token) -> bool:
    first, _ = reading.folded.span(token.start, token.end)
    return reading.original[first : first + 1].isupper()


def _body_end(reading: Reading, after: int) -> int:
    """Before the full stop, and before a German infinitive that ends the sentence."""
    tokens = reading.tokens
    end = len(tokens)
    while end > after and tokens[end - 1].kind == "p":
        end -= 1
    endings = reading.lexicon.patterns.get("infinitive_endings")
    if endings and end > after:
        last = tokens[end - 1]
        if last.text.endswith(tuple(endings)) and last.stem in reading.lexicon.acts and not last.noun:
            return end - 1
    return end


def _text(sentence: str, reading: Reading, begin: int, end: int) -> str:
    if begin >= end:
        return ""
    first, last = reading.folded.span(reading.tokens[begin].start, reading.tokens[end - 1].end)
    return sentence[first:last]
