"""Files put in place whole or not at all, and wiped when their content must not stay."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from store.errors import BadRequest, StoreUnavailable

_BLOCK = 1 << 20


@contextmanager
def placing(target: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield the path of an unfinished file (mode 0600) that becomes `target` when the block ends well.

    Durable before it is renamed, and the rename is too. Raises BadRequest when `target` exists (unless
    `replace`) or its folder does not, StoreUnavailable when that cannot be written.
    """
    if target.exists() and not replace:
        raise BadRequest(f"{target} exists already; nothing was written")
    unfinished = target.with_name(f".{target.name}.unfinished")
    if not target.parent.is_dir():
        raise BadRequest(f"there is no folder {target.parent}; nothing was written")
    try:
        unfinished.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StoreUnavailable(f"cannot write {target}: {error.strerror}") from error
    try:
        yield unfinished
        sync(unfinished)
        unfinished.replace(target)
        sync(target.parent)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {target}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def can_write(path: Path) -> bool:
    """Whether a database there could be changed: SQLite writes beside the file too."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def uri_path(path: Path) -> str:
    """A path as it stands in SQLite's `file:` names."""
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def sync(path: Path) -> None:
    """fsync a file or a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def wipe(path: Path) -> None:
    """Overwrite with zeros, then remove: as far as a file system in place allows."""
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return
    with path.open("r+b") as file:
        for start in range(0, size, _BLOCK):
            file.write(bytes(min(_BLOCK, size - start)))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()


def wipe_folder(folder: Path, *, keep: Collection[str] = ()) -> None:
    """Wipe every file below a folder of derived files, but in its own folders named in `keep`."""
    for path in sorted(folder.rglob("*")):
        if path.relative_to(folder).parts[0] in keep or path.is_symlink():
            continue
        if path.is_file():
            wipe(path)


def beside(path: Path) -> tuple[Path, Path]:
    """The write-ahead log and shared-memory files of a database."""
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


def replaced(path: Path) -> Path:
    """Where the bytes that a new key replaced wait to be wiped."""
    return path.with_name(f".{path.name}.replaced")
