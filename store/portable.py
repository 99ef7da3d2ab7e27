"""One portable file of a whole store: JSON lines that any program can read; see FORMAT.md.

A manifest, the entries in order, vectors, accesses, and a last line with the count and SHA-256 of all before
it, so that a cut or damaged file is never taken for a whole one.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store import chain
from store.canonical import canonical, parse
from store.codec import read_back
from store.diagnosis import Bad, id_of
from store.errors import BadRequest, NoSuchFile, StoreDamaged, StoreError, StoreUnavailable
from store.files import placing
from store.port import EngramLog, LogEntry, LogWriter
from store.replaying import fold_all, indexed
from store.walking import Anchor, Broken, erased_by, is_signed, trusted_keys, walk

if TYPE_CHECKING:
    from store.store import Store

EXPORT_FORMAT = "engram-export/1"
_KEPT_META = ("format", "store_id", "root_key", "device", "head", "hebbian")
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
    kept = {key: log.meta(key) for key in _KEPT_META}
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


def collect(log: EngramLog) -> Exported:
    """The whole of a backend, ready for `import_into` another; nobody may append meanwhile."""
    kept = {key: log.meta(key) for key in _KEPT_META}
    meta = {key: value for key, value in kept.items() if value is not None}
    found = Exported(meta | log.metas("device:") | log.metas("secret:"), list(log.entries()))
    for model, _ in log.models():
        found.vectors[model] = [(seq, blob) for _, seq, _, blob in log.vectors(model)]
    found.accesses = sorted(log.accesses([entry.seq for entry in found.entries]).items())
    return found


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


def entry_of(fields: Mapping[str, Any]) -> LogEntry:
    """The log row of an exported entry; canonical form makes its bytes the ones that were hashed."""
    body = fields["body"]
    return LogEntry(
        seq=fields["seq"],
        header=canonical(fields["header"]),
        body=None if body is None else canonical(body),
        body_hash=_untagged(fields["body_hash"]),
        hash=_untagged(fields["hash"]),
        signature=bytes.fromhex(fields["signature"]),
    )


@dataclass(slots=True)
class Exported:
    """A whole export in memory."""

    meta: dict[str, bytes]
    entries: list[LogEntry] = field(default_factory=list)
    vectors: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)
    accesses: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)


def read_export(source: Path | str) -> Exported:
    """Read and check an export: whole, of a known format, its chain and signatures intact.

    Raises NoSuchFile, StoreUnavailable when it cannot be read, BadRequest when it is no export, StoreDamaged
    when it is cut or altered (naming the entry).
    """
    try:
        data = Path(source).expanduser().read_bytes()
    except FileNotFoundError as error:
        raise NoSuchFile(source) from error
    except OSError as error:
        raise StoreUnavailable(f"cannot read {source}: {error.strerror}") from error
    lines = data.splitlines(keepends=True)
    try:
        manifest = json.loads(lines[0])
        if manifest["format"] != EXPORT_FORMAT:
            raise BadRequest(f"{source} is an export of another format ({manifest['format']})")
        found = Exported({key: base64.b64decode(value) for key, value in manifest["meta"].items()})
    except (IndexError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRequest(f"{source} is not an export of a store") from error
    _check_end(source, lines)
    try:
        for line in lines[1:-1]:
            _take(found, parse(line))
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(f"{source} has a line that is not understood ({error})") from error
    _check_chain(source, found)
    return found


def _check_end(source: Path | str, lines: list[bytes]) -> None:
    try:
        end = json.loads(lines[-1])["end"]
        whole = end["lines"] == len(lines) - 1
        intact = end["sha256"] == hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(
            f"{source} is cut short: its last line is missing; nothing was imported"
        ) from error
    if not (whole and intact):
        raise StoreDamaged(f"{source} was changed or damaged; nothing was imported")


def _take(found: Exported, line: Mapping[str, Any]) -> None:
    if "entry" in line:
        found.entries.append(entry_of(line["entry"]))
    elif "vector" in line:
        vector = line["vector"]
        found.vectors.setdefault(vector["model"], []).append(
            (vector["seq"], base64.b64decode(vector["blob"]))
        )
    elif "access" in line:
        found.accesses.append((line["access"]["seq"], tuple(line["access"]["times"])))


def _check_chain(source: Path | str, found: Exported) -> None:
    keys = trusted_keys(found.meta)
    positions = {id_of(entry): entry.seq for entry in found.entries}
    erased = {positions.get(i, 0) for entry in found.entries for i in erased_by(entry)}

    def check(entry: LogEntry) -> None:
        if not is_signed(entry, keys):
            raise Bad("forged author", entry.seq, "its signature does not hold", id_of(entry))

    try:
        start = Anchor(0, chain.genesis(found.meta["store_id"].decode(), found.meta["root_key"]))
        walk(found.entries, start, erased, check)
    except KeyError as error:
        raise StoreDamaged(f"{source} lacks the identity of its store") from error
    except Broken as broken:
        raise StoreDamaged(f"{source}: entry {broken.entry.seq} does not continue the chain") from broken
    except Bad as bad:
        raise StoreDamaged(f"{source}: entry {bad.problem.seq}: {bad.problem.detail}") from bad


def import_into(log: EngramLog, found: Exported) -> None:
    """Fill an empty backend with an export, in one transaction."""
    try:
        engrams = [read_back(entry) for entry in found.entries]
        standings, edges = fold_all(engrams)
    except StoreError as error:
        raise StoreDamaged(f"the export cannot be replayed: {error}") from error
    with log.writing() as writer:
        if writer.meta("store_id") is not None or writer.head()[0]:
            raise BadRequest(f"{log.location} holds a store already; import into a new one")
        writer.set_meta(found.meta)
        writer.append(found.entries, list(standings.values()), edges, indexed(engrams))
        _put_beside(writer, found)


def _put_beside(writer: LogWriter, found: Exported) -> None:
    for model, rows in found.vectors.items():
        writer.put_vectors(model, rows)
    writer.put_accesses(found.accesses)


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _untagged(text: str) -> bytes:
    if not text.startswith(chain.TAG):
        raise ValueError(f"a hash without its scheme: {text[:20]!r}")
    return bytes.fromhex(text.removeprefix(chain.TAG))
