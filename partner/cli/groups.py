"""Groups of commands that show their list when no command of theirs is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from partner.cli.app import app
from partner.cli.run import HomeOption, JsonOption, StoreOption


def listing_group(name: str, says: str) -> tuple[typer.Typer, Callable[[Callable[..., Any]], None]]:
    """A group under the root, and the function that is given its `list` command.

    `partner NAME` is then `partner NAME list`, with the same --home, --store and --json.
    """
    group = typer.Typer(help=says, rich_markup_mode=None, invoke_without_command=True)
    app.add_typer(group, name=name)

    def shows(list_: Callable[..., Any]) -> None:
        @group.callback()
        def without_a_word(
            ctx: typer.Context, home: HomeOption = None, store: StoreOption = None, json: JsonOption = False
        ) -> None:
            if ctx.invoked_subcommand is None:
                ctx.invoke(list_, ctx, home=home, store=store, json=json)
            elif ctx.obj is not None:
                ctx.obj.home, ctx.obj.store = home or ctx.obj.home, store or ctx.obj.store
                ctx.obj.json = json or ctx.obj.json

    return group, shows
