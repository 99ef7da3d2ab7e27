"""The conversation in a terminal: the line editor, and everything else loading behind it.

The prompt stands at once; database, gate and models load while the first line is typed. Ctrl-C while an
answer streams brings the prompt back, the partial answer kept; at the prompt it drops a line that was begun,
and leaves where there is none.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import HTML
from prompt_toolkit.history import DummyHistory, History, ThreadedHistory
from prompt_toolkit.key_binding import KeyBindings

from partner.interrupts import SignalInterrupts

if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.key_binding import KeyPressEvent

    from partner.settings import Settings
    from partner.terminal.talk import Talk

PROMPT = HTML("<b>› </b>")
MEANS_IT = HTML("<b>[y] the rule means this   [n] it is something else, go ahead   › </b>")
RUNS_IT = HTML("<b>[y] let it   [n] no   › </b>")
YES = {"y", "yes", "j", "ja", "s", "sí", "si", "sì", "sim", "o", "oui"}
NO = {"n", "no", "nein", "non", "não", "nao"}
GREETING = "Say something, or /help. Ctrl-C stops an answer or clears the line, and leaves on an empty one."


def converse(load: Callable[[], Settings]) -> int:
    """Talk until the operator leaves. Returns the exit code; raises what keeps the partner from opening."""
    said = _Said()
    editor: PromptSession[str] = PromptSession(
        history=ThreadedHistory(said),
        completer=Slash(lambda: opening.engines()),
        complete_while_typing=False,
        key_bindings=line_keys(),
    )
    with _Opening(load, editor) as opening:
        said.opening = opening
        editor.app.output.write(GREETING + "\n")
        editor.app.output.flush()
        while True:
            try:
                line = editor.prompt(PROMPT, pre_run=opening.check)
            except KeyboardInterrupt:
                if editor.default_buffer.text:  # a line that was begun: it is dropped, and nobody leaves
                    continue
                return 0
            except EOFError:
                return 0
            if not line.strip():
                continue
            talk = opening.wait()
            from partner.terminal.slash import Leave

            try:
                talk.take(line)
            except Leave:
                return 0


class _Opening:
    """Opens the partner on a thread of its own. A failure ends the prompt and is raised from it."""

    def __init__(self, load: Callable[[], Settings], editor: PromptSession[str]) -> None:
        self._load = load
        self._editor = editor
        self._stack = ExitStack()
        self._talk: Talk | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="opening", daemon=True)

    def __enter__(self) -> _Opening:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._stack.close()

    def wait(self) -> Talk:
        """The opened conversation, as soon as it is there."""
        talk = self.opened()
        self.check()
        assert talk is not None
        return talk

    def opened(self) -> Talk | None:
        """The conversation once it has opened; None when it could not."""
        self._thread.join()
        return self._talk if self._failure is None else None

    def engines(self) -> list[str]:
        """The names of the engines; none before it has opened."""
        return [] if self._talk is None else list(self._talk.partner.settings.config.engines)

    def check(self) -> None:
        """Raise what went wrong meanwhile, if something did."""
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            from rich.console import Console

            from partner.bootstrap import open_partner
            from partner.terminal.talk import Talk

            interrupts = SignalInterrupts()
            partner = self._stack.enter_context(open_partner(self._load(), interrupts=interrupts))
            console = Console(highlight=False, soft_wrap=True)
            self._talk = Talk(
                partner,
                console,
                interrupts,
                lambda: _means_it(self._editor),
                _lets_it,
            )
            partner.prepare()
        except BaseException as error:  # noqa: BLE001 - handed to the main thread, which raises it
            self._failure = error
            loop = self._editor.app.loop
            if loop is not None:
                loop.call_soon_threadsafe(self._end_prompt)

    def _end_prompt(self) -> None:
        if self._editor.app.is_running and self._failure is not None:
            self._editor.app.exit(exception=self._failure)


class _Said(History):
    """What the arrow keys bring back from before: the operator's messages as the store keeps them. No second
    copy lies on disk, which would outlive an erasure and hold the secrets that were typed."""

    opening: _Opening | None = None

    def load_history_strings(self) -> Iterator[str]:
        talk = self.opening.opened() if self.opening else None
        if talk is None:
            return
        from partner.history import said_before
        from store.errors import StoreError

        with suppress(StoreError):  # whatever is wrong with the store, the turn says it
            yield from said_before(talk.partner.store)

    def store_string(self, string: str) -> None:
        """The turn itself keeps it."""


def _answered(question: HTML) -> str | None:
    """What was typed at a question, which no arrow key brings back; None when the operator left it."""
    try:
        return PromptSession[str](history=DummyHistory()).prompt(question)
    except (EOFError, KeyboardInterrupt):
        return None


def _word(said: str) -> str:
    return said.strip().casefold().rstrip(".!")


def _means_it(editor: PromptSession[str]) -> bool | str | None:
    """The answer to the gate's question: yes, no, or None when the operator left it (Ctrl-C, an empty line).

    Any other words are the operator's next message, not an answer: they come back as they are.
    """
    said = _answered(MEANS_IT)
    if said is None or not _word(said):
        return None
    if _word(said) in YES or _word(said) in NO:
        return _word(said) in YES
    editor.history.append_string(said)
    return said


def _lets_it() -> bool | None:
    """Whether the operator lets a tool run: only a yes is one. None when they left the question."""
    said = _answered(RUNS_IT)
    return None if said is None else _word(said) in YES


class Slash(Completer):
    """Completes the slash command at the start of a line, and the engine or the file behind it.

    `engines` gives the names of those that are there; none while the partner is still opening.
    """

    def __init__(self, engines: Callable[[], Iterable[str]]) -> None:
        self._engines = engines
        self._files = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        from partner.terminal.slash import Commands

        command, space, rest = document.text_before_cursor.partition(" ")
        if not command.startswith("/"):
            return
        if not space:
            yield from _beginning(command, Commands.names())
        elif command == "/model":
            yield from _beginning(rest, self._engines())
        elif command in ("/attach", "/ingest"):
            yield from self._files.get_completions(Document(rest), complete_event)


def _beginning(text: str, names: Iterable[str]) -> Iterator[Completion]:
    return (Completion(name, start_position=-len(text)) for name in names if name.startswith(text))


def line_keys() -> KeyBindings:
    """Enter ends the message; Alt-Enter, or a backslash before Enter, begins another line of it."""
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add(
        "enter", filter=Condition(lambda: get_app().current_buffer.document.text_before_cursor.endswith("\\"))
    )
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.delete_before_cursor()
        event.current_buffer.insert_text("\n")

    return keys
