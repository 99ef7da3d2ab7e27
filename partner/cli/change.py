"""Changing what holds: supersede, retract, erase, approve. History stays."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.chat import Words, words_or_stdin
from partner.cli.inspect import Ref
from partner.cli.run import Run, SaidAtOption, command, complain
from partner.errors import UsageError


@command(app, "supersede")
def supersede(run: Run, ref: Ref, words: Words = None, at: SaidAtOption = None) -> None:
    """Put a new claim in the place of an old one; the old one stays readable."""
    text, when = words_or_stdin(words), run.moment(at)
    with run.partner(engine_free=True) as partner:
        from partner.events import Formed
        from partner.terminal.lines import formed_line

        old = partner.store.read(ref)
        engram = partner.supersede(old.id, text, at=when)
        status = partner.store.status(engram.id)
        run.show(
            {"engram": engram, "status": status},
            formed_line(Formed(engram=engram, change="supersede", old=old)),
        )


@command(app, "retract")
def retract(
    run: Run,
    ref: Ref,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the log.")] = "",
) -> None:
    """Say that something no longer holds; it stays readable, and the log says since when."""
    with run.partner(engine_free=True) as partner:
        from partner.terminal.lines import formed_line

        event = partner.retract(ref, reason=reason)
        run.show({"retraction": event.engram, "engram": event.old}, formed_line(event))


@command(app, "erase")
def erase(
    run: Run,
    ref: Ref,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the log.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask again.")] = False,
) -> None:
    """Overwrite the content for good (secrets, lawful deletion). The log says that it was erased."""
    with run.partner(engine_free=True) as partner:
        from partner.names import short

        engram = partner.store.read(ref)
        if not yes:
            if not sys.stdin.isatty():
                raise UsageError("Erasing cannot be undone. Say --yes if you mean it.")
            typer.confirm(
                f"Erase {short(engram.id)} for good: {engram.content[:80]!r}?", abort=True, err=True
            )
        erased = partner.erase(engram.id, reason)
        for other in erased.still_said:
            complain(f"! The words it was formed from still stand in {short(other.id)} ({other.type}).")
        run.show(
            erased.entry, f"Erased {short(engram.id)}. Its place and hash stay, so the log still verifies."
        )


@command(app, "approve")
def approve(
    run: Run,
    words: Words = None,
    until: Annotated[
        str | None,
        typer.Option("--until", help="It ends then; with a day, at its end.", show_default=False),
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="Who allowed it; you, unless said.", show_default=False)
    ] = None,
) -> None:
    """Record a permission that the gate may use as a fact."""
    text, end = words_or_stdin(words), run.moment(until, to_its_end=True)
    with run.partner(engine_free=True) as partner:
        from partner.terminal.lines import approval_line

        engram = partner.approve(text, until=end, by=by)
        run.show(engram, approval_line(engram))
