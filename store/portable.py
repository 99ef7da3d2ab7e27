"""One portable file of a whole store: JSON lines that any program can read; see FORMAT.md.

A manifest, the entries in order, vectors, accesses, and a last line with the count and SHA-256 of all before
it, so that a cut or damaged file is never taken for a whole one.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store import chain
from store.canonical import canonical, parse
from store.files import placing
from store.port import LogEntry

if TYPE_CHECKING:
    from store.store import Store

EXPORT_FORMAT = "engram-export/1"
KEPT_META = ("format", "store_id", "root_key", "device", "head", "hebbian")
_BATCH = 500


def export_store(store: Store, target: Path | str, *, keys: bool = True) -> Path:
    """Write everything a store holds to one new file, mode 0600.

    With `keys` the signing key goes along (sealed if it is), so that the import can go on writing as the
    same identity; without, what is imported can be read and verified. Raises BadRequest when it exists,
    StoreDamaged where an entry is not what was written.
    """
    path = Path(target).expanduser()
    with store.unchanging(), placing(path) as unfinished, unfinished.open("wb") as file:
        digest, lines = hashlib.sha256(), 0
        for line in _lines(store, keys=keys):
            data = canonical(line) + b"\n"
            digest.update(data)
            lines += 1
            file.write(data)
        file.write(canonical({"end": {"lines": lines, "sha256": digest.hexdigest()}}) + b"\n")
    return path


def _lines(store: Store, *, keys: bool) -> Iterator[dict[str, Any]]:
    log = store.backend
    kept = {key: log.meta(key) for key in KEPT_META}
    meta = {key: value for key, value in kept.items() if value is not None} | log.metas("device:")
    if keys:
        meta |= log.metas("secret:")
    yield {"format": EXPORT_FORMAT, "meta": {key: _b64(value) for key, value in meta.items()}}
    for entry in store.proved_entries():
        yield {"entry": entry_json(entry)}
    for model, _ in log.models():
        for _, seq, _, blob in log.vectors(model):
            yield {"vector": {"blob": _b64(blob), "model": model, "seq": seq}}
    seqs = (entry.seq for entry in log.entries())
    while batch := list(islice(seqs, _BATCH)):
        for seq, times in sorted(log.accesses(batch).items()):
            yield {"access": {"seq": seq, "times": list(times)}}


def entry_json(entry: LogEntry) -> dict[str, Any]:
    """One entry as the published schema describes it."""
    return {
        "body": None if entry.body is None else parse(entry.body),
        "body_hash": chain.tagged(entry.body_hash),
        "hash": chain.tagged(entry.hash),
        "header": parse(entry.header),
        "seq": entry.seq,
        "signature": entry.signature.hex(),
    }


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()
