"""What protects a file, found out in a millisecond: whether a passphrase is to be asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from store.files import beside, can_write, uri_path
from store.keys import SEED_BYTES
from store.sqlite.driver import dbapi2
from store.sqlite.marks import inspect

Protection = Literal["none", "keys", "file"]


def protection_of(path: Path) -> Protection:
    """`file`: encrypted whole, opens with its passphrase only. `keys`: opens, the passphrase is needed to
    write. Of a file that cannot be read as a store: `none`, since opening it says what is the matter.

    Raises NotAStore and NewerFormat, as opening does.
    """
    found = inspect(path)
    if found != "plain":
        return "file" if found == "sealed" else "none"
    still = "" if can_write(path) or beside(path)[1].exists() else "&immutable=1"
    try:
        connection = dbapi2.connect(f"file:{uri_path(path)}?mode=ro{still}", uri=True)
    except dbapi2.Error:
        return "none"
    try:
        rows = connection.execute("SELECT length(value) FROM meta WHERE key LIKE 'secret:%'").fetchall()
    except dbapi2.Error:
        return "none"
    finally:
        connection.close()
    return "keys" if any(length != SEED_BYTES for (length,) in rows) else "none"
