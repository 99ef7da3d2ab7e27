"""Text as search sees it: folded words, stems, n-grams for scripts without spaces, and FTS5 expressions.

`index_terms` is applied at write, `match_expression` at reading; both use the same steps, so what one makes
of a word the other makes too. Everything that reaches FTS5 is a quoted run of letters and digits: no
character of a query can be an operator.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from store.model import Engram, EngramType
from store.retrieval.language import LANGUAGES, STOP_WORDS, detect, likely, stem

MAX_QUERY_CHARS = 8_000  # of a longer question its beginning and its end; a pasted file is not a question
MAX_QUERY_TERMS = 48
MAX_TERM_CHARS = 64
MAX_CACHED_WORDS = 1 << 16
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

_APOSTROPHES = re.compile("['\u2018\u2019\u02bc\uff07`\u00b4](?=\\w)")
# l'école, d'argent, s'appelle, dell'acqua: French and Italian write small words onto the next
_ELIDED = re.compile(
    "(?<!\\w)(l|d|j|m|t|s|n|c|qu|jusqu|lorsqu|puisqu|un|dell|all|nell|sull|dall|quest|quell)"
    "['\u2019](?=[aeiouyh\u00c0-\u00ff\u0153])",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile("(?<=\\w)['\u2019]s(?!\\w)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
# accents of Latin, Greek and Cyrillic; points of Hebrew and Arabic; joiners and direction marks
_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0e\ufe0f]"
)
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
_ASCII_WORDS = re.compile(f"[a-z0-9]{{1,{MAX_TERM_CHARS}}}")  # a longer run of letters is several words
_REWRITTEN = re.compile(r"[0-9](?:,[0-9]|st|nd|rd|th)")
# 'in Haifa', 'the house': Hebrew and Arabic write article and prepositions onto the word
_PREFIXED = re.compile(
    "^(?:[\u05d1\u05d4\u05d5\u05db\u05dc\u05de\u05e9](?=[\u05d0-\u05ea]{3})"
    "|(?:[\u0648\u0628\u0643\u0641]?\u0627\u0644|\u0644\u0644)(?=[\u0621-\u064a]{2}))"
)
_RUN = re.compile(f"[{_UNSPACED}\U00020000-\U0003ffff]+")
_PIECES = re.compile(  # the vowels of Indic scripts are marks, not letters
    f"[{_UNSPACED}\U00020000-\U0003ffff]+"
    f"|(?:[^\\W_{_UNSPACED}\U00020000-\U0003ffff]|[\u0900-\u0dff]){{1,{MAX_TERM_CHARS}}}"
    "|[\u2190-\u2bff\U0001f000-\U0001faff]"
)


def ends(text: str, limit: int) -> str:
    """The text, or of one longer than `limit` characters its beginning and its end."""
    return text if len(text) <= limit else f"{text[: limit // 2]}\n{text[-(limit // 2) :]}"


def pieces(text: str, limit: int) -> list[str]:
    """The text in pieces of at most `limit` characters, cut after a space where there is one."""
    out = []
    start = 0
    while start < len(text):
        end = start + limit
        if end < len(text):
            end = text.rfind(" ", start + 1, end) + 1 or end
        out.append(text[start:end])
        start = end
    return out or [""]


def fold(text: str) -> str:
    """Compatibility forms, case, accents and apostrophes taken away; numbers without separators."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _MARKS.sub("", unicodedata.normalize("NFD", text))
    text = _POSSESSIVE.sub("", unicodedata.normalize("NFC", text))
    text = _APOSTROPHES.sub("", text)
    return _ORDINAL.sub(r"\1", _THOUSANDS.sub("", text))


def unelided(text: str) -> str:
    """The text with small words that are written onto the next apart from it ('d'argent': 'd argent')."""
    return _ELIDED.sub(r"\1 ", text) if "'" in text or "\u2019" in text else text


def words(text: str) -> list[str]:
    """Folded words in order; a run of an unspaced script is one word, a pictogram is one word."""
    if text.isascii():  # three times faster, and the same words
        text = text.lower()
        if "'" in text or "`" in text:
            text = _APOSTROPHES.sub("", _POSSESSIVE.sub("", text))
        if _REWRITTEN.search(text):
            text = _ORDINAL.sub(r"\1", _THOUSANDS.sub("", text))
        return _ASCII_WORDS.findall(text)
    return _PIECES.findall(fold(text))


@lru_cache(maxsize=MAX_CACHED_WORDS)
def _terms_of(word: str, languages: tuple[str, ...], index: bool) -> tuple[str, ...]:
    """The terms of one folded word.

    An unspaced run gives its pairs of characters, and single characters where `index` or nothing else is
    there; a pictogram gives its code point in letters, since FTS5's tokenizer drops the sign itself.
    """
    if len(word) == 1 and ("\u2190" <= word <= "\u2bff" or word >= "\U0001f000"):
        return (f"u{ord(word):x}",)
    if _RUN.match(word):
        pairs = tuple(word[i : i + 2] for i in range(len(word) - 1))
        return (*word, *pairs) if len(word) == 1 or index else pairs
    if _PREFIXED.match(word):
        return (word, _PREFIXED.sub("", word, count=1))
    return tuple(dict.fromkeys(stem(word, language) for language in languages))


def terms(text: str) -> list[str]:
    """The terms of a stored text in order, repeated as often as they occur."""
    found = words(unelided(text))
    languages = (detect(found) or "en",)
    return [term for word in found for term in _terms_of(word, languages, True)]


class _Indexed(dict[str, str]):
    """Word -> its index terms joined, in one language; appending looks nothing else up."""

    def __init__(self, language: str) -> None:
        self._languages = (language,)

    def __missing__(self, word: str) -> str:
        if word.isascii() and not word.isalpha():  # numbers: no stem, and too many to remember
            return word
        if len(self) >= MAX_CACHED_WORDS:
            self.clear()
        joined = self[word] = " ".join(_terms_of(word, self._languages, True))
        return joined


_INDEXED = {language: _Indexed(language) for language in LANGUAGES}


def index_terms(text: str) -> str:
    """What the full-text index stores of a text: its terms, separated by spaces."""
    found = words(unelided(text))
    return " ".join(map(_INDEXED[detect(found) or "en"].__getitem__, found))


def content_words(query: str) -> list[str]:
    """The folded words of a question that are no function words of its language."""
    found = words(query)
    stop = STOP_WORDS[detect(found) or "en"]
    return [word for word in found if word not in stop]


def query_terms(query: str) -> list[str]:
    """Distinct terms of a question, function words left out unless nothing else is there.

    Where the language of the question is undecided (one word, a name), a word gives its stems in every
    language, so it meets its text whatever that was taken for.
    """
    asked = ends(query, MAX_QUERY_CHARS)
    found = words(apart := unelided(asked))
    if apart != asked:  # older texts are indexed with the small word on it
        found = list(dict.fromkeys((*found, *words(asked))))
    between = likely(found)  # of a question in either of two, what is a small word in one is a small word
    language = between[0] if len(between) == 1 else None
    languages = LANGUAGES if language is None else tuple(dict.fromkeys((language, "en")))
    stop = frozenset().union(*(STOP_WORDS[one] for one in between or ("en",)))
    content = [word for word in found if word not in stop] or found
    out = dict.fromkeys(term for word in content for term in _terms_of(word, languages, False))
    every = list(out)
    if len(every) > MAX_QUERY_TERMS:  # what is asked of a long text stands before or behind it
        return every[: MAX_QUERY_TERMS // 2] + every[-(MAX_QUERY_TERMS // 2) :]
    return every


def match_expression(query: str, also: Iterable[str] = ()) -> str:
    """An FTS5 expression that finds any term of the question, and those of `also`; '' when there is nothing
    to look for."""
    return " OR ".join(f'"{term}"' for term in dict.fromkeys((*query_terms(query), *also)))


def search_text(content: str, *, speaker: str | None = None, said_at: datetime | None = None) -> str:
    """The text of an engram that is indexed and embedded: who said it and when come before the words.

    Measured on dialogue: the prefix lifts recall@10 of BM25 by .05 and of late interaction by .10. Month
    names are written out by table, not by locale.
    """
    when = f" ({said_at.day} {_MONTHS[said_at.month - 1]} {said_at.year})" if said_at is not None else ""
    return f"{speaker}{when}: {content}" if speaker else content


def searchable(engram: Engram) -> str:
    """`search_text` of an engram: utterances carry their speaker and day, all else its words alone."""
    if engram.type is not EngramType.UTTERANCE:
        return engram.content
    speaker = engram.metadata.get("speaker")
    return search_text(
        engram.content,
        speaker=speaker if isinstance(speaker, str) else None,
        said_at=engram.valid_from or engram.created_at,
    )
