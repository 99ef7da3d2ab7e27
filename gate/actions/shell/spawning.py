"""Options through which ordinary programs run a command, and programs whose own scripts can (GTFOBins).

A reader of files or a viewer is harmless until one of these stands in its line; then what it runs is read
like any other command, or is not understood where the program has a language of its own.
"""

from __future__ import annotations

import re

from gate.actions.shell.effects import Call

# program -> options whose value is a shell command
COMMAND_OPTIONS: dict[str, tuple[str, ...]] = {
    "man": ("-P", "--pager"),
    "sort": ("--compress-program",),
    "split": ("--filter",),
    "zip": ("-TT", "--unzip-command"),
    "tcpdump": ("-z",),
    "ansible": ("-a", "--args"),
    "salt-ssh": ("-r", "--raw"),
    "vagrant": ("-c", "--command"),
    "gcloud": ("--command",),
    "fly": ("-C", "--command"),
    "flyctl": ("-C", "--command"),
    "nix-shell": ("--run", "--command"),
    "hyperfine": ("-p", "--prepare", "-c", "--cleanup", "-s", "--setup"),
    "fzf": ("--preview",),
    "rg": ("--pre",),
    "rsync": ("--rsync-path",),
    "inotifywait": ("--exec",),
    "nodemon": ("-x", "--exec"),
    "pm2": ("--cmd",),
    "git": ("--upload-pack", "--receive-pack", "--exec"),
    "sshfs": ("-o",),
}
# program -> options whose value is a program in a language of its own
OPAQUE_OPTIONS: dict[str, tuple[str, ...]] = {
    "expect": ("-c", "-f"),
    "gdb": ("-ex", "-eval-command", "--eval-command", "-iex", "-x", "--command"),
    "lldb": ("-o", "-O", "-s", "--one-line"),
    "emacs": ("--eval", "-eval", "--execute", "-l", "--load", "--script"),
    "mutt": ("-e",),
    "neomutt": ("-e",),
    "nmap": ("--script",),
    "gnuplot": ("-e",),
    "octave": ("--eval",),
    "R": ("-e",),
    "julia": ("-e", "-E", "--eval"),
    "ghc": ("-e",),
    "scala": ("-e",),
    "guile": ("-c",),
    "sbcl": ("--eval",),
    "elixir": ("-e", "--eval"),
    "erl": ("-eval",),
    "swift": ("-e",),
    "nu": ("-c", "--commands"),
    "xonsh": ("-c",),
    "elvish": ("-c",),
    "apt": ("-o",),
    "apt-get": ("-o",),
}
# program -> the words after which the rest of the line is a command on this or another machine
REMAINDERS: dict[str, tuple[str, ...]] = {
    "heroku": ("run", "--"),
    "lxc": ("--",),
    "lxc-attach": ("--",),
    "incus": ("--",),
    "multipass": ("--",),
    "adb": ("shell",),
    "wsl": ("--", "-e", "--exec"),
    "conda": ("run",),
    "mamba": ("run",),
    "direnv": ("exec",),
    "pdm": ("run",),
    "hatch": ("run",),
    "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"),
    "npm": ("exec", "x", "--"),
    "rbenv": ("exec",),
    "pyenv": ("exec",),
    "asdf": ("exec",),
    "machinectl": ("shell",),
    "distrobox": ("--", "-e"),
    "toolbox": ("run",),
    "flatpak-spawn": ("--host",),
    "docker-machine": ("ssh",),
    "pdsh": ("-w",),
    "clush": ("-w",),
    "dsh": ("-m",),
    "pssh": ("-H",),
    "salt": ("cmd.run",),
}


def spawned(call: Call) -> None:
    """Put the frames of the commands that options of `call` would run."""
    program = call.name
    if program in ("less", "more", "view", "most"):
        for word in call.args:
            if word.startswith("+") and "!" in word:
                call.runner.script(word.partition("!")[2], call.world.copy())
    for value in _values(call.args, COMMAND_OPTIONS.get(program, ())):
        call.runner.script(value, call.world.copy())
    for value in _values(call.args, OPAQUE_OPTIONS.get(program, ())):
        if not program.startswith("apt") or re.search(r"(?i)invoke|::", value):
            call.not_understood()
    for marker in REMAINDERS.get(program, ()):
        if marker in call.args:
            rest = call.args[call.args.index(marker) + 1 :]
            if (
                marker in ("-w", "-m", "-H", "exec")
                and rest
                and program in ("pdsh", "clush", "dsh", "pssh", "direnv")
            ):
                rest = rest[1:]  # the hosts or the folder stand before the command
            _run(call, [word for word in rest if program != "machinectl" or not word.endswith("@")])
            break


def _run(call: Call, words: list[str]) -> None:
    from gate.actions.shell.search import run_words

    while words and words[0].startswith("-"):
        words = words[1:]
    if call.name == "machinectl":
        call.emit("escalate", objects=("machinectl", "root", "privilege"))
    if len(words) == 1 and " " in words[0]:
        call.runner.script(words[0], call.world.copy())
    elif words:
        run_words(call, words, call.stdin)


def _values(args: list[str], options: tuple[str, ...]) -> list[str]:
    """The values of options, given as the next word, after `=`, or attached to a letter."""
    found: list[str] = []
    for index, word in enumerate(args):
        for option in options:
            if word == option:
                found += args[index + 1 : index + 2]
            elif word.startswith(option + "="):
                found.append(word[len(option) + 1 :])
            elif len(option) == 2 and word.startswith(option) and not word.startswith("--"):
                found.append(word[2:])
    return found


SPAWNS = frozenset((*COMMAND_OPTIONS, *OPAQUE_OPTIONS, *REMAINDERS, "less", "more", "view", "most"))
