"""Looking: the log, one engram, its reasons, its chain, and the state."""

from __future__ import annotations

from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.run import Run, command, complain

Ref = Annotated[
    str, typer.Argument(metavar="ID", help="An id, its beginning or its end (at least four digits).")
]


@command(app, "log")
def log(
    run: Run,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most this many, the newest.")] = 50,
    after: Annotated[int, typer.Option("--after", min=0, help="Only after this position.")] = 0,
) -> None:
    """What was written, oldest first: everything, control entries too."""
    with run.partner(engine_free=True) as partner:
        from partner.terminal.lines import engram_line

        if after:
            entries = list(partner.store.log(after=after, limit=limit))
        else:
            entries = list(partner.store.log(newest_first=True, limit=limit))[::-1]
        run.show(
            entries, "\n".join(f"{e.seq:>6}  {engram_line(e)}" for e in entries) or "Nothing was written yet."
        )


@command(app, "show")
def show(run: Run, ref: Ref) -> None:
    """One engram with everything that is known of it."""
    with run.partner(engine_free=True) as partner:
        engram = partner.store.read(ref)
        status = partner.store.status(engram.id)
        from partner.views import engram_view

        view = {**engram_view(engram), "status": status}
        run.show(view, lambda: _full(view, status))


@command(app, "why")
def why(run: Run, ref: Ref) -> None:
    """Whether it holds, what caused it, what it replaced."""
    with run.partner(engine_free=True) as partner:
        from partner.terminal.render import why_text

        found = partner.why(ref)
        run.show(found, lambda: why_text(found))


@command(app, "history")
def history(run: Run, ref: Ref) -> None:
    """The whole chain of what an engram replaced and what replaced it, oldest first."""
    with run.partner(engine_free=True) as partner:
        from partner.terminal.lines import engram_line

        chain = partner.store.history(ref)
        holds = {engram.id: partner.store.status(engram.id).holds for engram in chain}
        data = [{"engram": engram, "holds": holds[engram.id]} for engram in chain]
        run.show(data, "\n".join(engram_line(engram, struck=not holds[engram.id]) for engram in chain))


@command(app, "state")
def state(run: Run) -> None:
    """Who the operator is, what was concluded, what is pursued, what is forbidden."""
    with run.partner(engine_free=True) as partner:
        from partner.terminal.render import state_text

        stands = partner.state()
        for line in partner.idle_rules():
            complain(line)
        run.show(stands, lambda: state_text(stands))


def _full(view: dict, status) -> str:  # type: ignore[no-untyped-def,type-arg]
    from partner.views import plain

    lines = []
    for key, value in view.items():
        if key == "status" or value in (None, [], {}):
            continue
        if isinstance(value, dict):
            lines += [f"{key}.{name}: {item}" for name, item in value.items() if item is not None]
        else:
            lines.append(f"{key}: {value}")
    lines += [f"{name}: {value}" for name, value in plain(status).items() if value not in (None, [], ())]
    return "\n".join(lines)
