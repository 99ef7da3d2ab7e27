"""Which tables SQL reads, changes and drops: joins, aliases, WITH clauses, and names in escapes."""

from __future__ import annotations

import pytest
from judging import judged

from gate import Decision
from gate.actions.sql import statement_frames


def tables(act: str, statement: str, dialect: str | None = None) -> set[str]:
    found = statement_frames(statement, database="depot", dialect=dialect)
    labels = set().union(*(frame.labels for frame in found if frame.act == act))
    return {label.removeprefix("table:") for label in labels if label.startswith("table:")}


@pytest.mark.parametrize(
    ("statement", "dialect"),
    [
        ("MERGE INTO stock USING parcels p ON p.sku = stock.sku WHEN MATCHED THEN DELETE", "postgres"),
        ("MERGE INTO stock USING (SELECT sku FROM parcels) p ON true WHEN MATCHED THEN DELETE", "tsql"),
        ("UPDATE stock SET n = p.n FROM parcels AS p WHERE p.sku = stock.sku", "postgres"),
        ("UPDATE stock JOIN parcels p ON p.sku = stock.sku SET stock.n = p.n", "mysql"),
        ("DELETE FROM stock USING parcels WHERE parcels.sku = stock.sku", "postgres"),
        ("DELETE stock FROM stock JOIN parcels ON parcels.sku = stock.sku", "mysql"),
        ("INSERT INTO stock SELECT sku, n FROM parcels", None),
        ("INSERT INTO stock TABLE parcels", "postgres"),
        ("CREATE TABLE stock CLONE parcels", "snowflake"),
        ("SELECT n FROM ONLY (parcels)", "postgres"),
        ("SELECT n FROM IDENTIFIER('parcels')", "snowflake"),
        ("PIVOT parcels ON kind USING sum(n)", "duckdb"),
    ],
)
def test_a_change_reads_the_tables_that_it_takes_rows_from(statement: str, dialect: str | None) -> None:
    assert tables("read", statement, dialect) == {"parcels"}


def test_what_a_change_is_done_to_is_not_read_by_it() -> None:
    assert tables("read", "DELETE FROM stock WHERE n = 0; INSERT INTO stock VALUES (1)") == set()
    assert tables("read", "SELECT n INTO stock_copy FROM stock") == {"stock"}


@pytest.mark.parametrize(
    ("act", "statement", "dialect", "changed"),
    [
        ("delete", "DELETE p FROM parcels p", "tsql", {"p", "parcels"}),
        ("delete", "DELETE FROM s, p USING stock s JOIN parcels p", "mysql", {"s", "p", "stock", "parcels"}),
        ("delete", "DELETE s FROM stock s JOIN parcels p ON p.n = s.n", "mysql", {"s", "stock"}),
        ("update", "UPDATE p SET n = 0 FROM parcels p", "tsql", {"p", "parcels"}),
        ("update", "UPDATE stock s, parcels p SET p.n = 0", "mysql", {"stock", "parcels"}),
        ("update", "UPDATE stock s, parcels p SET s.n = 0", "mysql", {"stock"}),
        ("update", "UPDATE stock s, parcels p SET n = 0", "mysql", {"stock", "parcels"}),
    ],
)
def test_an_alias_is_followed_to_the_table_whose_rows_change(
    act: str, statement: str, dialect: str, changed: set[str]
) -> None:
    assert tables(act, statement, dialect) == changed


@pytest.mark.parametrize(
    ("statement", "read"),
    [
        ("WITH parcels AS (SELECT 1 AS n) SELECT n FROM parcels", set()),
        ("WITH parcels AS (SELECT n FROM stock) SELECT n FROM parcels", {"stock"}),
        ("WITH parcels AS (SELECT n FROM parcels) SELECT 1", {"parcels"}),
        ("WITH a AS (SELECT n FROM parcels), parcels AS (SELECT 1 AS n) SELECT n FROM a", {"parcels"}),
        ("WITH parcels AS (SELECT 1 AS n), a AS (SELECT n FROM parcels) SELECT n FROM a", set()),
        (
            "WITH RECURSIVE parcels AS (SELECT 1 AS n UNION SELECT n + 1 FROM parcels) TABLE parcels",
            set(),
        ),
        ("WITH parcels AS (SELECT 1 AS n) SELECT n FROM shop.parcels", {"parcels"}),
        ('WITH "Parcels" AS (SELECT 1 AS n) SELECT n FROM parcels', {"parcels"}),
        ("(WITH parcels AS (SELECT 1 AS n) SELECT n FROM parcels) UNION SELECT n FROM parcels", {"parcels"}),
        ("WITH parcels AS (SELECT 1 AS n) UPDATE stock SET n = 0 FROM parcels", set()),
    ],
)
def test_a_name_that_a_with_clause_gives_is_no_table_within_its_reach(statement: str, read: set[str]) -> None:
    assert tables("read", statement, "postgres") == read


def test_a_change_to_a_name_that_a_with_clause_gives_is_one_to_a_table() -> None:
    assert tables("delete", "WITH parcels AS (SELECT 1) DELETE FROM parcels", "postgres") == {"parcels"}


@pytest.mark.parametrize("dialect", [None, "postgres", "oracle", "trino"])
@pytest.mark.parametrize(
    "name",
    [
        r'U&"p\0061rcels"',
        r'u&"\+000070arcels"',
        "U&\"parcel!0073\" UESCAPE '!'",
        r'U&"\0070\0061\0072\0063\0065\006C\0073"',
    ],
)
def test_a_name_spelled_by_code_points_is_that_name(name: str, dialect: str | None) -> None:
    assert "parcels" in tables("read", f"SELECT n FROM {name}", dialect)
    assert "parcels" in tables("drop", f"DROP TABLE {name}", dialect)


def test_an_escape_that_is_none_leaves_open_which_table_is_meant() -> None:
    found = statement_frames(r'SELECT n FROM U&"p\zzrcels"', database="depot", dialect="postgres")
    assert [("statement" in frame.unknown, "database" in frame.unknown) for frame in found] == [(True, True)]


def test_code_points_in_a_literal_or_comment_name_nothing() -> None:
    statement = 'SELECT \'U&"p\\0061rcels"\' /* U&"p\\0061rcels" */ FROM stock'
    assert tables("read", statement, "postgres") == {"stock"}


@pytest.mark.parametrize(
    "statement",
    [
        "DROP DATABASE vault WITH (FORCE)",
        'DROP DATABASE IF EXISTS "vault" (FORCE)',
        "DROP DATABASE attic, vault",
        "DROP SCHEMA vault CASCADE",
        "DROP SCHEMA vault.night CASCADE",
        "DROP SCHEMA IF EXISTS attic, vault CASCADE",
        "DROP SCHEMA attic CASCADE; DROP DATABASE vault WITH (FORCE); SELECT 1",
    ],
)
@pytest.mark.parametrize("database", ["depot", None])
def test_dropping_a_database_drops_its_tables_wherever_it_is_said(
    statement: str, database: str | None
) -> None:
    args = {"statement": statement, "database": database, "dialect": "postgresql"}
    verdict = judged("Never drop a table in the vault database.", "sql", args)
    assert verdict.decision is Decision.REFUSE
    other = judged("Never drop a table in the cellar database.", "sql", {**args, "database": "depot"})
    assert other.decision is Decision.ALLOW


def test_a_statement_that_is_not_understood_may_be_done_to_any_table_of_its_database() -> None:
    args = {"statement": "CALL nightly()", "database": "depot"}
    assert judged("Never read the parcels table.", "sql", args).decision is Decision.REFUSE
    assert judged("Never drop the parcels_sku index.", "sql", args).decision is Decision.REFUSE
    assert judged("Never drop a table in the vault database.", "sql", args).decision is Decision.ALLOW


def test_a_statement_that_composes_what_it_runs_may_reach_any_database() -> None:
    args = {"statement": "DO $$ BEGIN EXECUTE 'DROP ' || what; END $$", "database": "depot"}
    assert judged("Never drop the vault database.", "sql", args).decision is Decision.REFUSE


@pytest.mark.parametrize("command", ["mysqladmin -f drop vault", "mysqladmin -u root -h db1 drop vault -f"])
def test_the_tool_that_drops_a_database_drops_its_tables(command: str) -> None:
    for place, decision in (("vault", Decision.REFUSE), ("cellar", Decision.ALLOW)):
        rule = f"Never drop a table in the {place} database."
        assert judged(rule, "shell", {"command": command}).decision is decision
