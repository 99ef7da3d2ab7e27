"""A server whose disk is full keeps what was acknowledged, says so, and goes on when there is room again."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from drafting import draft, opened
from postgres_server import Server

from store import Store
from store.errors import StoreUnavailable

pytestmark = pytest.mark.xdist_group("postgres")
SMALL_MB = 32
EACH = 20
MOUNT = 'mount -t tmpfs -o size="$1"m,uid=nobody,gid=nogroup,mode=0700 tmpfs "$2" && shift 2 && exec "$@"'
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


@pytest.fixture
def cramped() -> Iterator[Server]:
    """A server in a mount namespace, where a small file system is for tables alone."""
    inside = ["unshare", "-m", "sh", "-c"]
    if os.geteuid() != 0 or subprocess.run([*inside, "true"], check=False, capture_output=True).returncode:
        pytest.skip("no mount namespace can be made here")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    small = folder / "small"
    small.mkdir()
    server = Server(folder)
    try:
        server.start(through=[*inside, MOUNT, "sh", str(SMALL_MB), str(small), *AS_NOBODY])
        server.sql(f"CREATE TABLESPACE small LOCATION '{small}'")
        server.sql("CREATE DATABASE cramped TABLESPACE small")
        # A new database's catalogs are files with holes until they are written out: on a full disk any read
        # that puts one of their pages out of memory would fail too.
        server.sql("CHECKPOINT")
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def write_until_it_is_full(store: Store) -> None:
    noise = random.Random(5)  # words that nothing can compress
    for _ in range(1000):
        store.write_many([draft(noise.randbytes(3000).hex(" ", 30)) for _ in range(EACH)])


def test_a_full_disk_loses_nothing_acknowledged_and_the_store_goes_on_when_there_is_room(
    cramped: Server, clock
) -> None:
    cramped.sql("CREATE TABLE filler AS SELECT repeat('x', 1000) FROM generate_series(1, 4000)", "cramped")
    with opened(cramped.address("cramped"), clock) as store:
        with pytest.raises(StoreUnavailable, match="disk"):
            write_until_it_is_full(store)
        kept = store.head().seq
        assert kept % EACH == 0, "of the write that failed nothing is there"
        assert kept > 0
        assert len(store.current(limit=10)) == 10, "it can still be read"
        assert store.verify(full=True).ok
        cramped.sql("DROP TABLE filler", "cramped")
        assert store.write(draft("there is room again")).seq == kept + 1
        assert store.verify(full=True).ok
