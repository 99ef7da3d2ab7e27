"""Forward-only migrations: a copy is kept first, then one transaction changes tables and number together.

The log is never rewritten. An older program refuses the newer file; there is no way back but the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from store.errors import StoreUnavailable
from store.files import placing
from store.sqlite import guard
from store.sqlite.marks import FORMAT_NUMBER
from store.sqlite.schema import STATE_TYPE_INDEX


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: from `number - 1` to `number`. `apply` gets a driver connection inside the transaction."""

    number: int
    name: str
    apply: Callable[[Any], object]


def _index_types(driver: Any) -> None:
    driver.execute(STATE_TYPE_INDEX)


MIGRATIONS: Sequence[Migration] = (Migration(2, "index what holds by type", _index_types),)


def kept_copy(path: Path, number: int) -> Path:
    """Where the store as it was in format `number` is kept."""
    return path.with_name(f"{path.name}.format-{number}")


def migrate(
    engine: Engine, path: Path, *, read_only: bool, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Bring an older store to the present format, or leave it whole as it was.

    Raises StoreUnavailable when it was opened to read only and needs a migration first.
    """
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        number = _number(driver)
        todo = [step for step in migrations if step.number > number]
        if not todo:
            return
        if read_only:
            raise StoreUnavailable(
                f"{path} is of store format {number}; open it once to write, to make it {FORMAT_NUMBER}"
            )
        driver.set_authorizer(None)
        try:
            if not kept_copy(path, number).exists():
                with placing(kept_copy(path, number)) as unfinished:
                    driver.execute("VACUUM INTO ?", (str(unfinished),))
            _apply(driver, todo)
        finally:
            guard.install(driver)


def _apply(driver: Any, steps: Sequence[Migration]) -> None:
    driver.execute("BEGIN IMMEDIATE")
    try:
        for step in steps:
            if _number(driver) < step.number:  # another process may have been first
                step.apply(driver)
                driver.execute(f"PRAGMA user_version = {step.number}")
    except BaseException:
        driver.execute("ROLLBACK")
        raise
    driver.execute("COMMIT")


def _number(driver: Any) -> int:
    return driver.execute("PRAGMA user_version").fetchone()[0]
