"""Spellings of SQL that its parser does not know, written as ones that it does."""

from __future__ import annotations

import re

_ESCAPED = re.compile(
    r"""(?isx)
    (?P<quoted>\bU&(?P<quote>["'])(?P<body>(?:(?!(?P=quote)).|(?P=quote){2})*)(?P=quote)
        (?:\s*\bUESCAPE\s*'(?P<escape>[^'])')?)
    | '(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/ | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$
    """
)
_WORD = r"""(?:"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[\w$]+)"""
_NAME = rf"{_WORD}(?:\s*\.\s*{_WORD})*"
_DROPPED = re.compile(
    rf"(?i)\bDROP\s+(DATABASE|SCHEMA)\s+(?:IF\s+EXISTS\s+)?({_NAME}(?:\s*,\s*{_NAME})*)"
    r"(?:\s*(?:WITH\s*)?\(\s*FORCE\s*\)|\s+(?:FORCE|CASCADE|RESTRICT|SYNC|NO\s+DELAY)\b)*"
)

_PARTED = re.compile(rf"(?i)\bDROP\s+PARTITION\s+(?!FOR\b|IF\b)({_WORD})(?!\s*[,(])")

_MODIFIED = re.compile(
    r"(?i)\b(DELETE|UPDATE|INSERT|REPLACE)"
    r"(?:\s+(?:LOW_PRIORITY|HIGH_PRIORITY|DELAYED|QUICK|IGNORE)\b|\s+TOP\s*\([^()]*\)(?:\s*PERCENT\b)?)+(?!\s+SET\b)"
)


def opened(statement: str) -> str:
    """What MySQL runs: it runs what stands inside `/*!50000 ... */`."""
    return re.sub(r"/\*!\d*(.*?)\*/", r" \1 ", statement, flags=re.S)


def has_escapes(statement: str) -> bool:
    """Whether a name or literal may be spelled by code points (ISO 9075: U&"...", U&'...')."""
    return "U&" in statement or "u&" in statement


def unescaped(statement: str) -> str:
    """`statement` with U&"sal\\0061ries" [UESCAPE '!'] written out, outside literals and comments.

    Errors: ValueError when an escape is not one.
    """
    return _ESCAPED.sub(lambda match: _written_out(match) if match["quoted"] else match[0], statement)


def _written_out(match: re.Match[str]) -> str:
    quote, escape = match["quote"], re.escape(match["escape"] or "\\")
    body = match["body"].replace(quote * 2, quote)

    def character(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        if code:
            return chr(int(code, 16))
        if found[3]:
            return found[3]
        raise ValueError(f"{found[0]!r} is no escape")

    text = re.sub(rf"{escape}(?:\+([0-9a-f]{{6}})|([0-9a-f]{{4}})|({escape})|)", character, body, flags=re.I)
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16")  # a pair of surrogates is one character
    return quote + paired.replace(quote, quote * 2) + quote


def without_modifiers(statement: str) -> str:
    """`statement` without what stands between a change and its table: MySQL's `DELETE QUICK FROM t`,
    `UPDATE LOW_PRIORITY t`, T-SQL's `DELETE TOP (10) FROM t`. A reading beside the one as it stands."""
    return _MODIFIED.sub(r"\1", statement)


def plainer(statement: str) -> str:
    """`statement` with every DROP of several databases or schemas, or with options, as plain ones, and with
    partitions that are dropped by name (MySQL, Oracle) as Hive tells them."""

    def one_each(match: re.Match[str]) -> str:
        names = [name[0] for name in re.finditer(_NAME, match[2])]
        return "; ".join(f"DROP {match[1]} {name}" for name in names)

    return _PARTED.sub(r"DROP PARTITION (\1 = 0)", _DROPPED.sub(one_each, statement))
