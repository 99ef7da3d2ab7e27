"""Options of a command as GNU getopt reads them: clusters, values, abbreviations, `--`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gate.actions.shell.marks import ANY


@dataclass(slots=True)
class Parsed:
    """`flags` holds every option seen (`r`, `recursive`); `values` those that came with a value, in order."""

    flags: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)
    unsure: bool = False  # a dynamic word stood where an option could have

    def has(self, *names: str) -> bool:
        """Whether any of the options was given."""
        return any(name in self.flags for name in names)

    def value(self, *names: str) -> str | None:
        """The last value given for any of the options."""
        found = [value for name in names for value in self.values.get(name, ())]
        return found[-1] if found else None

    def all(self, *names: str) -> list[str]:
        """Every value given for any of the options."""
        return [value for name in names for value in self.values.get(name, ())]


def parse(
    words: Iterable[str], short: str = "", long: Iterable[str] = (), *, stop: bool = False, known: str = ""
) -> Parsed:
    """Read `words`.

    `short` are the letters that take a value, `long` the long options that take one, `known` further long
    options separated by blanks (so that `--recurs` is understood). With `stop` the first operand ends the
    options, as for commands that run another command.
    """
    takes = set(long)
    names = takes | set(known.split())
    parsed = Parsed()
    queue = list(words)
    index = 0
    while index < len(queue):
        word = queue[index]
        index += 1
        if word == "--":
            parsed.operands += queue[index:]
            break
        if word.startswith(ANY):
            parsed.unsure = True
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            name = _full(name, names)
            parsed.flags.add(name)
            if equals:
                parsed.values.setdefault(name, []).append(value)
            elif name in takes and index < len(queue):
                parsed.values.setdefault(name, []).append(queue[index])
                index += 1
        elif len(word) > 1 and word[0] == "-":
            index = _cluster(word, short, takes, queue, index, parsed)
        else:
            parsed.operands.append(word)
            if stop:
                parsed.operands += queue[index:]
                break
    return parsed


def _cluster(word: str, short: str, takes: set[str], queue: list[str], index: int, parsed: Parsed) -> int:
    if word[1:] in takes and len(word) > 2:  # single-dash long options (find, java, terraform)
        parsed.flags.add(word[1:])
        if index < len(queue):
            parsed.values.setdefault(word[1:], []).append(queue[index])
            index += 1
        return index
    for position, letter in enumerate(word[1:], start=1):
        parsed.flags.add(letter)
        if letter in short:
            value = word[position + 1 :]
            if not value and index < len(queue):
                value = queue[index]
                index += 1
            parsed.values.setdefault(letter, []).append(value)
            break
    return index


def _full(name: str, names: set[str]) -> str:
    if not name or name in names:
        return name
    candidates = [other for other in names if other.startswith(name)]
    return candidates[0] if len(candidates) == 1 else name
