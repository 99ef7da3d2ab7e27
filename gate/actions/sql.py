"""SQL statements (kind `sql`): sqlglot's grammars, several dialects where none is given.

A statement that no grammar can read could do anything to the database; so could one that builds its text
at run time. Comments and string literals do nothing.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gate.actions.schema import optional_text, text
from gate.actions.vocabulary import word_set
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
_DIFFERS = re.compile(r"\\|#|/\*!|--[^\s-]|`")  # read apart by MySQL and the others
_OF_TABLE_ITSELF = frozenset(("drop", "create", "change", "rename", "truncate"))
_OF_TABLES = frozenset(("table", "column", "partition", "constraint", "permission"))
_TOKEN = re.compile(r"'[^']*'|\w+|[^\w\s]")
_HARMLESS = word_set(
    """
    SHOW VACUUM ANALYZE SET COMMENT CHECKPOINT LISTEN NOTIFY RESET LOCK DISCARD CLUSTER REINDEX REFRESH
    DEALLOCATE CLOSE FETCH SAVEPOINT BEGIN
    """
)
_RUNS_TEXT = re.compile(
    r"(?i)^(dblink\w*|query_to_xml\w*|lo_\w+|xp_\w+|sp_execute\w*|sys_(exec|eval)|load_extension|writefile|"
    r"(\w+_)?(delete|drop|truncate|purge|clear|remove|wipe|exec|execute|destroy)(_\w+)?)$"
)


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`statement` (required), `database`, `dialect`."""
    statement = text(
        args, "statement" if args.get("statement") is not None or not args.get("query") else "query"
    )
    database = optional_text(args, "database") or optional_text(args, "db") or None
    dialect = optional_text(args, "dialect") or optional_text(args, "engine")
    return statement_frames(statement, database=database, dialect=_DIALECTS.get(dialect.casefold()))


def unreadable(database: str | None, statement: str, argv: tuple[str, ...] | None = None) -> Frame:
    """The frame of SQL that could be any statement."""
    labels = {f"database:{database.casefold()}"} if database else set()
    missing = {"statement", "table"} | (set() if database else {"database"})
    return Frame(
        act="execute",
        objects=("sql", "statement"),
        labels=frozenset(labels),
        unknown=frozenset(missing),
        text=statement[:200],
        argv=argv,
    )


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
    readings = _parsed(statement, dialect)
    if not readings:
        return (unreadable(database, statement),)
    found: dict[Frame, None] = {}
    for reading in readings:
        reader = _Reader(database, statement)
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


def _parsed(statement: str, dialect: str | None) -> list[list[exp.Expr]]:
    """The readings of the text: one for a known dialect, more where dialects part."""
    if dialect is not None:
        texts = [(statement, dialect)]
        if dialect == "mysql" and "/*!" in statement:
            texts = [(_opened(statement), dialect)]
        first = [reading for pair in texts if (reading := _parse(*pair)) is not None]
        return first or [reading for reading in (_parse(statement, None),) if reading is not None]
    if _DIFFERS.search(statement):
        several = [
            _parse(statement, None),
            _parse(_opened(statement), "mysql"),
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


def _opened(statement: str) -> str:
    """MySQL runs what stands inside `/*!50000 ... */`."""
    return re.sub(r"/\*!\d*(.*?)\*/", r" \1 ", statement, flags=re.S)


def _parse(statement: str, dialect: str | None) -> list[exp.Expr] | None:
    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of every statement it keeps as text
    try:
        return [root for root in sqlglot.parse(statement, read=dialect) if root is not None]
    except (SqlglotError, RecursionError, ValueError, AttributeError, IndexError, KeyError, TypeError):
        return None  # sqlglot leaks errors of its own on malformed text; each means 'not read'


class _Reader:
    """Turns parsed statements into frames; `USE` moves it to another database."""

    def __init__(self, database: str | None, statement: str) -> None:
        self.database = database.casefold() if database else None
        self.statement = statement
        self.frames: list[Frame] = []

    def root(self, node: exp.Expr) -> None:
        """One statement."""
        from sqlglot import exp

        if isinstance(node, exp.Semicolon):
            return
        if isinstance(node, exp.Use):
            self.database = (node.this.name or "").casefold() or None
        elif isinstance(node, exp.Command):
            self._command(node)
        elif isinstance(node, _known_roots()):
            for part in node.walk():
                self._part(part)
        else:
            self._unreadable()

    def _unreadable(self) -> None:
        self.frames.append(unreadable(self.database, self.statement))

    def _part(self, node: Any) -> None:
        from sqlglot import exp

        from gate.actions.sql_where import touches_all_rows

        match node:
            case exp.Delete() | exp.Update() if not isinstance(node.parent, exp.When):
                act = "delete" if isinstance(node, exp.Delete) else "update"
                tables = list(node.args.get("tables") or ()) or [node.this]
                self._put(act, tables, "no_where" if touches_all_rows(node) else None)
            case exp.Insert() if not isinstance(node.parent, exp.When):
                self._put("insert", [node.this])
                if node.args.get("overwrite"):
                    self._put("truncate", [node.this])
            case exp.Merge():
                self._merge(node)
            case exp.TruncateTable():
                self._put(
                    "truncate", node.expressions, kind="database" if node.args.get("is_database") else "table"
                )
            case exp.Drop() if not isinstance(node.parent, exp.Alter):
                kind = str(node.args.get("kind") or "table").casefold()
                self._put("drop", list(node.args.get("tables") or ()) or [node.this], kind=kind)
            case exp.Alter():
                self._alter(node)
            case exp.Create():
                kind = str(node.args.get("kind") or "table").casefold()
                self._put("create", [node.this], kind=kind)
                if node.args.get("replace") and kind == "table":
                    self._put("drop", [node.this])
            case exp.Copy():
                self._copy(node)
            case exp.Into():
                self._put("create", [node.this])
            case exp.Select():
                sources = [
                    table for table in node.find_all(exp.Table) if table.find_ancestor(exp.Select) is node
                ]
                self._put("read", sources) if sources else None
            case exp.Anonymous() if _RUNS_TEXT.match(str(node.this)):
                self._unreadable()
            case exp.Grant():
                self._put("change", [node.args.get("securable")], kind="permission")
            case exp.Command() | exp.ExecuteSql():
                self._command(node)
            case _:
                pass

    def _merge(self, node: Any) -> None:
        from sqlglot import exp

        self._put("update", [node.this])
        self._put("insert", [node.this])
        deletes = any(
            isinstance(then, exp.Var) and then.name.upper() == "DELETE" for then in node.find_all(exp.Var)
        )
        if deletes or any(
            when.args.get("then") is not None and "DELETE" in when.sql().upper().split("THEN")[-1]
            for when in node.find_all(exp.When)
        ):
            self._put("delete", [node.this])

    def _alter(self, node: Any) -> None:
        from sqlglot import exp

        kind = str(node.args.get("kind") or "table").casefold()
        self._put("change", [node.this], kind=kind)
        for action in node.args.get("actions") or ():
            if isinstance(action, exp.Drop | exp.DropPartition):
                part = str(action.args.get("kind") or "partition").casefold()
                names = [
                    item.name for item in [*(action.args.get("tables") or ()), *action.expressions] if item
                ]
                self._put("drop", [node.this], kind=part, names=names)
            elif isinstance(action, exp.AlterRename):
                self._put("rename", [node.this])
            elif isinstance(action, exp.Command):
                self._unreadable()

    def _copy(self, node: Any) -> None:
        files = [item.name for item in node.args.get("files") or () if item.name]
        if "PROGRAM" in node.sql().upper():
            self.frames.append(
                Frame(act="execute", unknown=frozenset({"command"}), text=self.statement[:200])
            )
        from gate.actions.paths import literal

        into = bool(node.args.get("kind"))
        self._put("insert" if into else "read", [node.this])
        paths = tuple(literal(name) for name in files if name.startswith("/"))
        if paths:
            self.frames.append(Frame(act="read" if into else "write", paths=paths, text=""))

    def _command(self, node: Any) -> None:
        """Statements that sqlglot keeps as text."""
        name = str(node.this).upper() if isinstance(node.this, str) else type(node).__name__.upper()
        body = node.args.get("expression")
        rest = body.name if body is not None and hasattr(body, "name") else str(body or "")
        inner = _inner_statement(name, rest, node)
        if name == "EXPLAIN" and not re.match(
            r"(?i)\s*(\([^)]*\banaly[sz]e\b(?!\s+(false|off|0))[^)]*\)|analy[sz]e)", rest
        ):
            self.frames.append(Frame(act="read", objects=("plan",), text=""))
        elif name in _HARMLESS:
            self.frames.append(Frame(act="execute", objects=("sql", name.casefold())))
        elif inner is not None:
            self.frames += _frames(inner, self.database, None)
        elif name == "RENAME":
            self._named("rename", re.findall(r"(?i)(?:table\s+|,\s*)([\w.`\"]+)\s+to", rest))
        else:
            self._unreadable()

    def _named(self, act: str, names: list[str]) -> None:
        if not names:
            self._unreadable()
        for name in names:
            labels = {f"table:{name.strip('`').casefold()}"} | (
                {f"database:{self.database}"} if self.database else set()
            )
            missing = frozenset() if self.database else frozenset({"database"})
            self.frames.append(
                Frame(act=act, objects=("table", name.casefold()), labels=frozenset(labels), unknown=missing)
            )

    def _put(
        self,
        act: str,
        tables: list[Any],
        label: str | None = None,
        *,
        kind: str = "table",
        names: list[str] | None = None,
    ) -> None:
        found = [name for table in tables for name in _names(table)]
        labels: set[str] = {label} if label else set()
        objects: list[str] = (
            [kind] if kind != "table" or act in _OF_TABLE_ITSELF else [kind, "row", "record", "data"]
        )
        for catalog, schema, table in found:
            if kind in ("database", "schema"):
                labels |= {f"{kind}:{table or schema}", f"database:{table or schema}"}
            else:
                part = "table" if kind in _OF_TABLES else kind
                labels |= {f"{part}:{table}"} if table else set()
                labels |= {f"schema:{schema}", f"database:{schema}"} if schema else set()
                labels |= {f"database:{catalog}"} if catalog else set()
            objects += [name for name in (table, schema) if name]
        labels |= {f"{kind}:{name.casefold()}" for name in names or ()}
        objects += [name.casefold() for name in names or ()]
        if self.database and kind != "database":
            labels.add(f"database:{self.database}")
        everything = act == "drop" and kind in ("database", "schema")
        if everything:
            objects += ["table", "database"]  # its tables go with it; in MySQL a schema is a database
        missing = {"table"} if everything else set()
        if not self.database and not any(item.startswith("database:") for item in labels):
            missing.add("database")
        if not found:
            missing.add("table")
        self.frames.append(
            Frame(
                act=act,
                objects=tuple(dict.fromkeys(objects)),
                labels=frozenset(labels),
                unknown=frozenset(missing),
            )
        )


def _inner_statement(name: str, rest: str, node: Any) -> str | None:
    """The statement inside EXPLAIN ANALYZE, PREPARE, DO, REPLACE and EXEC('...')."""
    if name == "EXPLAIN":
        return re.sub(r"(?i)^\s*(\([^)]*\)|analy[sz]e|verbose|\s)+", "", rest)
    if name == "PREPARE":
        match = re.match(r"(?is)\s*\w+(?:\s*\([^)]*\))?\s+as\s+(.*)", rest)
        source = re.match(r"(?is)\s*\w+\s+from\s+'((?:[^']|'')*)'", rest)
        return match.group(1) if match else source.group(1).replace("''", "'") if source else None
    if name == "REPLACE":
        return "INSERT " + rest
    if name == "DO":
        body = re.match(r"(?is)\s*(?:language\s+\w+\s*)?(\$\w*\$)(.*)\1", rest)
        if body:
            code = re.sub(r"(?is)^\s*(declare\b.*?)?\bbegin\b|\bend\b\s*;?\s*$", "", body.group(2))
            return None if re.search(r"(?i)\bexecute\b|:=|\bloop\b|\bif\b", code) else code
    if name in ("EXECUTESQL", "EXEC", "EXECUTE"):
        literal = re.search(
            r"(?is)^[^']*'((?:[^']|'')*)'\s*\)?\s*$", node.sql() if name == "EXECUTESQL" else rest
        )
        return literal.group(1).replace("''", "'") if literal else None
    return None


def _names(table: Any) -> Iterator[tuple[str, str, str]]:
    """(catalog, schema, table) of a table expression, folded."""
    from sqlglot import exp

    if table is None or isinstance(table, str):
        return
    node = (
        table if isinstance(table, exp.Table) else table.find(exp.Table) if hasattr(table, "find") else None
    )
    if node is not None:
        yield (node.catalog.casefold(), node.db.casefold(), node.name.casefold())


@lru_cache(maxsize=1)
def _known_roots() -> tuple[type, ...]:
    from sqlglot import exp

    names = word_set(
        """
    Query Insert Update Delete Merge Create Drop Alter TruncateTable Copy Grant Revoke Set Show
    Describe Transaction Commit Rollback Comment Pragma Attach Detach Analyze Cache Uncache Refresh
    Kill LoadData Values Declare ExecuteSql Block IfBlock WhileBlock Export Install Summarize Pivot
    Return
    """
    )
    return tuple(getattr(exp, name) for name in names if hasattr(exp, name))
