"""Hashes and signatures of the sequence; FORMAT.md is the document of what is computed here.

    body_hash = SHA-256("engram/1 body" LF || body)
    hash      = SHA-256("engram/1 entry" LF || previous hash || body_hash || header)
    signature = Ed25519(device key, "engram/1 entry" LF || hash)

The first entry's previous hash is the genesis, which binds the chain to the store's id and root key.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from store.canonical import canonical

BODY_TAG = b"engram/1 body\n"
ENTRY_TAG = b"engram/1 entry\n"
GENESIS_TAG = b"engram/1 genesis\n"
HEAD_TAG = b"engram/1 head\n"
TAG = "e1:"


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the sequence: its size and the tagged hash (`e1:` + 64 hex digits) of its last entry."""

    seq: int
    hash: str


def genesis(store_id: str, root_key: bytes) -> bytes:
    return hashlib.sha256(GENESIS_TAG + store_id.encode() + root_key).digest()


def body_hash(body: bytes) -> bytes:
    return hashlib.sha256(BODY_TAG + body).digest()


def entry_hash(previous: bytes, body_digest: bytes, header: bytes) -> bytes:
    return hashlib.sha256(ENTRY_TAG + previous + body_digest + header).digest()


def signed_bytes(digest: bytes) -> bytes:
    return ENTRY_TAG + digest


def head_bytes(store_id: str, seq: int, digest: bytes) -> bytes:
    """What a seal or checkpoint signs: the size and head of one named store."""
    return HEAD_TAG + canonical({"hash": tagged(digest), "seq": seq, "store": store_id})


def tagged(digest: bytes) -> str:
    return TAG + digest.hex()
