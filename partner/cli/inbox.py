"""The inbox: what an engine has proposed, for the operator to accept, edit or discard."""

from __future__ import annotations

from typing import Annotated

import typer

from partner.cli.chat import Words, words_or_stdin
from partner.cli.groups import listing_group
from partner.cli.inspect import Ref
from partner.cli.run import Run, command

group, shows = listing_group("inbox", "What an engine has proposed: list, accept, edit, discard.")


@command(group, "list")
def list_(run: Run) -> None:
    """What waits, with the words it rests on."""
    with run.existing() as partner:
        from partner.terminal.lines import inbox_line

        waiting = partner.inbox()
        run.show(waiting, lambda: "\n".join(map(inbox_line, waiting)) or "Nothing waits in the inbox.")


shows(list_)


@command(group, "accept")
def accept(run: Run, ref: Ref) -> None:
    """Let a proposal hold, as a claim of yours."""
    _show(run, ref, text=None)


@command(group, "edit")
def edit(
    run: Run,
    ref: Ref,
    words: Words = None,
) -> None:
    """Let a proposal hold in your own words."""
    _show(run, ref, text=words_or_stdin(words))


@command(group, "discard")
def discard(
    run: Run,
    ref: Ref,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the log.")] = "",
) -> None:
    """Take a proposal out of the inbox. The log keeps that it was made."""
    with run.partner(engine_free=True) as partner:
        from partner.terminal.lines import formed_line

        event = partner.discard(ref, reason=reason)
        run.show(event, formed_line(event))


def _show(run: Run, ref: str, *, text: str | None) -> None:
    with run.partner(engine_free=True) as partner:
        from partner.terminal.lines import formed_line

        event = partner.accept(ref, text=text)
        run.show(event, formed_line(event))
