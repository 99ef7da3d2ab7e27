"""Words of a clause, in order, with their place; contractions are opened up."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(r"\w+(?:[.:/@_-]\w+)*(?:['’]\w+)*|['’](?:s|re|m|ve|ll|d)\b", re.UNICODE)
_CONTRACTED = re.compile(r"(?i)(n['’]t|['’](?:s|re|m|ve|ll|d))$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
NUMBER = re.compile(r"^[€$£¥]?\d[\d.,:/'-]*(?:st|nd|rd|th|h|am|pm|%|kg|km|cm|mm|m|g|l|s|ms|gb|mb|kb|tb|w|kw)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """`text` as written, `low` in lower case with a straight apostrophe, `start:end` in the clause."""

    text: str
    low: str
    start: int
    end: int

    @property
    def number(self) -> bool:
        return NUMBER.match(self.low) is not None

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


def words(clause: str) -> list[Word]:
    """Split into words; `it's` gives `it` and `'s`, `won't` stays one word. CJK letters come singly."""
    found: list[Word] = []
    for match in _WORD.finditer(clause):
        text, start = match[0], match.start()
        if _CJK.search(text):
            found += _cjk(text, start)
            continue
        tail = _CONTRACTED.search(text)
        if tail and not tail[0].lower().startswith("n") and tail.start() > 0:
            found.append(_word(text[: tail.start()], start))
            found.append(_word(tail[0], start + tail.start()))
        else:
            found.append(_word(text, start))
    return found


def _word(text: str, start: int) -> Word:
    return Word(text, text.lower().replace("’", "'"), start, start + len(text))


def _cjk(text: str, start: int) -> list[Word]:
    """Runs of other letters stay words; every CJK letter is its own."""
    return [_word(m[0], start + m.start()) for m in re.finditer(r"[A-Za-z0-9_.:-]+|.", text)]


def has_cjk(text: str) -> bool:
    return _CJK.search(text) is not None
