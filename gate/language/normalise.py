"""Text as the gate reads it: ignorables gone, look-alikes and accents folded, lower case, offsets kept.

Every folded character remembers where it came from, so a verdict can point into the caller's text.
Source of the look-alikes: Unicode TR39 through `disarm`; of the ignorables: Unicode category Cf.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from disarm import normalize_confusables

NORMALISER_VERSION = "normaliser/1"

_QUOTES = {
    "„": '"', "“": '"', "”": '"', "«": '"', "»": '"', "‟": '"', "＂": '"', "「": '"', "」": '"',
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "`": "'", "´": "'",
}  # fmt: skip
_DASHES = dict.fromkeys("‐‑‒–—―−﹣－", "-")
_KEPT = {"€": "€", "£": "£", "¥": "¥", "°": "°", "½": "½", "¼": "¼", "¾": "¾", "…": "...", "¿": " ", "¡": " "}
# Single letters with one separator between them, at least four in a row: "d e p l o y", "d.e.p.l.o.y".
_SPACED = re.compile(r"(?<![^\W_])[^\W\d_](?:(?: ?[-._*·] ?| )[^\W\d_](?![^\W_])){2,}")
MAX_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` is what is read; `origin[i]` is the index of its i-th character in the original text."""

    text: str
    origin: tuple[int, ...] | range

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch [start, end) of the folded text as offsets in the original."""
        if start >= end or not self.text:
            return (0, 0)
        return (self.origin[start], self.origin[min(end, len(self.text)) - 1] + 1)


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str:
    for table in (_KEPT, _QUOTES, _DASHES):
        if char in table:
            return table[char]
    category = unicodedata.category(char)
    if category in ("Cf", "Mn", "Me", "Co", "Cn", "Cs"):
        return ""
    if category in ("Zs", "Zl", "Zp", "Cc"):
        return "\n" if char in "\n\r\u2028\u2029" else " "
    if category in ("So", "Sk"):
        return char  # pictographs are matched as they are
    plain = unicodedata.normalize("NFKC", char).casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFD", plain)
        plain = "".join(part for part in plain if unicodedata.category(part) != "Mn")
    if not plain.isascii():
        alike = normalize_confusables(plain).casefold()
        if alike.isascii():
            plain = alike
    return plain


def fold(text: str) -> Folded:
    """Fold a text of any length in linear time. Idempotent on its own output but for offsets."""
    if text.isascii() and text.isprintable():
        folded = Folded(text.casefold(), range(len(text)))
    else:
        parts: list[str] = []
        origin: list[int] = []
        for index, char in enumerate(text):
            piece = char.casefold() if char.isascii() and char >= " " else _fold_char(char)
            parts.append(piece)
            origin.extend((index,) * len(piece))
        folded = Folded("".join(parts), tuple(origin))
    return _join_spaced(folded)


def fold_words(text: str) -> str:
    """The folded text alone, for lexicon entries and rule words."""
    return fold(text).text


def _join_spaced(folded: Folded) -> Folded:
    if not _SPACED.search(folded.text):
        return folded
    parts: list[str] = []
    origin: list[int] = []
    last = 0
    for match in _SPACED.finditer(folded.text):
        parts.append(folded.text[last : match.start()])
        origin.extend(folded.origin[last : match.start()])
        for index in range(match.start(), match.end()):
            if folded.text[index].isalpha():
                parts.append(folded.text[index])
                origin.append(folded.origin[index])
        last = match.end()
    parts.append(folded.text[last:])
    origin.extend(folded.origin[last:])
    return Folded("".join(parts), tuple(origin))


_LEET = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i"}
)
_LEET_ONE = str.maketrans(
    {"0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i"}
)
_LEET_WORD = re.compile(r"(?=.*[a-z].*)(?=.*[013457@$])[a-z013457@$!]{3,}\Z")
_NOT_LEET = re.compile(r"[a-z]{1,4}\d+\Z|\d+[a-z]{1,3}\Z")


def leet_readings(word: str) -> tuple[str, ...]:
    """Readings of a word spelled with digits for letters ('d1sc0unt'), or () when it is not one."""
    if word.isalpha() or not _LEET_WORD.match(word) or _NOT_LEET.match(word):
        return ()
    first, second = word.translate(_LEET), word.translate(_LEET_ONE)
    return (first,) if first == second else (first, second)
