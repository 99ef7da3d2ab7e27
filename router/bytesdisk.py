"""diskcache's storage without pickle: what is not str, bytes or a number is refused both ways."""

from __future__ import annotations

from typing import Any

import diskcache
from diskcache.core import MODE_PICKLE


class BytesDisk(diskcache.Disk):
    """Refuses to write and to read pickles, so a planted file can never run code."""

    def put(self, key: Any) -> Any:
        if not isinstance(key, str):
            raise TypeError("a cache key is a str")
        return super().put(key)

    def store(self, value: Any, read: bool, key: Any = diskcache.UNKNOWN) -> Any:
        if not isinstance(value, bytes):
            raise TypeError("the cache holds bytes only")
        return super().store(value, read, key=key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == MODE_PICKLE:
            raise ValueError("the cache holds a pickle, which is not read")
        return super().fetch(mode, filename, value, read)

    def get(self, key: Any, raw: bool) -> Any:
        if not raw:
            raise ValueError("the cache holds a pickled key, which is not read")
        return super().get(key, raw)
