"""Paths as a constraint compares them: absolute, lexically normalised, with links as recorded facts.

A path in a frame is a pattern: `*` and `?` stand for what a glob could name, `**` for any depth, and a
literal one of these characters is written with a backslash. Nothing here looks at a file system.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import unquote

from gate.actions.spelling import without_lookalikes
from gate.model import Facts, Truth

_META = re.compile(r"[\\*?]")
_WILD = re.compile(r"(?<!\\)(?:\\\\)*[*?]")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PROC_ROOT = re.compile(r"/proc/(?:self|thread-self|\d+)(?:/task/\d+)?/root(?=/|$)")
_PROC_CWD = re.compile(r"/proc/(?:self|thread-self)/cwd(?=/|$)")
_VARIABLE = re.compile(r"\$\{?[A-Za-z_]|%[A-Za-z_]+%")
_MAX_LINKS = 16


def literal(text: str) -> str:
    """`text` as a pattern that means only itself."""
    return _META.sub(r"\\\g<0>", text) if _META.search(text) else text


def normalise(pattern: str, *, cwd: str | None = None, home: str | None = None) -> str | None:
    """The absolute, lexically normalised form of a path pattern; None when a fact for it is missing.

    `.`, `..`, doubled and trailing slashes go; `~` is `home`; a relative path stands on `cwd`. Windows
    paths become `/c:/...` in lower case. `..` above the root stays at the root, as in POSIX.
    """
    if _DRIVE.match(pattern) or pattern.startswith("\\\\"):
        pattern = "/" + pattern.replace("\\", "/").lower().lstrip("/")
    if pattern == "~" or pattern.startswith("~/"):
        if home is None:
            return None
        pattern = home + pattern[1:]
    elif pattern.startswith("~"):
        name, _, rest = pattern[1:].partition("/")
        if name != "root" and (home is None or home.rpartition("/")[2] != name):
            return None  # another account's folder is the system's to tell
        pattern = ("/root" if name == "root" else str(home)) + "/" + rest
    if not pattern.startswith("/"):
        if cwd is None or not pattern:
            return None
        pattern = cwd + "/" + pattern
    if "/." not in pattern and "//" not in pattern and not pattern.startswith("/proc/"):
        return pattern.rstrip("/") or "/"
    clean = _collapse(pattern)
    if clean.startswith("/proc/"):
        clean = _PROC_ROOT.sub("", clean, count=1) or "/"
        if _PROC_CWD.match(clean):
            if cwd is None:
                return None
            clean = _collapse(cwd + _PROC_CWD.sub("", clean, count=1))
    return clean


def _collapse(pattern: str) -> str:
    kept: list[str] = []
    for part in pattern.split("/"):
        if part == "..":
            if kept:
                kept.pop()
        elif part and part != ".":
            kept.append(part)
    return "/" + "/".join(kept)


def places(pattern: str, facts: Facts, *, cwd: str | None = None) -> tuple[str, ...]:
    """Every place that a path means: as written, where its links lead, and what it imitates.

    Empty when the place is unknown (a relative path without `cwd`, `~` without `home`, links in a ring).
    """
    here = cwd if cwd is not None else facts.cwd
    written = normalise(pattern, cwd=here, home=facts.home)
    if written is None:
        return ()
    found = [written]
    if facts.real_paths:
        real = resolve(written, facts.real_paths)
        if real is None:
            return ()
        found.append(real)
    if not written.isascii():
        imitated = "/".join(without_lookalikes(part) or part for part in written.split("/"))
        found.append(_collapse(imitated))
    return tuple(dict.fromkeys(found))


def resolve(path: str, real_paths: Mapping[str, str]) -> str | None:
    """Follow recorded links, the deepest known ancestor first; None when they form a ring."""
    for _ in range(_MAX_LINKS):
        head, tail = path, ""
        while head and head not in real_paths:
            head, _, last = head.rpartition("/")
            tail = "/" + last + tail
        target = real_paths.get(head) if head else None
        if target is None or target == head:
            return path
        path = _collapse(target + tail)
    return None


def argument(path: str) -> tuple[str, bool]:
    """A path argument of a tool as (pattern, sure). Tools differ in what they expand, so a `*` is taken
    as a glob, `file://` is undone, and a variable other than HOME makes the place unsure."""
    text = path.strip() if path.strip().startswith(("/", "~", "file:")) else path
    if text.lower().startswith("file:"):
        text = "/" + unquote(re.sub(r"(?i)^file:(//(localhost)?)?", "", text)).lstrip("/")
    text = re.sub(r"^(\$HOME|\$\{HOME\})(?=/|$)", "~", text)
    return text, not _VARIABLE.search(text)


def is_wild(pattern: str) -> bool:
    """Whether the pattern can name more than one path."""
    return ("*" in pattern or "?" in pattern) and _WILD.search(pattern) is not None


def touches(path: str, root: str, tree: bool) -> Truth:
    """Whether an effect at `path` reaches something at or below `root`.

    With `tree` the effect reaches everything below `path`, so an ancestor of `root` touches it too.
    UNKNOWN when a glob may or may not name it.
    """
    if not is_wild(path) and not is_wild(root):
        below = root == "/" or path == root or path.startswith(root + "/")
        above = tree and (path == "/" or root.startswith(path + "/"))
        return Truth.TRUE if below or above else Truth.FALSE
    ours, theirs = _parts(path), _parts(root)
    sure = True
    for mine, other in zip(ours, theirs, strict=False):
        same = _meet(mine, other)
        if same is Truth.FALSE:
            return Truth.FALSE
        if "**" in (mine, other):
            return Truth.UNKNOWN
        sure = sure and same is Truth.TRUE
    if len(ours) < len(theirs) and not tree:
        return Truth.FALSE
    return Truth.TRUE if sure else Truth.UNKNOWN


def _meet(mine: str, other: str) -> Truth:
    """Whether a component of a path is one that a rule's component names; either may be a glob."""
    if "**" in (mine, other):
        return Truth.UNKNOWN
    if not is_wild(mine):
        named = _component(other).fullmatch(mine.replace("\\", "")) if is_wild(other) else mine == other
        return Truth.TRUE if named else Truth.FALSE
    if is_wild(other):
        return Truth.TRUE if mine == other else Truth.UNKNOWN
    return Truth.UNKNOWN if _component(mine).fullmatch(other.replace("\\", "")) else Truth.FALSE


def inside(path: str, root: str) -> Truth:
    """Whether everything that `path` can name lies at or below `root`."""
    if root == "/" or path == root or path.startswith(root + "/"):
        return Truth.TRUE
    return touches(path, root, False)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


@lru_cache(maxsize=1024)
def _component(pattern: str) -> re.Pattern[str]:
    """One path component as a regular expression; runs of `*` count once, so matching stays linear."""
    out: list[str] = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        if char == "\\" and index + 1 < len(pattern):
            index += 1
            out.append(re.escape(pattern[index]))
        elif char == "*":
            if not out or out[-1] != "[^/]*":
                out.append("[^/]*")
        else:
            out.append("[^/]" if char == "?" else re.escape(char))
        index += 1
    return re.compile("".join(out[:64]) + ("[^/]*" if len(out) > 64 else ""), re.DOTALL)
