"""Which tables a statement names, and which of them it reads or changes.

A name that a WITH clause gives to a query of its own is no table; the tables that this query reads are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def name_of(table: Any) -> Iterator[tuple[str, str, str]]:
    """(catalog, schema, table) of a table expression, folded; nothing for what names no table."""
    from sqlglot import exp

    if table is None or isinstance(table, str):
        return
    node = (
        table if isinstance(table, exp.Table) else table.find(exp.Table) if hasattr(table, "find") else None
    )
    if node is None:
        return
    if isinstance(node.this, exp.Anonymous) and node.this.name.upper() == "ONLY":
        for column in node.this.expressions:  # PostgreSQL: FROM ONLY (a) is a without what inherits from it
            yield ("", column.text("table").casefold(), column.name.casefold())
    elif isinstance(node.this, exp.Anonymous) and node.this.name.upper() == "IDENTIFIER":
        text = node.this.expressions[0] if node.this.expressions else None  # Snowflake: the name as text
        if isinstance(text, exp.Literal):
            catalog, schema, name = ["", "", *text.name.replace('"', "").casefold().split(".")][-3:]
            yield (catalog, schema, name)
    else:
        yield (node.catalog.casefold(), node.db.casefold(), node.name.casefold())


class Sources:
    """The tables below the root of a statement, by the query or change that takes rows from them."""

    def __init__(self, root: Any) -> None:
        from sqlglot import exp

        owners = (exp.Select, exp.Update, exp.Delete, exp.Insert, exp.Merge, exp.Into, exp.Clone, exp.Pivot)
        self._tables: dict[int, list[Any]] = {}
        for table in root.find_all(exp.Table):
            owner = table.find_ancestor(*owners)
            if owner is not None and not _is_named_query(table):
                self._tables.setdefault(id(owner), []).append(table)

    def of(self, owner: Any) -> list[Any]:
        """What `owner` reads itself, without its subqueries and without what it changes."""
        changed = {id(table) for table in changed_tables(owner)}
        return [table for table in self._tables.get(id(owner), ()) if id(table) not in changed]


def changed_tables(owner: Any) -> list[Any]:
    """The tables whose rows an UPDATE, DELETE, INSERT or MERGE changes; none for a query.

    An alias is followed to its table. Where several tables are joined and an assigned column does not
    say whose it is, it may be any one's.
    """
    from sqlglot import exp

    match owner:
        case exp.Delete():
            listed = list(owner.args.get("tables") or ())
            if listed:
                named = listed
            else:  # MySQL's DELETE FROM a, b USING ... keeps b as a join of a
                named = [owner.this]
                if owner.args.get("using"):
                    named += _joined(owner.this)
        case exp.Update():
            named = [owner.this]
            joined = _joined(owner.this)
            columns = [item.this for item in owner.expressions if isinstance(item, exp.EQ)]
            whose = {column.table if isinstance(column, exp.Column) else "" for column in columns}
            named += [table for table in joined if "" in whose or whose & {table.alias, table.name}]
        case exp.Insert() | exp.Merge():
            found = owner.this.find(exp.Table) if owner.this is not None else None
            return [found] if found is not None else []
        case _:
            return []
    names = {table.name for table in named if isinstance(table, exp.Table) and not table.db}
    taken = {id(table) for table in named}
    meant = [table for table in _rows_from(owner) if table.alias_or_name in names and id(table) not in taken]
    return [*named, *meant]


def _rows_from(owner: Any) -> Iterator[Any]:
    """The tables that an UPDATE or DELETE lists, outside its subqueries."""
    from sqlglot import exp

    listed = [owner.this, *(owner.args.get("using") or ()), owner.args.get("from_")]
    for part in listed:
        if part is not None:
            for table in part.find_all(exp.Table):
                if table.find_ancestor(exp.Select, exp.Update, exp.Delete) is owner:
                    yield table


def _joined(table: Any) -> list[Any]:
    from sqlglot import exp

    joins = table.args.get("joins") or () if table is not None else ()
    return [join.this for join in joins if isinstance(join.this, exp.Table)]


def _is_named_query(table: Any) -> bool:
    """Whether the name is one that a WITH clause in whose reach it stands gives to a query.

    Only a name that is written alike counts: what else is the same name differs from dialect to dialect.
    A query sees those named before it, and itself where the clause is RECURSIVE.
    """
    from sqlglot import exp

    if table.db or table.catalog or not isinstance(table.this, exp.Identifier):
        return False
    below: Any = table
    inside: set[int] = {id(table)}
    while below.parent is not None:
        below = below.parent
        inside.add(id(below))
        clause = below.args.get("with_")
        if clause is None:
            continue
        for query in clause.expressions:
            within = id(query) in inside
            if within and not clause.args.get("recursive"):
                break
            name = query.args["alias"].this if query.args.get("alias") else None
            if isinstance(name, exp.Identifier) and (name.name, name.quoted) == (
                table.this.name,
                table.this.quoted,
            ):
                return True
            if within:
                break
    return False
