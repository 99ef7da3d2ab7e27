"""find, fd, xargs and parallel: programs that run others on what they find or are fed."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, where
from gate.actions.shell.marks import ANY, DEEP, STAR, glob_marks, has_marks
from gate.actions.shell.options import parse
from gate.actions.shell.state import Data, World
from gate.actions.vocabulary import word_set

MAX_RUNS = 40

_WITH_VALUE = word_set(
    """
    -name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -atime
    -ctime -mmin -amin -cmin -newer -anewer -cnewer -user -group -uid -gid -perm -maxdepth -mindepth
    -links -inum -samefile -fstype -lname -ilname -printf -regextype -used -context -D -files0-from
    """
)


@dataclass(slots=True)
class _Search:
    """A find expression as far as it bounds what is found."""

    roots: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    within: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    depth: int | None = None
    plain: bool = True  # no alternatives, so the tests all hold together
    actions: list[tuple[str, list[str]]] = field(default_factory=list)
    unsure: bool = False


def _parse_find(args: list[str]) -> _Search:
    search = _Search()
    index = 0
    while index < len(args) and not (args[index].startswith("-") and len(args[index]) > 1):
        if args[index] in ("(", "!", ")"):
            break
        search.roots.append(args[index])
        index += 1
    negated = False
    while index < len(args):
        word = args[index]
        index += 1
        if word in ("-exec", "-execdir", "-ok", "-okdir"):
            end = index
            while end < len(args) and args[end] != ";" and not (args[end] == "+" and args[end - 1] == "{}"):
                end += 1
            search.actions.append(("exec", args[index:end]))
            index = end + 1
        elif word in ("-delete", "-ls", "-print", "-print0"):
            search.actions.append((word, []))
        elif word in ("-fprint", "-fls", "-fprint0", "-fprintf"):
            search.actions.append(("write", args[index : index + 1]))
            index += 2 if word == "-fprintf" else 1
        elif word in _WITH_VALUE:
            _test(search, word, args[index] if index < len(args) else "", negated)
            index += 1
        elif word in ("-o", "-or", ","):
            search.plain = False
        elif word in ("!", "-not"):
            negated = True
            continue
        elif word == "-prune" and search.within:
            search.excluded.append(search.within.pop())
            search.plain = not search.names
        elif has_marks(word):
            search.unsure = True
        negated = False
    return search


def _test(search: _Search, word: str, value: str, negated: bool) -> None:
    if word in ("-path", "-ipath", "-wholename", "-iwholename"):
        (search.excluded if negated else search.within).append(value)
    elif negated:
        return
    elif word in ("-name", "-iname"):
        search.names.append(value)
    elif word == "-maxdepth":
        search.depth = int(value) if value.isdigit() else None
    elif word == "-printf":
        search.actions.append(("-printf", [value]))


def _found(search: _Search, roots: list[str]) -> list[str]:
    """Words for what the search finds; `-o` widens it to everything below the roots."""
    if not search.plain:
        return [root.rstrip("/") + "/" + DEEP for root in roots] + roots
    within = [re.split(r"[*?\[]", pattern, maxsplit=1) for pattern in search.within]
    bounded = [parts[0] for parts in within if parts[0].startswith(tuple(roots)) and parts[0] not in roots]
    if bounded:
        longest = max(bounded, key=len)
        literal = any(len(parts) == 1 and parts[0] == longest for parts in within)
        return [longest if literal else longest.rpartition("/")[0] + "/" + DEEP]
    name = glob_marks(search.names[0]) if len(search.names) == 1 else None
    found: list[str] = []
    for root in roots:
        base = root.rstrip("/") + "/"
        if search.depth is not None and search.depth <= 3:
            levels = [base + (STAR + "/") * level for level in range(search.depth)]
            found += [root] if name is None or search.depth == 0 else []
            found += [level + (name or STAR) for level in levels]
        else:
            found += [base + DEEP] + ([root] if name is None else [])
    return found


def _find(call: Call) -> Data:
    args = [word for word in call.args if word not in ("-H", "-L", "-P") and not re.fullmatch(r"-O\d", word)]
    search = _parse_find(args)
    roots = search.roots or ["."]
    call.emit("list", roots, objects=("file", "folder"), labels=("tree",))
    found = _found(search, roots)
    spared = [f"except:{place}" for word in search.excluded for place in _spared(word, call)]
    for action, words in search.actions:
        if action == "exec":
            _execute(call, words, found, search.names)
        elif action == "-delete":
            call.emit("delete", found, labels=spared)
        elif action == "write":
            call.write(words, Data(None))
    if search.unsure:
        call.emit("delete", found)
        call.not_understood()
    printed = next((words[0] for action, words in search.actions if action == "-printf"), None)
    if printed is not None and "%p" not in printed and "%h" not in printed:
        found = [STAR]
    return Data("".join(word + "\n" for word in found))


def _spared(pattern: str, call: Call) -> tuple[str, ...]:
    """The folder that `-not -path 'folder/*'` leaves out, when it is named exactly."""
    folder = re.sub(r"/\*+\Z", "", pattern)
    return () if re.search(r"[*?\[]", folder) else where(folder, call.world, call.runner)


def _execute(call: Call, words: list[str], found: list[str], names: list[str]) -> None:
    """Run the command of -exec on what was found."""
    if not words:
        return
    if any("{}" in word and word != "{}" for word in words):
        for item in found[:MAX_RUNS]:
            run_words(call, [word.replace("{}", item) for word in words], Data(""))
        return
    expanded: list[str] = []
    for word in words:
        expanded += found if word == "{}" else [word]
    run_words(call, expanded, Data(""))


def run_words(call: Call, words: list[str], stdin: Data, world: World | None = None) -> Data:
    """Run a command whose words are already expanded, in a copy of the world."""
    from gate.actions.shell.call import invoke

    if not words:
        return stdin
    inner = Call(call.runner, world or call.world.copy(), words[0], words[1:], stdin, call.sources)
    return invoke(inner).data


def _fd(call: Call) -> Data:
    cut = next(
        (at for at, word in enumerate(call.args) if word in ("-x", "-X", "--exec", "--exec-batch")), None
    )
    head = call.args if cut is None else call.args[:cut]
    operands = parse(head, "edtEScj", ("extension", "type", "exclude", "max-depth")).operands
    roots = operands[1:] or ["."]
    call.emit("list", roots, objects=("file", "folder"), labels=("tree",))
    found = [root.rstrip("/") + "/" + DEEP for root in roots]
    if cut is not None:
        words = call.args[cut + 1 :]
        _execute(call, words if any("{" in word for word in words) else [*words, "{}"], found, [])
    return Data("".join(word + "\n" for word in found))


def _items(text: str | None, separator: str | None) -> list[str]:
    if text is None:
        return [ANY]
    if separator is not None:
        return [item for item in text.split(separator) if item]
    if not re.search(r"['\"\\]", text):
        return text.split()
    try:
        return shlex.split(text)
    except ValueError:
        return [ANY]


def _xargs(call: Call) -> Data:
    long = (
        "arg-file",
        "delimiter",
        "replace",
        "max-args",
        "max-procs",
        "max-lines",
        "max-chars",
        "process-slot-var",
    )
    parsed = parse(call.args, "IaEdLnPs", long, stop=True, known="null no-run-if-empty verbose interactive")
    source = parsed.value("a", "arg-file")
    data = call.read([source]) if source else call.stdin
    replace = parsed.value("I", "replace") or ("{}" if parsed.has("i", "replace") else None)
    separator = "\n" if parsed.has("0", "null", "d", "delimiter") or replace else None
    text = data.text
    if text is not None and parsed.has("0", "null"):
        text = text.replace("\0", "\n")
    delimiter = parsed.value("d", "delimiter")
    items = _items(text, delimiter if delimiter and not delimiter.startswith("\\") else separator)
    items = [item.rstrip("\n") for item in items]
    command = parsed.operands or ["echo"]
    call.sources |= data.sources
    if replace is None:
        return run_words(call, [*command, *items], Data(""))
    out = Data("")
    for item in items if len(items) <= MAX_RUNS else [ANY]:
        out = out.joined(run_words(call, [word.replace(replace, item) for word in command], Data("")))
    return out


def _parallel(call: Call) -> Data:
    cut = next((at for at, word in enumerate(call.args) if re.fullmatch(r":{3,4}\+?", word)), len(call.args))
    parsed = parse(
        call.args[:cut], "jNnIadCLPS", ("jobs", "colsep", "delimiter", "arg-file", "sshlogin"), stop=True
    )
    if cut < len(call.args) and call.args[cut].startswith(":::") and not call.args[cut].startswith("::::"):
        items = [word for word in call.args[cut + 1 :] if not word.startswith(":::")]
    elif cut < len(call.args):
        call.read(call.args[cut + 1 :])
        items = [ANY]
    else:
        items = _items(call.stdin.text, "\n")
    template = " ".join(parsed.operands)
    if not template:
        for item in items[:MAX_RUNS]:
            call.runner.script(item, call.world.copy())
        return Data(None)
    if not re.search(r"\{[./#%]*\d*[./]*\}", template):
        template += " {}"
    for item in items if len(items) <= MAX_RUNS else [ANY]:
        quoted = item if has_marks(item) else shlex.quote(item)
        command = template.replace("{}", quoted)
        command = re.sub(r"\{[./#%]*\d*[./]*\}", ANY, command)
        if ANY in command:  # the command's words are known, its argument is not
            words = [ANY if ANY in word else word for word in command.split()]
            run_words(call, words, Data(""))
        else:
            call.runner.script(command, call.world.copy())
    return Data(None, call.stdin.sources)


PROGRAMS: dict[str, Handler] = {
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
}
