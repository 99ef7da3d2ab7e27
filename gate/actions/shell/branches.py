"""Branches and loops of a script: every way that it could go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.actions.shell.lexer import read_simple
from gate.actions.shell.marks import ANY
from gate.actions.shell.state import EMPTY, Data, Flow, World, agreed, distinct

if TYPE_CHECKING:
    from tree_sitter import Node

    from gate.actions.shell.runner import Runner

MAX_ROUNDS = 40  # iterations of one loop that are followed one by one


def run_if(runner: Runner, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
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
    tested = runner.sequence(blocks[0], [world], stdin, text)
    worlds, outputs = list(tested.worlds), [tested.data]
    for block in [*blocks[1:], *(clause.children for clause in alternatives)]:
        flow = runner.sequence(block, [other.copy() for other in tested.worlds], stdin, text)
        worlds += flow.worlds
        outputs.append(flow.data)
    return Flow(distinct(worlds), agreed(outputs))


def run_case(runner: Runner, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
    """Any item is possible, and so is none."""
    heads = [child for child in node.children if child.type == "in"]
    if heads:
        runner.expand(text[node.start_byte + 4 : heads[0].start_byte].decode("utf-8", "replace"), world)
    worlds, outputs = [world], [EMPTY]
    for item in node.children:
        if item.type != "case_item":
            continue
        patterns = [child for child in item.children[:-1] if child.end_byte <= _closing(item)]
        for pattern in patterns:
            runner.expand(source_of(pattern, text), world)
        closed = next((at for at, child in enumerate(item.children) if child.type == ")"), -1)
        flow = runner.sequence(item.children[closed + 1 :], [world.copy()], stdin, text)
        worlds += flow.worlds
        outputs.append(flow.data)
    return Flow(distinct(worlds), agreed(outputs))


def run_for(runner: Runner, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
    """Once for each word, one after another."""
    from gate.actions.shell.words import Expander

    head, body = _halves(node)
    name = next((source_of(child, text) for child in head if child.type == "variable_name"), "")
    listed = any(child.type == "in" for child in head)
    expander = Expander(world, runner)
    rounds: list[str] = []
    if listed:
        words = text[_after(head, "in") : _before(node)].decode("utf-8", "replace").rstrip("; \n\t")
        for raw in read_simple("_ " + words, across_lines=True).words[1:]:
            rounds += expander.fields(raw)
    else:
        rounds = [ANY] if world.positional is None else list(world.positional[1:])
    if len(rounds) > MAX_ROUNDS:
        rounds = [ANY]
    world.tainted[name] = expander.sources
    flow = Flow([world])
    for value in rounds:
        unsure = ANY in value  # it may be no word at all
        skipped = [other.copy() for other in flow.worlds] if unsure else []
        for other in flow.worlds:
            other.variables[name] = value
        done = runner.sequence(body, flow.worlds, stdin, text)
        flow = Flow(distinct(skipped + done.worlds), flow.data.joined(done.data))
    return flow


def run_while(runner: Runner, node: Node, world: World, stdin: Data, text: bytes) -> Flow:
    """Once as it stands, then once more with everything that the loop sets unknown."""
    from gate.actions.shell.clients import lines_read

    head, body = _halves(node)
    lines = lines_read(" ".join(source_of(child, text) for child in head), stdin)
    if lines is not None and len(lines) <= MAX_ROUNDS:
        flow = Flow([world])
        for line in lines:
            done = runner.sequence([*head, *body], flow.worlds, Data(line, stdin.sources), text)
            flow = Flow(done.worlds, flow.data.joined(done.data))
        return flow
    before = dict(world.variables)
    first = runner.sequence([*head, *body], [world.copy()], stdin, text)
    for other in first.worlds:
        for name, value in other.variables.items():
            if before.get(name) != value:
                other.variables[name] = ANY
        if other.cwd != world.cwd:
            other.cwd = None
    second = runner.sequence(
        [*head, *body], [other for other in first.worlds if not other.ended], stdin, text
    )
    unknown = Data(None, first.data.sources | second.data.sources)
    silent = first.data == EMPTY == second.data
    return Flow(distinct([world, *second.worlds]), EMPTY if silent else unknown)


def source_of(node: Node, text: bytes) -> str:
    """The source text of a node."""
    return text[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _closing(item: Node) -> int:
    """Where the patterns of a case item end."""
    return next((child.start_byte for child in item.children if child.type == ")"), item.start_byte)


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
