"""The signed head: how many entries there are, and the hash of the last, as this store's key says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from store import chain
from store.keys import signature_holds


class SignedHead(NamedTuple):
    """Position and hash of the last entry."""

    seq: int
    hash: bytes


def signed_head(record: bytes | None, store_id: str, keys: Mapping[str, bytes]) -> SignedHead:
    """Read `meta.head`; raises ValueError, saying why, unless one of `keys` signed it for this store."""
    if record is None:
        raise ValueError("the signed head of the sequence is gone")
    try:
        fields = json.loads(record)
        seq, digest = int(fields["seq"]), bytes.fromhex(fields["hash"].removeprefix(chain.TAG))
        signature, public = bytes.fromhex(fields["signature"]), keys.get(fields["device"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError("the signed head of the sequence cannot be read") from error
    if public is None or not signature_holds(public, chain.head_bytes(store_id, seq, digest), signature):
        raise ValueError("the head of the sequence is not signed by this store")
    return SignedHead(seq, digest)
