"""What a message is to a conversation before it is about anything: a question, a greeting, thanks."""

from __future__ import annotations

import re
from functools import cache

from partner.formation.data import expand, load
from store.retrieval.text import words


@cache
def _courtesies() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What is said and what is said back, as `configs/formation/manners.toml` says."""
    data = load("manners")
    return tuple(
        (re.compile(expand(courtesy["said"], data["fragments"])), courtesy["answer"])
        for courtesy in data["courtesy"]
    )


def said_back(kind: str, text: str) -> str:
    """What memory says by itself to a message (`kind` of configs/formation/replies.toml), in its language."""
    said: dict[str, str] = load("replies")[kind]
    return said.get(language_of(text), said["en"])


def language_of(text: str) -> str:
    """The language that a message is answered in, as its ISO 639-1 code."""
    from gate.language.detect import detect_language
    from gate.language.normalise import fold
    from partner.formation.languages import CODES, cues_for

    folded = fold(text).text
    code, formed_in = detect_language(folded, text), cues_for(text).code
    if code in CODES and formed_in != "en" and not (code == "en" and _all_english(folded)):
        code = formed_in  # it tells its own apart in shorter texts
    return code


def _all_english(folded: str) -> bool:
    """Whether no word is strange to English: 'me' alone makes no Spanish of 'call me a taxi'."""
    from gate.language.lexicon import load as lexicon
    from gate.language.thesaurus import noun_class

    english = lexicon("en")
    return all(
        word in english.known or english.base(word) in english.verbs or noun_class(word) is not None
        for word in re.findall(r"[^\W\d_]+", folded)
    )


def asks(text: str) -> bool:
    """Whether the words ask for something back; a plain statement does not."""
    return "?" in text or "？" in text or "؟" in text


def inquires(text: str) -> bool:
    """Whether the words ask, with the mark of a question or, as many type, without it."""
    if asks(text):
        return True
    from partner.formation.languages import cues_for  # its lexicons are no part of a start
    from partner.formation.spelling import spelled_out

    question = cues_for(text).question
    return any(question.search(spelled_out(one)) for one in parted(text))


def orders_a_deed(text: str) -> bool:
    """Whether a sentence orders what words alone do not bring about: a payment, a call, a booking."""
    return any(_deed().match(" ".join(_folded(one))) for one in parted(text))


@cache
def _deed() -> re.Pattern[str]:
    data = load("orders")
    verbs, nouns, behind = ("|".join(data[key].split()) for key in ("verbs", "nouns_too", "object"))
    return re.compile(rf"{data['lead']}(?:(?:{verbs})\b|(?:{nouns}) (?:{behind}|[A-Z]\w*|\d+)\b)")


def _folded(sentence: str) -> list[str]:
    """Its words as they are compared, a name within it with a capital."""
    written = sentence.split()
    return [
        word.title() if at and at < len(written) and written[at][:1].isupper() else word
        for at, word in enumerate(words(sentence))
    ]


def parted(text: str) -> list[str]:
    """Its sentences."""
    from partner.formation.sentences import sentences

    return [text[span.start : span.end].strip() for span in sentences(text, 0, len(text))]


def courtesy(text: str) -> str | None:
    """What one says to a greeting, to thanks and the like; None for a message that is more than that."""
    if len(text) > 60 or asks(text) or any(mark.isdigit() for mark in text):
        return None
    line = " ".join(words(text))
    return next((answer for shape, answer in _courtesies() if shape.fullmatch(line)), None)
