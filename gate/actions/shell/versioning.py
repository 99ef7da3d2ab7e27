"""git and its like: which files a subcommand touches, and which branches of which remote it changes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gate.actions.environments import named
from gate.actions.hosts import remote_of
from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call, where
from gate.actions.shell.marks import ANY, DEEP, has_marks
from gate.actions.shell.options import Parsed, parse
from gate.actions.shell.platforms import put
from gate.actions.shell.state import EMPTY, Data
from gate.actions.vocabulary import word_set

if TYPE_CHECKING:
    from collections.abc import Callable

_GLOBAL_LONG = ("git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env")
MERGED = ("branch", "pull request", "changes", "commit")  # what a merge brings in, whichever way it is done
_DEPLOYS = frozenset(("heroku", "dokku", "piku", "gigalixir"))  # remotes that deploy what is pushed to them
_HISTORY = word_set(
    """
    log show diff status blame shortlog reflog describe grep ls-files ls-tree cat-file rev-parse
    rev-list whatchanged bisect fsck count-objects help version var check-ignore
    """
)  # fmt: skip


def _git(call: Call) -> Data:
    parsed = parse(call.args, "Cc", _GLOBAL_LONG, stop=True)
    aliases: dict[str, str] = {}
    for setting in parsed.all("c"):
        _setting(call, setting, aliases)
    if not parsed.operands:
        return EMPTY
    name, *args = parsed.operands
    inner = call
    folders = [*parsed.all("C"), *parsed.all("work-tree")]
    if folders:
        world = call.world.copy()
        for folder in folders:
            world.cwd = next(iter(where(folder, world, call.runner)), None)
        inner = Call(call.runner, world, "git", call.args, call.stdin, call.sources, call.argv)
    if name in aliases:
        body = aliases[name]
        if body.startswith("!"):
            call.runner.script(body[1:] + " " + " ".join(args), inner.world.copy())
            return EMPTY
        name, *args = [*body.split(), *args]
    if has_marks(name):
        return call.not_understood()
    result = SUBCOMMANDS.get(name, _other)(inner, args)
    if inner is not call:
        call.world.branch = inner.world.branch
    return result or (Data(None) if name in _HISTORY else EMPTY)


def _setting(call: Call, setting: str, aliases: dict[str, str]) -> None:
    key, _, value = setting.partition("=")
    lower = key.lower()
    if lower.startswith("alias."):
        aliases[key[6:]] = value
    elif re.search(
        r"(pager|editor|sshcommand|hookspath|askpass|helper|fsmonitor|textconv|external|cmd|driver)", lower
    ):
        call.runner.script(value.removeprefix("!"), call.world.copy())
    elif lower.startswith(("remote.", "push.", "url.")):
        call.emit("push", objects=("branch",), unknown=("branch", "host"))


def _other(call: Call, args: list[str]) -> None:
    """A subcommand that changes nothing a rule about files, hosts or branches names."""


def _push(call: Call, args: list[str]) -> None:
    long = ("repo", "receive-pack", "exec", "push-option", "force-with-lease", "recurse-submodules")
    known = "force all mirror tags delete dry-run set-upstream prune no-verify follow-tags atomic"
    parsed = parse(
        [word for word in args if not word.startswith("--force-with-lease")], "o", long, known=known
    )
    remote, specs = _remote_and_specs(parsed)
    labels = {f"remote:{remote}"} if remote and not has_marks(remote) else set()
    if (
        parsed.has("f", "force")
        or any("--force" in word for word in args)
        or any(s[:1] == "+" for s in specs)
    ):
        labels.add("force")
    branches: list[str] = []
    deletes = parsed.has("d", "delete")
    unknown: set[str] = {"branch"} if parsed.unsure or (remote and ANY in remote) else set()
    for spec in specs:
        _spec(call, spec, branches, unknown)
        deletes = deletes or spec.lstrip("+").startswith(":")
    if parsed.has("all", "mirror", "branches"):
        branches.append("*")
        deletes = deletes or parsed.has("mirror", "prune")
    elif not specs and not parsed.has("tags"):
        branches.append(call.world.branch) if call.world.branch else unknown.add("branch")
    hosts = [host for host in (remote_of(remote) if remote and not has_marks(remote) else None,) if host]
    labels |= {f"branch:{branch}" for branch in branches}
    objects = ("branch", *branches)
    place = [call.world.cwd + "/" + DEEP] if call.world.cwd and not has_marks(call.world.cwd) else []
    call.emit(
        "push", objects=objects, hosts=hosts, labels=labels, unknown=unknown, extra_paths=_patterns(place)
    )
    _contact(call, hosts, known=remote is None or not has_marks(remote))
    if remote and (named([remote]) or remote in _DEPLOYS):  # `git push production main`
        put(call, ["deploy"], ["git", remote], [])
    crossing = {f"branch:{name}" for spec in specs for name in _into(spec)}
    if crossing:  # what one branch holds goes into another
        call.emit("merge", objects=MERGED, labels=crossing)
    if deletes:
        call.emit("delete", objects=objects, hosts=hosts, labels=labels, unknown=unknown)


def _into(spec: str) -> list[str]:
    """The branch that a refspec fills from another one."""
    source, colon, target = (re.sub(r"^(refs/)?heads/", "", part) for part in spec.lstrip("+").partition(":"))
    return [target] if colon and source and target not in (source, "") and not has_marks(target) else []


def _contact(call: Call, hosts: list[str], *, known: bool) -> None:
    """A remote by its name stands in the repository's configuration: no host that the command chose."""
    labels = ("configured",) if known and not hosts else ()
    call.emit(
        "connect",
        objects=("remote", "network", "access"),
        hosts=hosts,
        labels=labels,
        unknown=() if hosts else ("host",),
    )


def _patterns(words: list[str]) -> list[str]:
    from gate.actions.shell.marks import pattern_of

    return [pattern for word in words if (pattern := pattern_of(word))]


def _remote_and_specs(parsed: Parsed) -> tuple[str | None, list[str]]:
    named = parsed.value("repo")
    if named is not None:
        return named, parsed.operands
    return (parsed.operands[0] if parsed.operands else None), parsed.operands[1:]


def _spec(call: Call, spec: str, branches: list[str], unknown: set[str]) -> None:
    """The branch that a refspec changes on the remote side."""
    source, colon, target = spec.lstrip("+").partition(":")
    name = target if colon else source
    if name.startswith("refs/tags/") or name == "tag":
        return
    name = re.sub(r"^(refs/)?heads/", "", name)
    if name in ("HEAD", "@") and not colon:
        name = call.world.branch or ANY
    if not name or ANY in name:
        unknown.add("branch")
    else:
        branches.append("*" if has_marks(name) or "*" in name else name)


def _switch(call: Call, args: list[str]) -> None:
    """checkout and switch: a branch, or files that lose their changes."""
    parsed = parse([word for word in args if word != "--"], "bBcC", ("orphan", "conflict", "create"))
    created = parsed.value("b", "B", "c", "C", "orphan", "create")
    if "--" in args:
        files = args[args.index("--") + 1 :]
        call.emit("write", files, labels=("overwrite",))
        call.emit("discard", files, objects=("changes",))
    elif created is not None:
        call.world.branch = None if has_marks(created) else created
    elif parsed.operands:
        name = parsed.operands[0]
        call.world.branch = None if has_marks(name) or name == "-" else name
        if name == "." or parsed.has("f", "force"):
            call.emit("discard", ["."], objects=("changes",))
        if len(parsed.operands) > 1 or name == ".":
            call.emit("write", parsed.operands[1:] or ["."], labels=("overwrite",))


def _remove(call: Call, args: list[str]) -> None:
    parsed = parse(args, "", ("pathspec-from-file",))
    if not parsed.has("cached", "n", "dry-run"):
        call.delete(parsed.operands, tree=parsed.has("r"))


def _clean(call: Call, args: list[str]) -> None:
    parsed = parse(args, "e", ("exclude",))
    if not parsed.has("n", "dry-run"):
        call.delete(parsed.operands or ["."], tree=True)


def _reset(call: Call, args: list[str]) -> None:
    parsed = parse(args)
    if parsed.has("hard", "merge"):
        call.emit("discard", ["."], objects=("changes", "commit"), labels=("tree",))
        call.emit("write", ["./" + DEEP], labels=("overwrite",))


def _restore(call: Call, args: list[str]) -> None:
    parsed = parse(args, "s", ("source",))
    if not parsed.has("S", "staged") or parsed.has("W", "worktree"):
        call.emit("discard", parsed.operands, objects=("changes",))
        call.emit("write", parsed.operands, labels=("overwrite",))


def _move(call: Call, args: list[str]) -> None:
    operands = parse(args).operands
    if len(operands) > 1:
        call.emit("move", operands, labels=("local",))
        call.delete(operands[:-1], tree=True)
        call.emit("write", operands[-1:])


def _branch(call: Call, args: list[str]) -> None:
    parsed = parse(
        args, "utc", ("set-upstream-to", "contains", "merged", "no-merged", "sort", "format", "list")
    )
    if parsed.has("d", "D", "delete"):
        names = parsed.operands
        call.emit("delete", objects=("branch", *names), labels={f"branch:{name}" for name in names})
    elif parsed.has("m", "M", "move"):
        call.emit(
            "rename", objects=("branch", *parsed.operands), labels={f"branch:{n}" for n in parsed.operands}
        )
    elif parsed.operands:
        call.emit("create", objects=("branch", *parsed.operands[:1]))


def _tag(call: Call, args: list[str]) -> None:
    parsed = parse(args, "muF", ("message", "file", "list", "contains", "sort", "format"))
    if parsed.operands and not parsed.has("l", "list", "v", "verify"):
        act = "delete" if parsed.has("d", "delete") else "create"
        call.emit(
            act, objects=("tag", *parsed.operands[:1]), labels={f"tag:{n}" for n in parsed.operands[:1]}
        )


def _commit(call: Call, args: list[str]) -> None:
    parsed = parse(args, "mFCct", ("message", "file", "author", "date", "fixup", "squash", "template"))
    labels = {f"branch:{call.world.branch}"} if call.world.branch else set()
    unknown = () if call.world.branch else ("branch",)
    message = "\n".join(parsed.all("m", "message"))
    call.emit(
        "do:commit", objects=("branch", "commit", "changes"), labels=labels, unknown=unknown, text=message
    )


def _merge(call: Call, args: list[str]) -> None:
    parsed = parse(args, "mXs", ("message", "strategy"))
    if parsed.has("abort", "quit", "continue"):
        return
    _brought_in(call, parsed.operands)


def _brought_in(call: Call, sources: list[str]) -> None:
    """What other branches hold comes into the present one."""
    labels = {f"branch:{call.world.branch}"} if call.world.branch else set()
    labels |= {
        f"from:{re.sub(r'^(refs/)?(heads|remotes)/', '', word)}" for word in sources if not has_marks(word)
    }
    unknown = () if call.world.branch else ("branch",)
    call.emit("merge", objects=(*MERGED, *sources), labels=labels, unknown=unknown)


def _fetch(call: Call, args: list[str]) -> None:
    parsed = parse(args, "bojcu", ("branch", "depth", "origin", "jobs", "config", "upload-pack", "reference"))
    for command in parsed.all("upload-pack", "u"):
        call.runner.script(command, call.world.copy())
    hosts = [host for host in map(remote_of, (w for w in parsed.operands[:1] if not has_marks(w))) if host]
    _contact(call, hosts, known=not any(map(has_marks, parsed.operands[:1])))
    if len(parsed.operands) > 1 and "/" in parsed.operands[-1] and hosts:
        call.emit("write", [parsed.operands[-1]])


def _pull(call: Call, args: list[str]) -> None:
    _fetch(call, args)
    branches = parse(args, "jsX", ("depth", "strategy", "strategy-option")).operands[1:]
    others = [name for name in branches if name != call.world.branch]
    if others:
        _brought_in(call, others)


def _config(call: Call, args: list[str]) -> None:
    operands = parse(args, "f", ("file", "type", "default")).operands
    if len(operands) > 1:
        _setting(call, f"{operands[0]}={operands[1]}", {})
        call.emit("change", objects=("git config", "setting", operands[0]))


def _bisect(call: Call, args: list[str]) -> None:
    """`bisect run` and `grep -O` hand a command to the shell."""
    from gate.actions.shell.search import run_words

    if args[:1] == ["run"]:
        run_words(call, args[1:], EMPTY)


def _grep(call: Call, args: list[str]) -> None:
    for word in args:
        for option in ("-O", "--open-files-in-pager="):
            if word.startswith(option):
                call.runner.script(word[len(option) :], call.world.copy())


def _submodule(call: Call, args: list[str]) -> None:
    if args[:1] == ["foreach"]:
        call.runner.script(
            " ".join(word for word in args[1:] if not word.startswith("--")), call.world.copy()
        )
    elif args[:1] == ["deinit"]:
        call.delete(parse(args[1:]).operands, tree=True)


def _worktree(call: Call, args: list[str]) -> None:
    operands = parse(args[1:]).operands
    if args[:1] == ["remove"]:
        call.delete(operands, tree=True)
    elif args[:1] == ["add"]:
        call.emit("create", operands[:1], objects=("worktree",))


def _stash(call: Call, args: list[str]) -> None:
    if args[:1] in (["drop"], ["clear"]):
        call.emit("delete", objects=("stash", "changes"))
    elif not args or args[0] in ("push", "save", "-u", "-a"):
        call.emit("change", ["."], objects=("changes",))


def _rewrite(call: Call, args: list[str]) -> None:
    """rebase and filter-branch can run commands."""
    parsed = parse(
        args,
        "x",
        ("exec", "onto", "tree-filter", "index-filter", "msg-filter", "env-filter", "commit-filter"),
    )
    for command in parsed.all(
        "x", "exec", "tree-filter", "index-filter", "msg-filter", "env-filter", "commit-filter"
    ):
        call.runner.script(command, call.world.copy())
    if parsed.operands and not parsed.has("abort", "continue", "skip"):
        _brought_in(call, parsed.operands[:1])
    call.emit("change", objects=("history", "commit", "branch"), labels=())


SUBCOMMANDS: dict[str, Callable[[Call, list[str]], Data | None]] = {
    "push": _push,
    "send-pack": _push,
    "checkout": _switch,
    "switch": _switch,
    "rm": _remove,
    "clean": _clean,
    "reset": _reset,
    "restore": _restore,
    "mv": _move,
    "branch": _branch,
    "tag": _tag,
    "commit": _commit,
    "merge": _merge,
    "fetch": _fetch,
    "pull": _pull,
    "clone": _fetch,
    "ls-remote": _fetch,
    "config": _config,
    "bisect": _bisect,
    "grep": _grep,
    "submodule": _submodule,
    "worktree": _worktree,
    "stash": _stash,
    "rebase": _rewrite,
    "filter-branch": _rewrite,
    "filter-repo": _rewrite,
}


def _hg(call: Call) -> None:
    operands = parse(call.args, "R", ("cwd",)).operands
    verb, rest = operands[:1], operands[1:]
    if verb in (["rm"], ["remove"], ["delete"], ["del"], ["purge"]):
        call.delete(rest or ["."], tree=True)
    elif verb in (["push"], ["commit"], ["ci"]):
        call.emit(
            "push" if verb == ["push"] or call.name == "svn" else "do:commit", objects=("branch", "commit")
        )


PROGRAMS: dict[str, Handler] = {"git": _git, "hub": _git, **dict.fromkeys(("hg", "svn", "bzr"), _hg)}
