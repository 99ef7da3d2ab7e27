"""Taking the identity along: export, import, backup; and the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.run import Run, command, say

File = Annotated[Path, typer.Argument(metavar="FILE")]


@command(app, "export")
def export(
    run: Run,
    file: File,
    no_keys: Annotated[
        bool, typer.Option("--no-keys", help="Leave the signing key out: readable and verifiable, no more.")
    ] = False,
) -> None:
    """Write everything into one portable file (JSON lines; your key is in it, unless --no-keys)."""
    with run.partner(engine_free=True) as partner:
        from store import export_store

        path = export_store(partner.store, file, keys=not no_keys)
        count = partner.store.head().seq
        run.show({"entries": count, "file": path}, f"{count} entries written to {path}")


@command(app, "import")
def import_(run: Run, file: File) -> None:
    """Make this home's store from a file that export wrote. Refused where a store is already."""
    from partner.bootstrap import system_clock
    from store import import_store

    settings = run.settings()
    with import_store(
        file,
        settings.store,
        clock=system_clock(settings),
        author=settings.config.operator.name,
        passphrase=settings.key_to_store,
    ) as store:
        count = store.head().seq
    run.show({"entries": count, "store": settings.store}, f"{count} entries read from {file}")


@command(app, "backup")
def backup(run: Run, file: File) -> None:
    """Copy the live store, whole and consistent, to a file."""
    with run.partner(engine_free=True) as partner:
        partner.store.backup(file)
        run.show({"file": file}, f"Backed up to {file}")


@command(app, "schema")
def schema(run: Run) -> None:
    """The JSON Schema of an entry."""
    from store import entry_schema

    say(json.dumps(entry_schema(), indent=2, ensure_ascii=False))
