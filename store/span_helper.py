"""A helping process of `store.following`: spoken to in JSON lines.

The first line it reads is its task: how to open the log, the trusted start, the positions that are erased,
and the public keys of devices where signatures are to be checked. Every further line is a span `[low, high]`;
the answer is where it starts and where it ends, `[[low, hash], [high, hash]]`, when all of it holds together,
else `null`. It ends with its input.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Collection
from importlib import import_module
from typing import IO

from store.diagnosis import Bad
from store.errors import StoreError
from store.port import LogEntry, Rows
from store.walking import Anchor, Broken, is_signed, walk


def serve(lines: IO[bytes], answers: IO[bytes]) -> None:
    task = json.loads(lines.readline())
    rows: Rows = import_module(task["module"]).reopen(**task["arguments"])
    start = Anchor(task["start"][0], bytes.fromhex(task["start"][1]))
    erased = frozenset(task["erased"])
    check = None if task["keys"] is None else _check(task["keys"])
    for line in lines:
        low, high = json.loads(line)
        found = look_at(rows, start, low, high, erased, check)
        shown = None if found is None else [[each.seq, each.hash.hex()] for each in found]
        answers.write(json.dumps(shown).encode() + b"\n")
        answers.flush()


def look_at(
    rows: Rows,
    start: Anchor,
    low: int,
    high: int,
    erased: Collection[int],
    check: Callable[[LogEntry], None] | None,
) -> tuple[Anchor, Anchor] | None:
    """Where the span starts and ends when it holds together; whether it joins on is for the caller to say."""
    try:
        before = start if low == start.seq else Anchor(low, rows.hashes([low])[low])
        end = walk(rows.rows(after=low, upto=high), before, erased, check, threads=False)
    except (Bad, Broken, StoreError, KeyError):  # what it is, and whose fault, is found out by who asked
        return None
    return (before, end) if end.seq == high else None


def _check(keys: dict[str, str]) -> Callable[[LogEntry], None]:
    public = {device: bytes.fromhex(key) for device, key in keys.items()}

    def check(entry: LogEntry) -> None:
        if not is_signed(entry, public):
            raise Bad("forged author", entry.seq, "its signature does not hold")

    return check


def main() -> None:
    gc.disable()  # rows come and go by reference count alone
    serve(sys.stdin.buffer, sys.stdout.buffer)
