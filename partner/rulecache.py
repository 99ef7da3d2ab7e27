"""The file that keeps compiled rules from one start to the next (gate/kept.py), signed by the store.

Whoever can change this file could otherwise make a rule weaker without touching the signed log. So nothing in
it is looked at before the store's own device is found to have signed exactly these bytes, as rules of this
very store. A file that is missing, damaged, of another store or signed by nobody is as good as none: the
sentences are compiled, and it is written anew. An older file that the store did sign does no harm either:
what is in it is found only under the sentence, the lexicon and the compiler that it was made with, and which
rules hold is read from the log alone.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import StoreError
from store.files import placing

if TYPE_CHECKING:
    from gate.kept import KeptRules
    from store import Store

KIND = "compiled rules"
_MAGIC = b"compiled rules 1\n"
_SIGNATURE = 64  # bytes of Ed25519
_MOST = 256 * 1024**2  # bytes of a file that is read at all


class RuleCache:
    """Kept rules of one store, in a file of their own below `folder`."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._path = folder / f"{store.identity.store_id}.json"
        self._store = store

    def read(self) -> KeptRules:
        """What is kept; empty where it is not certain that this store wrote it."""
        from gate.kept import KeptRules

        body = self._body()
        if body is None:
            return KeptRules()
        try:
            return KeptRules.of(body)
        except (ValueError, KeyError, TypeError):  # signed, but of a form that is not known here
            return KeptRules()

    def write(self, kept: KeptRules) -> None:
        """Keep them, readable by the operator alone; left out where nothing can be signed or written."""
        body = kept.to_bytes()
        signature = self._store.vouch(KIND, hashlib.sha256(body).digest())
        if signature is None:
            return
        with suppress(OSError, StoreError):  # a full disk: the rules are compiled all the same
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with placing(self._path, replace=True) as unfinished:
                unfinished.write_bytes(_MAGIC + signature + body)

    def _body(self) -> bytes | None:
        try:
            if self._path.stat().st_size > _MOST:
                return None
            data = self._path.read_bytes()
        except OSError:
            return None
        signature, body = data[len(_MAGIC) :][:_SIGNATURE], data[len(_MAGIC) + _SIGNATURE :]
        if not data.startswith(_MAGIC):
            return None
        return body if self._store.vouched(KIND, hashlib.sha256(body).digest(), signature) else None
