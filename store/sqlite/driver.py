"""The DB-API driver: SQLCipher's library (SQLite 3.53), since the system's 3.40 can corrupt a WAL.

Loaded by name because the extension module ships no types.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

dbapi2: Any = import_module("sqlcipher3.dbapi2")
