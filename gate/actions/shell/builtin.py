"""Commands of the shell itself: they change the world in which the rest of the script runs."""

from __future__ import annotations

import re

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, where
from gate.actions.shell.marks import ANY, has_marks
from gate.actions.shell.options import parse
from gate.actions.shell.parameters import SEPARATOR
from gate.actions.shell.state import EMPTY, MAX_WORLDS, Data, Flow


def _flow(call: Call, data: Data = EMPTY) -> Flow:
    return Flow([call.world], data)


def _cd(call: Call) -> Flow:
    """cd and pushd; taken to succeed. pushd without a folder swaps the two topmost."""
    world = call.world
    operands = parse(call.args).operands
    before = world.cwd
    pushes = call.name == "pushd"
    if not operands and pushes:
        entered = [world.folders[-1] if world.folders else before]
        world.folders = world.folders[:-1]
    elif not operands:
        home = world.variables.get("HOME")
        entered = [None if home is None or has_marks(home) else home]
    elif operands[0] == "-":
        entered = [world.previous]
    else:
        entered = _destinations(operands[0], call)
    world.previous = before
    if pushes:
        world.folders = (*world.folders[-20:], before)
    worlds = [world, *(world.copy() for _ in entered[1:])]
    for each, folder in zip(worlds, entered, strict=True):
        each.cwd = folder
    return Flow(worlds)


def _destinations(name: str, call: Call) -> list[str | None]:
    """The folders that `cd name` may enter; None is one that cannot be told.

    The folders of CDPATH are searched for a name that is neither absolute nor starts with a dot
    component, then the present one (POSIX cd). Which of them holds it is the file system's to tell.
    """
    world = call.world
    listed = world.variables.get("CDPATH", "")
    if not listed or name.startswith("/") or name.split("/", 1)[0] in (".", ".."):
        return [_entered(name, call)]
    folders = listed.split(":")
    if has_marks(listed) or len(folders) >= MAX_WORLDS:
        return [None]
    searched = [name if folder in ("", ".") else f"{folder.rstrip('/')}/{name}" for folder in folders]
    return list(dict.fromkeys(_entered(path, call) for path in (*searched, name)))


def _entered(path: str, call: Call) -> str | None:
    found = where(path, call.world, call.runner)
    return found[0] if found else None


def _popd(call: Call) -> None:
    world = call.world
    if world.folders:
        world.previous, world.cwd = world.cwd, world.folders[-1]
        world.folders = world.folders[:-1]


def _eval(call: Call) -> Flow:
    return call.runner.script(" ".join(call.args), call.world, call.stdin)


def _source(call: Call) -> Flow | Data:
    if not call.args:
        return EMPTY
    content = call.content(call.args[0])
    call.emit("execute", [call.args[0]], objects=("script",))
    call.read([call.args[0]])
    known = any(place in call.world.contents for place in where(call.args[0], call.world, call.runner))
    if content.text is not None:
        if call.args[1:]:
            call.world.positional = (call.args[0], *call.args[1:])
        return call.runner.script(content.text, call.world, call.stdin)
    return call.not_understood() if known or has_marks(call.args[0]) else EMPTY


def _read(call: Call) -> None:
    parsed = parse(call.args, "adinNptu")
    names = parsed.operands or ["REPLY"]
    text = call.stdin.text
    world = call.world
    array = parsed.value("a")
    line = None if text is None or ANY in text else text.split("\n", 1)[0]
    separators = world.variables.get("IFS", " \t\n")
    if line is None:
        values: list[str] = [ANY] * len(names)
    elif not separators or has_marks(separators):
        values = [line] + [""] * (len(names) - 1)
    else:
        splitter = f"[{re.escape(separators)}]+"
        stripped = line.strip(" \t") if " " in separators else line
        several = len(names) > 1
        values = (
            re.split(splitter, stripped, maxsplit=0 if array else len(names) - 1)
            if array or several
            else [stripped]
        )
        if array:
            world.variables[f"{array}[@]"] = SEPARATOR.join(values)
            world.variables[array] = values[0]
            return
        values += [""] * (len(names) - len(values))
    for name, value in zip([array] if array else names, values, strict=False):
        world.variables[name] = value
        world.tainted[name] = call.stdin.sources


def _mapfile(call: Call) -> None:
    parsed = parse(call.args, "dnOsuCc")
    name = parsed.operands[0] if parsed.operands else "MAPFILE"
    text = call.stdin.text
    items = [ANY] if text is None else text.splitlines()
    call.world.variables[f"{name}[@]"] = SEPARATOR.join(items)
    call.world.variables[name] = items[0] if items else ""
    call.world.tainted[name] = call.stdin.sources


def _set(call: Call) -> None:
    if not call.args:
        return
    if "--" in call.args:
        rest = call.args[call.args.index("--") + 1 :]
    else:
        rest = [word for word in call.args if not word.startswith(("-", "+"))]
        if not rest or call.args[0] in ("-o", "+o", "-eo", "-euo", "-ueo", "-xeuo"):
            return
    call.world.positional = ((call.world.positional or ("sh",))[0], *rest)


def _shift(call: Call) -> None:
    world = call.world
    count = int(call.args[0]) if call.args and re.fullmatch(r"\d{1,4}", call.args[0]) else 1
    if world.positional is not None:
        world.positional = (world.positional[0], *world.positional[1 + count :])


def _alias(call: Call) -> None:
    for word in call.args:
        name, equals, body = word.partition("=")
        if equals:
            call.world.aliases[name] = body


def _unalias(call: Call) -> None:
    for word in call.args:
        call.world.aliases.pop(word, None)


def _unset(call: Call) -> None:
    for word in parse(call.args).operands:
        call.world.variables[word] = ""
        call.world.functions.pop(word, None)


def _trap(call: Call) -> None:
    operands = parse(call.args).operands
    if len(operands) > 1 and operands[0] not in ("", "-"):
        call.runner.script(operands[0], call.world.copy())


def _exec(call: Call) -> Flow:
    from gate.actions.shell.call import invoke

    parsed = parse(call.args, "a", stop=True)
    if not parsed.operands:
        return _flow(call)
    name, *args = parsed.operands
    flow = invoke(Call(call.runner, call.world, name, args, call.stdin, call.sources))
    for world in flow.worlds:
        world.ended = "exit"
    return flow


def _end(call: Call) -> None:
    call.world.ended = call.name


def _hash(call: Call) -> None:
    """`hash -p path name` makes name mean path."""
    parsed = parse(call.args, "p")
    path = parsed.value("p")
    if path is not None:
        for name in parsed.operands:
            call.world.aliases[name] = path


def _printf(call: Call) -> Data:
    from gate.actions.shell.filters import formatted

    args = call.args
    if args[:1] == ["-v"] and len(args) > 2:
        call.world.variables[args[1]] = formatted(args[2:]) or ANY
        return EMPTY
    text = formatted(args[1:] if args[:1] == ["--"] else args)
    return Data(text, call.sources)


def _echo(call: Call) -> Data:
    from gate.actions.shell.filters import echoed

    return Data(echoed(call.args), call.sources)


def _nothing(call: Call) -> None:
    """No effect that a rule could be about."""


_QUIET = ": true false test [ wait jobs fg bg disown shopt umask ulimit times getopts let break continue sleep help complete compgen bind history logout suspend dirs caller enable"  # noqa: E501

PROGRAMS: dict[str, Handler] = {
    **dict.fromkeys(_QUIET.split(), _nothing),
    "cd": _cd,
    "chdir": _cd,
    "pushd": _cd,
    "popd": _popd,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "set": _set,
    "shift": _shift,
    "alias": _alias,
    "unalias": _unalias,
    "unset": _unset,
    "trap": _trap,
    "exec": _exec,
    "exit": _end,
    "return": _end,
    "hash": _hash,
    "printf": _printf,
    "echo": _echo,
}
