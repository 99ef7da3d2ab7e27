"""What a file is, from its first bytes: looked at before anything opens it, without a database library."""

from __future__ import annotations

import stat
from pathlib import Path

from store.errors import NewerFormat, NotAStore, StoreUnavailable
from store.files import beside
from store.sqlite.handles import first_bytes

APPLICATION_ID = 0x656E6772  # "engr", at offset 68 of the file
FORMAT_NUMBER = 2
MAGIC = b"SQLite format 3\x00"
PAGE = 4096
SALT_BYTES = 16


def inspect(path: Path) -> str:
    """Say what is at `path`: 'absent', 'empty', 'plain' or 'sealed' (whole-file encryption).

    Raises NotAStore for a folder, another kind of file, or another program's database; NewerFormat for a
    later version of this one.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return "absent"
    except OSError as error:
        raise StoreUnavailable(f"cannot read {path}: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise NotAStore(f"{path} is not a file, so it is not a store; give the path of an identity file")
    if status.st_size == 0:
        return "empty"
    try:
        first = first_bytes(path, 100)
    except OSError as error:
        raise StoreUnavailable(f"cannot read {path}: {error.strerror}") from error
    if first.startswith(MAGIC):
        _check_plain(path, first)
        return "plain"
    text_like = all(byte in b"\t\r\n" or 32 <= byte < 127 for byte in first)
    if status.st_size % PAGE or text_like:
        raise NotAStore(f"{path} is not a store; nothing was changed")
    return "sealed"


def _check_plain(path: Path, first: bytes) -> None:
    if len(first) < 100:
        raise NotAStore(f"{path} is cut short and is not a store any more; restore a backup")
    application, number = int.from_bytes(first[68:72], "big"), int.from_bytes(first[60:64], "big")
    # another process may be making it just now: then its first page is empty, or all is in the journal
    young = beside(path)[0].exists() or path.stat().st_size <= PAGE
    fresh = application == 0 and number == 0 and young
    if application != APPLICATION_ID and not fresh:
        raise NotAStore(f"{path} is a SQLite database of another program, not a store; nothing was changed")
    check_format(path, number)


def check_format(path: Path, number: int) -> None:
    if number > FORMAT_NUMBER:
        raise NewerFormat(
            f"{path} was written by a newer version (store format {number}, this program reads up to "
            f"{FORMAT_NUMBER}); update this program, nothing was changed"
        )


def read_salt(path: Path) -> bytes:
    """The salt that an encrypted file begins with."""
    return first_bytes(path, SALT_BYTES)
