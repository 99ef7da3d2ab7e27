"""Walks a parsed script statement by statement, in every world that its branches leave open.

The grammar is tree-sitter-bash. What it cannot parse, and what takes more steps than a check may take,
is reported as a command that is not understood: such a frame could be any act.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.actions.shell.lexer import Document, Simple, read_simple, take_documents
from gate.actions.shell.marks import ANY
from gate.actions.shell.state import (
    EMPTY,
    MAX_DEPTH,
    NOTHING,
    UNKNOWN,
    Data,
    Exhausted,
    Sink,
    World,
    distinct,
)
from gate.model import Frame

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_TEXT = 2_000_000  # characters of one script with its here-documents
MAX_SOURCE = 32_000  # characters without them; more is not parsed
MAX_OPERATORS = 1000  # signs that build structure: the grammar's time grows with their square
MAX_ROUNDS = 40  # iterations of one loop that are followed one by one
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


@dataclass(slots=True)
class Flow:
    """Where a statement leads: the worlds after it and what it wrote to its output."""

    worlds: list[World]
    data: Data = EMPTY


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
                data = data.joined(_agreed(outputs))
        return Flow(worlds, data)

    def run(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        """Run one statement in one world."""
        handler = _STATEMENTS.get(node.type)
        if handler is None:
            if node.type not in _HARMLESS:
                self.not_understood(_source(node, text))
            return Flow([world])
        if self.depth >= MAX_DEPTH:
            raise Exhausted
        self.depth += 1
        try:
            return handler(self, node, world, stdin, text)
        finally:
            self.depth -= 1

    def _command(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        simple = read_simple(_source(node, text))
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
        return Flow(distinct(after), _agreed(outputs))

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
        sure = _source(node.children[0], text).split(None, 1)[0] in _SUCCEEDING
        kept = [] if sure and not either else [other.copy() for other in going]
        if either:  # the right side runs when the left one failed: perhaps before it changed anything
            going = distinct([before, *going])
        right = self.sequence(node.children[2:], going, stdin, text)
        data = _agreed([left.data, left.data.joined(right.data)]) if either else left.data.joined(right.data)
        ended = [other for other in left.worlds if other.ended]
        return Flow(distinct(kept + right.worlds + ended), data)

    def _negated(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        return self.sequence(node.children[1:], [world], stdin, text)

    def _subshell(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        return Flow([world], self.sequence(node.children, [world.copy()], stdin, text).data)

    def _group(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        if node.children and node.children[0].type == "((":
            self._expand(_source(node, text), world)
            return Flow([world])
        return self.sequence(node.children, [world], stdin, text)

    def _expand(self, raw: str, world: World) -> None:
        """Run the substitutions inside a word of which only they matter."""
        if "$(" in raw or "`" in raw:
            from gate.actions.shell.words import Expander

            Expander(world, self).string(raw.strip())

    # -- branches and loops ------------------------------------------------------------------------

    def _if(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        """Every branch is possible, and so is none of them."""
        blocks: list[list[Node]] = [[]]
        alternatives: list[Node] = []
        for child in node.children:
            if child.type in ("elif_clause", "else_clause"):
                alternatives.append(child)
            elif child.type == "then":
                blocks.append([])
            elif child.is_named:
                blocks[-1].append(child)
        tested = self.sequence(blocks[0], [world], stdin, text)
        worlds, outputs = list(tested.worlds), [tested.data]
        for block in [*blocks[1:], *(clause.children for clause in alternatives)]:
            flow = self.sequence(block, [other.copy() for other in tested.worlds], stdin, text)
            worlds += flow.worlds
            outputs.append(flow.data)
        return Flow(distinct(worlds), _agreed(outputs))

    def _case(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        heads = [child for child in node.children if child.type == "in"]
        if heads:
            self._expand(text[node.start_byte + 4 : heads[0].start_byte].decode("utf-8", "replace"), world)
        worlds, outputs = [world], [EMPTY]
        for item in node.children:
            if item.type != "case_item":
                continue
            closed = next((at for at, child in enumerate(item.children) if child.type == ")"), -1)
            flow = self.sequence(item.children[closed + 1 :], [world.copy()], stdin, text)
            worlds += flow.worlds
            outputs.append(flow.data)
        return Flow(distinct(worlds), _agreed(outputs))

    def _for(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        from gate.actions.shell.words import Expander

        head, body = _halves(node)
        name = next((_source(child, text) for child in head if child.type == "variable_name"), "")
        listed = any(child.type == "in" for child in head)
        expander = Expander(world, self)
        rounds: list[str] = []
        if listed:
            words = text[_after(head, "in") : _before(node)].decode("utf-8", "replace").rstrip("; \n\t")
            for raw in read_simple("_ " + words).words[1:]:
                rounds += expander.fields(raw)
        else:
            rounds = [ANY] if world.positional is None else list(world.positional[1:])
        if len(rounds) > MAX_ROUNDS:
            rounds = [ANY]
        world.tainted[name] = expander.sources
        flow = Flow([world])
        for value in rounds:
            skipped = (
                [other.copy() for other in flow.worlds] if ANY in value else []
            )  # it may be no word at all
            for other in flow.worlds:
                other.variables[name] = value
            done = self.sequence(body, flow.worlds, stdin, text)
            flow = Flow(distinct(skipped + done.worlds), flow.data.joined(done.data))
        return flow

    def _while(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        """Once as it stands, then once more with everything that the loop sets unknown."""
        from gate.actions.shell.clients import lines_read

        head, body = _halves(node)
        lines = lines_read(" ".join(_source(child, text) for child in head), stdin)
        if lines is not None and len(lines) <= MAX_ROUNDS:
            flow = Flow([world])
            for line in lines:
                done = self.sequence([*head, *body], flow.worlds, Data(line, stdin.sources), text)
                flow = Flow(done.worlds, flow.data.joined(done.data))
            return flow
        before = dict(world.variables)
        first = self.sequence([*head, *body], [world.copy()], stdin, text)
        for other in first.worlds:
            for name, value in other.variables.items():
                if before.get(name) != value:
                    other.variables[name] = ANY
            if other.cwd != world.cwd:
                other.cwd = None
        second = self.sequence(
            [*head, *body], [other for other in first.worlds if not other.ended], stdin, text
        )
        unknown = Data(None, first.data.sources | second.data.sources)
        silent = first.data == EMPTY == second.data
        return Flow(distinct([world, *second.worlds]), EMPTY if silent else unknown)

    def _function(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        names = [child for child in node.children if child.type == "word"]
        world.functions[_source(names[0], text)] = _source(node.children[-1], text)
        return Flow([world])

    def _test(self, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
        """`[ ... ]` reads nothing that a rule is about, but the commands inside its words run."""
        from gate.actions.shell.words import Expander

        expander = Expander(world, self)
        for raw in read_simple(_source(node, text).strip("[] ")).words:
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
    "if_statement": Runner._if,
    "elif_clause": Runner._if,
    "else_clause": Runner._group,
    "case_statement": Runner._case,
    "for_statement": Runner._for,
    "c_style_for_statement": Runner._while,
    "while_statement": Runner._while,
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


def _source(node: Node, text: bytes) -> str:
    return text[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _halves(node: Node) -> tuple[list[Node], list[Node]]:
    """What stands before the body of a loop, and the body."""
    for position, child in enumerate(node.children):
        if child.type in ("do_group", "compound_statement"):
            return list(node.children[:position]), [child]
    return list(node.children), []


def _after(head: list[Node], kind: str) -> int:
    return next(child.end_byte for child in head if child.type == kind)


def _before(node: Node) -> int:
    return next(
        (child.start_byte for child in node.children if child.type in ("do_group", "compound_statement")),
        node.end_byte,
    )


def _agreed(outputs: list[Data]) -> Data:
    """What is known of an output that one of several branches wrote."""
    first = outputs[0]
    if len(outputs) == 1:
        return first
    sources = frozenset().union(*(data.sources for data in outputs))
    known = first.text if all(data.text == first.text for data in outputs) else None
    return Data(known, sources or NOTHING)
