"""Files (kinds `file.read`, `file.write`, `file.delete`): one path or several, as a tool would open them.

`real_path` is where the path led when the caller looked: one further place of the effect, never one less.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.actions.hosts import host_of
from gate.actions.paths import argument, places
from gate.actions.schema import MAX_NAME, optional_text, texts
from gate.errors import BadAction
from gate.model import Facts, Frame

_REMOTE = ("http", "https", "ftp", "sftp", "ssh", "s3", "gs", "smb", "nfs", "webdav", "dav")


def read(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`path` or `paths` (required), `real_path`: files that are read."""
    return _frames("read", _paths(args), args, facts)


def write(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`path` (required), `real_path`, `content`, `mode` or `append`: a file that is written.

    Replacing what a file held by nothing deletes what it held.
    """
    content = args.get("content")
    if content is not None and not isinstance(content, str | bytes | list | dict):
        raise BadAction("content", f"must be text, not {type(content).__name__}")
    appends = args.get("append") is True or optional_text(args, "mode") in ("a", "append", "ab")
    label = "append" if appends else "overwrite"
    frames = _frames("write", _paths(args), args, facts, labels=frozenset({label}), content=content)
    if content == "" and not appends:
        frames += _frames("delete", _paths(args), args, facts, labels=frozenset({"empties"}))
    return frames


def delete(args: Mapping[str, Any], facts: Facts) -> tuple[Frame, ...]:
    """`path` or `paths` (required), `real_path`: what is deleted, with everything below it."""
    return _frames("delete", _paths(args), args, facts, labels=frozenset({"tree"}))


def _paths(args: Mapping[str, Any]) -> tuple[str, ...]:
    found = texts(args, "path", "paths", "file", "files", limit=MAX_NAME)
    if not found or any(not path.strip() for path in found):
        raise BadAction("path", "is required and must not be empty")
    return found


def _real_paths(args: Mapping[str, Any], count: int) -> list[str]:
    """The resolution of each of `count` paths, "" where none was recorded; a single one counts for all."""
    found = texts(args, "real_path", "real_paths", limit=MAX_NAME)
    if len(found) <= 1:
        return [*found, ""][:1] * count
    if len(found) != count:
        raise BadAction("real_path", f"must be one path or {count}, one for each of the paths")
    return list(found)


def _frames(
    act: str,
    paths: tuple[str, ...],
    args: Mapping[str, Any],
    facts: Facts,
    *,
    labels: frozenset[str] = frozenset(),
    content: Any = None,
) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    cwd = optional_text(args, "cwd") or None
    for path, real_path in zip(paths, _real_paths(args, len(paths)), strict=True):
        real, resolved = _place(real_path, facts, cwd) if real_path.strip() else ((), True)
        scheme = path.strip().partition("://")[0].lower()
        if scheme in _REMOTE and "://" in path:
            host = host_of(path)
            missing = frozenset() if host else frozenset({"host"})
            hosts = (host,) if host else ()
            unsure = missing if resolved else missing | {"path"}
            frames.append(
                Frame(act=act, objects=("file",), hosts=hosts, paths=real, unknown=unsure, labels=labels)
            )
            frames.append(Frame(act="connect", objects=("host",), hosts=hosts, unknown=missing))
            if act == "write":
                frames.append(Frame(act="send", objects=("file", "data"), hosts=hosts, unknown=missing))
            continue
        written, sure = _place(path, facts, cwd)
        frames.append(
            Frame(
                act=act,
                objects=("file",),
                paths=tuple(dict.fromkeys((*written, *real))),
                labels=labels,
                unknown=frozenset() if sure and resolved else frozenset({"path"}),
                text=content if isinstance(content, str) else "",
            )
        )
    return tuple(frames)


def _place(path: str, facts: Facts, cwd: str | None) -> tuple[tuple[str, ...], bool]:
    """Where a path leads, and whether that is sure."""
    pattern, sure = argument(path)
    found = places(pattern, facts, cwd=cwd)
    return found, bool(found) and sure
