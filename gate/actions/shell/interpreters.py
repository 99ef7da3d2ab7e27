"""Programs that run source text: shells, Python, awk, sed, Perl, Ruby, Node, PHP.

A program file is run, not read: what is inside is beyond a check of the command. Text on the command line
or in a pipe is read as far as it can be, and what cannot be read could do anything.
"""

from __future__ import annotations

import re

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, where
from gate.actions.shell.inplace import empties_awk, empties_perl, empties_sed
from gate.actions.shell.marks import ANY, has_marks
from gate.actions.shell.options import parse
from gate.actions.shell.snippets import read_snippet
from gate.actions.shell.state import EMPTY, Data, Flow

_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "yash", "rbash", "fish", "csh", "tcsh")


def _shell(call: Call) -> Flow | Data:
    parsed = parse(call.args, "oO", ("rcfile", "init-file"), stop=True)
    for option in list(call.args):
        if re.fullmatch(r"\+[A-Za-z]+", option) and option in parsed.operands:
            parsed.operands.remove(option)
    for file in parsed.all("rcfile", "init-file"):
        _script_file(call, file, [])
    if parsed.unsure:
        return call.not_understood()
    if parsed.has("c", "command") and parsed.operands:
        source, *args = _after_flags(parsed.operands)
        world = call.world.copy()
        if args:
            world.positional = tuple(args)
        else:
            world.positional = (call.name,)
        return Flow([call.world], call.runner.script(source, world, call.stdin).data)
    if parsed.operands and not parsed.has("s"):
        return _script_file(call, parsed.operands[0], parsed.operands[1:])
    text = call.stdin.text
    if text == "":
        return EMPTY
    if text is None:
        return call.not_understood()
    world = call.world.copy()
    world.positional = (call.name, *parsed.operands)
    return Flow([call.world], call.runner.script(text, world).data)


def _after_flags(operands: list[str]) -> list[str]:
    """`bash -c -e 'code'`: options may stand between -c and its text."""
    rest = list(operands)
    while len(rest) > 1 and (re.fullmatch(r"[-+][A-Za-z]+", rest[0]) or rest[0] == "--"):
        rest.pop(0)
    return rest


def _script_file(call: Call, file: str, args: list[str]) -> Flow | Data:
    from gate.actions.shell.call import run_file

    if file in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        inner = Call(call.runner, call.world, call.name, ["-s", *args], call.stdin, call.sources, call.argv)
        return _shell(inner)
    places = where(file, call.world, call.runner)
    if not places:
        return call.not_understood() if ANY in file else EMPTY
    call.read([file])
    call.emit("execute", [file], objects=("script", file.rpartition("/")[2]))
    for place in places:
        if place in call.world.contents:
            return run_file(
                Call(call.runner, call.world, file, args, call.stdin, call.sources, call.argv), place
            )
    return EMPTY


def _python(call: Call) -> Data | Flow:
    code, rest = _python_source(call)
    if code is None:
        if "-m" in call.args:
            return _module(call, call.args[call.args.index("-m") + 1 :])
        return _program_file(call, rest)
    from gate.actions.shell.python import read_python

    return _source_text(call, code, read_python)


def _python_source(call: Call) -> tuple[Data | None, list[str]]:
    index = 0
    while index < len(call.args):
        word = call.args[index]
        if re.fullmatch(r"-[bBdEhiIOPqsSuvVx]*c.*", word, re.S):
            inline = word.partition("c")[2]
            return Data(inline or (call.args[index + 1] if index + 1 < len(call.args) else "")), []
        if word in ("-m", "--module") or not word.startswith("-"):
            return None, call.args[index:]
        if word in ("-W", "-X"):
            index += 1
        if word == "-":
            return call.stdin, []
        index += 1
    return (call.stdin, []) if call.stdin.text != "" else (None, [])


def _module(call: Call, words: list[str]) -> Data | Flow:
    from gate.actions.shell.search import run_words

    name = words[0] if words else ""
    if has_marks(name):
        return call.not_understood()
    if name in ("pip", "venv", "pytest", "build", "twine", "black", "ruff", "mypy", "unittest", "ensurepip"):
        return run_words(call, words, call.stdin) if name in ("pip", "twine") else EMPTY
    if name in ("http.server", "SimpleHTTPServer"):
        call.emit("start", objects=("server", "listener"))
        folder = next(
            (words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-d", "--directory")), "."
        )
        call.emit("share", [folder], objects=("folder",), labels=("tree",), unknown=("host",))
    return EMPTY


def _program_file(call: Call, words: list[str]) -> Data | Flow:
    """A program in a file: it is executed; a file that this script wrote is read like text."""
    from gate.actions.shell.python import read_python

    for word in words[:1]:
        if ANY in word:
            return call.not_understood()
        content = call.content(word)
        written = any(place in call.world.contents for place in where(word, call.world, call.runner))
        call.emit("execute", [word], objects=("script", word.rpartition("/")[2]))
        call.read([word])
        if written:
            reader = read_python if call.name in ("python", "pypy") else _snippet
            return _source_text(call, content, reader)
    return EMPTY


def _source_text(call: Call, code: Data, reader: Handler) -> Data:
    if code.text is None or has_marks(code.text):
        return call.not_understood()
    if code.text.strip():
        inner = Call(call.runner, call.world, call.name, [code.text], call.stdin, call.sources, call.argv)
        reader(inner)
    return Data(None, call.stdin.sources | call.sources)


def _snippet(call: Call) -> None:
    read_snippet(call, call.args[0])


_INLINE = {
    "perl": re.compile(r"-[A-DF-Za-df-z0-9.]*[eE](.*)\Z", re.S),
    "ruby": re.compile(r"-[a-df-z]*e(.*)\Z", re.S),
    "node": re.compile(r"(?:-e|-p|-pe|--eval|--print)(?:=(.*))?\Z", re.S),
    "php": re.compile(r"-[rBRE](.*)\Z", re.S),
    "lua": re.compile(r"-e(.*)\Z", re.S),
    "bun": re.compile(r"(?:-e|--eval)()\Z"),
    "deno": re.compile(r"(?:eval)()\Z"),
    "osascript": re.compile(r"-e()\Z"),
    "Rscript": re.compile(r"-e()\Z"),
    "tclsh": re.compile(r"(?!)"),
    "pwsh": re.compile(r"(?i)-c(?:ommand)?()\Z"),
    "powershell": re.compile(r"(?i)-c(?:ommand)?()\Z"),
}


def _language(call: Call) -> Data | Flow:
    inline, codes, files, in_place = _INLINE[call.name], [], [], False
    words = list(call.args)
    while words:
        word = words.pop(0)
        match = inline.match(word) if word.startswith("-") or call.name == "deno" else None
        if match:
            codes.append(match.group(1) or (words.pop(0) if words else ""))
        elif word.startswith("-") and len(word) > 1:
            if (
                call.name in ("perl", "ruby")
                and word.startswith("-")
                and "i" in word[1:4]
                and not word.startswith("-I")
            ):
                in_place = True
            if re.match(r"-(?:encodedcommand|enc|r|require)\b", word, re.I) and call.name != "php":
                return call.not_understood()
        else:
            files.append(word)
    if call.name in ("perl", "ruby") and re.search(r"-\w*i\w*e", " ".join(call.args)):
        in_place = True
    if codes:
        for code in codes:
            _source_text(call, Data(code), _snippet)
        call.read([word for word in files if word != "-"])
        if in_place:
            call.emit("write", files, labels=("overwrite",))
            if call.name == "perl" and any(empties_perl(call.args, code) for code in codes):
                call.emit("delete", files, labels=("empties",))
        return Data(None, call.stdin.sources)
    if files:
        return _program_file(call, files)
    return _source_text(call, call.stdin, _snippet) if call.stdin.text != "" else EMPTY


def _awk(call: Call) -> Data:
    parsed = parse(call.args, "Fvfib", ("file", "assign", "field-separator", "include"))
    operands = parsed.operands
    programs = []
    for file in parsed.all("f", "file"):
        programs.append(call.content(file).text)
        call.read([file])
    if not parsed.has("f", "file"):
        programs, operands = operands[:1], operands[1:]
    data = call.read([word for word in operands if not re.match(r"\w+=", word)])
    if parsed.has("i", "include"):
        call.emit("write", operands, labels=("overwrite",))
        if any(program is not None and empties_awk(program) for program in programs):
            call.emit("delete", operands, labels=("empties",))
    for program in programs:
        if program is None or has_marks(program):
            return call.not_understood()
        _awk_effects(call, program)
    column = (
        re.fullmatch(r"\s*\{\s*print\s+\$(\d{1,3})\s*;?\s*\}\s*", programs[0] or "") if programs else None
    )
    if column and data.text is not None and not has_marks(data.text) and not parsed.has("F"):
        rows = [[line, *line.split()] for line in data.text.splitlines()]
        number = int(column.group(1))
        return Data("".join((row[number] if number < len(row) else "") + "\n" for row in rows), data.sources)
    printed = (
        re.fullmatch(r"\s*BEGIN\s*\{\s*print\s+\"([^\"\\]*)\"\s*;?\s*\}\s*", programs[0] or "")
        if programs
        else None
    )
    return Data(printed.group(1) + "\n" if printed else None, data.sources)


def _awk_effects(call: Call, program: str) -> None:
    """system(), pipes and redirections inside an awk program."""
    left = program
    for match in re.finditer(r'system\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)', program):
        call.runner.script(match.group(1).replace('\\"', '"'), call.world.copy())
        left = left.replace(match.group(), "")
    for match in re.finditer(r'>>?\s*"([^"\\]*)"', left):
        call.write([match.group(1)], Data(None, call.stdin.sources), append=match.group().startswith(">>"))
        left = left.replace(match.group(), "")
    for match in re.finditer(r'getline[^;}|]*<\s*"([^"\\]*)"', left):
        call.read([match.group(1)])
        left = left.replace(match.group(), "")
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|(?<![\w)\]])/(?:[^/\\\n]|\\.)*/', '""', left)
    if re.search(r"\bsystem\b|\bgetline\b|@\w|(?<!\|)\|(?!\|)|\bprint[^;}]*>", bare):
        call.not_understood()


_SED_PIECE = re.compile(
    r"\s*(?:\d+|\$|/(?:[^/\\]|\\.)*/I?)?(?:,\s*[+~]?(?:\d+|\$|/(?:[^/\\]|\\.)*/I?))?\s*!?\s*"
    r"(?:s(?P<d>[^\w\s\\])(?:(?!(?P=d))[^\\]|\\.)*(?P=d)(?:(?!(?P=d))[^\\]|\\.)*(?P=d)[gipIM0-9]*"
    r"|y(?P<e>[^\w\s\\])(?:(?!(?P=e))[^\\]|\\.)*(?P=e)(?:(?!(?P=e))[^\\]|\\.)*(?P=e)"
    r"|[dpqQDPNnhHgGxlz=F]\d*|[{}]|[btT:]\s*\w*|[aic](?:\\|\s).*|)\s*(?:[;\n}]|\Z)",
    re.S,
)


def _sed(call: Call) -> Data:
    parsed = parse(
        call.args,
        "efEl",
        ("expression", "file"),
        known="in-place quiet silent regexp-extended separate null-data",
    )
    in_place = any(re.match(r"-[nErsz]*i|--in-place", word) for word in call.args)
    scripts = parsed.all("e", "expression") if not parsed.has("E") else []
    operands = parsed.operands
    if parsed.has("E"):  # -E takes no value; the cluster reader cannot know both spellings
        words = [word for word in call.args if not re.fullmatch(r"-[nErsiz]+|--[\w-]+", word)]
        scripts = [words[at + 1] for at, word in enumerate(words[:-1]) if word == "-e"]
        operands = [
            word for at, word in enumerate(words) if word != "-e" and (at == 0 or words[at - 1] != "-e")
        ]
    call.read(parsed.all("f", "file"))
    if not scripts and not parsed.has("f", "file"):
        scripts, operands = operands[:1], operands[1:]
    data = call.read(operands)
    for program in scripts:
        if not _sed_harmless(program):
            call.not_understood()
    if parsed.has("f", "file"):
        call.not_understood()
    if in_place:
        call.emit("write", operands, labels=("overwrite",))
        if any(map(empties_sed, scripts)):
            call.emit("delete", operands, labels=("empties",))
        return EMPTY
    return Data(None, data.sources)


def _sed_harmless(program: str) -> bool:
    """Whether a sed script only edits text: no `e`, no `w`, no flags that run or write."""
    if len(program) > 2000 or has_marks(program):
        return False
    index = 0
    while index < len(program):
        piece = _SED_PIECE.match(program, index)
        if piece is None or piece.end() == index:
            return False
        index = piece.end()
    return True


PROGRAMS: dict[str, Handler] = {
    **dict.fromkeys(_SHELLS, _shell),
    **dict.fromkeys(("python", "pypy", "python2", "python3"), _python),
    **dict.fromkeys(_INLINE, _language),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    **dict.fromkeys(("sed", "gsed"), _sed),
}
