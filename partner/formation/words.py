"""Words of a clause, in order, with their place; contractions are opened up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"\w+(?:[.:/@_-]\w+)*(?:['’]\w+)*|['’](?:s|re|m|ve|ll|d)\b", re.UNICODE)
_CONTRACTED = re.compile(r"(?i)(n['’]t|['’](?:s|re|m|ve|ll|d))$")
_ELIDED = re.compile(r"(?i)^(?:[jldnmtc]|qu|jusqu|lorsqu|puisqu)['’](?=\w\w)(?!(?:re|ll|ve)$)")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
NUMBER = re.compile(
    r"^[€$£¥]?\d[\d.,:/'-]*(?:st|nd|rd|th|h|am|pm|%|kg|km|cm|mm|m|g|l|s|ms|gb|mb|kb|tb|w|kw)?$", re.IGNORECASE
)


def listed(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Word:
    """`text` as written, `low` in lower case with a straight apostrophe, `start:end` in the clause."""

    text: str
    low: str
    start: int
    end: int
    number: bool
    capital: bool


@lru_cache(maxsize=1024)
def words(clause: str) -> tuple[Word, ...]:
    """Split into words; `it's` gives `it` and `'s`, `won't` stays one word. CJK letters come singly."""
    found: list[Word] = []
    cjk = has_cjk(clause)
    for match in _WORD.finditer(clause):
        text, start = match[0], match.start()
        if cjk and _CJK.search(text):
            found += _cjk(text, start)
            continue
        elided = _ELIDED.match(text) if "'" in text or "’" in text else None
        if elided:
            found.append(_word(text[: elided.end()], start))
            text, start = text[elided.end() :], start + elided.end()
        tail = _CONTRACTED.search(text) if "'" in text or "’" in text else None
        if tail and not tail[0].lower().startswith("n") and tail.start() > 0:
            found.append(_word(text[: tail.start()], start))
            found.append(_word(tail[0], start + tail.start()))
        else:
            found.append(_word(text, start))
    return tuple(found)


def _word(text: str, start: int) -> Word:
    low = text.lower().replace("’", "'")
    number = (low[0].isdigit() or low[0] in "€$£¥") and NUMBER.match(low) is not None
    return Word(text, low, start, start + len(text), number, text[0].isupper())


def _cjk(text: str, start: int) -> list[Word]:
    """Runs of other letters stay words; every CJK letter is its own."""
    return [_word(m[0], start + m.start()) for m in re.finditer(r"[A-Za-z0-9_.:-]+|.", text)]


def has_cjk(text: str) -> bool:
    return _CJK.search(text) is not None
