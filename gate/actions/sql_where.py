"""Whether an UPDATE or DELETE reaches every row: no WHERE, or one that is true of all of them."""

from __future__ import annotations

from typing import Any


def touches_all_rows(statement: Any) -> bool:
    """True without a WHERE clause, and with one that does not depend on the row."""
    where = statement.args.get("where")
    return where is None or always(where.this, statement) is True


def always(node: Any, statement: Any) -> bool | None:
    """True or False when the condition has that value for every row, else None."""
    from sqlglot import exp

    match node:
        case exp.Paren():
            return always(node.this, statement)
        case exp.Not():
            inner = always(node.this, statement)
            return None if inner is None else not inner
        case exp.Or() | exp.And():
            sides = (always(node.left, statement), always(node.right, statement))
            decisive = isinstance(node, exp.Or)
            if decisive in sides or (decisive and _opposite(node.left, node.right)):
                return decisive
            return None if None in sides else not decisive
        case exp.Boolean():
            return bool(node.this)
        case exp.Literal():
            return _truthy(node)
        case exp.Exists():
            return True if node.find(exp.Table) is None and node.find(exp.Where) is None else None
        case exp.Is():
            return _same_null(node)
        case exp.Like() | exp.ILike():
            return (
                True
                if isinstance(node.expression, exp.Literal) and set(node.expression.name) == {"%"}
                else None
            )
        case exp.In():
            return _in_itself(node, statement)
        case exp.EQ() | exp.NEQ() | exp.GT() | exp.GTE() | exp.LT() | exp.LTE():
            return _comparison(node)
        case exp.Between():
            low, value, high = (
                _number(node.args.get("low")),
                _number(node.this),
                _number(node.args.get("high")),
            )
            return None if low is None or value is None or high is None else low <= value <= high
        case _:
            return None


def _truthy(node: Any) -> bool | None:
    number = _number(node)
    return None if number is None else number != 0


def _number(node: Any) -> float | None:
    """The value of a constant arithmetic expression."""
    from sqlglot import exp

    match node:
        case exp.Paren():
            return _number(node.this)
        case exp.Neg():
            inner = _number(node.this)
            return None if inner is None else -inner
        case exp.Literal() if not node.is_string:
            try:
                return float(node.name)
            except ValueError:
                return None
        case exp.Add() | exp.Sub() | exp.Mul():
            left, right = _number(node.left), _number(node.right)
            if left is None or right is None:
                return None
            return (
                left + right
                if isinstance(node, exp.Add)
                else left - right
                if isinstance(node, exp.Sub)
                else left * right
            )
        case _:
            return None


def _comparison(node: Any) -> bool | None:
    from sqlglot import exp

    left, right = node.left, node.right
    if left.sql().casefold() == right.sql().casefold() and not left.find(exp.Rand, exp.Anonymous):
        return isinstance(node, exp.EQ | exp.GTE | exp.LTE)
    first, second = _number(left), _number(right)
    if first is None or second is None:
        if (
            isinstance(left, exp.Literal)
            and isinstance(right, exp.Literal)
            and left.is_string
            and right.is_string
        ):
            return (
                (left.name == right.name) == isinstance(node, exp.EQ)
                if isinstance(node, exp.EQ | exp.NEQ)
                else None
            )
        if isinstance(left, exp.Length) and isinstance(node, exp.GTE) and second is not None and second <= 0:
            return True
        return None
    return {
        exp.EQ: first == second,
        exp.NEQ: first != second,
        exp.GT: first > second,
        exp.GTE: first >= second,
        exp.LT: first < second,
        exp.LTE: first <= second,
    }[type(node)]


def _same_null(node: Any) -> bool | None:
    from sqlglot import exp

    if isinstance(node.this, exp.Null) and isinstance(node.expression, exp.Null):
        return True
    if isinstance(node.this, exp.Literal) and isinstance(node.expression, exp.Null):
        return False
    return None


def _opposite(left: Any, right: Any) -> bool:
    """`x IS NULL OR x IS NOT NULL`, `a = 1 OR a <> 1`, `p OR NOT p`."""
    from sqlglot import exp

    for one, other in ((left, right), (right, left)):
        if isinstance(other, exp.Not) and _bare(other.this) == _bare(one):
            return True
        if isinstance(one, exp.EQ) and isinstance(other, exp.NEQ):
            return (one.left.sql(), one.right.sql()) == (other.left.sql(), other.right.sql())
    return False


def _bare(node: Any) -> str:
    from sqlglot import exp

    while isinstance(node, exp.Paren):
        node = node.this
    return node.sql()


def _in_itself(node: Any, statement: Any) -> bool | None:
    """`id IN (SELECT id FROM the_same_table)` leaves nothing out."""
    from sqlglot import exp

    query = node.args.get("query")
    select = query.find(exp.Select) if query is not None else None
    if select is None:
        needle = node.this.sql().casefold()
        return True if any(item.sql().casefold() == needle for item in node.expressions) else None
    narrowed = any(select.args.get(part) for part in ("where", "limit", "joins", "having", "group"))
    tables = [table.name.casefold() for table in select.find_all(exp.Table)]
    target = statement.find(exp.Table)
    same = target is not None and tables == [target.name.casefold()]
    column = (
        len(select.expressions) == 1 and select.expressions[0].name.casefold() == node.this.name.casefold()
    )
    return True if same and column and not narrowed else None
