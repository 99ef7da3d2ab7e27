"""Programs that run another program: what runs inside is what counts, and becoming root is an act itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call
from gate.actions.shell.marks import ANY
from gate.actions.shell.options import parse
from gate.actions.shell.state import EMPTY, Data, Flow
from gate.actions.vocabulary import word_set


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Options with a value, and how many operands stand before the command."""

    short: str = ""
    long: tuple[str, ...] = ()
    skip: int = 0


WRAPPERS = {
    "nohup": Wrapper(),
    "setsid": Wrapper(),
    "timeout": Wrapper("ks", ("kill-after", "signal"), 1),
    "gtimeout": Wrapper("ks", ("kill-after", "signal"), 1),
    "nice": Wrapper("n", ("adjustment",)),
    "ionice": Wrapper("cnpPu", ("class", "classdata")),
    "chrt": Wrapper("TPD", (), 1),
    "taskset": Wrapper("", (), 1),
    "stdbuf": Wrapper("ioe", ("input", "output", "error")),
    "unbuffer": Wrapper(),
    "time": Wrapper("fo", ("format", "output")),
    "builtin": Wrapper(),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "coproc": Wrapper(),
    "strace": Wrapper("eopsSuPaEIObX", ("trace", "output")),
    "ltrace": Wrapper("eoplnsua", ("output",)),
    "valgrind": Wrapper(),
    "perf": Wrapper("eo", (), 1),
    "catchsegv": Wrapper(),
    "eatmydata": Wrapper(),
    "fakeroot": Wrapper("lsib"),
    "proot": Wrapper("rbwq"),
    "firejail": Wrapper(),
    "bwrap": Wrapper(),
    "dbus-run-session": Wrapper(),
    "xvfb-run": Wrapper("nsefpw"),
    "caffeinate": Wrapper("tw"),
    "systemd-inhibit": Wrapper("", ("what", "who", "why", "mode")),
    "prlimit": Wrapper("p"),
    "cpulimit": Wrapper("lpe"),
    "setarch": Wrapper("", (), 1),
    **dict.fromkeys(  # the loader runs the program that it is given
        ("ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-musl-x86_64.so.1"),
        Wrapper("", ("library-path", "preload", "audit", "argv0", "inhibit-rpath", "glibc-hwcaps-prepend")),
    ),
    "linux64": Wrapper(),
    "linux32": Wrapper(),
    "torsocks": Wrapper(),
    "proxychains": Wrapper("f"),
    "proxychains4": Wrapper("f"),
    "dotenv": Wrapper("fe", (), 0),
    "envdir": Wrapper("", (), 1),
    "chpst": Wrapper("uUbemdopfcr"),
    "setuidgid": Wrapper("", (), 1),
    "ssh-agent": Wrapper("aEtP"),
    "rlwrap": Wrapper("abBcCDefFghHiklmnNopPqrsStTvw"),
    "lockf": Wrapper("t", (), 1),
    "daemonize": Wrapper("aceoplu"),
    "pipenv": Wrapper("", (), 1),
    "poetry": Wrapper("C", (), 1),
    "uv": Wrapper("", ("with", "python", "directory"), 1),
    "bundle": Wrapper("", (), 1),
    "mise": Wrapper("", (), 1),
    "npx": Wrapper("pc", ("package",)),
    "bunx": Wrapper(),
    "pipx": Wrapper("", (), 1),
    "winpty": Wrapper(),
    "arch": Wrapper("", ()),
}
_RUNNERS = {"pipenv": ("run",), "poetry": ("run",), "uv": ("run",), "bundle": ("exec",), "mise": ("exec",),
            "pipx": ("run",), "perf": ("record", "stat", "trace")}  # fmt: skip


def inner(call: Call, words: list[str], stdin: Data | None = None) -> Flow:
    """Run the wrapped command in the same world."""
    from gate.actions.shell.call import invoke

    if not words:
        return Flow([call.world])
    return invoke(Call(call.runner, call.world, words[0], words[1:], stdin or call.stdin, call.sources))


def script(call: Call, source: str, args: list[str] | None = None) -> Flow:
    """Run the source text that a wrapper hands to a shell, in a copy of the world."""
    world = call.world.copy()
    if args:
        world.positional = tuple(args)
    return Flow([call.world], call.runner.script(source, world, call.stdin).data)


def _wrapped(call: Call) -> Flow | Data:
    wrapper = WRAPPERS[call.name]
    parsed = parse(call.args, wrapper.short, wrapper.long, stop=True)
    runs = _RUNNERS.get(call.name)
    if runs and (not parsed.operands or parsed.operands[0] not in runs):
        from gate.actions.shell.clients import by_words

        return by_words(call)
    if parsed.unsure:
        return call.not_understood()
    if call.name == "npx" and parsed.value("c"):
        return script(call, parsed.value("c") or "")
    words = parsed.operands[wrapper.skip :]
    if runs:  # the wrapped command's own options follow those of `run`
        words = parse(words, "", wrapper.long, stop=True).operands
    return inner(call, words)


def _command(call: Call) -> Flow | Data:
    parsed = parse(call.args, "", stop=True)
    if parsed.has("v", "V"):
        return Data("".join(word + "\n" for word in parsed.operands))
    return inner(call, parsed.operands)


def _env(call: Call) -> Flow | Data:
    parsed = parse(
        call.args, "uCS", ("unset", "chdir", "split-string"), stop=True, known="ignore-environment"
    )
    words = list(parsed.operands)
    split = parsed.value("S", "split-string")
    if split is not None:
        words = [*split.split(), *words] if "'" not in split and '"' not in split else [ANY]
    if words and words[0] == "-":
        words.pop(0)
    while words and re.match(r"[A-Za-z_]\w*=", words[0]):
        name, _, value = words.pop(0).partition("=")
        call.world.variables[name] = value
    if not words:
        return Data(None)
    folder = parsed.value("C", "chdir")
    if folder is None:
        return inner(call, words)
    world = call.world.copy()
    from gate.actions.shell.effects import where
    from gate.actions.shell.search import run_words

    world.cwd = next(iter(where(folder, world, call.runner)), None)
    return run_words(call, words, call.stdin, world)


def _escalate(call: Call, user: str | None = None) -> None:
    call.emit("escalate", objects=(call.name, "root", "privilege", *([user] if user else [])))


def _sudo(call: Call) -> Flow | Data:
    long = ("user", "group", "host", "chdir", "chroot", "prompt", "other-user", "role", "type", "close-from")
    known = "login shell background preserve-env list validate edit non-interactive stdin reset-timestamp"
    parsed = parse(call.args, "ugpChDRrtTU", (*long, "command-timeout"), stop=True, known=known)
    _escalate(call, parsed.value("u", "user"))
    words = list(parsed.operands)
    while words and re.match(r"[A-Za-z_]\w*=", words[0]):
        name, _, value = words.pop(0).partition("=")
        call.world.variables[name] = value
    if parsed.unsure:
        return call.not_understood()
    if parsed.has("e", "edit") or call.name == "sudoedit":
        call.emit("write", words)
        return EMPTY
    if not words:  # a root shell reads its commands from the input
        return _from_input(call) if parsed.has("s", "i", "shell", "login") else EMPTY
    folder = parsed.value("D", "chdir")
    if folder is not None:
        from gate.actions.shell.effects import where
        from gate.actions.shell.search import run_words

        world = call.world.copy()
        world.cwd = next(iter(where(folder, world, call.runner)), None)
        return run_words(call, words, call.stdin, world)
    return inner(call, words)


def _from_input(call: Call) -> Flow | Data:
    text = call.stdin.text
    if text == "":
        return EMPTY
    return call.not_understood() if text is None else script(call, text)


def _su(call: Call) -> Flow | Data:
    parsed = parse(call.args, "csgGwT", ("command", "session-command", "shell", "group", "user"))
    operands = [word for word in parsed.operands if word != "-"]
    _escalate(call, operands[0] if operands else "root")
    commands = parsed.all("c", "command", "session-command")
    if commands:
        return script(call, commands[-1])
    return _from_input(call)


def _runuser(call: Call) -> Flow | Data:
    parsed = parse(call.args, "ucsgG", ("user", "command", "session-command", "shell", "group"), stop=True)
    _escalate(call, parsed.value("u", "user"))
    commands = parsed.all("c", "command", "session-command")
    if commands:
        return script(call, commands[-1])
    return inner(call, parsed.operands)


def _pkexec(call: Call) -> Flow | Data:
    parsed = parse(call.args, "u", ("user",), stop=True)
    _escalate(call, parsed.value("user", "u"))
    return inner(call, parsed.operands)


def _flock(call: Call) -> Flow | Data:
    parsed = parse(call.args, "wEc", ("timeout", "wait", "command", "conflict-exit-code"), stop=True)
    rest = parsed.operands[1:]
    if rest[:1] in (["-c"], ["--command"]):
        return script(call, " ".join(rest[1:2]))
    return inner(call, rest)


def _watch(call: Call) -> Flow | Data:
    parsed = parse(call.args, "nq", ("interval",), stop=True)
    return (
        inner(call, parsed.operands) if parsed.has("x", "exec") else script(call, " ".join(parsed.operands))
    )


def _entr(call: Call) -> Flow | Data:
    words = [word for word in call.args if not word.startswith("-")]
    return script(call, " ".join(words)) if "-s" in call.args else inner(call, words)


def _script(call: Call) -> Flow | Data:
    parsed = parse(call.args, "cEIOBTmo", ("command", "log-out", "return"))
    call.emit("write", parsed.operands)
    commands = parsed.all("c", "command")
    return script(call, commands[-1]) if commands else _from_input(call)


def _chroot(call: Call) -> Data:
    """Inside a changed root, /x is root/x."""
    from gate.actions.shell.effects import where
    from gate.actions.shell.search import run_words

    parsed = parse(call.args, "", ("userspec", "groups"), stop=True)
    _escalate(call)
    if len(parsed.operands) < 2:
        return EMPTY
    root, *words = parsed.operands
    places = where(root, call.world, call.runner)
    if not places:
        return call.not_understood()
    if places[-1] == "/":
        return run_words(call, words, call.stdin)
    prefix = places[-1].rstrip("/")
    moved = [prefix + word if word.startswith("/") else word for word in words[1:]]
    if words[0].rpartition("/")[2] in ("sh", "bash", "dash", "ash", "zsh", "ksh"):
        call.not_understood()  # a script's absolute paths are not rewritten
    return run_words(call, [words[0], *moved], call.stdin)


def _namespace(call: Call) -> Flow:
    parsed = parse(call.args, "tSGRw", ("target", "root", "wd", "setuid", "setgid"), stop=True)
    _escalate(call)
    return inner(call, parsed.operands)


def _schedule(call: Call) -> Flow | Data:
    """at and batch read a script; crontab reads lines of which a script is the sixth field."""
    parsed = parse(call.args, "fqtMu")
    source = parsed.value("f")
    data = call.read([source]) if source else call.stdin
    if call.name == "crontab":
        if parsed.has("r"):
            call.emit("delete", objects=("crontab", "schedule"))
        if parsed.has("l", "r", "e"):
            return Data(None)
        data = call.read(parsed.operands) if parsed.operands else call.stdin
    if data.text is None or ANY in data.text:
        return call.not_understood() if data.text is not None or not data.sources else EMPTY
    text = data.text
    if call.name == "crontab":
        text = "\n".join(re.sub(r"^\s*(?:@\w+|(?:\S+\s+){5})", "", line) for line in text.splitlines())
    return script(call, text)


def _systemd_run(call: Call) -> Flow:
    long = (
        "unit",
        "property",
        "on-calendar",
        "on-active",
        "uid",
        "gid",
        "working-directory",
        "setenv",
        "slice",
    )
    parsed = parse(call.args, "pHMuE", (*long, "description", "on-boot", "service-type"), stop=True)
    if not parsed.has("user"):
        _escalate(call, parsed.value("uid"))
    return inner(call, parsed.operands)


_TMUX = word_set(
    """
    new-session new new-window neww split-window splitw run-shell run send-keys send
    respawn-pane if-shell pipe-pane
    """
)


def _terminal(call: Call) -> Flow | Data:
    """tmux and screen: the words after their own options are a command for a shell."""
    args = list(call.args)
    if call.name == "tmux":
        start = next((at for at, word in enumerate(args) if word in _TMUX), None)
        if start is None:
            return EMPTY
        parsed = parse(args[start + 1 :], "scntxyFeEl")
        words = [word for word in parsed.operands if word not in ("Enter", "C-m")]
        return script(call, " ".join(words)) if words else EMPTY
    parsed = parse(args, "SctTehspx", stop=True)
    if parsed.has("X"):
        return script(call, " ".join(parsed.operands[1:]).replace("\\n", "\n").replace("^M", "\n"))
    return inner(call, parsed.operands)


PROGRAMS: dict[str, Handler] = {
    **dict.fromkeys(WRAPPERS, _wrapped),
    "command": _command,
    "env": _env,
    **dict.fromkeys(("sudo", "doas", "sudoedit", "please", "calife", "super"), _sudo),
    **dict.fromkeys(("su", "sux"), _su),
    **dict.fromkeys(("runuser", "setpriv", "gosu", "su-exec"), _runuser),
    **dict.fromkeys(("pkexec", "gksudo", "gksu", "kdesudo", "kdesu", "beesu", "run0"), _pkexec),
    "flock": _flock,
    **dict.fromkeys(("watch", "viddy"), _watch),
    "entr": _entr,
    "script": _script,
    "chroot": _chroot,
    **dict.fromkeys(("nsenter", "unshare"), _namespace),
    **dict.fromkeys(("at", "batch", "crontab"), _schedule),
    "systemd-run": _systemd_run,
    **dict.fromkeys(("tmux", "screen", "byobu"), _terminal),
}  # fmt: skip
