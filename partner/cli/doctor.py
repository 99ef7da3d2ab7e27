"""Is everything in order here? And which conformance statements have a test."""

from __future__ import annotations

from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.run import Run, command
from partner.errors import Exit


@command(app, "doctor")
def doctor(
    run: Run,
    conformance: Annotated[
        bool,
        typer.Option("--conformance", help="List the conformance numbers that have a test (in a checkout)."),
    ] = False,
) -> None:
    """Look over the home, the store, the models and the engines; say what to do about each finding."""
    if conformance:
        from partner import conformance as numbers

        found = numbers.covered()
        run.show(found, lambda: numbers.text(found))
        return
    from partner.diagnosis import examine

    findings = examine(run.settings())
    if any(finding.level == "broken" for finding in findings):
        run.exit = (
            Exit.INTEGRITY
            if any(f.topic == "integrity" and f.level == "broken" for f in findings)
            else Exit.FAILED
        )
    run.show(findings, "\n".join(f"{f.level:<7} {f.topic}: {f.says}" for f in findings))
