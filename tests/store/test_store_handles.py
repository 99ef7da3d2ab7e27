"""SQLite's locks on a store outlive whoever looks at the file in the same process (fcntl(2))."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from drafting import draft, opened

from store import protection
from store.sqlite.handles import first_bytes

ASKING = (
    "import fcntl, sys\n"
    "with open(sys.argv[1], 'r+b') as file:\n"  # sqlite.org/lockingv3.html: SHARED_FIRST, SHARED_SIZE
    "    try: fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)\n"
    "    except OSError: print('held')\n"
)


def is_held(path: Path) -> bool:
    """Whether another process sees that somebody has the store open."""
    asking = [sys.executable, "-c", ASKING, str(path)]
    return subprocess.run(asking, capture_output=True, text=True, check=True, timeout=60).stdout == "held\n"


def test_looking_at_an_open_store_does_not_let_another_process_take_it(tmp_path: Path, clock) -> None:
    path = tmp_path / "a.partner"
    with opened(path, clock, seed=None) as store:
        store.write(draft("a claim"))
        assert protection(path) == "none"
        with opened(path, clock, seed=None) as second:  # and closing one handle leaves the other's locks
            second.write(draft("another"))
        assert first_bytes(path, 6) == b"SQLite"
        assert is_held(path)
        store.write(draft("a third"))
    assert not is_held(path)


def test_nothing_stays_open_once_the_store_is_closed(tmp_path: Path, clock) -> None:
    path = tmp_path / "a.partner"

    def descriptors() -> list[str]:
        return [p for fd in os.listdir("/proc/self/fd") if (p := _target(fd)).startswith(str(path))]

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("needs Linux's /proc")
    for _ in range(3):
        with opened(path, clock, seed=None) as store:
            for _ in range(5):
                protection(path)
            store.write(draft("a claim"))
            assert len(descriptors()) < 12, "one more than SQLite's own, however often it is looked at"
        assert descriptors() == []


def _target(descriptor: str) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""
