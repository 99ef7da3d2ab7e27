"""The program's root: global options, and every group's commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from partner import __version__
from partner.cli.run import Run

app = typer.Typer(
    name="partner",
    help="A persistent partner for one operator: signed memory, a deterministic gate, any language engine.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
    passphrase_file: Annotated[
        Path | None, typer.Option("--passphrase-file", help="The first line of this file opens the store.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print results as JSON.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Without a command: open the conversation."""
    common = {"home": home, "store": store, "engine": engine, "json": json}
    run = Run(**common, passphrase_file=passphrase_file)  # type: ignore[arg-type]
    ctx.obj = run
    if version:
        run.show({"version": __version__}, f"partner {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from partner.cli.chat import open_chat

        raise typer.Exit(open_chat(run))


def _register() -> None:
    """Import the groups; each adds its commands. The order here is the order of `--help`."""
    from partner.cli import (  # noqa: F401, I001
        chat,
        write,
        check,
        rules,
        recall,
        inspect,
        change,
        engines,
        inbox,
        models,
        integrity,
        portable,
        protect,
        doctor,
    )


_register()
