"""SQL by its grammar: comments and strings do nothing, every statement and dialect counts."""

from __future__ import annotations

import pytest

from gate.actions.sql import MAX_TOKENS, statement_frames


def acts(statement: str, dialect: str | None = None) -> set[tuple[str, bool]]:
    found = statement_frames(statement, database="club", dialect=dialect)
    return {(frame.act, "no_where" in frame.labels) for frame in found}


@pytest.mark.parametrize(
    "condition",
    [
        "1=1",
        "TRUE",
        "1",
        "'a'='a'",
        "id = id",
        "NOT FALSE",
        "2 > 1 OR id = 3",
        "a IS NULL OR a IS NOT NULL",
        "n LIKE '%'",
    ],
)
def test_a_condition_that_holds_for_every_row_is_no_condition(condition: str) -> None:
    assert acts(f"DELETE FROM members WHERE {condition}") == {("delete", True)}


@pytest.mark.parametrize(
    "condition", ["id = 3", "1 = 2", "id > 0 AND TRUE", "n LIKE 'A%'", "id IN (1, 2)", "a = b"]
)
def test_a_condition_that_depends_on_the_row_is_one(condition: str) -> None:
    assert acts(f"DELETE FROM members WHERE {condition}") == {("delete", False)}


def test_every_statement_of_several_counts() -> None:
    assert {act for act, _ in acts("SELECT 1 FROM a; DROP TABLE b; TRUNCATE c")} == {
        "read",
        "drop",
        "truncate",
    }


def test_the_dialect_that_runs_a_comment_is_believed() -> None:
    assert ("drop", False) in acts("/*!50000 DROP TABLE members */")


def test_changing_the_database_moves_what_follows() -> None:
    dropped = list(statement_frames("USE ledger; DROP TABLE x", database="club", dialect=None))
    assert "database:ledger" in dropped[-1].labels


@pytest.mark.parametrize(
    "statement", ["DELETE FRO members WHER", "CALL tidy()", "EXECUTE plan", "SELECT dblink_exec('x')"]
)
def test_what_cannot_be_read_could_be_any_statement(statement: str) -> None:
    assert any(
        "statement" in frame.unknown for frame in statement_frames(statement, database="club", dialect=None)
    )


@pytest.mark.parametrize(
    "statement", ["(" * 5000, "SELECT " + "a+" * 20_000 + "a", "DELETE FROM a WHERE " + "x=1 OR " * 9000]
)
def test_a_statement_that_is_too_long_or_too_deep_is_not_parsed(statement: str) -> None:
    frames = statement_frames(statement, database="club", dialect=None)
    assert [frame.unknown for frame in frames] == [frozenset({"statement", "table"})]
    assert MAX_TOKENS < 10_000
