"""Talking: the conversation, and one turn for scripts."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from partner.cli.app import app
from partner.cli.run import Run, SaidAtOption, command, complain, say
from partner.errors import Exit, UsageError

if TYPE_CHECKING:
    from partner.operations import Partner

Words = Annotated[
    list[str] | None,
    typer.Argument(
        help="What to say; '-' stands for standard input, as does saying nothing.", show_default=False
    ),
]


Attach = Annotated[
    list[Path] | None,
    typer.Option("--attach", help="A file that goes with the message; may be repeated.", show_default=False),
]
Only = Annotated[bool, typer.Option("--only", help="With --engine: that engine or none.", show_default=False)]


@command(app, "chat", engine=True)
def chat(run: Run) -> None:
    """Open the conversation. Input that is not a terminal is read as turns, a line each."""
    run.exit = _converse(run)


def open_chat(run: Run) -> int:
    """`partner` alone."""
    from partner.cli.boundary import guarded

    return guarded(run, lambda: chat_here(run))


def chat_here(run: Run) -> None:
    run.exit = _converse(run)


def _converse(run: Run) -> int:
    if sys.stdin.isatty() and sys.stdout.isatty():
        from partner.terminal.interactive import converse

        _unlock(run)
        return converse(run.settings)
    from partner.terminal.piped import converse_lines

    return converse_lines(run.settings(), sys.stdin.buffer, as_json=run.json)


def _unlock(run: Run) -> None:
    """Ask for the passphrase before the line editor has the terminal, and see that it fits."""
    from store import protection

    settings = run.settings()
    if settings.passphrase is not None or protection(settings.store) == "none":
        return
    from partner.bootstrap import open_partner
    from store.errors import Locked

    while True:
        try:
            with open_partner(settings, engine_free=True, read_only=True) as partner:
                partner.store.unlock()
            return
        except Locked as error:
            if not error.wrong or not run.asker.refused():
                raise


@command(app, "ask", engine=True)
def ask(
    run: Run, words: Words = None, at: SaidAtOption = None, attach: Attach = None, only: Only = False
) -> None:
    """One turn: gate, memory, answer. Reads standard input too."""
    text = words_or_stdin(words, beside=True)
    when = run.moment(at)
    if only and run.settings().engine is None:
        raise UsageError("--only says that no other engine may answer: name the one with --engine NAME.")
    with run.partner() as partner:
        partner.session.only = only
        for path in attach or ():
            partner.attach(path)
        events = list(_heard(run, partner, partner.turn(text, at=when)))
        if partner.session.pending is not None:  # nobody is here to answer
            events += _heard(run, partner, partner.session.answer(applies=True, record=False))
    _conclude(run, events)


def words_or_stdin(words: list[str] | None, *, beside: bool = False) -> str:
    """The words of the command line; '-', or no words, reads standard input.

    With `beside` a file that is redirected is read behind the words. Nowhere else: in a loop over the lines
    of a file, the first command would swallow the rest.
    """
    from partner.receive import decode

    said = words or []
    piped = not sys.stdin.isatty()
    if "-" in said or (not said and piped):
        return " ".join([*(w for w in said if w != "-"), decode(sys.stdin.buffer.read())]).strip()
    if not said:
        raise UsageError("Nothing was said. Give the words, or pipe them in.")
    if beside and piped and stat.S_ISREG(_mode_of_stdin()):
        return " ".join(said) + "\n" + decode(sys.stdin.buffer.read())
    return " ".join(said)


def _mode_of_stdin() -> int:
    import os

    try:
        return os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):
        return 0


def _heard(run: Run, partner: Partner, events: Any) -> Any:
    """Pass events on; what is not the reply goes to standard error as it happens."""
    from partner.rules import understood
    from partner.terminal.lines import quiet_line

    for event in events:
        for line in (quiet_line(event), understood(partner, event)):
            if line and not run.json:
                complain(line)
        yield event


def _conclude(run: Run, events: list[Any]) -> None:
    from partner.events import Asked, Formed, Gathered, Notice, Problem, Refused, Replied, ToolUsed

    replied = next((e for e in reversed(events) if isinstance(e, Replied)), None)
    refused = next((e for e in events if isinstance(e, Refused)), None)
    asked = next((e for e in events if isinstance(e, Asked)), None)
    problems = [e for e in events if isinstance(e, Problem)]
    gathered = next((e for e in events if isinstance(e, Gathered)), None)
    if asked is not None:
        run.exit = Exit.ASKED
    elif refused is not None or any(p.refused for p in problems):
        run.exit = Exit.REFUSED
    elif any(p.no_engine for p in problems):
        run.exit = Exit.NO_ENGINE
    verdict = refused.verdict if refused else asked.verdict if asked else None
    data = {
        "reply": replied.text if replied else None,
        "engine": replied.engine if replied else None,
        "partial": bool(replied and replied.partial),
        "id": replied.engram.id if replied and replied.engram else None,
        "formed": [
            {"change": e.change, "engram": e.engram, "note": e.note} for e in events if isinstance(e, Formed)
        ],
        "context": [e.id for e in gathered.engrams] if gathered else [],
        "tokens": gathered.tokens if gathered else 0,
        "transcript_tokens": gathered.transcript_tokens if gathered else 0,
        "verdict": verdict,
        "calls": [{"tool": e.tool, "outcome": e.outcome} for e in events if isinstance(e, ToolUsed)],
        "notices": [e.message for e in events if isinstance(e, Notice)],
        "problems": [p.message for p in problems],
        "exit": int(run.exit),
    }
    if run.json:
        run.show(data, "")
    elif refused is None and replied is not None:
        say(replied.text.rstrip())
