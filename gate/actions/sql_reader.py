"""Parsed SQL as frames: what each statement reads, changes and drops, and in which database."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gate.actions.sql_tables import Sources, changed_tables, name_of
from gate.actions.vocabulary import word_set
from gate.model import Frame

if TYPE_CHECKING:
    from sqlglot import exp

_OF_TABLE_ITSELF = frozenset(("drop", "create", "change", "rename", "truncate"))
_OF_TABLES = frozenset(("table", "column", "partition", "constraint", "permission"))
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
# A statement that was not read and may reach another database than the one it is sent to: it speaks of
# databases, or composes what it runs.
_ELSEWHERE = re.compile(
    r"(?i)\b(?:database|schema|use|drop\s+user)\b|\bU&|\b(?:exec(?:ute)?|prepare)\b[^;]*(?:\|\||\bconcat|\bformat\b|[+@])"
)


def unreadable(database: str | None, statement: str, argv: tuple[str, ...] | None = None) -> Frame:
    """The frame of SQL that could be any statement."""
    labels = {f"database:{database.casefold()}"} if database else set()
    missing = {"statement", "table"} | (
        set() if database and not _ELSEWHERE.search(statement) else {"database"}
    )
    return Frame(
        act="execute",
        objects=("sql", "statement"),
        labels=frozenset(labels),
        unknown=frozenset(missing),
        text=statement[:200],
        argv=argv,
    )


# A change of a table's partitions alone, as MySQL, PostgreSQL and Oracle spell it.
_PARTITION = re.compile(
    r"(?is)\s*table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w.`\"\[\]]+)\s+"
    r"(add|attach|drop|truncate|detach|exchange)\s+(?:if\s+(?:not\s+)?exists\s+)?partition\b[^,;]*?"
    r"(?:\bwith\s+table\s+([\w.`\"\[\]]+)[^,;]*)?(?:\([^;]*\)\s*)?\Z"
)


class Reader:
    """Turns parsed statements into frames; `USE` moves it to another database."""

    def __init__(
        self,
        database: str | None,
        statement: str,
        nested: Callable[[str, str | None, str | None], tuple[Frame, ...]],
    ) -> None:
        """`nested` reads a statement inside this one: (statement, database, dialect) -> frames."""
        self.database = database.casefold() if database else None
        self.statement = statement
        self.frames: list[Frame] = []
        self._nested = nested
        self._sources: Sources | None = None
        self._renamed: dict[str, str] = {}  # a table's new name -> the one it had before this script

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
            self._sources = Sources(node)
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
                self._put(act, changed_tables(node), "no_where" if touches_all_rows(node) else None)
                self._reads(node)
            case exp.Insert() if not isinstance(node.parent, exp.When):
                self._put("insert", [node.this])
                self._displaced(node)
                self._reads(node)
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
                self._stored(node)
            case exp.Copy():
                self._copy(node)
            case exp.Into():
                self._put("create", [node.this])
            case exp.Select() | exp.Clone() | exp.Pivot():
                self._reads(node)
            case exp.Anonymous() if _RUNS_TEXT.match(str(node.this)):
                self._unreadable()
            case exp.Grant():
                self._put("change", [node.args.get("securable")], kind="permission")
            case exp.Command() | exp.ExecuteSql():
                self._command(node)
            case _:
                pass

    def _displaced(self, node: Any) -> None:
        """What an insert does to rows that are there: they go, for what it brings, or are changed."""
        if node.args.get("overwrite"):
            self._put("truncate", [node.this])
        if node.args.get("where") is not None or str(node.args.get("alternative") or "").upper() == "REPLACE":
            self._put("delete", [node.this])
        conflict = node.args.get("conflict")
        if conflict is not None and conflict.expressions:
            self._put("update", [node.this])

    def _stored(self, node: Any) -> None:
        """The body of a function counts as done: whoever calls it later does not show it."""
        from sqlglot import exp

        body = node.args.get("expression")
        if not isinstance(body, exp.Heredoc | exp.Literal):
            return
        code = block_body(body.name)
        if code is None:
            self._unreadable()
        else:
            self.frames += self._nested(code, self.database, None)

    def _merge(self, node: Any) -> None:
        from sqlglot import exp

        from gate.actions.sql_where import always

        every = "no_where" if node.args.get("on") is not None and always(node.args["on"], node) else None
        self._put("update", [node.this], every)
        self._put("insert", [node.this])
        deletes = any(
            isinstance(then, exp.Var) and then.name.upper() == "DELETE" for then in node.find_all(exp.Var)
        )
        if deletes or any(
            when.args.get("then") is not None and "DELETE" in when.sql().upper().split("THEN")[-1]
            for when in node.find_all(exp.When)
        ):
            self._put("delete", [node.this], every)
        self._reads(node)

    def _reads(self, node: Any) -> None:
        sources = self._sources.of(node) if self._sources is not None else []
        if sources:
            self._put("read", sources)

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
                for (_, _, old), (_, _, new) in zip(name_of(node.this), name_of(action.this), strict=False):
                    self._renamed[new] = self._renamed.get(old, old)
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
            frames = self._nested(inner, self.database, None)
            self.frames += frames
            if name == "REPLACE":  # the rows of the same key go first
                self.frames += [replace(frame, act="delete") for frame in frames if frame.act == "insert"]
        elif name == "ALTER" and (partition := _PARTITION.match(rest)):
            self._partition(*partition.groups())
        elif name == "RENAME":
            renamed = re.findall(r"(?i)(?:table\s+|,\s*)([\w.`\"]+)\s+to\s+([\w.`\"]+)", rest)
            self._named("rename", [old for old, _ in renamed])
            for old, new in renamed:
                self._renamed[new.strip('`"').casefold()] = old.strip('`"').casefold()
        else:
            self._unreadable()

    def _partition(self, table: str, verb: str, other: str | None) -> None:
        """What a change of partitions does: one that is dropped, detached or exchanged takes its rows."""
        names = [name.strip('`"[]').rpartition(".")[2] for name in (table, other) if name]
        self._named("change", names)
        if verb.upper() == "TRUNCATE":
            self._named("truncate", names)
        elif verb.upper() not in ("ADD", "ATTACH"):
            self._named("drop", names)

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
        found = [name for table in tables for name in name_of(table)]
        found += [(*rest, self._renamed[name]) for *rest, name in found if name in self._renamed]
        labels: set[str] = {label} if label else set()
        objects: list[str] = (
            [kind] if kind != "table" or act in _OF_TABLE_ITSELF else [kind, "row", "record", "data"]
        )
        for catalog, schema, table in found:
            if kind in ("database", "schema"):
                labels |= {f"{kind}:{table or schema}"}
                labels |= {f"database:{name}" for name in (catalog, schema, table) if name}
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


def block_body(code: str) -> str | None:
    """The statements between BEGIN and END; None where control flow decides what they are."""
    inner = re.sub(r"(?is)^\s*(declare\b.*?)?\bbegin\b|\bend\b\s*;?\s*$", "", code)
    return None if re.search(r"(?i)\bexecute\b|:=|\bloop\b|\bif\b", inner) else inner


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
            return block_body(body.group(2))
    if name in ("EXECUTESQL", "EXEC", "EXECUTE"):
        literal = re.search(
            r"(?is)^[^']*'((?:[^']|'')*)'\s*\)?\s*$", node.sql() if name == "EXECUTESQL" else rest
        )
        return literal.group(1).replace("''", "'") if literal else None
    return None


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
