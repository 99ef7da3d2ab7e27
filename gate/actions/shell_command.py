"""Shell commands (kind `shell`): a string for a shell to run, or a list of words that runs without one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.actions.paths import normalise
from gate.actions.schema import mapping, optional_text, text
from gate.errors import BadAction
from gate.model import Facts, Frame


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`command` (required: text or a list of words), `cwd`, `env`, `stdin`."""
    from gate.actions.shell.marks import defused
    from gate.actions.shell.runner import Runner
    from gate.actions.shell.state import Data, Exhausted, Sink, start

    command = args.get("command")
    words = _words(command) if isinstance(command, list | tuple) else None
    source = text(args, "command") if words is None else ""
    cwd = normalise(optional_text(args, "cwd") or facts.cwd or "", cwd=facts.cwd, home=facts.home)
    environment = {str(name): defused(str(value)) for name, value in mapping(args, "env").items()}
    sink = Sink(facts)
    runner = Runner(sink)
    world = start(facts, cwd, environment)
    stdin = Data(defused(optional_text(args, "stdin")))
    try:
        if words is None:
            runner.script(defused(source), world, stdin)
        elif words:
            from gate.actions.shell.call import invoke
            from gate.actions.shell.effects import Call

            invoke(Call(runner, world, defused(words[0]), [defused(word) for word in words[1:]], stdin))
    except (Exhausted, RecursionError):
        runner.not_understood(source)
    return tuple(sink.frames)


def _words(command: list[Any] | tuple[Any, ...]) -> list[str]:
    if not all(isinstance(word, str) and "\0" not in word for word in command):
        raise BadAction("command", "must hold strings without NUL characters only")
    return list(command)
