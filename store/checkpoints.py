"""Checkpoints: the size and head of a store, signed, to be kept somewhere else.

A store that extends a checkpoint has not been rewritten since; without one kept outside, nobody can tell a
wholly rewritten history from the first.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from store import chain
from store.errors import BadRequest, NoSuchFile, StoreUnavailable
from store.keys import signature_holds

CHECKPOINT_FORMAT = "engram-checkpoint/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """`hash` is tagged (`e1:`), `public_key` and `signature` are hex; see FORMAT.md."""

    store: str
    seq: int
    hash: str
    device: str
    public_key: str
    signature: str
    format: str = CHECKPOINT_FORMAT

    def signature_holds(self) -> bool:
        try:
            digest = bytes.fromhex(self.hash.removeprefix(chain.TAG))
            public, signature = bytes.fromhex(self.public_key), bytes.fromhex(self.signature)
        except ValueError:
            return False
        return signature_holds(public, chain.head_bytes(self.store, self.seq, digest), signature)

    def json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True, indent=2) + "\n"


def read_checkpoint(source: Path | str) -> Checkpoint:
    """Read a checkpoint file; raises NoSuchFile, BadRequest when it is none, StoreUnavailable."""
    try:
        text = Path(source).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise NoSuchFile(source) from error
    except OSError as error:
        raise StoreUnavailable(f"cannot read {source}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadRequest(f"{source} is not a checkpoint file") from error
    try:
        fields: dict[str, Any] = json.loads(text)
        checkpoint = Checkpoint(**fields)
        if checkpoint.format != CHECKPOINT_FORMAT or type(checkpoint.seq) is not int:
            raise ValueError(checkpoint.format)
    except (ValueError, TypeError) as error:
        raise BadRequest(f"{source} is not a checkpoint file") from error
    return checkpoint
