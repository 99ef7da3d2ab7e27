"""Walks a parsed script statement by statement, in every world that its branches leave open.

The grammar is tree-sitter-bash. What it cannot parse, and what takes more steps than a check may take,
is reported as a command that is not understood: such a frame could be any act.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from gate.actions.shell.branches import run_case, run_for, run_if, run_while, source_of
from gate.actions.shell.lexer import Document, Simple, read_simple, take_documents
from gate.actions.shell.marks import ANY
from gate.actions.shell.state import (
    EMPTY,
    MAX_DEPTH,
    UNKNOWN,
    Data,
    Exhausted,
    Flow,
    Sink,
    World,
    agreed,
    distinct,
)
from gate.model import Frame

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_TEXT = 2_000_000  # characters of one script with its here-documents
MAX_SOURCE = 32_000  # characters without them; more is not parsed
MAX_OPERATORS = 1000  # signs that build structure: the grammar's time grows with their square
# One simple command, for which no grammar is needed: no separators, groups, comments or reserved words.
_ONE_COMMAND = re.compile(
    r"\s*(?!(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|\[\[)(?:\s|\Z))"
    r"[^;&|<>(){}\n`#!\s][^;&|<>(){}\n`#!]*\Z"
)
_STRUCTURE = re.compile(r"[|&;<>(){}\n`]")

_parser: Parser | None = None


def parser() -> Parser:
    """The bash parser, built on first use."""
    global _parser
    if _parser is None:
        import tree_sitter
        import tree_sitter_bash

        _parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    return _parser


class Runner:
    """Reads scripts into frames; one instance an action."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.documents: list[Document] = []
        self.depth = 0
        self.active: list[str] = []  # functions being run, so that recursion ends
        self.attached = 63

    # -- scripts -----------------------------------------------------------------------------------

    def script(self, source: str, world: World, stdin: Data = EMPTY) -> Flow:
        """Read a script in a world. Unparseable or too long or too deep: a frame that could be any act."""
        if len(source) > MAX_TEXT or ANY in source or self.depth >= MAX_DEPTH:
            self.not_understood(source)
            return Flow([world], UNKNOWN)
        self.depth += 1
        try:
            if len(source) <= MAX_SOURCE and _ONE_COMMAND.match(source):
                simple = read_simple(source)
                return self._then(self.simple(simple, world, stdin), simple.rest)
            bare = take_documents(source, self.documents)
            if len(bare) > MAX_SOURCE or len(_STRUCTURE.findall(bare)) > MAX_OPERATORS:
                self.not_understood(source)
                return Flow([world], UNKNOWN)
            text = bare.encode("utf-8", "replace")
            tree = parser().parse(text)
            if tree.root_node.has_error:
                self.not_understood(source)
            return self.sequence(tree.root_node.children, [world], stdin, text)
        finally:
            self.depth -= 1

    def capture(self, source: str, world: World) -> Data:
        """The output of `$(source)`."""
        stripped = source.strip()
        if stripped.startswith("<") and not stripped.startswith("<("):
            source = "cat " + stripped
        return self.script(source, world.copy()).data

    def attach(self, source: str, world: World, *, reading: bool) -> str:
        """`<(source)` or `>(source)` as the path that the shell puts in its place."""
        path = f"/dev/fd/{self.attached}"
        self.attached -= 1
        if reading:
            data = self.capture(source, world)
            world.contents[path] = data.text
            world.origins[path] = data.sources
        else:
            self.script(source, world.copy(), UNKNOWN)
        return path

    def not_understood(self, source: str, argv: tuple[str, ...] | None = None) -> None:
        """Report a stretch of the script that could do anything."""
        shown = source if len(source) <= 200 else source[:200] + "…"
        frame = Frame(act="execute", unknown=frozenset({"command"}), text=shown.replace(ANY, "…"), argv=argv)
        self.sink.put(frame)

    # -- statements --------------------------------------------------------------------------------

    def sequence(self, nodes: Iterable[Node], worlds: list[World], stdin: Data, text: bytes) -> Flow:
        """Run statements one after another in each world."""
        data = EMPTY
        for node in nodes:
            if not node.is_named or node.type == "comment":
                continue
            outputs: list[Data] = []
            after: list[World] = []
            for world in worlds:
                if world.ended:
                    after.append(world)
                    continue
                flow = self.run(node, world, stdin, text)
                after += flow.worlds
                outputs.append(flow.data)
            worlds = distinct(after) if len(after) > 1 else after
            if outputs:
                data = data.joined(agreed(outputs))
        return Flow(worlds, data)

    def run(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        """Run one statement in one world."""
        handler = _STATEMENTS.get(node.type)
        if handler is None:
            if node.type not in _HARMLESS:
                self.not_understood(source_of(node, text))
            return Flow([world])
        if self.depth >= MAX_DEPTH:
            raise Exhausted
        self.depth += 1
        try:
            return handler(self, node, world, stdin, text)
        finally:
            self.depth -= 1

    def _command(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        simple = read_simple(source_of(node, text))
        return self._then(self.simple(simple, world, stdin), simple.rest)

    def _then(self, flow: Flow, rest: str) -> Flow:
        """Go on with source that the grammar took for a part of the statement before it."""
        if not rest:
            return flow
        after: list[World] = []
        outputs: list[Data] = []
        for world in flow.worlds:
            following = self.script(rest, world)
            after += following.worlds
            outputs.append(flow.data.joined(following.data))
        return Flow(distinct(after), agreed(outputs))

    def simple(self, simple: Simple, world: World, stdin: Data) -> Flow:
        """Run a simple command whose words are still raw."""
        from gate.actions.shell.call import run_simple

        self.sink.spend()
        return run_simple(self, simple, world, stdin)

    def _redirected(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        body = node.children[0]
        if body.type in (
            "command",
            "variable_assignment",
            "declaration_command",
            "unset_command",
            "file_redirect",
        ):
            return self._command(node, world, stdin, text)
        from gate.actions.shell.redirects import Redirections

        rest = text[body.end_byte : node.end_byte].decode("utf-8", "replace")
        after = read_simple(rest)
        redirections = Redirections(self, after.redirects, world)
        flow = self.run(body, world, redirections.input(stdin), text)
        return self._then(Flow(flow.worlds, redirections.output(flow.data)), after.rest)

    def _pipeline(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        data = stdin
        for child in node.children:
            if child.is_named and child.type != "comment":
                data = self.run(child, world.copy(), data, text).data
        return Flow([world], data)

    def _list(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        before = world.copy()
        left = self.run(node.children[0], world, stdin, text)
        going = [other for other in left.worlds if not other.ended]
        if len(node.children) < 3 or not going:
            return left
        either = node.children[1].type == "||"
        first = source_of(node.children[0], text).split(None, 1)[:1]  # none where the grammar made one up
        sure = not _SUCCEEDING.isdisjoint(first)
        kept = [] if sure and not either else [other.copy() for other in going]
        if either:  # the right side runs when the left one failed: perhaps before it changed anything
            going = distinct([before, *going])
        right = self.sequence(node.children[2:], going, stdin, text)
        data = agreed([left.data, left.data.joined(right.data)]) if either else left.data.joined(right.data)
        ended = [other for other in left.worlds if other.ended]
        return Flow(distinct(kept + right.worlds + ended), data)

    def _negated(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        return self.sequence(node.children[1:], [world], stdin, text)

    def _subshell(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        return Flow([world], self.sequence(node.children, [world.copy()], stdin, text).data)

    def _group(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        if node.children and node.children[0].type == "((":
            self.expand(source_of(node, text), world)
            return Flow([world])
        return self.sequence(node.children, [world], stdin, text)

    def expand(self, raw: str, world: World) -> None:
        """Run the substitutions inside a word of which only they matter."""
        if "$(" in raw or "`" in raw:
            from gate.actions.shell.words import Expander

            Expander(world, self).string(raw.strip())

    def _function(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        names = [child for child in node.children if child.type == "word"]
        world.functions[source_of(names[0], text)] = source_of(node.children[-1], text)
        return Flow([world])

    def _test(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        """`[ ... ]` reads nothing that a rule is about, but the commands inside its words run."""
        from gate.actions.shell.words import Expander

        expander = Expander(world, self)
        for raw in read_simple(source_of(node, text).strip("[] ")).words:
            if "$" in raw or "`" in raw:
                expander.string(raw)
        return Flow([world])

    def call_function(self, name: str, args: list[str], world: World, stdin: Data) -> Flow:
        """Run a function that the script defined, with its arguments."""
        if name in self.active or len(self.active) > 12:
            self.not_understood(f"{name} calls itself", (name, *args))
            return Flow([world], UNKNOWN)
        saved, shadowed = world.positional, world.shadowed
        world.positional, world.shadowed = (name, *args), {}
        self.active.append(name)
        try:
            flow = self.script(world.functions[name], world, stdin)
        finally:
            self.active.pop()
        for other in flow.worlds:
            other.positional = saved
            for local, value in other.shadowed.items():
                other.variables.pop(local, None)
                if value is not None:
                    other.variables[local] = value
            other.shadowed = dict(shadowed)
            if other.ended == "return":
                other.ended = ""
        return flow


_Handler = Callable[[Runner, "Node", World, Data, bytes], Flow]
_STATEMENTS: dict[str, _Handler] = {
    "command": Runner._command,
    "variable_assignment": Runner._command,
    "variable_assignments": Runner._command,
    "declaration_command": Runner._command,
    "unset_command": Runner._command,
    "file_redirect": Runner._command,
    "redirected_statement": Runner._redirected,
    "pipeline": Runner._pipeline,
    "list": Runner._list,
    "negated_command": Runner._negated,
    "subshell": Runner._subshell,
    "compound_statement": Runner._group,
    "do_group": Runner._group,
    "if_statement": run_if,
    "elif_clause": run_if,
    "else_clause": Runner._group,
    "case_statement": run_case,
    "for_statement": run_for,
    "c_style_for_statement": run_while,
    "while_statement": run_while,
    "function_definition": Runner._function,
    "test_command": Runner._test,
    "ERROR": Runner._group,
}
_SUCCEEDING = frozenset(
    ("cd", "pushd", "true", ":", "export", "mkdir", "echo", "printf")
)  # taken not to fail
_HARMLESS = frozenset(
    [
        "comment",
        "binary_expression",
        "unary_expression",
        "postfix_expression",
        "number",
        "word",
        "variable_name",
    ]
)
