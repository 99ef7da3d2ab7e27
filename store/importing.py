"""Reading an export: line by line, whole or not at all, nothing that this program would not have written.

What an export says is believed as far as it is proved: its digest, the chain and the signatures under the
keys that its manifest vouches for, its signed head. Only positions and states stay in memory.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from store import chain
from store.canonical import canonical, parse
from store.codec import read_back
from store.diagnosis import Bad, id_of
from store.errors import BadRequest, Locked, NoSuchFile, StoreDamaged, StoreError, StoreUnavailable
from store.heads import SignedHead, signed_head
from store.keys import DeviceKey, Passphrase, given, is_sealed, seal, unseal
from store.model import ENGRAM_FORMAT
from store.port import EngramLog, LogEntry, LogWriter
from store.portable import EXPORT_FORMAT, KEPT_META
from store.replaying import fold_all, indexed
from store.walking import Anchor, Broken, erased_by, is_signed, trusted_keys, walk

LONGEST_LINE = 64 << 20  # bytes; an engram holds at most a million characters, beside its metadata
MOST_ACCESSES = 10
_BATCH = 500
_MICROS = range(-(2**63), 2**63)


class Export:
    """An export file that was read through once and found whole."""

    def __init__(self, source: Path | str, file: IO[bytes]) -> None:
        self._source = source
        self._file = file
        self.meta: dict[str, bytes] = {}
        self.head = SignedHead(0, b"")
        self._check()

    def entries(self) -> Iterator[LogEntry]:
        """The rows of the log, in order."""
        for line in self._lines():
            if "entry" in line:
                yield entry_of(line["entry"])

    def vectors(self) -> Iterator[tuple[str, int, bytes]]:
        """(model, position, blob)."""
        for line in self._lines():
            if "vector" in line:
                vector = line["vector"]
                yield vector["model"], vector["seq"], _unb64(vector["blob"])

    def accesses(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """(position, microseconds since 1970)."""
        for line in self._lines():
            if "access" in line:
                yield line["access"]["seq"], tuple(line["access"]["times"])

    def _lines(self) -> Iterator[dict[str, Any]]:
        """Every line between the manifest and the end; each is the one canonical writing of what it says."""
        self._file.seek(0)
        self._file.readline()
        line = self._line()
        while following := self._line():
            yield self._understood(line)
            line = following

    def _line(self) -> bytes:
        line = self._file.readline(LONGEST_LINE)
        if len(line) == LONGEST_LINE:
            raise self._damaged("has a line that is too long for an export")
        return line

    def _understood(self, line: bytes) -> dict[str, Any]:
        try:
            fields = parse(line)
            # a key given twice, or in another order, would be read by one program so and by another otherwise
            if canonical(fields) + b"\n" == line and len(fields) == 1 and fields.keys() <= _KINDS:
                return fields
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise self._damaged(f"has a line that is not understood ({error})") from error
        raise self._damaged("has a line that is not what an export writes")

    def _damaged(self, what: str) -> StoreDamaged:
        return StoreDamaged(f"{self._source} {what}; nothing was imported")

    def _check(self) -> None:
        self._file.seek(0)
        first = self._file.readline(LONGEST_LINE)
        self.meta = self._manifest(first)
        self._check_end(first)
        try:
            self._check_entries()
            self._check_beside()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._damaged(f"has a line that is not understood ({error})") from error

    def _manifest(self, line: bytes) -> dict[str, bytes]:
        try:
            manifest = json.loads(line)
            if manifest["format"] != EXPORT_FORMAT:
                raise BadRequest(f"{self._source} is an export of another format ({manifest['format']})")
            meta = {key: _unb64(value) for key, value in manifest["meta"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadRequest(f"{self._source} is not an export of a store") from error
        if not meta:
            raise self._damaged("lacks the identity of its store")
        strange = [key for key in meta if key not in KEPT_META and not key.startswith(("device:", "secret:"))]
        if strange:
            raise self._damaged(f"has a record that no export writes ({strange[0]!r})")
        if meta.get("format") != ENGRAM_FORMAT.encode():
            raise self._damaged("is not of entries that this program knows")
        return meta

    def _check_end(self, first: bytes) -> None:
        digest, lines, line = hashlib.sha256(), 0, first
        while following := self._line():
            digest.update(line)
            lines += 1
            line = following
        try:
            end = json.loads(line)["end"]
            said = end["lines"], end["sha256"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._damaged("is cut short: its last line is missing") from error
        if said != (lines, digest.hexdigest()):
            raise self._damaged("was changed or damaged")

    def _check_entries(self) -> None:
        """The chain from the genesis to the signed head, every signature, and who is erased."""
        keys = trusted_keys(self.meta)
        emptied: dict[str, int] = {}
        erased: set[str] = set()

        def seen() -> Iterator[LogEntry]:
            for entry in self.entries():
                if entry.body is None:
                    emptied[id_of(entry) or ""] = entry.seq
                erased.update(erased_by(entry))
                yield entry

        def check(entry: LogEntry) -> None:
            if not is_signed(entry, keys):
                raise Bad("forged author", entry.seq, "its signature does not hold", id_of(entry))

        try:
            store_id, root = self.meta["store_id"].decode(), self.meta["root_key"]
            end = walk(seen(), Anchor(0, chain.genesis(store_id, root)), _Everywhere(), check)
        except KeyError as error:
            raise self._damaged("lacks the identity of its store") from error
        except Broken as broken:
            raise self._damaged(
                f"is altered: entry {broken.entry.seq} does not continue the chain"
            ) from broken
        except Bad as bad:
            raise self._damaged(f"is altered: entry {bad.problem.seq}: {bad.problem.detail}") from bad
        for engram_id in emptied.keys() - erased:
            raise self._damaged(f"is altered: entry {emptied[engram_id]} is empty and no erasure says so")
        if end.seq or "head" in self.meta:
            try:
                self.head = signed_head(self.meta.get("head"), store_id, keys)
            except ValueError as error:
                raise self._damaged(f"is altered: {error}") from error
        if end.seq and (end.seq, end.hash) != self.head:
            raise self._damaged(
                f"is altered: its {end.seq} entries are not the {self.head.seq} that were signed"
            )
        self._erased_at = frozenset(emptied.values())

    def _check_beside(self) -> None:
        known = range(1, self.head.seq + 1)
        for model, seq, _ in self.vectors():
            if type(model) is not str or type(seq) is not int or seq not in known or seq in self._erased_at:
                raise self._damaged(f"has a vector of no engram ({seq!r})")
        for seq, times in self.accesses():
            whole = len(times) <= MOST_ACCESSES and all(type(at) is int and at in _MICROS for at in times)
            if type(seq) is not int or seq not in known or not whole:
                raise self._damaged(f"has uses of no engram ({seq!r})")


_KINDS = {"entry", "vector", "access"}


class _Everywhere(frozenset[int]):
    """Any position: which ones were erased is known only at the end, and looked at then."""

    def __contains__(self, _: object) -> bool:
        return True


@contextmanager
def reading_export(source: Path | str) -> Iterator[Export]:
    """An export that is whole, of a known format, its chain and signatures intact.

    Raises NoSuchFile, StoreUnavailable when it cannot be read, BadRequest when it is no export, StoreDamaged
    when it is cut or altered (naming the entry).
    """
    with _opened(source) as file:
        try:
            export = Export(source, file)
        except OSError as error:
            raise StoreUnavailable(f"cannot read {source}: {error.strerror}") from error
        yield export


def _opened(source: Path | str) -> IO[bytes]:
    try:
        return Path(source).expanduser().open("rb")
    except FileNotFoundError as error:
        raise NoSuchFile(source) from error
    except OSError as error:
        raise StoreUnavailable(f"cannot read {source}: {error.strerror}") from error


def sealed_export(source: Path | str) -> bool:
    """Whether a passphrase is needed to write with the keys of an export, by its first line alone.

    False for what is no export: reading it says so. Raises NoSuchFile, StoreUnavailable.
    """
    with _opened(source) as file:
        try:
            meta = json.loads(file.readline(LONGEST_LINE))["meta"]
            return any(is_sealed(_unb64(meta[key])) for key in meta if key.startswith("secret:"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return False


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


def keys_for(
    export: Export, passphrase: Passphrase, *, encrypt: bool, rng: Callable[[int], bytes]
) -> tuple[dict[str, bytes], str | None]:
    """The records of the import, and the passphrase that is to open it, if one is.

    Keys that are sealed in the export stay so; the passphrase must then be theirs, where one is given or
    (to encrypt the file) needed. Open keys are sealed with a passphrase that was given as a text. Raises
    Locked, StoreDamaged when a key is not that of its device.
    """
    secrets = {name: record for name, record in export.meta.items() if name.startswith("secret:")}
    sealed = any(map(is_sealed, secrets.values()))
    said = given(passphrase) if encrypt else passphrase if isinstance(passphrase, str) else None
    if encrypt and not said:
        raise Locked("an encrypted store needs a passphrase")
    meta = dict(export.meta)
    for name, record in secrets.items():
        if is_sealed(record) and said is None:
            continue
        seed = unseal(record, said)
        if f"secret:{DeviceKey(seed).device}" != name:
            raise StoreDamaged(f"the export's signing key is not that of its device {name[7:]}")
        if said is not None and not sealed:
            meta[name] = seal(seed, said, rng)
    return meta, said


def import_into(log: EngramLog, export: Export, meta: Mapping[str, bytes]) -> None:
    """Fill an empty backend with an export, in one transaction."""
    try:
        known, edges = fold_all(map(read_back, export.entries()))
    except StoreError as error:
        raise StoreDamaged(f"the export cannot be replayed: {error}") from error
    standings = iter(known.values())  # in the order of the entries
    with log.writing() as writer:
        if writer.meta("store_id") is not None or writer.head()[0]:
            raise BadRequest(f"{log.location} holds a store already; import into a new one")
        writer.set_meta(meta)
        entries = export.entries()
        while batch := list(islice(entries, _BATCH)):
            states = list(islice(standings, len(batch)))
            writer.append(batch, states, [], indexed(map(read_back, batch)))
        writer.append([], [], edges, [])
        _put_beside(writer, export)


def _put_beside(writer: LogWriter, export: Export) -> None:
    vectors, accesses = export.vectors(), export.accesses()
    while rows := list(islice(vectors, _BATCH)):
        for model in dict.fromkeys(model for model, _, _ in rows):
            writer.put_vectors(model, [(seq, blob) for name, seq, blob in rows if name == model])
    while uses := list(islice(accesses, _BATCH)):
        writer.put_accesses(uses)


def _unb64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from error


def _untagged(text: str) -> bytes:
    if not text.startswith(chain.TAG):
        raise ValueError(f"a hash without its scheme: {text[:20]!r}")
    return bytes.fromhex(text.removeprefix(chain.TAG))
