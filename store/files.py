"""Files put in place whole or not at all, and wiped when their content must not stay."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from store.errors import BadRequest, StoreUnavailable

_BLOCK = 1 << 20


@contextmanager
def placing(target: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield the path of an unfinished file (mode 0600) that becomes `target` when the block ends well.

    Durable before it gets its name, and the name is too; what is not finished is wiped. Raises BadRequest
    when `target` exists (unless `replace`) or its folder does not, StoreUnavailable when that cannot be
    written.
    """
    if os.path.lexists(target) and not replace:
        raise BadRequest(f"{target} exists already; nothing was written")
    unfinished = unfinished_of(target)
    if not target.parent.is_dir():
        raise BadRequest(f"there is no folder {target.parent}; nothing was written")
    try:
        for left in (unfinished, *journals(unfinished)):  # of a program that was stopped
            wipe(left)
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StoreUnavailable(f"cannot write {target}: {error.strerror}") from error
    try:
        yield unfinished
        _must_be_all(unfinished, target)
        sync(unfinished)
        if replace:
            unfinished.replace(target)
        else:
            _give_name(unfinished, target)
        sync(target.parent)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {target}: {error.strerror}") from error
    finally:
        for left in (unfinished, *journals(unfinished)):
            with suppress(OSError):
                wipe(left)


def _must_be_all(unfinished: Path, target: Path) -> None:
    """A database that still has a journal when it was closed is not whole without it: SQLite says nothing
    when, on a full disk, it cannot fold that in at the last closing. Raises StoreUnavailable."""
    log, _, journal = journals(unfinished)
    if any(left.exists() and left.stat().st_size for left in (log, journal)):
        raise StoreUnavailable(f"cannot write {target}: the disk is full or failed; nothing was kept")


def _give_name(unfinished: Path, target: Path) -> None:
    """Rename, but never onto a file that somebody made meanwhile."""
    try:
        os.link(unfinished, target)
    except FileExistsError as error:
        raise BadRequest(f"{target} exists already; nothing was written") from error
    except OSError:  # a file system without links
        unfinished.rename(target)
    else:
        unfinished.unlink()


def real(path: Path | str) -> Path:
    """The file that a path leads to, absolute; a link that leads nowhere names where it leads."""
    return Path(os.path.realpath(Path(path).expanduser()))


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
    """Overwrite with zeros, then remove: as far as a file system in place allows. A link is only removed."""
    with suppress(FileNotFoundError):
        if path.is_symlink():
            path.unlink()
            return
        with path.open("r+b") as file:
            for start in range(0, size := os.fstat(file.fileno()).st_size, _BLOCK):
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


def journals(path: Path) -> tuple[Path, Path, Path]:
    """Whatever SQLite may leave beside a database when it is stopped."""
    return (*beside(path), path.with_name(path.name + "-journal"))


def unfinished_of(path: Path) -> Path:
    """What a file is called until it is whole."""
    return path.with_name(f".{path.name}.unfinished")


def replaced(path: Path) -> Path:
    """Where the bytes that a new key replaced wait to be wiped."""
    return path.with_name(f".{path.name}.replaced")


def kept_copies(path: Path) -> list[Path]:
    """The copies that migrations kept of this store, as it was in earlier formats."""
    return sorted(path.parent.glob(f"{glob.escape(path.name)}.format-*"))


def wipe_leftovers(path: Path) -> None:
    """Wipe what a program left that was stopped while it gave the store at `path` a new key. Only for who
    has the store open, so that nobody can be at it now.
    """
    old = replaced(path)
    with suppress(FileNotFoundError):
        if old.samefile(path):  # it was stopped before the new file took the place: these are the store
            old.unlink()
    own = journals(path)[-1]  # who is alone in the file has one; with a write-ahead log there is none
    for left in (old, own, unfinished_of(path), *journals(unfinished_of(path))):
        wipe(left)
