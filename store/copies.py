"""A copy is whole before it is called one: its chain is followed from the genesis to the signed head.

A hash chain that ends in a signed head proves every byte of every entry, so that the signatures need not be
checked one by one (Haber & Stornetta 1991, How to Time-Stamp a Digital Document); `verify` does that too.
"""

from __future__ import annotations

from store.diagnosis import Bad
from store.errors import StoreDamaged
from store.heads import signed_head
from store.port import EngramLog
from store.verifying import erased_seqs, genesis_of, keys_of
from store.walking import Anchor, Broken, walk


def prove(log: EngramLog) -> int:
    """How many entries there are; raises StoreDamaged, naming the first that is not what was signed."""
    try:
        end = walk(log.entries(), Anchor(0, genesis_of(log)), erased_seqs(log))
        record = log.meta("head")
        if end.seq or record is not None:
            head = signed_head(record, (log.meta("store_id") or b"").decode(), keys_of(log))
            if head != (end.seq, end.hash):
                raise ValueError(f"there are {end.seq} of the {head.seq} entries that were signed")
        if sum(1 for _ in log.standings()) != end.seq:
            raise ValueError("its state is not that of its entries")
    except Broken as broken:
        raise _no_copy(f"entry {broken.entry.seq} does not continue the one before it") from broken
    except Bad as bad:
        raise _no_copy(f"entry {bad.problem.seq}: {bad.problem.detail}") from bad
    except ValueError as error:
        raise _no_copy(str(error)) from error
    return end.seq


def _no_copy(why: str) -> StoreDamaged:
    return StoreDamaged(f"what was copied does not verify, so the copy was not kept: {why}")
