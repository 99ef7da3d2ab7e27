"""Words of a shell command whose text is only partly known.

A word is a `str` in which a few private-use characters stand for what cannot be read off the command:
STAR for a run of characters without a slash, ONE for one such character, DEEP for any depth of folders,
ANY for text about which nothing is known. The same characters in the command itself are taken for ANY.
"""

from __future__ import annotations

import re

STAR, ONE, DEEP, ANY = "\ue0f0", "\ue0f1", "\ue0f2", "\ue0f3"
HERE_STRING, HERE_DOCUMENT = "\ue0fa", "\ue0fb"  # stand for `<<<` and `<<` while a script is parsed
_MARKS = re.compile(f"[{STAR}-{ANY}]")
_RESERVED = re.compile("[\ue0f0-\ue0ff]")
_META = re.compile(r"[\\*?]")
_PATTERN = {ord(STAR): "*", ord(ONE): "?", ord(DEEP): "**"}


def has_marks(word: str) -> bool:
    """Whether any part of the word is not literal."""
    return not word.isascii() and _MARKS.search(word) is not None


def defused(source: str) -> str:
    """Source text with characters that would be taken for marks replaced by ANY."""
    return source if source.isascii() else _RESERVED.sub(ANY, source)


def pattern_of(word: str) -> str | None:
    """The word as a path pattern (see gate.actions.paths), or None when ANY is part of it."""
    if word.isascii():
        return _META.sub(r"\\\g<0>", word) if _META.search(word) else word
    if ANY in word:
        return None
    return _META.sub(r"\\\g<0>", word).translate(_PATTERN)


def shown(word: str) -> str:
    """The word for people: marks as `*`, `?` and `…`."""
    return word if word.isascii() else word.translate(_PATTERN | {ord(ANY): "…"})


def glob_marks(text: str) -> str:
    """Unquoted text with its glob characters turned into marks. A bracket expression is ONE; extended
    globs such as `!(x)` and `@(a|b)` are STAR, which they cannot exceed."""
    if not re.search(r"[*?\[]|[@!+]\(", text):
        return text
    text = re.sub(r"[?*+@!]\([^()]*\)", STAR, text)
    text = re.sub(r"\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]/])*\]", ONE, text)
    text = re.sub(r"\*\*+", DEEP, text)
    return text.replace("*", STAR).replace("?", ONE)
