"""Whether the store's file is still the one that was opened.

A file that is removed while it is open can still be written, and all of it is gone when the process ends: an
acknowledgement would be untrue.
"""

from __future__ import annotations

from pathlib import Path

from partner.errors import StoreGone


class Presence:
    """Looks at one store; a store in memory or on a server has no file and is always there."""

    def __init__(self, target: str) -> None:
        self._path = Path(target).expanduser()
        self._opened = None if "://" in target else self._identity()

    def check(self) -> None:
        """Raises StoreGone where the file is gone or another lies in its place."""
        if self._opened is None:
            return
        found = self._identity()
        if found == self._opened:
            return
        what = "has been removed" if found is None else "has been replaced by another file"
        raise StoreGone(
            f"The store {self._path} {what} while it was open here.\n"
            "Nothing more is kept: leave with /exit, and put the file, or a backup of it, back in its place."
        )

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino
