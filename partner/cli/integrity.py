"""Proving the store: verify, and checkpoints kept elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.run import Run, command, complain
from partner.errors import Exit

_LONG = 100_000  # entries; checking as many takes some seconds


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
    with run.existing() as partner:
        report = partner.store.verify(full=full, against=against, progress=_Told())
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
    with run.existing(empty=False) as partner:
        signed = partner.store.checkpoint()
        if out is not None:
            out.write_text(signed.json(), encoding="utf-8")
            complain(
                f"Written to {out}. Keep it on another machine; check with: partner verify --against {out}"
            )
        run.show(signed, f"Entry {signed.seq}, {signed.hash}" if out is not None else signed.json().rstrip())


class _Told:
    """Of a long log a line each tenth, beside the answer: a pipe must not be filled with counters."""

    def __init__(self) -> None:
        self._tenth = 0

    def __call__(self, done: int, total: int) -> None:
        tenth = 10 * done // total
        if total >= _LONG and tenth > self._tenth:
            self._tenth = tenth
            complain(f"{done:,} of {total:,} entries checked")


def _text(report) -> str:  # type: ignore[no-untyped-def]
    if report.ok:
        total = report.start - 1 + report.checked
        since = "" if report.start == 1 else f", {report.checked} of them since the last check"
        return f"{total} entries{since}: nothing altered, removed, reordered or inserted."
    problem = report.problem
    where = "The store" if not problem.seq else f"Entry {problem.seq}"
    named = f" ({problem.id})" if problem.id else ""
    return f"{where}{named}: {problem.kind}. {problem.detail[0].upper()}{problem.detail[1:]}."
