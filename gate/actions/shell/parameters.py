"""Parameter and arithmetic expansion: `${name...}` in all its forms, and `$((...))`.

A variable that the script did not set comes from an environment that nobody showed us: its value is ANY,
or STAR where its kind forbids a slash (a process id, a user name).
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from fnmatch import translate

from gate.actions.shell.marks import ANY, STAR, has_marks
from gate.actions.shell.state import MAX_WORD, World
from gate.actions.vocabulary import word_set

SEPARATOR = "\x1f"  # joins the items of an array in World.variables["name[@]"]

_SLASHLESS = word_set(
    """
    $ ! ? # - UID EUID PPID BASHPID RANDOM SRANDOM SECONDS EPOCHSECONDS LINENO USER LOGNAME HOSTNAME
    HOSTTYPE OSTYPE MACHTYPE BASH_VERSION SHLVL COLUMNS LINES LANG TERM
    """
)
_FORM = re.compile(
    r"(?P<prefix>[#!]?)(?P<name>[A-Za-z_]\w*|\d+|[@*#?$!_-])(?:\[(?P<index>[^\]]*)\])?(?P<rest>.*)\Z",
    re.DOTALL,
)
_SUM = re.compile(r"[\d\s+*/%()<>&|^~-]{1,60}\Z")


def lookup(name: str, world: World) -> str | None:
    """The value of a variable; None when the script surely has not set it and it is positional."""
    if name in world.variables:
        return world.variables[name]
    if name == "PWD":
        return world.cwd or ANY
    if name == "IFS":
        return " \t\n"
    if name == "OLDPWD":
        return world.previous or ANY
    if name.isdigit():
        return _positional(int(name), world)
    if name in ("@", "*"):
        return ANY if world.positional is None else " ".join(world.positional[1:])
    if name == "#" and world.positional is not None:
        return str(max(0, len(world.positional) - 1))
    return STAR if name in _SLASHLESS else ANY


def _positional(index: int, world: World) -> str | None:
    if world.positional is None:
        return "sh" if index == 0 else ANY
    return world.positional[index] if index < len(world.positional) else ""


def items(body: str, world: World) -> list[str] | None:
    """The fields of `$@`, `$*` or `${list[@]}`; None for any other parameter."""
    if body in ("@", "*"):
        return [ANY] if world.positional is None else list(world.positional[1:])
    array = re.fullmatch(r"(\w+)\[[@*]\]", body)
    if array is None:
        return None
    joined = world.variables.get(f"{array.group(1)}[@]")
    if joined is None:
        return [lookup(array.group(1), world) or ""]
    return joined.split(SEPARATOR) if joined else []


def value(body: str, world: World, expand: Callable[[str], str]) -> str:
    """The value of `${body}`; `expand` expands the word after an operator."""
    form = _FORM.match(body)
    if form is None:
        return ANY
    prefix, name, index, rest = form["prefix"], form["name"], form["index"], form["rest"]
    if prefix == "#" and not rest:
        return STAR
    current = _element(name, index, world) if index is not None else lookup(name, world)
    if prefix == "!":
        if rest or current is None or has_marks(current):
            return ANY
        target = re.fullmatch(r"\w+", current)
        current = lookup(current, world) if target else ANY
    if not rest:
        return current or ""
    return _operate(name, current, rest, world, expand)


def _element(name: str, index: str, world: World) -> str | None:
    joined = world.variables.get(f"{name}[@]")
    if joined is None:
        return lookup(name, world) if index == "0" else ANY
    parts = joined.split(SEPARATOR)
    if not re.fullmatch(r"-?\d{1,6}", index):
        return ANY
    number = int(index)
    return parts[number] if -len(parts) <= number < len(parts) else ""


def _operate(name: str, current: str | None, rest: str, world: World, expand: Callable[[str], str]) -> str:
    match = re.match(r":?[-=?+]", rest)
    if match:
        sign, word = match.group(), rest[match.end() :]
        missing = not current if sign[0] == ":" else current is None
        if current is not None and current == ANY:  # the environment decides which of the two it is
            expand(word)
            return ANY
        if sign[-1] == "+":
            return "" if missing else expand(word)
        if not missing:
            return current or ""
        filled = "" if sign[-1] == "?" else expand(word)
        if sign[-1] == "=":
            world.variables[name] = filled
        return filled
    if current is None or has_marks(current):
        return STAR if current is not None and ANY not in current and "/" not in current else ANY
    return _cut(current, rest, expand)


def _cut(current: str, rest: str, expand: Callable[[str], str]) -> str:
    """Substrings, trimming, replacing and case: the forms that compute a new text from a known one."""
    if re.match(r":\s*\(?-?\s*\d", rest):
        numbers = re.fullmatch(r":\s*\(?\s*(-?\d{1,6})\s*\)?(?::\s*(-?\d{1,6}))?", rest)
        if numbers is None:
            return ANY
        begin, length = int(numbers[1]), numbers[2]
        begin = max(0, len(current) + begin) if begin < 0 else begin
        if length is None:
            return current[begin:]
        count = int(length)
        return current[begin : len(current) + count if count < 0 else begin + count]
    if rest[0] in "#%":
        greedy = rest[:2] == rest[0] * 2
        return _trim(current, expand(rest[2 if greedy else 1 :]), start=rest[0] == "#", greedy=greedy)
    if rest[0] == "/":
        return _replace(current, rest[1:], expand)
    if rest in ("^^", ",,", "^", ",", "@U", "@L", "@u"):
        if rest in ("^^", "@U"):
            return current.upper()
        if rest in (",,", "@L"):
            return current.lower()
        first = current[:1]
        return (first.lower() if rest == "," else first.upper()) + current[1:]
    return ANY


def _trim(current: str, pattern: str, *, start: bool, greedy: bool) -> str:
    if has_marks(pattern) or len(current) > 4096:
        return ANY
    expression = re.compile(translate(pattern))
    lengths = range(len(current), -1, -1) if greedy else range(len(current) + 1)
    for length in lengths:
        part = current[:length] if start else current[len(current) - length :]
        if expression.match(part):
            return current[length:] if start else current[: len(current) - length]
    return current


def _replace(current: str, rest: str, expand: Callable[[str], str]) -> str:
    everywhere = rest.startswith("/")
    pattern, _, new = (rest[1:] if everywhere else rest).partition("/")
    pattern, new = expand(pattern), expand(new)
    if has_marks(pattern) or has_marks(new) or re.search(r"[*?\[#%]", pattern) or not pattern:
        return ANY
    return current.replace(pattern, new, -1 if everywhere else 1)[:MAX_WORD]


def arithmetic(body: str, world: World) -> str:
    """The value of an arithmetic expression of known numbers; otherwise digits that are not known."""

    def known(match: re.Match[str]) -> str:
        found = world.variables.get(match.group(1), "")
        return found if re.fullmatch(r"-?\d{1,9}", found) else "?"

    text = re.sub(r"\$?\{?([A-Za-z_]\w*)\}?", known, body).strip()
    if not _SUM.match(text) or "**" in text or re.search(r"\b0\d", text):
        return STAR
    try:
        result = _compute(ast.parse(text.replace("/", "//"), mode="eval").body)
    except (SyntaxError, ArithmeticError, ValueError):
        return STAR
    return str(result)


_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def _compute(node: ast.expr) -> int:
    """The value of a sum of small integers; ValueError for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_compute(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_compute(node.left), _compute(node.right))
    raise ValueError("not a sum")
