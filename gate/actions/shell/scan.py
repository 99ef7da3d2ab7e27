"""Finding where quoted and nested stretches of shell text end, and what their escapes mean."""

from __future__ import annotations

import re

from gate.actions.shell.marks import ANY, DEEP, STAR

MAX_BRACES = 200

_ANSI = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_ANSI_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "E": "\x1b",
}


def ansi_c(text: str) -> str:
    """The characters that $'text' means (bash manual, ANSI-C quoting); neighbouring bytes join to UTF-8."""

    def one(match: re.Match[str]) -> str:
        hexa, u4, u8, octal, control, letter = match.groups()
        if hexa or octal:
            return chr(int(hexa, 16) if hexa else int(octal, 8) & 0xFF)
        if u4 or u8:
            return chr(min(int(u4 or u8, 16), 0x10FFFF))
        if control:
            return chr(ord(control[0]) & 0x1F)
        return _ANSI_LETTERS.get(letter, letter if letter in "\\'\"?" else "\\" + letter)

    if "\\" not in text:
        return text
    decoded = _ANSI.sub(one, text)
    try:
        return decoded.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return decoded.encode("utf-8", "replace").decode("utf-8")


def closing(text: str, start: int, opener: str, closer: str) -> int:
    """Index of the `closer` that ends what began before `start`, or -1. Quotes and nesting are respected."""
    depth, index, size = 1, start, len(text)
    while index < size:
        char = text[index]
        if char == "\\":
            index += 2
            continue
        if char == "'" and opener != '"':
            index = text.find("'", index + 1)
            if index < 0:
                return -1
        elif char == '"':
            index = end_of_double(text, index + 1)
            if index < 0:
                return -1
        elif char == "`":
            index = end_of_backtick(text, index + 1)
            if index < 0:
                return -1
        elif char == opener:
            depth += 1
        elif char == closer:
            depth -= 1
            if depth == 0:
                return index
        index += 1
    return -1


def end_of_double(text: str, start: int) -> int:
    """Index of the double quote that closes a string begun before `start`, or -1."""
    index, size = start, len(text)
    while index < size:
        char = text[index]
        if char == "\\":
            index += 2
            continue
        if char == '"':
            return index
        if char == "$" and text[index + 1 : index + 2] in ("(", "{"):
            pair = ("(", ")") if text[index + 1] == "(" else ("{", "}")
            index = closing(text, index + 2, *pair)
            if index < 0:
                return -1
        elif char == "`":
            index = end_of_backtick(text, index + 1)
            if index < 0:
                return -1
        index += 1
    return -1


def end_of_backtick(text: str, start: int) -> int:
    """Index of the backtick that closes a substitution begun before `start`, or -1."""
    index = start
    while index < len(text):
        if text[index] == "\\":
            index += 2
            continue
        if text[index] == "`":
            return index
        index += 1
    return -1


def braces(word: str) -> list[str]:
    """Brace expansion of a raw word, before anything else as in bash: `a{b,c}d`, `{1..3}`, nested.

    More than MAX_BRACES results come back as one word about which nothing is known.
    """
    if "{" not in word:
        return [word]
    done: list[str] = []
    queue = [word]
    while queue:
        if len(queue) + len(done) > MAX_BRACES:
            return [DEEP + ANY]
        current = queue.pop(0)
        split = _first_brace(current)
        if split is None:
            done.append(current)
        else:
            before, choices, after = split
            queue[:0] = [before + choice + after for choice in choices]
    return done


def _first_brace(word: str) -> tuple[str, list[str], str] | None:
    index, size = 0, len(word)
    while index < size:
        char = word[index]
        if char == "\\":
            index += 2
            continue
        if char == "'":
            index = word.find("'", index + 1)
        elif char == '"':
            index = end_of_double(word, index + 1)
        elif char == "`":
            index = end_of_backtick(word, index + 1)
        elif char == "$" and word[index + 1 : index + 2] in ("(", "{"):
            index = closing(word, index + 2, *(("(", ")") if word[index + 1] == "(" else ("{", "}")))
        elif char == "{":
            end = closing(word, index + 1, "{", "}")
            choices = _choices(word[index + 1 : end]) if end > 0 else None
            if choices is not None:
                return word[:index], choices, word[end + 1 :]
        if index < 0:
            return None
        index += 1
    return None


def _choices(body: str) -> list[str] | None:
    """The alternatives of one brace expression, or None when bash would leave it as it stands."""
    sequence = re.fullmatch(r"(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?", body)
    if sequence:
        return _sequence(*sequence.groups())
    parts, depth, start, index = [], 0, 0, 0
    while index < len(body):
        char = body[index]
        if char == "\\":
            index += 2
            continue
        if char in "'\"":
            end = body.find("'", index + 1) if char == "'" else end_of_double(body, index + 1)
            index = end if end > 0 else len(body)
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(body[start:index])
            start = index + 1
        index += 1
    return [*parts, body[start:]] if parts else None


def _sequence(first: str, last: str, step: str | None) -> list[str] | None:
    letters = first.isalpha()
    if letters != last.isalpha():
        return None
    low, high = (ord(first), ord(last)) if letters else (int(first), int(last))
    stride = abs(int(step or 1)) or 1
    if abs(high - low) // stride > MAX_BRACES:
        return [STAR]
    numbers = range(low, high + 1, stride) if low <= high else range(low, high - 1, -stride)
    width = max(len(first), len(last)) if any(re.match(r"-?0\d", end) for end in (first, last)) else 0
    return [chr(number) if letters else str(number).zfill(width) for number in numbers]
