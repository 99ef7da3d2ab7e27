"""The conversation in a terminal: the line editor, streaming, and Ctrl-C.

Ctrl-C while an answer streams brings the prompt back, the partial answer kept; at the prompt it leaves.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.formatted_text import HTML
from prompt_toolkit.history import InMemoryHistory
from rich.console import Console

from partner.cli.boundary import explain
from partner.errors import Exit, PartnerError, UsageError
from partner.events import (
    Asked,
    EngineEvent,
    Formed,
    Gathered,
    Problem,
    Received,
    Refused,
    Replied,
    TurnEvent,
)
from partner.interrupts import SignalInterrupts
from partner.settings import Settings
from partner.terminal.lines import quiet_line
from partner.terminal.slash import Commands, Leave
from router.model import Failed, Start, Switched, Text
from store.errors import StoreError

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from partner.operations import Partner

PROMPT = HTML("<b>› </b>")
MEANS_IT = HTML("<b>[y] the rule means this   [n] it is something else, go ahead   › </b>")
GREETING = "Say something, or /help. Ctrl-C stops an answer, and leaves at the prompt."


def converse(settings: Settings) -> int:
    """Talk until the operator leaves. Returns the exit code."""
    from partner.bootstrap import open_partner

    interrupts = SignalInterrupts()
    with open_partner(settings, interrupts=interrupts) as partner:
        talk = Talk(partner, Console(highlight=False, soft_wrap=True), interrupts)
        talk.run()
    return Exit.DONE


class _Slash(Completer):
    """Completes the slash command at the start of a line."""

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        text = document.text
        if text.startswith("/") and " " not in text:
            for name in Commands.names():
                if name.startswith(text):
                    yield Completion(name, start_position=-len(text))


class Talk:
    """One operator at one terminal."""

    def __init__(self, partner: Partner, console: Console, interrupts: SignalInterrupts) -> None:
        self._partner = partner
        self._console = console
        self._interrupts = interrupts
        self._commands = Commands(partner, write=self._quiet)
        self._editor: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),  # a second copy on disk would outlive an erasure
            completer=_Slash(),
            complete_while_typing=False,
        )
        self._midline = False

    def run(self) -> None:
        self._quiet(GREETING)
        self._prepare()
        while True:
            try:
                line = self._editor.prompt(PROMPT)
            except (EOFError, KeyboardInterrupt):
                return
            if not line.strip():
                continue
            try:
                self._take(line)
            except Leave:
                return

    def _prepare(self) -> None:
        """Models load behind the prompt; what is missing is said once, now."""
        try:
            self._partner.prepare()
        except Exception as error:  # noqa: BLE001 - the conversation works without a model
            self._quiet(f"! {explain(error)[1]}")

    def _take(self, line: str) -> None:
        if line.startswith("/") and self._commands.knows(line):
            self._commands.run(line)
            return
        self._interrupts.install()
        try:
            self._follow(self._partner.turn(line))
            if self._partner.session.pending is not None:
                self._interrupts.restore()
                applies = self._means_it()
                self._interrupts.install()
                self._follow(self._partner.session.answer(applies=applies))
        except (UsageError, PartnerError, StoreError, OSError) as error:
            self._end_line()
            self._quiet(f"! {explain(error)[1]}")
        finally:
            self._interrupts.restore()
            self._interrupts.forget()

    def _means_it(self) -> bool:
        """The answer to the gate's question; anything but a clear no leaves the rule in force."""
        try:
            said = self._editor.prompt(MEANS_IT)
        except (EOFError, KeyboardInterrupt):
            return True
        return not said.strip().lower().startswith("n")

    def _follow(self, events: Iterator[TurnEvent]) -> None:
        for event in events:
            match event:
                case EngineEvent(event=Text(text=text)):
                    self._console.out(text, end="", highlight=False)
                    self._midline = not text.endswith("\n")
                    sys.stdout.flush()
                case EngineEvent(event=Switched(engine=engine, to=to, reason=reason)):
                    self._end_line()
                    self._quiet(f"! {engine} failed ({reason}); {to} answers instead.")
                case EngineEvent(event=Start(cached=True)):
                    self._quiet("(from the cache)")
                case Replied():
                    self._replied(event)
                case Refused() | Problem() | Asked():
                    self._end_line()
                    self._console.print(quiet_line(event), style="yellow", markup=False)
                case Received() | Formed() | Gathered() | EngineEvent(event=Failed()) | EngineEvent():
                    if line := quiet_line(event):
                        self._quiet(line)
                case _:
                    self._quiet(quiet_line(event))

    def _replied(self, event: Replied) -> None:
        if event.engine is None:
            self._console.out(event.text, highlight=False)
            return
        self._end_line()
        if event.partial:
            self._quiet("[cut short; what was said so far is kept]")

    def _end_line(self) -> None:
        if self._midline:
            self._console.out("")
            self._midline = False

    def _quiet(self, text: str) -> None:
        self._console.print(text, style="dim", markup=False)
