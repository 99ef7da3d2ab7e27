"""A store's first bytes, read without losing the locks that SQLite holds on it in this process.

Closing any descriptor of a file drops every POSIX lock that the process has on it, whoever took it (fcntl(2);
sqlite.org/howtocorrupt.html, section 2.2). So while a handle is open here, the descriptor that looked is kept
until the last such handle is closed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

FileKey = tuple[int, int]  # device, inode


@dataclass(slots=True)
class _Use:
    handles: int = 0
    descriptors: list[int] = field(default_factory=list)


_guard = threading.Lock()
_uses: dict[FileKey, _Use] = {}


def file_key(path: Path) -> FileKey | None:
    """Which file stands at `path`; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def holding(path: Path) -> Callable[[], None]:
    """Take note that SQLite is about to open `path` here; call the answer when it has closed it."""
    key = file_key(path)
    if key is None:
        return lambda: None
    with _guard:
        _uses.setdefault(key, _Use()).handles += 1
    pending = [key]

    def release() -> None:
        with _guard:
            if not pending:
                return
            use = _uses[pending.pop()]
            use.handles -= 1
            if use.handles == 0:
                del _uses[key]
                for descriptor in use.descriptors:
                    os.close(descriptor)

    return release


def first_bytes(path: Path, size: int) -> bytes:
    """Up to `size` bytes that the file begins with; raises OSError."""
    with _guard:
        known = file_key(path)
        if known in _uses and _uses[known].descriptors:
            return os.pread(_uses[known].descriptors[0], size, 0)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        status = os.fstat(descriptor)  # of what was opened, should another file have taken the place
        use = _uses.get((status.st_dev, status.st_ino))
        try:
            return os.pread(descriptor, size, 0)
        finally:
            if use is None:
                os.close(descriptor)
            else:
                use.descriptors.append(descriptor)
