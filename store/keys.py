"""The device key that signs the log, kept in the store itself and sealed by a passphrase when one is set.

Ed25519 (RFC 8032) through libsodium; a sealed key is XSalsa20-Poly1305 under an Argon2id key (RFC 9106).
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from nacl import pwhash, secret, signing
from nacl.exceptions import BadSignatureError, CryptoError

from store.errors import Locked, StoreDamaged

SEED_BYTES = 32
CERTIFICATE_TAG = b"engram/1 device\n"
DERIVED_TAG = b"engram/1 derived\n"
Passphrase = str | Callable[[], str | None] | None  # itself, or who is asked for it once it is needed
Argon2Cost = tuple[int, int]  # operations, bytes of memory
INTERACTIVE: Argon2Cost = (pwhash.argon2id.OPSLIMIT_INTERACTIVE, pwhash.argon2id.MEMLIMIT_INTERACTIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who this store is: its id, the device that signs here, and the device's public key (32 bytes)."""

    store_id: str
    device: str
    public_key: bytes
    created_at: datetime


class DeviceKey:
    """A secret signing key. `sign` takes about 14 us."""

    def __init__(self, seed: bytes) -> None:
        self._key = signing.SigningKey(seed)
        self.seed = seed
        self.public = bytes(self._key.verify_key)
        self.device = device_id(self.public)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message).signature


class Signer(Protocol):
    """A device's signing key once it is needed: calling it may ask for a passphrase, and raise Locked."""

    def __call__(self) -> DeviceKey: ...

    def at_hand(self) -> bool:
        """Whether it can be had without asking anybody."""
        ...


def device_id(public_key: bytes) -> str:
    """`d1:` + the first 16 bytes of SHA-256 of the public key, in hex."""
    return "d1:" + hashlib.sha256(public_key).hexdigest()[:32]


def signature_holds(public_key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        signing.VerifyKey(public_key).verify(message, signature)
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def derived_bytes(store_id: str, kind: str, digest: bytes) -> bytes:
    """What is signed of something that was derived from one named store and is kept outside it."""
    record = {"kind": kind, "sha256": digest.hex(), "store": store_id}
    return DERIVED_TAG + json.dumps(record, sort_keys=True, separators=(",", ":")).encode()


def seal(seed: bytes, passphrase: str, rng: Callable[[int], bytes], cost: Argon2Cost = INTERACTIVE) -> bytes:
    """The record a sealed seed is kept as (JSON bytes)."""
    salt, nonce = rng(pwhash.argon2id.SALTBYTES), rng(secret.SecretBox.NONCE_SIZE)
    box = secret.SecretBox(stretch(passphrase, salt, cost))
    record = {
        "kdf": "argon2id",
        "ops": cost[0],
        "memory": cost[1],
        "salt": _b64(salt),
        "box": _b64(bytes(box.encrypt(seed, nonce))),
    }
    return json.dumps(record, sort_keys=True).encode()


def given(passphrase: Passphrase) -> str | None:
    """The passphrase, asked for if need be; None where nobody has one."""
    return passphrase() if callable(passphrase) else passphrase


def unseal(record: bytes, passphrase: Passphrase) -> bytes:
    """The seed; `record` is the seed itself when no passphrase was ever set.

    Raises Locked when a passphrase is needed and missing or wrong, StoreDamaged when the record is neither.
    """
    if len(record) == SEED_BYTES:
        return record
    said = given(passphrase)
    if said is None:
        raise Locked("the keys of this store are sealed: its passphrase is needed to write")
    try:
        fields: dict[str, Any] = json.loads(record)
        key = stretch(said, base64.b64decode(fields["salt"]), (fields["ops"], fields["memory"]))
        return secret.SecretBox(key).decrypt(base64.b64decode(fields["box"]))
    except CryptoError as error:
        raise Locked("the passphrase is wrong", wrong=True) from error
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(f"the sealed key cannot be read ({error}); restore a backup") from error


def is_sealed(record: bytes) -> bool:
    return len(record) != SEED_BYTES


def stretch(passphrase: str, salt: bytes, cost: Argon2Cost = INTERACTIVE) -> bytes:
    """Argon2id: 32 key bytes from a passphrase (any Unicode, UTF-8)."""
    return pwhash.argon2id.kdf(32, passphrase.encode("utf-8", "surrogatepass"), salt, cost[0], cost[1])


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()
