"""SQL statements (kind `sql`): sqlglot's grammars, several dialects where none is given.

A statement that no grammar can read could do anything to the database; so could one that builds its text
at run time. Comments and string literals do nothing.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gate.actions.schema import optional_text, text
from gate.actions.sql_reader import Reader, unreadable
from gate.actions.sql_spelling import has_escapes, opened, plainer, unescaped, without_modifiers
from gate.model import Facts, Frame

if TYPE_CHECKING:
    from sqlglot import exp

MAX_SQL = 50_000  # characters; more is not parsed
MAX_TOKENS = 2000  # sqlglot takes about 0.3 ms for a long expression's token
MAX_NESTING = 60  # open parentheses at once; deeper nesting costs a recursive parser too much

_DIALECTS = {
    "postgresql": "postgres", "postgres": "postgres", "pg": "postgres", "mysql": "mysql", "mariadb": "mysql",
    "sqlite": "sqlite", "sqlite3": "sqlite", "mssql": "tsql", "sqlserver": "tsql", "tsql": "tsql",
    "oracle": "oracle", "snowflake": "snowflake", "bigquery": "bigquery", "duckdb": "duckdb", "hive": "hive",
    "spark": "spark", "redshift": "redshift", "clickhouse": "clickhouse", "trino": "trino",
    "presto": "presto",
}  # fmt: skip
_FALLBACKS: tuple[str | None, ...] = (None, "postgres", "mysql", "tsql", "sqlite", "oracle")
_DIFFERS = re.compile(r"\\|#|/\*!|--[^\s-]|`|(?i:\bonly\b)")  # read apart by MySQL, PostgreSQL and the others
_TOKEN = re.compile(r"'[^']*'|\w+|[^\w\s]")


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`statement` (required), `database`, `dialect`."""
    statement = text(
        args, "statement" if args.get("statement") is not None or not args.get("query") else "query"
    )
    database = optional_text(args, "database") or optional_text(args, "db") or None
    dialect = optional_text(args, "dialect") or optional_text(args, "engine")
    return statement_frames(statement, database=database, dialect=_DIALECTS.get(dialect.casefold()))


def statement_frames(
    statement: str, *, database: str | None, dialect: str | None, argv: tuple[str, ...] | None = None
) -> tuple[Frame, ...]:
    """The frames of one or more statements. Two dialects that read the text differently both count."""
    frames = _frames(statement, database, dialect)
    if argv is None:
        return frames
    from dataclasses import replace

    return tuple(replace(frame, argv=argv) for frame in frames)


@lru_cache(maxsize=512)
def _frames(statement: str, database: str | None, dialect: str | None) -> tuple[Frame, ...]:
    if len(statement) > MAX_SQL or _nesting(statement) > MAX_NESTING or _tokens(statement) > MAX_TOKENS:
        return (unreadable(database, statement),)
    if not statement.strip():
        return ()
    readings = _readings(statement, dialect)
    if not readings:
        return (unreadable(database, statement),)
    found: dict[Frame, None] = {}
    for reading in readings:
        reader = Reader(database, statement, _frames)
        try:
            for root in reading:
                reader.root(root)
        except RecursionError:
            reader.frames.append(unreadable(database, statement))
        found |= dict.fromkeys(reader.frames)
    return tuple(found)


def _tokens(statement: str) -> int:
    return sum(1 for _ in _TOKEN.finditer(statement))


def _nesting(statement: str) -> int:
    depth = deepest = 0
    for char in statement:
        if char == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif char == ")":
            depth -= 1
    return max(deepest, statement.upper().count("CASE"))


def _readings(statement: str, dialect: str | None) -> list[list[exp.Expr]]:
    """The readings of the text as it stands, with names that are spelled by code points written out, and
    without the words that say how a change is to be done."""
    texts = [statement]
    if has_escapes(statement):
        try:
            written_out = unescaped(statement)
        except ValueError:  # no server takes it either, but which name was meant stays open
            return []
        if written_out != statement:
            texts.append(written_out)
    texts += [bare for text in texts if (bare := without_modifiers(text)) != text]
    return [
        reading for each in texts for reading in _parsed(each, dialect) or _parsed(plainer(each), dialect)
    ]


def _parsed(statement: str, dialect: str | None) -> list[list[exp.Expr]]:
    """The readings of the text: one for a known dialect, more where dialects part."""
    if dialect is not None:
        texts = [(statement, dialect)]
        if dialect == "mysql" and "/*!" in statement:
            texts = [(opened(statement), dialect)]
        first = [reading for pair in texts if (reading := _parse(*pair)) is not None]
        return first or [reading for reading in (_parse(statement, None),) if reading is not None]
    if _DIFFERS.search(statement):
        several = [
            _parse(statement, None),
            _parse(opened(statement), "mysql"),
            _parse(statement, "postgres"),
        ]
        readings = [reading for reading in several if reading is not None]
        if readings:
            return readings
    for fallback in _FALLBACKS:
        reading = _parse(statement, fallback)
        if reading is not None:
            return [reading]
    return []


def _parse(statement: str, dialect: str | None) -> list[exp.Expr] | None:
    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of every statement it keeps as text
    try:
        return [root for root in sqlglot.parse(statement, read=dialect) if root is not None]
    except (SqlglotError, RecursionError, ValueError, AttributeError, IndexError, KeyError, TypeError):
        return None  # sqlglot leaks errors of its own on malformed text; each means 'not read'
