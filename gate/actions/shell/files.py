"""Programs that create, change, move and delete files: the effects of each on its operands."""

from __future__ import annotations

import re

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, child, where
from gate.actions.shell.marks import ANY, DEEP
from gate.actions.shell.options import Parsed, parse
from gate.actions.shell.state import EMPTY, NOTHING, Data
from gate.actions.vocabulary import word_set

_REMOVABLE = ("/media/", "/mnt/", "/run/media/", "/Volumes/")  # what is copied there can be carried away
_NULL = frozenset(("/dev/null", "/dev/zero"))


def _options(call: Call, short: str = "", long: tuple[str, ...] = (), known: str = "") -> Parsed:
    """Parsed options; a dynamic word among them may be any option and any operand."""
    parsed = parse(call.args, short, long, known=known)
    if parsed.unsure:
        parsed.flags |= {"r", "R", "f"}
    return parsed


def _rm(call: Call) -> None:
    parsed = _options(
        call, known="recursive force one-file-system preserve-root no-preserve-root interactive verbose dir"
    )
    if parsed.has("help", "version"):
        return
    call.delete(parsed.operands, tree=parsed.has("r", "R", "recursive"))


def _delete_all(call: Call) -> None:
    """Programs that delete whatever they are given, folders included."""
    call.delete(_options(call, "ns", ("iterations", "size")).operands, tree=True)


def _delete_one(call: Call) -> None:
    call.delete(parse(call.args).operands)


def _gio(call: Call) -> None:
    operands = parse(call.args).operands
    if operands[:1] in (["trash"], ["remove"]):
        call.delete(operands[1:], tree=True)
    elif operands[:1] == ["cat"]:
        call.read(operands[1:])
    elif operands[:1] in (["move"], ["rename"]) and len(operands) > 2:
        _place(call, operands[1:-1], operands[-1], moved=True, tree=True)


def _targets(parsed: Parsed) -> tuple[list[str], str | None]:
    """(sources, destination) of cp, mv, ln and install."""
    folder = parsed.value("t", "target-directory")
    if folder is not None:
        return parsed.operands, folder.rstrip("/") + "/"
    if len(parsed.operands) < 2:
        return parsed.operands, None
    return parsed.operands[:-1], parsed.operands[-1]


def _landing(sources: list[str], destination: str) -> list[str]:
    """Every path that may be written: the destination, or files of the same names inside it."""
    inside = [child(destination, source) for source in sources]
    folder = destination.endswith("/") or destination in (".", "..") or len(sources) > 1
    return inside if folder else [destination, *inside]


def _place(call: Call, sources: list[str], destination: str, *, moved: bool, tree: bool) -> None:
    """Sources are copied or moved to a destination."""
    landing = _landing(sources, destination)
    away = destination.startswith(_REMOVABLE)
    labels = {"tree"} if tree else set()
    labels |= set() if away else {"local"}
    onto = ("file", "usb", "stick", "drive", "media") if away else ("file",)
    if moved:
        call.emit("move", [*sources, destination], objects=onto, labels=labels)
        call.delete(sources, tree=True)
        data = call.content(sources[0]) if len(sources) == 1 else Data(None)
    else:
        call.emit("copy", [*sources, destination], objects=onto, labels=labels)
        data = call.read(sources, tree=tree)
    if destination in _NULL:
        return
    call.write(landing, data)
    _remember(call, sources, landing)
    if tree:
        call.emit("write", landing, labels=("tree",))


def _remember(call: Call, sources: list[str], landing: list[str]) -> None:
    """Where the data of the sources went, so that sending the copy is sending them."""
    world = call.world
    for place in (place for word in landing for place in where(word, world, call.runner)):
        for source in (origin for word in sources for origin in where(word, world, call.runner)):
            world.origins[place] = (
                world.origins.get(place, NOTHING) | {source} | world.origins.get(source, NOTHING)
            )


def _mv(call: Call) -> None:
    parsed = _options(
        call, "tS", ("target-directory", "suffix"), known="force no-clobber backup update verbose"
    )
    sources, destination = _targets(parsed)
    if destination is not None:
        _place(call, sources, destination, moved=True, tree=True)
    elif parsed.unsure:
        call.emit("delete", parsed.operands, unknown=("path",))


def _cp(call: Call) -> None:
    parsed = _options(
        call,
        "tSZ",
        ("target-directory", "suffix", "context", "sparse", "reflink", "preserve", "no-preserve"),
        known="recursive archive force link symbolic-link remove-destination attributes-only parents",
    )
    sources, destination = _targets(parsed)
    if destination is None:
        return
    tree = parsed.has("r", "R", "a", "recursive", "archive")
    if parsed.has("s", "l", "symbolic-link", "link"):
        _link(call, sources, destination, symbolic=False)
    _place(call, sources, destination, moved=False, tree=tree)
    if parsed.has("remove-destination"):
        call.delete(_landing(sources, destination))


def _install(call: Call) -> None:
    parsed = _options(
        call, "tSmogZ", ("target-directory", "suffix", "mode", "owner", "group"), known="directory"
    )
    if parsed.has("d", "directory"):
        call.emit("create", parsed.operands, objects=("folder",))
        return
    sources, destination = _targets(parsed)
    if destination is not None:
        _place(call, sources, destination, moved=False, tree=False)


def _link(call: Call, sources: list[str], destination: str, *, symbolic: bool) -> None:
    world = call.world
    for source in sources:
        for spot in _landing([source], destination):
            target = source
            if symbolic and not source.startswith(("/", "~")):
                target = spot.rpartition("/")[0] + "/" + source if "/" in spot else source
            leads = where(target, world, call.runner)
            for place in where(spot, world, call.runner):
                if leads and leads[-1] != place and not place.startswith(leads[-1] + "/"):
                    world.links[place] = leads[-1]


def _ln(call: Call) -> None:
    parsed = _options(
        call, "tS", ("target-directory", "suffix"), known="symbolic force no-dereference relative"
    )
    sources, destination = _targets(parsed)
    if destination is None:
        destination = "./"
    landing = _landing(sources, destination)
    if parsed.has("f", "force"):
        call.delete(landing[:1] if len(sources) == 1 else landing)
    call.emit("create", landing, objects=("link",))
    _link(call, sources, destination, symbolic=parsed.has("s", "symbolic"))


def _create(call: Call) -> None:
    parsed = parse(
        call.args, {"touch": "dtr", "mkdir": "mZ", "mkfifo": "m"}.get(call.name, ""), ("mode", "date")
    )
    call.emit("create", parsed.operands, objects=("folder",) if call.name == "mkdir" else ("file",))


def _attributes(call: Call) -> None:
    parsed = parse(call.args, "", ("reference", "from"))
    names = {
        "chmod": "permissions",
        "chown": "owner",
        "chgrp": "group",
        "chattr": "attributes",
        "setfacl": "permissions",
    }
    operands = parsed.operands if parsed.has("reference") else parsed.operands[1:]
    call.emit(
        "change",
        operands,
        objects=(names[call.name],),
        labels=("tree",) if parsed.has("R", "recursive") else (),
    )


def _dd(call: Call) -> None:
    options = {name: value for word in call.args for name, _, value in (word.partition("="),)}
    data = call.read([options["if"]]) if "if" in options else call.stdin
    target = options.get("of")
    if any(word.startswith(ANY) for word in call.args):
        call.emit("write", [ANY])
    if target is None:
        return
    keeps = "notrunc" in options.get("conv", "")
    call.write([target], data, into=keeps)
    if options.get("if") in (*_NULL, "/dev/urandom", "/dev/random") or target.startswith("/dev/"):
        call.emit("delete", [target], labels=("empties",))
    if target.startswith("/dev/"):
        call.emit("destroy", [target], objects=("disk", "device"))


def _tar(call: Call) -> Data:
    args = _old_style(call.args)
    long = (
        *(
            "file",
            "directory",
            "exclude",
            "to-command",
            "checkpoint-action",
            "use-compress-program",
            "rsh-command",
        ),
        *("files-from", "transform", "owner", "group", "mode", "info-script", "new-volume-script"),
    )
    known = "create extract list append update get diff delete remove-files gzip verbose catenate concatenate"
    parsed = parse(args, "fCbIXTFLNV", long, known=known)
    for name in (
        "to-command",
        "rsh-command",
        "use-compress-program",
        "I",
        "info-script",
        "new-volume-script",
        "F",
    ):
        for command in parsed.all(name):
            call.runner.script(command, call.world.copy())
    for action in parsed.all("checkpoint-action"):
        if action.startswith("exec="):
            call.runner.script(action[5:], call.world.copy())
    folder = parsed.value("C", "directory")
    prefix = folder.rstrip("/") + "/" if folder else ""
    archive = parsed.value("f", "file")
    inputs = [word if word.startswith("/") else prefix + word for word in parsed.operands]
    if parsed.has("c", "r", "u", "create", "append", "update", "A"):
        listed = [ANY] if parsed.has("T", "files-from") else []
        data = call.read([*inputs, *listed], tree=True)
        if parsed.has("remove-files"):
            call.delete([*inputs, *listed], tree=True)
        if archive is None or archive == "-":
            return Data(None, data.sources)
        call.write([archive], Data(None, data.sources))
    elif parsed.has("x", "extract", "get"):
        data = call.read([archive]) if archive else call.stdin
        if parsed.has("O", "to-stdout"):
            return Data(None, data.sources)
        call.emit("write", [prefix + DEEP], labels=("overwrite",))
    elif parsed.has("delete") and archive:
        call.delete([archive])
    elif archive:
        call.read([archive])
    return Data(None)


def _old_style(args: list[str]) -> list[str]:
    """`tar czf out.tgz folder`: the letters' values follow in the order of the letters."""
    if not args or args[0].startswith("-") or not re.fullmatch(r"[A-Za-z]+", args[0]):
        return args
    rest = list(args[1:])
    head: list[str] = []
    for letter in args[0]:
        head.append("-" + letter)
        if letter in "fCbIXTFLNV" and rest:
            head.append(rest.pop(0))
    return head + rest


def _zip(call: Call) -> None:
    parsed = parse(call.args, "btnPxi")
    archive, inputs = parsed.operands[:1], parsed.operands[1:]
    data = call.read(inputs, tree=True)
    if archive and archive != ["-"]:
        call.write(archive, Data(None, data.sources))
    if parsed.has("m", "move"):
        call.delete(inputs, tree=True)


def _unpack(call: Call) -> None:
    parsed = parse(call.args, "dP")
    call.read(parsed.operands[:1])
    if not parsed.has("l", "p", "t"):
        call.emit("write", [(parsed.value("d") or ".").rstrip("/") + "/" + DEEP], labels=("overwrite",))


def _seven(call: Call) -> None:
    words = [word for word in call.args if not word.startswith("-")]
    if words[:1] in (["a"], ["u"]):
        data = call.read(words[2:], tree=True)
        call.write(words[1:2], Data(None, data.sources))
        if "-sdel" in call.args:
            call.delete(words[2:], tree=True)
    elif words[:1] in (["x"], ["e"]):
        call.read(words[1:2])
        folder = next((word[2:] for word in call.args if word.startswith("-o")), ".")
        call.emit("write", [folder.rstrip("/") + "/" + DEEP], labels=("overwrite",))


def _compress(call: Call) -> Data:
    """gzip and its like replace each file by another, unless told to keep it."""
    parsed = parse(call.args, "S", ("suffix",), known="keep stdout to-stdout decompress recursive rm")
    data = call.read(parsed.operands, tree=parsed.has("r", "recursive"))
    stays = parsed.has("c", "k", "keep", "stdout", "to-stdout", "l", "t")
    if call.name in ("zstd", "unzstd", "lz4"):  # they keep it unless they are told not to
        stays = not parsed.has("rm")
    if parsed.operands and not stays:
        call.delete(parsed.operands, tree=parsed.has("r", "recursive"))
        call.emit("write", [word + ".gz" for word in parsed.operands])
    return Data(None, data.sources)


def _rename(call: Call) -> None:
    operands = parse(call.args, "e").operands
    files = operands[1:] if len(operands) > 1 else operands
    call.emit("move", files, labels=("local",))
    call.emit("delete", files)
    call.emit("write", files)


def _patch(call: Call) -> None:
    parsed = parse(call.args, "piod", ("input", "output", "directory", "strip"))
    call.read([word for word in (parsed.value("i", "input"),) if word])
    folder = parsed.value("d", "directory")
    call.emit("write", parsed.operands[:1] or [(folder or ".") + "/" + DEEP])


def _editor(call: Call) -> None:
    """An editor's commands may run programs; without such commands it only opens what it is given."""
    if call.args in (["--version"], ["--help"]):
        return
    scripted = [word for word in call.args if word.startswith(("+", "-c", "--cmd", "-S", "-s", "-e"))]
    if scripted or call.stdin.text != "" or call.name in ("ed", "ex"):
        call.not_understood()
    operands = [word for word in parse(call.args).operands if not word.startswith("+")]
    call.emit("open", operands)
    call.emit("write", operands)


def _split(call: Call) -> Data:
    parsed = parse(call.args, "ablnC")
    data = call.read(parsed.operands[:1])
    call.emit("write", [(parsed.operands[1] if len(parsed.operands) > 1 else "x") + DEEP])
    return Data(EMPTY.text, data.sources)


PROGRAMS: dict[str, Handler] = {
    "rm": _rm,
    "grm": _rm,
    **dict.fromkeys(word_set("shred srm wipe scrub trash trash-put rmtrash rimraf del-cli del"), _delete_all),
    **dict.fromkeys(("erase", "rd", "safe-rm", "nwipe", "bleachbit", "trash-rm", "remove-item"), _delete_all),
    **dict.fromkeys(("unlink", "rmdir"), _delete_one),
    "gio": _gio,
    "mv": _mv,
    "move": _mv,
    "cp": _cp,
    "copy": _cp,
    "install": _install,
    "ln": _ln,
    "link": _ln,
    **dict.fromkeys(("touch", "mkdir", "mkfifo", "mknod"), _create),
    **dict.fromkeys(("chmod", "chown", "chgrp", "chattr", "setfacl"), _attributes),
    "dd": _dd,
    "tar": _tar,
    "gtar": _tar,
    "bsdtar": _tar,
    "zip": _zip,
    "unzip": _unpack,
    **dict.fromkeys(("7z", "7za", "7zr"), _seven),
    **dict.fromkeys(word_set("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma lz4"), _compress),
    **dict.fromkeys(("rename", "prename", "mmv", "rename.ul"), _rename),
    "patch": _patch,
    **dict.fromkeys(("vi", "vim", "nvim", "nano", "emacs", "ed", "ex", "pico", "micro"), _editor),
    **dict.fromkeys(("split", "csplit"), _split),
}  # fmt: skip
