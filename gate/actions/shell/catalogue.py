"""Which function reads which program: one dictionary over the tables of the sibling modules."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gate.actions.shell.effects import Call

Handler = Callable[["Call"], Any]


@lru_cache(maxsize=1)
def programs() -> dict[str, Handler]:
    """Every program that is known by name."""
    from gate.actions.shell import (
        builtin,
        clients,
        containers,
        files,
        filters,
        inplace,
        interpreters,
        network,
        platforms,
        search,
        system,
        versioning,
        wrappers,
    )

    table: dict[str, Handler] = {}
    for module in (
        filters,
        files,
        inplace,
        search,
        network,
        versioning,
        clients,
        containers,
        platforms,
        system,
        interpreters,
        wrappers,
        builtin,
    ):
        table |= module.PROGRAMS
    return table


def is_known(program: str) -> bool:
    """Whether a program is known by name."""
    return program in programs()


def is_builtin(program: str) -> bool:
    """Whether a name is a command of the shell itself, which runs no program."""
    from gate.actions.shell.builtin import PROGRAMS

    return program in PROGRAMS


def reads_files(program: str) -> bool:
    """Whether a program's words are files or patterns and never subcommands."""
    from gate.actions.shell import files, filters

    return program in filters.PROGRAMS or program in files.PROGRAMS


def handler_of(program: str) -> Handler:
    """The reader of a program; one that is not known is read by the words of its command line."""
    found = programs().get(program)
    if found is not None:
        return found
    from gate.actions.shell.clients import by_words

    return by_words
