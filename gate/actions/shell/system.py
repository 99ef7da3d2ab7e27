"""Programs that act on the machine itself: services, processes, packages, disks, accounts."""

from __future__ import annotations

import re

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, where
from gate.actions.shell.marks import DEEP, has_marks
from gate.actions.shell.options import parse
from gate.actions.shell.state import Data
from gate.actions.vocabulary import word_set

SERVICE_VERBS = {"start": "start", "stop": "stop", "restart": "restart", "reload": "restart", "kill": "kill",
            "enable": "start", "disable": "stop", "mask": "stop", "try-restart": "restart",
            "poweroff": "stop",
            "reboot": "restart", "halt": "stop", "isolate": "stop"}  # fmt: skip
PACKAGE_VERBS = {
    "install": "install", "add": "install", "i": "install", "-S": "install", "reinstall": "install",
    "upgrade": "install", "update": "update", "dist-upgrade": "install", "full-upgrade": "install",
    "remove": "do:uninstall", "purge": "do:uninstall", "uninstall": "do:uninstall", "rm": "do:uninstall",
    "un": "do:uninstall",
    "autoremove": "do:uninstall", "erase": "do:uninstall", "publish": "publish", "download": "download",
    "ci": "install", "sync": "install", "get": "install",
}  # fmt: skip
_MANAGERS = word_set(
    """
    apt apt-get aptitude dnf yum zypper pacman apk brew port snap flatpak pip pip3 npm yarn pnpm gem
    cargo go composer conda mamba nix-env emerge choco winget scoop cpan luarocks opam stack cabal
    dotnet mvn gradle twine
    """
)


def _names(words: list[str]) -> list[str]:
    return [word for word in words if not word.startswith("-") and not has_marks(word)]


def _service(call: Call) -> None:
    words = _names(call.args)
    verb, units = (
        (words[1:2], words[:1]) if call.name in ("service", "rc-service") else (words[:1], words[1:])
    )
    act = SERVICE_VERBS.get(verb[0] if verb else "")
    if act:
        names = [unit.removesuffix(".service") for unit in units]
        call.emit(act, objects=("service", *names, *(("server", "machine") if not names else ())))


def _power(call: Call) -> None:
    act = "restart" if call.name == "reboot" or "-r" in call.args or call.args[:1] == ["6"] else "stop"
    if call.name in ("init", "telinit") and call.args[:1] not in (["0"], ["6"]):
        return
    call.emit(act, objects=("server", "machine", "computer", "system"))


def _kill(call: Call) -> None:
    words = parse(call.args, "sug", ("signal",)).operands
    call.emit("kill", objects=("process", *_names(words)))


def _packages(call: Call) -> Data | None:
    words = _names(call.args)
    act = next((PACKAGE_VERBS[word] for word in call.args[:4] if word in PACKAGE_VERBS), None)
    if call.name == "twine" and "upload" in words:
        act = "publish"
    if act is None:
        from gate.actions.shell.clients import by_words

        return by_words(call)
    names = [word for word in words if word not in PACKAGE_VERBS]
    call.emit(act, objects=("package", "software", "dependency", *names))
    if act in ("install", "publish", "download", "update"):
        call.emit("connect", objects=("registry",), labels=("configured",), unknown=("host",))
    if act == "publish":
        call.emit("push", objects=("package", *names))
    if act == "do:uninstall":
        call.emit("delete", objects=("package", "software", *names))
    return None


def _dpkg(call: Call) -> None:
    parsed = parse(call.args)
    if parsed.has("i", "install", "U", "upgrade"):
        call.emit("install", parsed.operands, objects=("package", "software"))
    elif parsed.has("r", "P", "e", "remove", "purge", "erase"):
        call.emit("do:uninstall", objects=("package", "software", *parsed.operands))
        call.emit("delete", objects=("package", "software", *parsed.operands))


def _disk(call: Call) -> None:
    """mkfs, wipefs, fdisk and their like end what was on a device."""
    devices = [word for word in parse(call.args, "tLUNbm").operands if "/" in word]
    if call.name in ("fdisk", "parted", "sfdisk") and any(
        word in ("-l", "--list", "print") for word in call.args
    ):
        return
    if call.name == "wipefs" and not any(re.match(r"-\w*[ao]|--(all|offset)", word) for word in call.args):
        return  # it lists what it finds
    call.emit("destroy", devices, objects=("disk", "device", "partition", "file system"), labels=("tree",))
    call.emit("delete", devices, objects=("disk", "device", "partition", "file system"), labels=("tree",))
    if call.name.startswith(("mk", "mke2fs")):
        call.emit("do:format", devices, objects=("disk", "device", "partition", "drive"))


def _mount(call: Call) -> None:
    """A mount makes the tree of its source appear at its target."""
    parsed = parse(call.args, "toLUT", ("bind", "rbind", "types", "options"))
    operands = parsed.operands + parsed.all("bind", "rbind")
    if len(operands) < 2:
        return
    bound = parsed.has("bind", "rbind") or "bind" in (parsed.value("o", "options") or "")
    pair = [word for word in [*parsed.all("bind", "rbind"), *parsed.operands] if word][:2]
    if len(pair) < 2:
        return
    call.emit("escalate", objects=("mount", "root", "privilege"))
    if bound or call.name == "bindfs":
        source = where(pair[0], call.world, call.runner)
        for place in where(pair[1], call.world, call.runner):
            if source:
                call.world.links[place] = source[-1]


def _account(call: Call) -> None:
    words = _names(call.args)
    act = "delete" if "del" in call.name else "create" if "add" in call.name else "change"
    call.emit(act, objects=("user", "account", *words))
    if call.name == "userdel" and any(re.match(r"-\w*r|--remove", word) for word in call.args):
        call.emit("delete", [f"/home/{word}" for word in words[-1:]], labels=("tree",))


def _make(call: Call) -> Data | None:
    parsed = parse(call.args, "fCjoWI", ("file", "directory", "eval", "makefile", "jobs"))
    if parsed.has("eval") or "-" in parsed.all("f", "file", "makefile"):
        return call.not_understood()
    from gate.actions.environments import pieces
    from gate.actions.shell.clients import ACT_WORDS
    from gate.actions.shell.platforms import put

    for target in _names(parsed.operands):
        acts = [ACT_WORDS[piece] for piece in pieces(target) if piece in ACT_WORDS]
        if acts and acts[0] not in ("list", "read", "update", "set"):
            put(call, acts[:1], [target], [])
    written = [call.content(word).text for word in parsed.all("f", "file", "makefile")]
    if any(text is not None for text in written):
        return call.not_understood()
    return None


def _extract_here(call: Call) -> None:
    call.emit("write", ["./" + DEEP])


def _print(call: Call) -> None:
    call.read(parse(call.args, "dPnot").operands)
    call.emit("print", objects=("document",))


PROGRAMS: dict[str, Handler] = {
    **dict.fromkeys(("systemctl", "service", "rc-service", "supervisorctl", "launchctl", "pm2"), _service),
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff", "init", "telinit"), _power),
    **dict.fromkeys(("kill", "killall", "pkill", "skill", "xkill", "taskkill"), _kill),
    **dict.fromkeys(_MANAGERS, _packages),
    **dict.fromkeys(("dpkg", "rpm"), _dpkg),
    **dict.fromkeys(word_set("wipefs fdisk sfdisk parted gdisk sgdisk mkswap blkdiscard cfdisk"), _disk),
    **dict.fromkeys(word_set("mkfs mkfs.ext4 mkfs.ext3 mkfs.xfs mkfs.btrfs mkfs.vfat mke2fs"), _disk),
    **dict.fromkeys(("mount", "bindfs"), _mount),
    **dict.fromkeys(
        word_set(
            """
                useradd userdel usermod adduser deluser groupadd groupdel passwd chpasswd
            """
        ),
        _account,
    ),
    **dict.fromkeys(("make", "gmake", "just", "task", "rake", "ninja"), _make),
    **dict.fromkeys(("lp", "lpr"), _print),
    "ar": _extract_here,
}  # fmt: skip
