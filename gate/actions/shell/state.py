"""What the reading of a script carries along: worlds, data in pipes, and the budget that bounds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gate.actions.shell.marks import ANY
from gate.model import Facts, Frame

MAX_WORLDS = 8
MAX_COMMANDS = 3000
MAX_DEPTH = 40
MAX_WORD = 100_000
MAX_FIELDS = 600

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Data:
    """What a command writes to its standard output or reads from its input.

    `text` may hold marks; None means that nothing about it is known. `sources` are the path patterns it
    was read from: where the data goes, these files go.
    """

    text: str | None = None
    sources: frozenset[str] = NOTHING

    def joined(self, other: Data) -> Data:
        """This output followed by another."""
        both = None if self.text is None or other.text is None else (self.text + other.text)[:MAX_WORD]
        return Data(both, self.sources | other.sources)


EMPTY = Data("")
UNKNOWN = Data(None)


@dataclass(slots=True)
class World:
    """One possible state of the shell. `cwd` is a path pattern, None when unknown.

    `links` maps a path to what it leads to (links, bind mounts, mounted volumes, a changed root);
    `contents` holds the literal text of files that the script itself wrote; `origins` the files whose
    data went into another. `branch` is the git branch that the script switched to.
    """

    cwd: str | None
    variables: dict[str, str] = field(default_factory=dict)
    tainted: dict[str, frozenset[str]] = field(default_factory=dict)
    positional: tuple[str, ...] | None = None
    functions: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    contents: dict[str, str | None] = field(default_factory=dict)
    origins: dict[str, frozenset[str]] = field(default_factory=dict)
    branch: str | None = None
    database: str | None = None
    shadowed: dict[str, str | None] = field(default_factory=dict)  # what the function's locals hide
    folders: tuple[str | None, ...] = ()  # of pushd
    previous: str | None = None  # OLDPWD
    home: str | None = None
    root_user: bool = False
    ended: str = ""  # how the shell ended: exit, return, or not at all

    def copy(self) -> World:
        """An independent copy, for a subshell or a branch that may not be taken; files are shared."""
        return replace(
            self,
            variables=dict(self.variables),
            tainted=dict(self.tainted),
            functions=dict(self.functions),
            aliases=dict(self.aliases),
            shadowed=dict(self.shadowed),
        )

    def same_as(self, other: World) -> bool:
        """Whether both would go on alike."""
        return (self.cwd, self.variables, self.positional, self.branch, self.functions, self.links) == (
            other.cwd,
            other.variables,
            other.positional,
            other.branch,
            other.functions,
            other.links,
        )


def distinct(worlds: list[World]) -> list[World]:
    """The worlds without repetitions; when there are too many, one that knows only what all agree on."""
    kept: list[World] = []
    for world in worlds:
        if not any(world.same_as(other) for other in kept):
            kept.append(world)
    if len(kept) <= MAX_WORLDS:
        return kept
    merged = kept[0].copy()
    for world in kept[1:]:
        merged.cwd = merged.cwd if merged.cwd == world.cwd else None
        merged.branch = merged.branch if merged.branch == world.branch else None
        for name in world.variables.keys() | merged.variables.keys():
            if merged.variables.get(name) != world.variables.get(name):
                merged.variables[name] = ANY
    return [merged]


@dataclass(slots=True)
class Flow:
    """Where a statement leads: the worlds after it and what it wrote to its output."""

    worlds: list[World]
    data: Data = EMPTY


def agreed(outputs: list[Data]) -> Data:
    """What is known of an output that one of several branches wrote."""
    first = outputs[0]
    if len(outputs) == 1:
        return first
    sources = NOTHING.union(*(data.sources for data in outputs))
    known = first.text if all(data.text == first.text for data in outputs) else None
    return Data(known, sources)


class Exhausted(Exception):
    """The script needs more steps than a check may take; the caller reports it as not understood."""


@dataclass(slots=True)
class Sink:
    """Where frames go, and the budget of one reading."""

    facts: Facts
    frames: dict[Frame, None] = field(default_factory=dict)
    commands: int = 0

    def spend(self) -> None:
        """Count one command; Errors: Exhausted beyond MAX_COMMANDS."""
        self.commands += 1
        if self.commands > MAX_COMMANDS:
            raise Exhausted

    def put(self, frame: Frame) -> None:
        """Keep a frame once, in order of first sight."""
        self.frames.setdefault(frame)


def start(facts: Facts, cwd: str | None, environment: Mapping[str, str]) -> World:
    """The world in which a command starts."""
    variables = dict(environment)
    if facts.home is not None:
        variables.setdefault("HOME", facts.home)
    return World(cwd=cwd, variables=variables, home=facts.home)
