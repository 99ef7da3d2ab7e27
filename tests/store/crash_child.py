"""A process that writes until it is stopped, and says after each write what was acknowledged.

python tests/store/crash_child.py STORE SEED [sync=NORMAL] [count=N]
"""

from __future__ import annotations

import os
import random
import sys
from contextlib import suppress
from pathlib import Path

from drafting import draft, opened, ticking

from store.errors import StoreUnavailable
from store.model import EngramType
from store.sqlite import driving


def weaken(mode: str) -> None:
    """Synchronise less than the store does, so that a test can see that it would notice."""
    whole = driving.prepare

    def prepare(connection, **options) -> None:
        whole(connection, **options)
        connection.execute(f"PRAGMA synchronous = {mode}")

    driving.prepare = prepare


def run(path: Path, seed: int, count: int, acknowledge) -> None:
    rng = random.Random(seed)
    with opened(path, ticking(), seed=None) as store:
        ids: list[str] = []
        for _ in range(count):
            turn = rng.random()
            try:
                if turn < 0.5 or not ids:
                    ids.append(store.write(draft(f"claim {rng.random()} " + "x" * rng.randrange(400))).id)
                elif turn < 0.7:
                    some = [draft(f"note {i}", EngramType.NOTE) for i in range(rng.randrange(1, 30))]
                    ids += [engram.id for engram in store.write_many(some)]
                elif turn < 0.85:
                    ids.append(store.supersede(rng.choice(ids), draft(f"instead {turn}")).id)
                elif turn < 0.98:
                    store.retract(rng.choice(ids), "no more")
                else:
                    store.erase(rng.choice(ids), "gone")
            except StoreUnavailable as error:
                acknowledge(f"! {error}\n")
                continue
            acknowledge(f"{store.head().seq}\n")


def main() -> None:
    path, seed = Path(sys.argv[1]), int(sys.argv[2])
    options = dict(option.split("=") for option in sys.argv[3:])
    if "sync" in options:
        weaken(options["sync"])
    acks = os.open(path.parent / "acks", os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)

    def acknowledge(line: str) -> None:
        with suppress(OSError):  # a full disk has no room for this either
            os.write(acks, line.encode())

    run(path, seed, int(options.get("count", "1000000")), acknowledge)


if __name__ == "__main__":
    main()
