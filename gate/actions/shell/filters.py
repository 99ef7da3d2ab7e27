"""Programs that turn text into text: what they read, and what is known of what they write.

Where the text is literal it is computed, since a command that is spelled through `printf`, `rev`, `tr` or
`base64` is still that command. Where it is not, the output is unknown but keeps its sources.
"""

from __future__ import annotations

import base64
import binascii
import re
import string

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, where
from gate.actions.shell.marks import ANY, DEEP, STAR, has_marks
from gate.actions.shell.options import Parsed, parse
from gate.actions.shell.scan import ansi_c
from gate.actions.shell.state import EMPTY, Data
from gate.actions.vocabulary import word_set

# program -> the letters of its options that take a value; all operands are files that are read
READS = {
    "cat": "", "tac": "s", "nl": "bdfhilnsvw", "less": "bhjkopPtTxyz", "more": "n", "most": "", "bat": "l",
    "wc": "", "od": "ANjStvw", "hexdump": "nse", "xxd": "cglos", "strings": "en", "paste": "d",
    "join": "12aeijotv", "comm": "", "diff": "CUIW", "cmp": "in", "md5sum": "", "sha1sum": "",
    "sha256sum": "",
    "sha512sum": "", "b2sum": "", "cksum": "", "sum": "", "column": "cdsot", "fold": "w", "fmt": "wgp",
    "expand": "t", "unexpand": "t", "pr": "lw", "zcat": "", "bzcat": "", "xzcat": "", "zstdcat": "",
    "zless": "",
    "iconv": "ft", "nroff": "", "hd": "n", "view": "", "fgconsole": "", "csvlook": "", "csvstat": "",
    "base32": "w",
    "tsort": "", "shuf": "nioer", "split": "abln", "csplit": "fn", "pdftotext": "fl", "exiftool": "",
    "identify": "",
    "aspell": "", "ffprobe": "", "readelf": "", "objdump": "", "nm": "", "ldd": "", "look": "",
}  # fmt: skip
# program -> letters with a value; operands are looked at but their contents are not read
LISTS = {
    "ls": "IwT", "dir": "", "vdir": "", "tree": "LPIo", "stat": "cft", "file": "fmFe", "du": "dBXt",
    "df": "tBx",
    "lsof": "pu", "exa": "", "eza": "", "lsattr": "", "getfacl": "", "namei": "", "test": "", "fuser": "",
}  # fmt: skip
# the first operand is a pattern or a program, unless one of these options gave it
GREPS = {
    "grep": "efmABCd", "egrep": "efmABCd", "fgrep": "efmABCd", "rg": "efgtTmABCj", "ag": "mABCG",
    "ack": "mABC",
    "zgrep": "efm", "jq": "fL", "pcregrep": "efm", "ripgrep": "ef", "agrep": "ef", "xmllint": "", "htmlq": "",
}  # fmt: skip


def echoed(args: list[str]) -> str:
    """What `echo` prints."""
    newline, escapes, words = "\n", False, list(args)
    while words and re.fullmatch(r"-[neE]+", words[0]):
        newline = "" if "n" in words[0] else newline
        escapes = escapes or "e" in words[0]
        words.pop(0)
    text = " ".join(words)
    return (ansi_c(text) if escapes else text) + newline


def formatted(args: list[str]) -> str | None:
    """What `printf` prints: %s, %b, %d, %x, %c, %q and %%; the format is used again for further arguments."""
    if not args or ANY in args[0]:
        return None
    form, values = ansi_c(args[0]), list(args[1:])
    directive = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([sbdiouxXcq]))")
    out: list[str] = []
    for _ in range(200):
        count = len(values)

        def one(match: re.Match[str]) -> str:
            kind = match.group(1)
            if kind is None:
                return "%"
            value = values.pop(0) if values else ""
            if kind in "sq":
                return value
            if kind == "b":
                return ansi_c(value)
            if kind == "c":
                return value[:1]
            number = int(value) if re.fullmatch(r"-?\d{1,18}", value) else None
            return STAR if number is None else format(number, {"x": "x", "X": "X", "o": "o"}.get(kind, "d"))

        out.append(directive.sub(one, form))
        if not values or len(values) == count:
            break
    return "".join(out)


def _known(data: Data) -> str | None:
    return None if data.text is None or has_marks(data.text) else data.text


def _reads(call: Call) -> Data:
    parsed = parse(call.args, READS[call.name])
    data = call.read(parsed.operands)
    if call.name == "cat":
        return data
    if call.name in ("tac", "nl"):
        text = _known(data)
        return Data(text if text is None else "".join(reversed(text.splitlines(True))), data.sources)
    return _xxd(call, parsed, data) if call.name == "xxd" else Data(None, data.sources)


def _xxd(call: Call, parsed: Parsed, data: Data) -> Data:
    text = _known(data)
    if text is None or not parsed.has("r") or not parsed.has("p", "ps"):
        return Data(None, data.sources)
    try:
        return Data(bytes.fromhex("".join(text.split())).decode("utf-8"), data.sources)
    except ValueError:
        return Data(None, data.sources)


def _lists(call: Call) -> Data:
    parsed = parse(call.args, LISTS[call.name])
    words = parsed.operands or ["."]
    call.emit("list", words, objects=("file", "folder"))
    if call.name != "ls":
        return Data(None)
    shown = [
        word if parsed.has("d") or (len(word) and STAR in word) else STAR for word in parsed.operands
    ] or [STAR]
    if parsed.has("R"):
        shown = [DEEP]
    return Data("".join(word + "\n" for word in shown))


def _grep(call: Call) -> Data:
    parsed = parse(call.args, GREPS[call.name], ("include", "exclude", "regexp", "file", "color", "context"))
    operands = parsed.operands
    if not parsed.has("e", "f", "regexp", "file"):
        operands = operands[1:]
    call.read(parsed.all("f", "file"))
    tree = parsed.has("r", "R", "recursive") or call.name in ("rg", "ag", "ack")
    if tree and not operands:
        operands = ["."]
    data = call.read(operands, tree=tree)
    if parsed.has("l", "L", "files-with-matches"):
        return Data(
            "".join((word.rstrip("/") + "/" + DEEP if tree else word) + "\n" for word in operands),
            data.sources,
        )
    if parsed.has("c", "q") or data.text is None:
        return Data(None, data.sources)
    return data if not operands else Data(None, data.sources)  # a filter lets through some of its lines


def _lines(call: Call) -> Data:
    """head, tail, sort, uniq: some or all of the lines, in some order."""
    parsed = parse(
        call.args, {"head": "nc", "tail": "ncs", "sort": "kotST", "uniq": "fsw"}[call.name], ("output",)
    )
    operands = [word for word in parsed.operands if not re.fullmatch(r"[-+]\d+", word)]
    if call.name == "uniq" and len(operands) > 1:
        call.write(operands[1:2], Data(None))
        operands = operands[:1]
    data = call.read(operands)
    target = parsed.all("o", "output") if call.name == "sort" else []
    if target:
        call.write(target, data)
        return EMPTY
    text = data.text
    if text is None or parsed.has("c"):
        return Data(None, data.sources)
    return Data(text, data.sources)


def _tr(call: Call) -> Data:
    parsed = parse(call.args)
    text = _known(call.stdin)
    if text is None or any(has_marks(word) for word in parsed.operands) or not parsed.operands:
        return Data(None, call.stdin.sources)
    first = _characters(parsed.operands[0])
    if parsed.has("d"):
        return Data("".join(char for char in text if char not in first), call.stdin.sources)
    if len(parsed.operands) < 2 or parsed.has("c", "C"):
        return Data(None, call.stdin.sources)
    second = _characters(parsed.operands[1])
    second += second[-1:] * (len(first) - len(second))
    return Data(text.translate({ord(a): b for a, b in zip(first, second, strict=False)}), call.stdin.sources)


_CLASSES = {"lower": string.ascii_lowercase, "upper": string.ascii_uppercase, "digit": string.digits,
            "space": " \t\n\r\v\f", "alpha": string.ascii_letters}  # fmt: skip


def _characters(spec: str) -> str:
    spec = re.sub(r"\[:(\w+):\]", lambda match: _CLASSES.get(match.group(1), ""), ansi_c(spec))
    return re.sub(
        r"(.)-(.)",
        lambda m: "".join(map(chr, range(ord(m[1]), min(ord(m[2]), ord(m[1]) + 300) + 1))),
        spec,
        flags=re.S,
    )


def _base64(call: Call) -> Data:
    parsed = parse(call.args, "wi", known="decode wrap ignore-garbage")
    data = call.read(parsed.operands)
    text = _known(data)
    if text is None:
        return Data(None, data.sources)
    if not parsed.has("d", "D", "decode"):
        return Data(base64.b64encode(text.encode()).decode() + "\n", data.sources)
    try:
        return Data(base64.b64decode(re.sub(r"\s", "", text)).decode("utf-8"), data.sources)
    except (ValueError, binascii.Error):
        return Data(None, data.sources)


def _rev(call: Call) -> Data:
    data = call.read(parse(call.args).operands)
    text = _known(data)
    return Data(
        None if text is None else "".join(line[::-1] + "\n" for line in text.splitlines()), data.sources
    )


def _cut(call: Call) -> Data:
    parsed = parse(call.args, "dfcb", ("delimiter", "fields", "output-delimiter", "characters"))
    data = call.read(parsed.operands)
    text, fields = _known(data), parsed.value("f", "fields")
    characters = re.fullmatch(r"(\d{0,4})(-?)(\d{0,4})", parsed.value("c", "b", "characters") or "x")
    if text is None:
        return Data(None, data.sources)
    if characters and characters.group():
        low = int(characters[1] or 1)
        high = int(characters[3]) if characters[3] else (10**6 if characters[2] else low)
        return Data("".join(line[low - 1 : high] + "\n" for line in text.splitlines()), data.sources)
    if fields is None or not re.fullmatch(r"\d{1,4}", fields):
        return Data(None, data.sources)
    mark, number = parsed.value("d", "delimiter") or "\t", int(fields)
    rows = [line.split(mark) for line in text.splitlines()]
    return Data("".join((row[number - 1] if number <= len(row) else "") + "\n" for row in rows), data.sources)


def _name_part(call: Call) -> Data:
    words = parse(call.args, "s").operands
    if not words:
        return EMPTY
    word = words[0].rstrip("/") or "/"
    if has_marks(word) and (ANY in word or DEEP in word):
        return Data(None, call.sources)
    if call.name == "dirname":
        folder = word.rpartition("/")[0]
        return Data((folder or ("/" if word.startswith("/") else ".")) + "\n", call.sources)
    name = word.rpartition("/")[2]
    if len(words) > 1 and words[1] and name.endswith(words[1]) and name != words[1]:
        name = name[: -len(words[1])]
    return Data(name + "\n", call.sources)


def _real(call: Call) -> Data:
    words = parse(call.args).operands or ["."]
    found = [where(word, call.world, call.runner) for word in words]
    if any(not places or "*" in places[-1] for places in found):
        return Data(None)
    return Data("".join(places[-1] + "\n" for places in found))


def _pwd(call: Call) -> Data:
    return Data(None if call.world.cwd is None else call.world.cwd + "\n")


def _which(call: Call) -> Data:
    return Data("".join(word + "\n" for word in parse(call.args).operands))


def _digits(call: Call) -> Data:
    """Programs whose output is one word without a slash."""
    return Data(STAR + "\n")


def _mktemp(call: Call) -> Data:
    parsed = parse(call.args, "p", ("tmpdir", "suffix"))
    folder = parsed.value("p", "tmpdir")
    template = parsed.operands[0] if parsed.operands else "/tmp/" + STAR  # noqa: S108
    path = re.sub(r"X{3,}", STAR, template)
    if folder:
        path = folder.rstrip("/") + "/" + path.rpartition("/")[2]
    call.emit("create", [path])
    return Data(path + "\n")


def _seq(call: Call) -> Data:
    numbers = parse(call.args, "fsw").operands
    if all(re.fullmatch(r"-?\d{1,6}", word) for word in numbers) and 1 <= len(numbers) <= 2:
        first, last = (1, int(numbers[0])) if len(numbers) == 1 else (int(numbers[0]), int(numbers[1]))
        if last - first < 60:
            return Data("".join(f"{number}\n" for number in range(first, last + 1)))
    return Data(STAR + "\n")


def _tee(call: Call) -> Data:
    parsed = parse(call.args)
    for word in parsed.operands:
        call.write([word], call.stdin, append=parsed.has("a", "append"))
    return call.stdin


def _yes(call: Call) -> Data:
    return Data((" ".join(call.args) or "y") + "\n")


PROGRAMS: dict[str, Handler] = {
    **dict.fromkeys(READS, _reads),
    **dict.fromkeys(LISTS, _lists),
    **dict.fromkeys(GREPS, _grep),
    **dict.fromkeys(("head", "tail", "sort", "uniq"), _lines),
    **dict.fromkeys(word_set("date hostname whoami id uname nproc arch tty uuidgen logname"), _digits),
    **dict.fromkeys(("which", "type", "whereis"), _which),
    **dict.fromkeys(("basename", "dirname"), _name_part),
    **dict.fromkeys(("realpath", "readlink"), _real),
    "tr": _tr,
    "base64": _base64,
    "rev": _rev,
    "cut": _cut,
    "pwd": _pwd,
    "mktemp": _mktemp,
    "seq": _seq,
    **dict.fromkeys(("tee", "sponge"), _tee),
    "yes": _yes,
}  # fmt: skip
