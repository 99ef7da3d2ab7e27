"""Looking: the log, one engram, its reasons, its chain, and the state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from partner.cli.app import app
from partner.cli.run import Run, command, complain

if TYPE_CHECKING:
    from store.model import Engram
    from store.records import Status

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
    with run.existing() as partner:
        from partner.terminal.lines import engram_line

        if after:
            entries = list(partner.store.log(after=after, limit=limit))
        else:
            entries = list(partner.store.log(newest_first=True, limit=limit))[::-1]
        lines = [f"{e.seq:>6}  {engram_line(e, written=True)}" for e in entries]
        run.show(entries, "\n".join(lines) or "Nothing was written yet.")


@command(app, "show")
def show(run: Run, ref: Ref) -> None:
    """One engram with everything that is known of it."""
    with run.existing() as partner:
        engram = partner.store.read(ref)
        status = partner.store.status(engram.id)
        from partner.views import engram_view

        run.show({**engram_view(engram), "status": status}, lambda: full_text(engram, status))


@command(app, "why")
def why(run: Run, ref: Ref) -> None:
    """Whether it holds, what caused it, what it replaced."""
    with run.existing() as partner:
        from partner.terminal.render import why_text

        found = partner.why(ref)
        run.show(found, lambda: why_text(found))


@command(app, "history")
def history(run: Run, ref: Ref) -> None:
    """The whole chain of what an engram replaced and what replaced it, oldest first."""
    with run.existing() as partner:
        from partner.terminal.lines import engram_line

        chain = partner.store.history(ref)
        holds = {engram.id: partner.store.status(engram.id).holds for engram in chain}
        data = [{"engram": engram, "holds": holds[engram.id]} for engram in chain]
        lines = [engram_line(engram, struck=not holds[engram.id], written=True) for engram in chain]
        run.show(data, "\n".join(lines))


@command(app, "state")
def state(run: Run) -> None:
    """Who the operator is, what was concluded, what is pursued, what is forbidden."""
    with run.existing() as partner:
        from partner.terminal.render import state_text

        stands = partner.state()
        for line in partner.idle_rules():
            complain(line)
        run.show(stands, lambda: state_text(stands))


def full_text(engram: Engram, status: Status) -> str:
    """Everything about an entry, a line each."""
    from partner.views import engram_view, plain

    lines = []
    for key, value in engram_view(engram).items():
        if key == "erased" or value in (None, [], {}):
            continue
        if key == "links":
            lines += [f"link: {link['relation']} {link['target']}" for link in value]
        elif isinstance(value, dict):
            lines += [f"{key}.{name}: {_said(item)}" for name, item in value.items() if item is not None]
        else:
            lines.append(f"{key}: {_said(value)}")
    lines += [f"{name}: {_said(item)}" for name, item in plain(status).items() if item not in (None, [], ())]
    return "\n".join(lines)


def _said(value: object) -> str:
    """A value of an entry as people write it; what is nested stays JSON."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
