"""Redirections: what a command reads from and writes to besides its arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gate.actions.shell.effects import Call
from gate.actions.shell.lexer import Redirect
from gate.actions.shell.marks import ANY, HERE_DOCUMENT, HERE_STRING
from gate.actions.shell.state import EMPTY, Data, World
from gate.actions.shell.words import Expander

if TYPE_CHECKING:
    from gate.actions.shell.runner import Runner

_SOCKET = re.compile(r"/dev/(?:tcp|udp)/([^/]+)/")


class Redirections:
    """The redirections of one command, in order; expanded once, before the command runs."""

    def __init__(self, runner: Runner, redirects: list[Redirect], world: World) -> None:
        self.runner = runner
        self.world = world
        self.inputs: list[Data] = []
        self.outputs: list[tuple[Redirect, list[str]]] = []
        expander = Expander(world, runner)
        for redirect in redirects:
            self._expand(redirect, expander)
        self.sources = expander.sources

    def _expand(self, redirect: Redirect, expander: Expander) -> None:
        target = redirect.target
        if target.startswith(HERE_STRING):
            self.inputs.append(Data(expander.string(target[1:]) + "\n", expander.sources))
            return
        if target.startswith(HERE_DOCUMENT):
            number = int(re.sub(r"\D", "", target) or 0)
            document = self.runner.documents[number]
            text = document.body if document.literal else expander.document(document.body)
            self.inputs.append(Data(text, expander.sources))
            return
        duplicates = redirect.operator in (">&", "<&")
        if duplicates and re.fullmatch(r"\d*-?", target):
            return
        words = expander.fields(target) or [ANY]
        socket = _SOCKET.match(words[0])
        call = Call(self.runner, self.world, redirect.operator, words)
        if socket:
            hosts = call.contact([socket.group(1)], urls=False)
            self.outputs.append((redirect, [f"\0{host}" for host in hosts]))
        elif redirect.operator == "<":
            data = call.read(words)
            if redirect.descriptor == 0:
                self.inputs.append(data)
        elif redirect.operator != "<&":
            self.outputs.append((redirect, words))

    def input(self, stdin: Data) -> Data:
        """What the command reads as its standard input."""
        return self.inputs[-1] if self.inputs else stdin

    def output(self, data: Data) -> Data:
        """Write what the command puts out where it is redirected to; what is left for the pipe."""
        left = data
        for redirect, words in self.outputs:
            whole = redirect.operator in ("&>", "&>>", ">&")
            written = data if redirect.descriptor == 1 or whole else Data(None)
            call = Call(self.runner, self.world, redirect.operator, words)
            if words[0].startswith("\0"):
                call.send((), [word[1:] for word in words], data=written)
            else:
                call.write(words, written, append=redirect.operator in (">>", "&>>"))
            if redirect.descriptor == 1 or whole:
                left = EMPTY
        return left
