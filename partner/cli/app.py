"""The program's root: global options, and every group's commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from partner import __version__
from partner.cli.run import Common, say

app = typer.Typer(
    name="partner",
    help="A persistent partner for one operator: signed memory, a deterministic gate, any language engine.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        say(f"partner {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    home: Annotated[Path | None, typer.Option("--home", help="Where this partner lives.")] = None,
    store: Annotated[
        str | None, typer.Option("--store", help="The store: a file or postgresql://...")
    ] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", help="The language engine; 'none' for none.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print results as JSON.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Without a command: open the conversation."""
    ctx.obj = Common(home=home, store=store, engine=engine, json=json)
    if ctx.invoked_subcommand is None:
        from partner.cli.chat import open_chat
        from partner.cli.run import Run

        raise typer.Exit(open_chat(Run(home=home, store=store, engine=engine, json=json)))


def _register() -> None:
    """Import the groups; each adds its commands. The order here is the order of `--help`."""
    from partner.cli import (  # noqa: F401, I001
        chat,
        write,
        check,
        recall,
        inspect,
        change,
        engines,
        models,
        integrity,
        portable,
        doctor,
    )


_register()
