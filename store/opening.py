"""`open_store`: a target becomes a backend with its identity, or a clear refusal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from store.appending import Clock
from store.canonical import canonical
from store.codec import micros
from store.copies import prove
from store.errors import BadRequest, StoreDamaged, StoreUnavailable
from store.files import placing, real
from store.ids import IdMaker
from store.importing import import_into, keys_for, reading_export
from store.keys import (
    CERTIFICATE_TAG,
    SEED_BYTES,
    DeviceKey,
    Identity,
    Passphrase,
    is_sealed,
    seal,
    unseal,
)
from store.model import ENGRAM_FORMAT
from store.port import EngramLog, LogWriter
from store.store import Store

if TYPE_CHECKING:
    from store.sqlite.protection import Protection

MEMORY = "memory:"
POSTGRES = ("postgresql", "postgres")


def open_store(
    target: Path | str,
    *,
    clock: Clock,
    author: str,
    rng: Callable[[int], bytes] = os.urandom,
    passphrase: Passphrase = None,
    encrypt: bool = False,
    create: bool = True,
    read_only: bool = False,
) -> Store:
    """Open (or create) a store.

    `target` is a path, `memory:`, or the address of a database (`postgresql://user@host/name`). `clock` gives
    aware datetimes; `author` is the identity every entry is written as. `passphrase` opens a sealed or
    encrypted store; one that is a function is called when (and only when) it is needed. On creation a text
    seals the device key, and with `encrypt` the whole file. Raises StoreUnavailable (NoStore where
    none is there and `create` is False), NotAStore, NewerFormat, Locked or StoreDamaged.
    """
    if not author.strip() or not author.isprintable():
        raise BadRequest("a store is opened as somebody: author is a name, without control characters")
    log = _backend(
        target, rng=rng, passphrase=passphrase, encrypt=encrypt, create=create, read_only=read_only
    )
    return _assemble(log, clock=clock, author=author, rng=rng, passphrase=passphrase, read_only=read_only)


def protection(target: Path | str) -> Protection:
    """Whether a passphrase is needed, before it is: `none`, `keys` (to write) or `file` (to open at all)."""
    if isinstance(target, str) and target == MEMORY:
        return "none"
    if isinstance(target, str) and "://" in target:
        log = _backend(target, rng=os.urandom, passphrase=None, encrypt=False, create=False, read_only=True)
        try:
            return "keys" if any(map(is_sealed, log.metas("secret:").values())) else "none"
        finally:
            log.close()
    from store.sqlite.protection import protection_of

    return protection_of(Path(target).expanduser())


def _assemble(
    log: EngramLog,
    *,
    clock: Clock,
    author: str,
    rng: Callable[[int], bytes],
    passphrase: Passphrase,
    read_only: bool = False,
) -> Store:
    try:
        identity = _identity(log, clock, rng, passphrase, read_only=read_only)
        return Store(
            log,
            identity=identity,
            key=_Key(log, identity, passphrase),
            clock=clock,
            author=author,
            rng=rng,
            read_only=read_only,
        )
    except BaseException:
        log.close()
        raise


def _backend(
    target: Path | str,
    *,
    rng: Callable[[int], bytes],
    passphrase: Passphrase,
    encrypt: bool,
    create: bool,
    read_only: bool,
) -> EngramLog:
    if isinstance(target, str) and target == MEMORY:
        from store.memory import MemoryLog

        return MemoryLog()
    if isinstance(target, str) and target.split("://")[0] in POSTGRES and "://" in target:
        from store.postgres.opening import open_server

        return open_server(target, encrypt=encrypt, create=create, read_only=read_only)
    if isinstance(target, str) and "://" in target:
        raise BadRequest(f"no backend for {target.split('://', maxsplit=1)[0]}://")
    from store.sqlite.opening import open_file

    return open_file(
        Path(target), rng=rng, passphrase=passphrase, encrypt=encrypt, create=create, read_only=read_only
    )


def create_store(
    target: Path | str,
    *,
    clock: Clock,
    author: str,
    rng: Callable[[int], bytes] = os.urandom,
    passphrase: str | None = None,
    encrypt: bool = False,
) -> Store:
    """Make a new store, protected as it is to be from its first byte on, and open it; see `open_store`.

    Stopped at any moment it leaves no store rather than one with less protection. Raises BadRequest when
    there is something at `target` already.
    """

    def opened(place: Path | str) -> Store:
        return open_store(place, clock=clock, author=author, rng=rng, passphrase=passphrase, encrypt=encrypt)

    if not _is_file(target):
        return opened(target)
    path = _new_file(target)
    with placing(path) as unfinished:
        opened(unfinished).close()
    return opened(path)


def import_store(
    source: Path | str,
    target: Path | str,
    *,
    clock: Clock,
    author: str,
    passphrase: Passphrase = None,
    encrypt: bool = False,
    rng: Callable[[int], bytes] = os.urandom,
) -> Store:
    """Make a new store at `target` from an export: the same identity, entries, hashes and vectors.

    A passphrase that is a text seals the keys, with `encrypt` the whole file; where the export's keys are
    sealed already it must be theirs. Raises BadRequest when the target exists or the source is no export,
    StoreDamaged when that was altered, Locked. An import that is refused or stopped leaves no store behind.
    """

    def filled(place: Path | str) -> EngramLog:
        log = _backend(place, rng=rng, passphrase=said, encrypt=encrypt, create=True, read_only=False)
        try:
            import_into(log, export, meta)
            read_identity(log)
        except BaseException:
            log.close()
            raise
        return log

    with reading_export(source) as export:
        path = _new_file(target) if _is_file(target) else None
        meta, said = keys_for(export, passphrase, encrypt=encrypt, rng=rng)
        if path is None:
            log = filled(target)
            return _assemble(log, clock=clock, author=author, rng=rng, passphrase=said or passphrase)
        with placing(path) as unfinished:
            log = filled(unfinished)
            try:
                prove(log)
            finally:
                log.close()
    return open_store(path, clock=clock, author=author, rng=rng, passphrase=said or passphrase)


def _is_file(target: Path | str) -> bool:
    return isinstance(target, Path) or (target != MEMORY and "://" not in target)


def _new_file(target: Path | str) -> Path:
    """Where a new file goes; raises BadRequest when something is there, StoreUnavailable on a network."""
    from store.sqlite.connection import make_folder, refuse_network

    path = real(target)
    if path.exists() and (path.is_dir() or path.stat().st_size):
        raise BadRequest(f"{target} exists already; nothing was written")
    make_folder(path)
    refuse_network(path.parent)
    path.unlink(missing_ok=True)  # an empty file, as a command that was stopped leaves one
    return path


def _identity(
    log: EngramLog,
    clock: Clock,
    rng: Callable[[int], bytes],
    passphrase: Passphrase,
    *,
    read_only: bool,
) -> Identity:
    if log.meta("store_id") is None:
        if read_only:
            raise StoreUnavailable(f"{log.location} holds no store yet and is opened to read only")
        with log.writing() as writer:
            if writer.meta("store_id") is None:  # two processes may be first at once
                _found(writer, clock(), rng, passphrase)
    return read_identity(log)


def _found(writer: LogWriter, now: datetime, rng: Callable[[int], bytes], passphrase: Passphrase) -> None:
    """Give a new store its id and its first device, whose key is the root that vouches for later devices."""
    seed = rng(SEED_BYTES)
    key = DeviceKey(seed)
    device = {
        "certificate": key.sign(CERTIFICATE_TAG + key.public).hex(),
        "created_at": now.isoformat(),
        "public_key": key.public.hex(),
    }
    writer.set_meta(
        {
            "format": ENGRAM_FORMAT.encode(),
            "store_id": IdMaker().make(micros(now) // 1000, rng(8)).encode(),
            "root_key": key.public,
            "device": key.device.encode(),
            f"device:{key.device}": canonical(device),
            f"secret:{key.device}": seal(seed, passphrase, rng) if isinstance(passphrase, str) else seed,
        }
    )


def read_identity(log: EngramLog) -> Identity:
    """Raises StoreDamaged when the identity records are missing or unreadable."""
    store_id, device = log.meta("store_id"), log.meta("device")
    if store_id is None or device is None:
        raise StoreDamaged(f"{log.location} has lost its identity records; restore a backup")
    record = log.meta(f"device:{device.decode()}")
    try:
        fields = json.loads(record or b"")
        return Identity(
            store_id=store_id.decode(),
            device=device.decode(),
            public_key=bytes.fromhex(fields["public_key"]),
            created_at=datetime.fromisoformat(fields["created_at"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(f"the device record of {log.location} cannot be read ({error})") from error


class _Key:
    """The signing key, unsealed at the first write (Argon2id takes a tenth of a second)."""

    def __init__(self, log: EngramLog, identity: Identity, passphrase: Passphrase) -> None:
        self._log, self._identity, self._passphrase = log, identity, passphrase
        self._found: DeviceKey | None = None

    def __call__(self) -> DeviceKey:
        if self._found is None:
            self._found = DeviceKey(unseal(self._record(), self._passphrase))
        return self._found

    def at_hand(self) -> bool:
        return self._found is not None or not is_sealed(self._record())

    def _record(self) -> bytes:
        record = self._log.meta(f"secret:{self._identity.device}")
        if record is None:
            raise StoreDamaged(f"{self._log.location} has lost its signing key; restore a backup")
        return record
