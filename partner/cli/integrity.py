"""Proving the store: verify, and checkpoints kept elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.run import Run, command, complain
from partner.errors import Exit


@command(app, "verify")
def verify(
    run: Run,
    against: Annotated[
        Path | None, typer.Option("--against", help="A checkpoint file kept elsewhere.", show_default=False)
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="From the first entry, not from the last trusted point.")
    ] = False,
) -> None:
    """Check that nothing was altered, removed, reordered or inserted. Exits 6 when something was."""
    with run.partner(engine_free=True) as partner:
        report = partner.store.verify(full=full, against=against)
        if not report.ok:
            run.exit = Exit.INTEGRITY
        run.show(report, lambda: _text(report))


@command(app, "checkpoint")
def checkpoint(
    run: Run,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write it to this file.", show_default=False)
    ] = None,
) -> None:
    """Size, head and signature of the log, to keep elsewhere: proves that history was not rewritten since."""
    with run.partner(engine_free=True) as partner:
        signed = partner.store.checkpoint()
        if out is not None:
            out.write_text(signed.json(), encoding="utf-8")
            complain(
                f"Written to {out}. Keep it on another machine; check with: partner verify --against {out}"
            )
        run.show(signed, signed.json().rstrip())


def _text(report) -> str:  # type: ignore[no-untyped-def]
    if report.ok:
        return f"{report.checked} entries checked: nothing altered, removed, reordered or inserted."
    problem = report.problem
    return f"Entry {problem.seq} ({problem.id}): {problem.kind}. {problem.detail}"
