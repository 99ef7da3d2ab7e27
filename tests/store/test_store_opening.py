"""Whatever is at the path, the answer is a store or a clear refusal, and what was there is not touched."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from drafting import draft, opened

from store import open_store
from store.errors import (
    BadRequest,
    Locked,
    NotAStore,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)
from store.sqlite import connection as sqlite_connection
from store.sqlite.connection import filesystem_of, refuse_network
from store.sqlite.driver import dbapi2

MOUNTS = """\
/dev/vda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
tmpfs /home/ana/fast tmpfs rw 0 0
//nas/share /mnt/my\\040share cifs rw 0 0
"""


def refused(path: Path, clock, **options) -> StoreError:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError) as error:
        opened(path, clock, **options)
    if before is not None:
        assert path.read_bytes() == before, "what was there is not touched"
    assert str(path) in str(error.value)
    return error.value


def test_a_new_store_is_private_and_in_a_folder_of_its_own(tmp_path: Path, clock) -> None:
    path = tmp_path / "home" / "deep" / "identity.partner"
    with opened(path, clock) as store:
        store.write(draft("a claim"))
        for made in path.parent.iterdir():
            assert made.stat().st_mode & 0o777 == 0o600, made
    assert [p.name for p in path.parent.iterdir()] == ["identity.partner"], "closing leaves one file"


def test_names_with_signs_of_an_address_are_only_names(tmp_path: Path, clock) -> None:
    for name in ("what?mode=memory.partner", "50%.partner", "a#b.partner", "ü 東京.partner", "it's.partner"):
        with opened(tmp_path / name, clock) as store:
            store.write(draft("a claim"))
        assert (tmp_path / name).stat().st_size > 0


def test_a_missing_store_is_made_only_when_asked_for(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    assert isinstance(refused(path, clock, create=False), StoreUnavailable)
    assert isinstance(refused(path, clock, read_only=True), StoreUnavailable)
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"Dear diary, this is a letter and not a store.\n" * 200, NotAStore),
        (b"%PDF-1.7\n" + bytes(range(256)) * 20, NotAStore),
        (b"SQLite format 3\x00" + b"\x00" * 10, NotAStore),
        (b"\x00" * 8192, Locked),
        (bytes(range(256)) * 64, Locked),
    ],
    ids=["text", "binary", "cut", "zeros", "noise"],
)
def test_a_file_that_is_not_a_store_is_refused(tmp_path: Path, clock, content: bytes, kind: type) -> None:
    path = tmp_path / "identity.partner"
    path.write_bytes(content)
    assert isinstance(refused(path, clock), kind)


def test_a_database_of_another_program_is_refused(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, header, body)")
        other.execute("INSERT INTO log VALUES (1, 'a', 'b')")
    other.close()
    assert "another program" in str(refused(path, clock))


def test_a_folder_is_no_store(tmp_path: Path, clock) -> None:
    assert isinstance(refused(tmp_path, clock), NotAStore)


def test_an_empty_file_becomes_a_store(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    path.touch()
    with opened(path, clock) as store:
        assert store.write(draft("a claim")).seq == 1


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, clock) -> None:
    (tmp_path / "file").write_text("not a folder")
    error = refused(tmp_path / "file" / "identity.partner", clock)
    assert isinstance(error, StoreUnavailable)


def test_a_home_that_cannot_be_written_gives_one_clear_line(tmp_path: Path, clock) -> None:
    """In a mount namespace of its own, since the mode of a folder does not bind a superuser."""
    home = tmp_path / "home"
    opened(home / "identity.partner", clock).close()
    script = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from drafting import draft, opened, ticking\n"
        "from store.errors import StoreUnavailable\n"
        "for name in ('identity.partner', 'new.partner'):\n"
        "    try:\n"
        "        with opened(sys.argv[1] + '/' + name, ticking()) as store: store.write(draft('a claim'))\n"
        "    except StoreUnavailable as error: print(error)\n"
        "with opened(sys.argv[1] + '/identity.partner', ticking(), read_only=True) as store:\n"
        "    print(store.head().seq)\n"
    )
    tests = Path(__file__).resolve().parents[1]
    inner = f'mount --bind {home} {home} && mount -o remount,bind,ro {home} && exec "$@"'
    done = subprocess.run(
        [
            "unshare",
            "-rm",
            "sh",
            "-c",
            inner,
            "sh",
            sys.executable,
            "-c",
            script,
            str(home),
            str(tests.parent),
            str(tests),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip(f"no mount namespace here: {done.stderr.strip()}")
    lines = done.stdout.splitlines()
    assert len(lines) == 3, done
    assert "cannot be written" in lines[0] or "read-only" in lines[0].lower()
    assert "Read-only file system" in lines[1]
    assert lines[2] == "0"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/x", "ext4"),
        ("/home/ana/.local/share/partner/identity.partner", "nfs4"),
        ("/home/ana/fast/identity.partner", "tmpfs"),
        ("/homeless/x", "ext4"),
        ("/mnt/my share/identity.partner", "cifs"),
    ],
)
def test_the_file_system_of_a_path_is_that_of_its_nearest_mount(path: str, kind: str) -> None:
    assert filesystem_of(Path(path), MOUNTS) == kind


def test_a_network_file_system_is_refused_with_the_reason(tmp_path: Path, clock, monkeypatch) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/vda / ext4 rw 0 0\nserver:/x {tmp_path.resolve()} nfs4 rw 0 0\n")
    with pytest.raises(StoreUnavailable, match="network file system"):
        refuse_network(tmp_path / "identity.partner", mounts)
    mounts.write_text(f"/dev/vda / ext4 rw 0 0\n/dev/vdb {tmp_path.resolve()} xfs rw 0 0\n")
    refuse_network(tmp_path / "identity.partner", mounts)
    refuse_network(tmp_path / "identity.partner", tmp_path / "no such file")


def test_a_damaged_page_is_said_to_be_damage(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    with opened(path, clock) as store:
        store.write_many([draft(f"claim {i} " + "x" * 500) for i in range(300)])
    with path.open("r+b") as file:
        for page in range(2, path.stat().st_size // 4096, 2):
            file.seek(page * 4096)
            file.write(b"\xde\xad" * 2048)
    with pytest.raises(StoreError) as error, opened(path, clock) as store:
        list(store.log())
    assert isinstance(error.value, StoreDamaged)
    assert "restore a backup" in str(error.value) or "verify" in str(error.value)


def test_a_lost_identity_record_is_said_to_be_damage(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    opened(path, clock).close()
    raw = dbapi2.connect(str(path), isolation_level=None)
    raw.execute("DELETE FROM meta WHERE key LIKE 'device%'")
    raw.close()
    with pytest.raises(StoreDamaged, match="identity"):
        opened(path, clock)


@pytest.mark.parametrize("author", ["", "  ", "a\nb", "a\x00b"])
def test_a_store_is_opened_as_somebody(tmp_path: Path, clock, author: str) -> None:
    with pytest.raises(BadRequest, match="author"):
        open_store(tmp_path / "a.partner", clock=clock, author=author)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_kind_of_address_is_refused(clock) -> None:
    with pytest.raises(BadRequest, match="no backend for mysql"):
        open_store("mysql://localhost/x", clock=clock, author="operator")


@pytest.mark.conforms("S4")
def test_a_clock_without_a_zone_writes_nothing(tmp_path: Path, clock) -> None:
    opened(tmp_path / "a.partner", clock).close()
    naive = datetime(2026, 1, 1)  # noqa: DTZ001 - the missing zone is what is refused
    with opened(tmp_path / "a.partner", lambda: naive) as store:
        with pytest.raises(BadRequest, match="time zone"):
            store.write(draft("a claim"))
        assert store.head().seq == 0


def test_writing_to_a_store_opened_to_read_is_refused(tmp_path: Path, clock) -> None:
    with opened(tmp_path / "a.partner", clock) as store:
        store.write(draft("a claim"))
    before = (tmp_path / "a.partner").read_bytes()
    with opened(tmp_path / "a.partner", clock, read_only=True) as store:
        engram_id = store.current()[0].id
        for attempt in (
            lambda: store.write(draft("another")),
            lambda: store.reinforce([engram_id], clock()),
            lambda: store.put_vectors("m", [(engram_id, b"")]),
            lambda: store.retract(engram_id),
        ):
            with pytest.raises(StoreUnavailable, match="can only be read here"):
                attempt()
        assert store.verify(full=True).ok
    assert (tmp_path / "a.partner").read_bytes() == before


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("database or disk is full", StoreUnavailable),
        ("attempt to write a readonly database", StoreUnavailable),
        ("unable to open database file", StoreUnavailable),
        ("database is locked", StoreUnavailable),
        ("disk I/O error", StoreUnavailable),
        ("database disk image is malformed", StoreDamaged),
        ("file is not a database", Locked),
        ("something never seen", StoreDamaged),
    ],
)
def test_every_error_of_the_driver_becomes_one_of_the_store(message: str, kind: type) -> None:
    error = sqlite_connection.translate(dbapi2.OperationalError(message), "/home/x/identity.partner")
    assert isinstance(error, kind)
    assert "/home/x/identity.partner" in str(error)


def test_importing_what_an_engram_is_loads_no_database() -> None:
    script = (
        "import sys, store, store.model\n"
        "heavy = {'sqlcipher3', 'sqlmodel', 'sqlalchemy', 'nacl', 'numpy', 'rfc8785'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert not [n for n in store.__all__ if getattr(store, n, None) is None]\n"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", script], check=True, cwd=root, timeout=60)
