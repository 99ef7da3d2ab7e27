"""Runs one simple command: assignments, aliases, functions, then whatever program its name means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gate.actions.shell import parameters
from gate.actions.shell.catalogue import handler_of, is_builtin, is_known, reads_files
from gate.actions.shell.effects import Call, where
from gate.actions.shell.lexer import Simple, end_of_word, read_simple
from gate.actions.shell.marks import ANY, STAR, has_marks
from gate.actions.shell.redirects import Redirections
from gate.actions.shell.spawning import SPAWNS, spawned
from gate.actions.shell.state import EMPTY, MAX_DEPTH, NOTHING, Data, Flow, World
from gate.actions.shell.words import Expander

if TYPE_CHECKING:
    from gate.actions.shell.runner import Runner
_ASSIGN = re.compile(r"([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=(.*)\Z", re.DOTALL)
_INDEXED = re.compile(r"\[([^\]]*)\]\+?=")  # '[0]=x' in an array's list
MAX_INDEX = 200  # of an array's list; beyond it what stands where is unknown
_DECLARERS = frozenset(("export", "declare", "local", "readonly", "typeset"))
_SUBCOMMAND = re.compile(r"[A-Za-z][\w:.-]{0,40}\Z")
_VERSIONED = re.compile(r"(python|pypy|perl|ruby|php|node|lua|tclsh|bash|zsh|ksh|pip|gcc|clang)[-\d.]+\Z")
# variables whose value a program runs as a command
_HOOKS = re.compile(
    r"(?:\w+_COMMAND|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|BASH_ENV|ENV|GIT_SSH|GIT_ASKPASS|SHELL)\Z"
)


def run_simple(runner: Runner, simple: Simple, world: World, stdin: Data) -> Flow:
    """Run a simple command in a world."""
    expander = Expander(world, runner)
    if not simple.words:
        for raw in simple.assignments:
            assign(raw, world, expander)
        redirections = Redirections(runner, simple.redirects, world)
        return Flow([world], redirections.output(EMPTY))
    aliased = _alias(simple, world, runner)
    if aliased is not None:
        return run_simple(runner, aliased, world, stdin)
    if simple.words[0] in _DECLARERS:
        for raw in simple.words[1:]:
            name = raw.partition("=")[0].rstrip("+")
            if runner.active and simple.words[0] != "export" and name.isidentifier():
                world.shadowed.setdefault(name, world.variables.get(name))
            assign(raw, world, expander)
        Redirections(runner, simple.redirects, world)
        return Flow([world])
    argv: list[str] = []
    for raw in simple.words:
        argv += expander.fields(raw)
    before = dict(world.variables) if simple.assignments else {}
    for raw in simple.assignments:
        assign(raw, world, expander, exported=runner)
    redirections = Redirections(runner, simple.redirects, world)
    if not argv:
        return Flow([world], redirections.output(EMPTY))
    call = Call(
        runner, world, argv[0], argv[1:], redirections.input(stdin), expander.sources | redirections.sources
    )
    flow = invoke(call)
    for other in flow.worlds:
        other.variables["_"] = argv[-1]
        for raw in simple.assignments:
            name = raw.partition("=")[0].rstrip("+")
            if name in before:
                other.variables[name] = before[name]
            else:
                other.variables.pop(name, None)
    return Flow(flow.worlds, redirections.output(flow.data))


def assign(raw: str, world: World, expander: Expander, exported: Runner | None = None) -> None:
    """`name=value`, `name+=value`, `name[i]=value` or `name=(...)`."""
    match = _ASSIGN.match(raw)
    if match is None:
        return
    name, index, plus, value = match.groups()
    array = f"{name}[@]"
    if value.startswith("("):
        old = world.variables.get(array, "").split(parameters.SEPARATOR) if plus else []
        items = _listed(value, expander, [item for item in old if item])
        world.variables[array] = parameters.SEPARATOR.join(items)
        world.variables[name] = items[0] if items else ""
    elif index is not None:
        expander.string(index)
        expander.string(value)
        world.variables[array] = world.variables[name] = ANY
    else:
        text = expander.string(value)
        world.variables[name] = (world.variables.get(name, ANY) + text) if plus else text
        if exported is not None and _HOOKS.match(name) and " " in text:
            exported.script(text, world.copy())
    world.tainted[name] = expander.sources | (world.tainted.get(name, NOTHING) if plus else NOTHING)


def _listed(value: str, expander: Expander, items: list[str]) -> list[str]:
    """The items of `(...)` after those already there; `[3]=x` goes to its place."""
    for word in read_simple("_ " + value[1:].removesuffix(")"), across_lines=True).words[1:]:
        indexed = _INDEXED.match(word)
        if indexed is None:
            items += expander.fields(word)
            continue
        place, text = indexed.group(1), expander.string(word[indexed.end() :])
        if not place.isdigit() or int(place) >= MAX_INDEX:
            return [ANY]
        items += [""] * (int(place) + 1 - len(items))
        items[int(place)] = text
    return items


def _alias(simple: Simple, world: World, runner: Runner) -> Simple | None:
    name = simple.words[0]
    body = world.aliases.get(name)
    if body is None:
        return None
    inner = read_simple(body)
    if body[end_of_word(body, 0) :].strip(" ") and re.search(r"[;&|\n(){}]", body):
        runner.script(body, world.copy())
    if not inner.words or inner.words[0] == name:
        del world.aliases[name]  # an alias is not expanded inside itself
    words = [*(inner.words or [name]), *simple.words[1:]]
    return Simple(inner.assignments + simple.assignments, words, inner.redirects + simple.redirects)


def program_of(name: str, world: World, runner: Runner) -> str:
    """The program that a command's name means: its last component, links and copies followed."""
    if "/" in name:
        found = where(name, world, runner)
        origins = [origin for place in found for origin in world.origins.get(place, NOTHING)]
        copied = next((origin for origin in origins if is_known(origin.rpartition("/")[2])), None)
        if copied is None:
            written = next((place for place in found if place in world.contents), None)
            if written is not None:
                return written
        name = (copied or (found[-1] if found else name)).rpartition("/")[2]
    base = name.lower().removesuffix(".exe") if name.lower().endswith(".exe") else name
    versioned = _VERSIONED.match(base)
    return versioned.group(1) if versioned else base


def invoke(call: Call) -> Flow:
    """Run a command whose words are known as far as they can be."""
    call.runner.sink.spend()
    if call.runner.depth >= MAX_DEPTH:
        return Flow([call.world], call.not_understood())
    call.runner.depth += 1
    try:
        return _invoke(call)
    finally:
        call.runner.depth -= 1


def _invoke(call: Call) -> Flow:
    name = call.name
    if name in call.world.functions:
        return call.runner.call_function(name, call.args, call.world, call.stdin)
    if name == "" or has_marks(name):
        return Flow([call.world], call.not_understood())
    program = program_of(name, call.world, call.runner)
    if not is_builtin(program):
        note_use(call, program)
    if program in call.world.contents:
        return run_file(call, program)
    named = Call(call.runner, call.world, program, call.args, call.stdin, call.sources, call.argv)
    if program in SPAWNS:
        spawned(named)
    result = handler_of(program)(named)
    return result if isinstance(result, Flow) else Flow([call.world], result or EMPTY)


def note_use(call: Call, program: str) -> None:
    """The frame that says which program runs, with the words that may be its subcommands."""
    words: list[str] = []
    options: list[str] = []
    takes_files = reads_files(program)
    for word in call.args[:6]:
        if word.startswith("-"):
            options.append(word.lstrip("-").partition("=")[0].lower())
        elif takes_files or len(words) == 2 or not _SUBCOMMAND.match(word):
            break
        else:
            words.append(word.lower())
    if {"r", "f"} <= set("".join(options)):
        options.append("rf")
    base = program.rpartition("/")[2].lower()
    objects = [base, *words, *(f"{base} {word}" for word in words[:1]), *options]
    call.emit("execute", [call.name] if "/" in call.name else (), objects=objects)


def run_file(call: Call, path: str) -> Flow:
    """A file that the script itself wrote is run: its text is known, or it is not understood."""
    text = call.world.contents[path]
    if text is None or STAR in text or ANY in text:
        return Flow([call.world], call.not_understood())
    first = text.split("\n", 1)[0]
    if first.startswith("#!") and not re.search(r"\b(?:ba|da|z|k|a)?sh\b", first):
        words = first[2:].split()
        inner = Call(
            call.runner, call.world, words[0], [*words[1:], path, *call.args], call.stdin, call.sources
        )
        return invoke(inner)
    world = call.world.copy()
    world.positional = (call.name, *call.args)
    flow = call.runner.script(text, world, call.stdin)
    return Flow([call.world], flow.data)
