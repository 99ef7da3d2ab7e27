"""Finding: retrieval alone, and the briefing. No engine."""

from __future__ import annotations

from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.chat import Words, words_or_stdin
from partner.cli.run import Run, command
from partner.errors import UsageError


@command(app, "recall")
def recall(
    run: Run,
    words: Words = None,
    klass: Annotated[
        list[str] | None,
        typer.Option("--class", help="Only this class (may be given again).", show_default=False),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", help="What held then (of a day: at its end).", show_default=False),
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Superseded and retracted ones too.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000)] = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Why each stands where it stands.")] = False,
) -> None:
    """What memory holds about the words: claims best first, then what was said and settled nothing."""
    text = words_or_stdin(words)
    with run.existing() as partner:
        from partner.terminal.lines import engram_line

        hits = partner.recall(
            text,
            classes=_classes(klass),
            limit=limit,
            as_of=run.moment(as_of, to_its_end=True),
            history=history,
        )
        lines = [f"Searched: {hits[0].route}."] if explain and hits else []
        if hits and not any(hit.near for hit in hits):
            lines.append("Nothing I remember is close to this. The nearest:")
        for hit in hits:
            lines.append(
                engram_line(hit.engram, struck=history and not partner.store.status(hit.engram.id).holds)
            )
            if explain:
                reasons = "  ".join(f"{name} {value:.3f}" for name, value in hit.reasons.items())
                lines.append(f"          {hit.score:.4f}  {reasons}")
        run.show(hits, "\n".join(lines) or "Nothing I remember bears on this.")


@command(app, "brief")
def brief(
    run: Run,
    scope: Annotated[
        list[str] | None,
        typer.Argument(help="A topic, a class, an id or a day (2026-03-05).", show_default=False),
    ] = None,
    budget_tokens: Annotated[int, typer.Option("--budget", min=100, max=1_000_000)] = 2000,
    since: Annotated[
        int | None, typer.Option("--since", help="What changed after this position.", show_default=False)
    ] = None,
) -> None:
    """A briefing: what holds, why, what it replaced, who said so, what is open, what is forbidden."""
    with run.existing() as partner:
        briefing = partner.brief(" ".join(scope or []) or None, budget_tokens=budget_tokens, since=since)
        run.show(briefing.json(), briefing.text)


def _classes(names: list[str] | None):  # type: ignore[no-untyped-def]
    if not names:
        return None
    from store.model import Klass

    known = [k.value for k in Klass if k is not Klass.CONTROL]
    for name in names:
        if name not in known:
            raise UsageError(f"There is no class '{name}'. One of: {', '.join(known)}")
    return [Klass(name) for name in names]
