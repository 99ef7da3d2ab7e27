"""Writing engrams by hand: remember, forbid, aim, decide, and what formation would make of words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from partner.cli.app import app
from partner.cli.chat import Words, words_or_stdin
from partner.cli.run import Run, SaidAtOption, command, complain, say
from partner.errors import UsageError

TypeOption = Annotated[
    str | None, typer.Option("--type", help="Write it as this type, whatever it says.", show_default=False)
]
TagOption = Annotated[
    list[str] | None,
    typer.Option("--tag", help="A name that stay_local may keep on this machine.", show_default=False),
]


@command(app, "remember")
def remember(
    run: Run, words: Words = None, type: TypeOption = None, tag: TagOption = None, at: SaidAtOption = None
) -> None:
    """Write down what the words settle; words that settle nothing become a note."""
    text, when = words_or_stdin(words), run.moment(at)
    chosen = _type(type)
    with run.partner(engine_free=True) as partner:
        _show(run, partner.remember(text, type_=chosen, at=when, tags=tag or ()))


@command(app, "ingest")
def ingest(
    run: Run,
    files: Annotated[list[Path], typer.Argument(help="Text files.", show_default=False)],
    name: Annotated[
        str | None, typer.Option("--name", help="What to call it; its file name.", show_default=False)
    ] = None,
    tag: TagOption = None,
    at: SaidAtOption = None,
) -> None:
    """Read documents: their passages become knowledge, beneath what you say yourself."""
    when = run.moment(at)
    if name is not None and len(files) > 1:
        raise UsageError("One --name cannot stand for several files.")
    with run.partner(engine_free=True) as partner:
        from partner import documents

        done: list[documents.DocumentRead] = []
        try:
            for file in files:
                done.append(documents.ingest(partner, file, name=name, tags=tag or (), at=when))
                if done[-1].warning:
                    complain(f"! {done[-1].warning}")
        finally:  # each file is whole or not at all: those before one that cannot be read stay read
            if done:
                run.show(done, "\n".join(one.line for one in done))


@command(app, "decide")
def decide(run: Run, words: Words = None, at: SaidAtOption = None) -> None:
    """Write down a decision."""
    text, when = words_or_stdin(words), run.moment(at)
    with run.partner(engine_free=True) as partner:
        _show(run, partner.decide(text, at=when))


@command(app, "aim")
def aim(run: Run, words: Words = None, at: SaidAtOption = None) -> None:
    """Write down what is pursued."""
    text, when = words_or_stdin(words), run.moment(at)
    with run.partner(engine_free=True) as partner:
        _show(run, partner.aim(text, at=when))


@command(app, "forbid")
def forbid(run: Run, words: Words = None, at: SaidAtOption = None) -> None:
    """Write a rule that the gate enforces, and show what it understood."""
    text, when = words_or_stdin(words), run.moment(at)
    with run.partner(engine_free=True) as partner:
        from partner.rules import forbid_each
        from partner.terminal.lines import rule_lines

        found = forbid_each(partner, text, at=when)
        run.show(found[0] if len(found) == 1 else {"rules": found}, "\n".join(map(rule_lines, found)))
        if sys.stdin.isatty() and sys.stdout.isatty() and not run.json:
            from partner.terminal.correcting import correct

            for rule in found:
                correct(partner, rule.engram.id, _line, say)


@command(app, "form")
def form(
    run: Run,
    words: Words = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing (needed: this command never does).")
    ] = False,
    at: SaidAtOption = None,
) -> None:
    """Show what a message would settle, without keeping anything."""

    if not dry_run:
        raise UsageError(
            "This command only shows; say so with --dry-run. To write: partner remember, or partner ask"
        )
    text, when = words_or_stdin(words), run.moment(at)
    with run.partner(engine_free=True) as partner:
        formation = partner.form(text, at=when)
        lines = [f"{change.kind}: {_claim(change)}" for change in formation.changes]
        if formation.question:
            lines.append(f"? {formation.question}")
        run.show(
            formation, "\n".join(lines) or "Nothing is settled by these words; they would be kept as said."
        )


def _line() -> str | None:
    try:
        return input("› ")
    except (EOFError, KeyboardInterrupt):
        return None


def _claim(change) -> str:  # type: ignore[no-untyped-def]
    if change.draft is None:
        return f"{', '.join(change.targets)} {change.note}".strip()
    return f"{change.draft.type}: {change.draft.content}"


def _type(name: str | None):  # type: ignore[no-untyped-def]
    if name is None:
        return None
    from store.model import CLASS_OF, EngramType, Klass

    allowed = [t.value for t in EngramType if CLASS_OF[t] is not Klass.CONTROL]
    if name not in allowed:
        raise UsageError(f"There is no type '{name}'. One of: {', '.join(allowed)}")
    return EngramType(name)


def _show(run: Run, events: list) -> None:
    from partner.errors import Exit
    from partner.events import Clarify
    from partner.terminal.lines import quiet_line

    asked = [event for event in events if isinstance(event, Clarify)]
    run.show(events, "\n".join(quiet_line(event) for event in events if not isinstance(event, Clarify)))
    for event in asked:
        complain(quiet_line(event))
    if asked:
        run.exit = Exit.ASKED
