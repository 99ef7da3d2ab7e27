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
def export(run: Run, file: File) -> None:
    """Write everything into one portable file."""
    with run.partner(engine_free=True) as partner:
        count = partner.export(file)
        run.show({"entries": count, "file": file}, f"{count} entries written to {file}")


@command(app, "import")
def import_(run: Run, file: File) -> None:
    """Read a file written by export into an empty store."""
    with run.partner(engine_free=True) as partner:
        count = partner.import_(file)
        run.show({"entries": count, "file": file}, f"{count} entries read from {file}")


@command(app, "backup")
def backup(run: Run, file: File) -> None:
    """Copy the live store, whole and consistent, to a file."""
    with run.partner(engine_free=True) as partner:
        partner.backup(file)
        run.show({"file": file}, f"Backed up to {file}")


@command(app, "schema")
def schema(run: Run) -> None:
    """The JSON Schema of an engram."""
    from partner.bootstrap import engram_schema

    say(json.dumps(engram_schema(), indent=2, ensure_ascii=False))
