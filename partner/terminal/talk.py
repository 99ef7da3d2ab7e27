"""One operator at one terminal: each line to its turn, each event to the screen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rich.console import Console

from partner.cli.boundary import explain
from partner.errors import PartnerError
from partner.events import Asked, EngineEvent, Notice, Problem, Refused, Replied, TurnEvent
from partner.interrupts import SignalInterrupts
from partner.rules import understood
from partner.terminal.flowing import Flow
from partner.terminal.lines import quiet_line
from partner.terminal.slash import Commands, Leave
from partner.terminal.waiting import Waiting
from router.model import Start, Switched, Text
from store.errors import StoreError

if TYPE_CHECKING:
    from partner.operations import Partner
    from partner.tools.toolbox import Wish


@contextmanager
def _unechoed() -> Iterator[None]:
    """Keys typed while an answer streams stay for the prompt and do not run into the answer."""
    try:
        import termios

        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
    except (ImportError, OSError, ValueError):
        yield
        return
    silent = [*before]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(keyboard, termios.TCSANOW, silent)
    try:
        yield
    finally:
        with suppress(termios.error):
            termios.tcsetattr(keyboard, termios.TCSANOW, before)


class Talk:
    """Takes lines, shows what becomes of them. `ask_back` gives the answer to the gate's question: yes, no,
    None where there was none, or the words the operator said instead. `confirm` gives the one on a tool that
    an engine wants to use."""

    def __init__(
        self,
        partner: Partner,
        console: Console,
        interrupts: SignalInterrupts,
        ask_back: Callable[[], bool | str | None],
        confirm: Callable[[], bool | None],
    ) -> None:
        self.partner = partner
        self._confirm_key = confirm
        if partner.session.toolbox is not None:
            partner.session.toolbox.confirm = self._confirm
        self._console = console
        self._interrupts = interrupts
        self._ask_back = ask_back
        self._commands = Commands(partner, write=self._quiet)
        self._flow = Flow(self._out, lambda: console.width)
        self._waiting = Waiting(console)

    def take(self, line: str) -> None:
        """One line to its end. Mistakes and failures are said; only Leave passes."""
        if line.startswith("/") and self._commands.knows(line):
            self._commands.run(line)
            return
        if self._commands.meant(line):
            return
        said_instead = self._turn(line)
        if said_instead is not None:
            self._quiet("[not answered, so that was not done; this is taken as your next message]")
            self.take(said_instead)

    def _turn(self, line: str) -> str | None:
        """One turn, the gate's question included; the words that were said instead of an answer to it."""
        answer: bool | str | None = None
        self._interrupts.install()
        try:
            with _unechoed():
                self._follow(self.partner.turn(line))
            if self.partner.session.pending is not None:
                self._interrupts.restore()
                answer = self._ask_back()
                self._interrupts.install()
                self._follow(
                    self.partner.session.answer(applies=answer is not False, record=isinstance(answer, bool))
                )
        except (PartnerError, StoreError, OSError) as error:
            if not self._interrupts.leaving:  # else there is no terminal to say it to
                self._end_line()
                self._quiet(f"! {explain(error)[1]}")
        finally:
            self._interrupts.restore()
            self._interrupts.forget()
        if self._interrupts.leaving:
            raise Leave
        return answer if isinstance(answer, str) else None

    def _follow(self, events: Iterator[TurnEvent]) -> None:
        self._waiting.begin()
        try:
            self._show(events)
        finally:
            self._waiting.over()

    def _show(self, events: Iterator[TurnEvent]) -> None:
        switched = False
        for event in events:
            match event:
                case Notice(switched=True) if switched:
                    pass  # it was said when it happened
                case EngineEvent(event=Text(text=text)):
                    self._flow.feed(text)
                    sys.stdout.flush()
                case EngineEvent(event=Switched(engine=engine, to=to, reason=reason)):
                    self._end_line()
                    switched = True
                    self._quiet(f"! {engine} failed ({reason}); {to} answers instead.")
                case EngineEvent(event=Start(cached=True)):
                    self._quiet("(from the cache)")
                case Replied():
                    self._replied(event)
                case Refused() | Problem() | Asked():
                    self._end_line()
                    self._quiet(quiet_line(event), style="yellow")
                case _:
                    if line := quiet_line(event):
                        self._end_line()
                        self._quiet(line)
                    if line := understood(self.partner, event):
                        self._quiet(line)
            if not self._flow.midline:
                self._waiting.begin()

    def _confirm(self, wish: Wish) -> bool | None:
        """Show what an engine wants to do, whole, and wait for a yes or a no."""
        self._end_line()
        self._quiet(f"{wish.engine} wants {wish.tool}: {wish.says}", style="yellow")
        self._interrupts.restore()
        try:
            return self._confirm_key()
        finally:
            self._interrupts.install()

    def _replied(self, event: Replied) -> None:
        self._end_line()
        if event.partial:
            self._quiet("[cut short; what was said so far is kept]" if event.text else "[stopped]")
        elif event.engine is None and event.text:
            self._flow.feed(event.text + "\n")

    def _end_line(self) -> None:
        self._flow.end()
        if self._flow.midline:
            self._flow.feed("\n")

    def _out(self, text: str) -> None:
        self._waiting.over()
        self._console.out(text, end="", highlight=False)

    def _quiet(self, text: str, style: str = "dim") -> None:
        self._waiting.over()
        self._console.print(text, style=style, markup=False, soft_wrap=False)
