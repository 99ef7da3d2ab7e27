"""Whoever changes the file behind the store's back is found out, and the report says where and how."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from drafting import draft, key_of, opened, raw, ticking

from store import chain, following, verifying
from store.codec import write_down
from store.diagnosis import Bad
from store.errors import StoreUnavailable
from store.keys import CERTIFICATE_TAG, DeviceKey
from store.model import EngramType

SIZE = 2_000
ROUNDS = int(os.environ.get("STORE_TEST_ROUNDS", "1"))
Tamper = Callable[[Any, int, random.Random], int | None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 2,000 entries with every kind of entry in it, made once."""
    path = tmp_path_factory.mktemp("whole") / "identity.partner"
    with opened(path, ticking()) as store:
        ids = [e.id for e in store.write_many([draft(f"claim number {i}") for i in range(SIZE - 40)])]
        for i in range(0, 80, 4):
            store.supersede(ids[i], draft(f"claim number {i} again"))
        for i in range(81, 89, 2):
            store.retract(ids[i])
            store.link(ids[i], "references", ids[i + 1])
        store.write_many([draft(f"last claim {i}", EngramType.NOTE) for i in range(SIZE - store.head().seq)])
        assert store.head().seq == SIZE
    return path


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "identity.partner"))


def altered_content(c: Any, at: int, rng: random.Random) -> int:
    c.execute("UPDATE log SET body = CAST(replace(body, 'claim', 'blame') AS BLOB) WHERE seq = ?", (at,))
    return at


def altered_header(c: Any, at: int, rng: random.Random) -> int:
    sql = "UPDATE log SET header = CAST(replace(header, 'operator', 'operatoR') AS BLOB) WHERE seq = ?"
    c.execute(sql, (at,))
    return at


def one_bit(c: Any, at: int, rng: random.Random) -> int:
    column = rng.choice(["header", "body", "body_hash", "hash", "signature"])
    value = bytearray(c.execute(f"SELECT {column} FROM log WHERE seq = ?", (at,)).fetchone()[0])
    value[rng.randrange(len(value))] ^= 1 << rng.randrange(8)
    c.execute(f"UPDATE log SET {column} = ? WHERE seq = ?", (bytes(value), at))
    return at


def emptied(c: Any, at: int, rng: random.Random) -> int:
    c.execute("UPDATE log SET body = NULL WHERE seq = ?", (at,))
    return at


def removed_leaving_a_gap(c: Any, at: int, rng: random.Random) -> int:
    c.execute("DELETE FROM log WHERE seq = ?", (at,))
    return at


def removed_and_closed_up(c: Any, at: int, rng: random.Random) -> int:
    c.execute("DELETE FROM log WHERE seq = ?", (at,))
    c.execute("UPDATE log SET seq = -seq + 1 WHERE seq > ?", (at,))
    c.execute("UPDATE log SET seq = -seq WHERE seq < 0")
    return at


def reordered(c: Any, at: int, rng: random.Random) -> int:
    other = at + rng.randrange(1, 20)
    for old, new in ((at, -1), (other, at), (-1, other)):
        c.execute("UPDATE log SET seq = ? WHERE seq = ?", (new, old))
    return at


def make_room(c: Any, at: int) -> None:
    c.execute("UPDATE log SET seq = -seq - 1 WHERE seq >= ?", (at,))
    c.execute("UPDATE log SET seq = -seq WHERE seq < 0")


def inserted_copy(c: Any, at: int, rng: random.Random) -> int:
    make_room(c, at)
    other = rng.randrange(1, at)
    c.execute(
        "INSERT INTO log SELECT ?, header, body, body_hash, hash, signature FROM log WHERE seq = ?",
        (at, other),
    )
    return at


def inserted_by_a_stranger(c: Any, at: int, rng: random.Random) -> int:
    make_room(c, at)
    previous = c.execute("SELECT hash FROM log WHERE seq = ?", (at - 1,)).fetchone()[0]
    header, body = c.execute("SELECT header, body FROM log WHERE seq = ?", (at - 1,)).fetchone()
    digest = chain.entry_hash(previous, chain.body_hash(body), header)
    signature = DeviceKey(rng.randbytes(32)).sign(chain.signed_bytes(digest))
    row = (at, header, body, chain.body_hash(body), digest, signature)
    c.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", row)
    return at


def signed_with_another_key(c: Any, at: int, rng: random.Random) -> int:
    key = DeviceKey(rng.randbytes(32))
    for seq, digest in c.execute("SELECT seq, hash FROM log WHERE seq >= ?", (at,)).fetchall():
        c.execute("UPDATE log SET signature = ? WHERE seq = ?", (key.sign(chain.signed_bytes(digest)), seq))
    return at


def cut_tail(c: Any, at: int, rng: random.Random) -> int:
    c.execute("DELETE FROM log WHERE seq >= ?", (at,))
    return at


def chain_computed_anew(c: Any, at: int, rng: random.Random) -> int:
    """Content changed and every later hash made to fit; only the signatures cannot be."""
    altered_content(c, at, rng)
    previous = c.execute("SELECT hash FROM log WHERE seq = ?", (at - 1,)).fetchone()[0]
    rows = c.execute(
        "SELECT seq, header, body, body_hash FROM log WHERE seq >= ? ORDER BY seq", (at,)
    ).fetchall()
    for seq, header, body, kept in rows:
        digest = kept if body is None else chain.body_hash(body)
        previous = chain.entry_hash(previous, digest, header)
        c.execute("UPDATE log SET body_hash = ?, hash = ? WHERE seq = ?", (digest, previous, seq))
    return at


KINDS: list[tuple[Tamper, set[str]]] = [
    (altered_content, {"altered"}),
    (altered_header, {"altered"}),
    (one_bit, {"altered", "forged author"}),
    (emptied, {"altered"}),
    (removed_leaving_a_gap, {"removed"}),
    (removed_and_closed_up, {"removed"}),
    (reordered, {"reordered"}),
    (inserted_copy, {"inserted"}),
    (inserted_by_a_stranger, {"inserted"}),
    (signed_with_another_key, {"forged author"}),
    (chain_computed_anew, {"forged author"}),
    (cut_tail, {"cut tail"}),
]


def test_an_untouched_store_verifies(copy: Path, clock) -> None:
    with opened(copy, clock) as store:
        report = store.verify(full=True)
    assert (report.ok, report.checked, report.problem) == (True, SIZE, None)


@pytest.mark.conforms("P15", "S5")
@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize(("tamper", "kinds"), KINDS, ids=lambda value: getattr(value, "__name__", ""))
def test_tampering_is_found_and_named(
    copy: Path, clock, monkeypatch: pytest.MonkeyPatch, tamper: Tamper, kinds: set[str], seed: int
) -> None:
    rng = random.Random(f"{tamper.__name__} {seed}")
    at = rng.randrange(2, SIZE - 30)
    connection = raw(copy)
    place = tamper(connection, at, rng)
    connection.close()
    with opened(copy, clock, read_only=True) as store:
        found = store.verify(full=True)
        monkeypatch.setattr(following, "SPAN", SIZE // 4)
        monkeypatch.setattr(following, "HELPED_FROM", SIZE // 2)
        monkeypatch.setattr(following, "_processors", lambda: 2)
        assert store.verify(full=True) == found, "helping processes change nothing of what is found"
    problem = found.problem
    assert problem is not None
    assert (problem.kind in kinds, problem.seq) == (True, place), problem


def rewritten(path: Path, clock: Any) -> None:
    """The whole history told anew by a thief who has the file and therefore the key: all of it fits."""
    with opened(path, clock) as store:
        key, identity = key_of(store), store.identity
        engrams = list(store.log())
    c = raw(path)
    previous = chain.genesis(identity.store_id, identity.public_key)
    for engram in engrams:
        told = draft(engram.content.replace("claim", "blame"), engram.type, links=engram.links)
        told = (
            told
            if engram.type is not EngramType.LINK
            else draft(engram.content, engram.type, links=engram.links, metadata=dict(engram.metadata))
        )
        written = write_down(
            told,
            engram_id=engram.id,
            seq=engram.seq,
            author=engram.author,
            device=key.device,
            created_at=engram.created_at,
            salt="00" * 16,
        )
        digest = chain.body_hash(written.body)
        previous = chain.entry_hash(previous, digest, written.header)
        signature = key.sign(chain.signed_bytes(previous))
        c.execute(
            "UPDATE log SET header = ?, body = ?, body_hash = ?, hash = ?, signature = ? WHERE seq = ?",
            (written.header, written.body, digest, previous, signature, engram.seq),
        )
    seal = key.sign(chain.head_bytes(identity.store_id, len(engrams), previous)).hex()
    head = {"device": key.device, "hash": chain.tagged(previous), "seq": len(engrams), "signature": seal}
    c.execute("UPDATE meta SET value = ? WHERE key = 'head'", (chain.canonical(head),))
    c.close()


@pytest.mark.conforms("P15")
def test_a_wholly_rewritten_history_shows_against_a_checkpoint_kept_elsewhere(
    copy: Path, clock, tmp_path: Path
) -> None:
    with opened(copy, clock) as store:
        (tmp_path / "checkpoint.json").write_text(store.checkpoint().json())
        store.write(draft("written after the checkpoint"))
        assert store.verify(full=True, against=tmp_path / "checkpoint.json").ok
    rewritten(copy, clock)
    with opened(copy, clock) as store:
        assert store.verify(full=True).ok, "with the key, only what is kept elsewhere can tell"
        problem = store.verify(full=True, against=tmp_path / "checkpoint.json").problem
    assert problem is not None
    assert (problem.kind, problem.seq) == ("rewritten", SIZE)


def test_a_checkpoint_of_another_store_or_a_changed_one_is_no_proof(
    copy: Path, clock, tmp_path: Path
) -> None:
    with opened(copy, clock) as store, opened(tmp_path / "other.partner", clock, seed=8) as other:
        other.write(draft("elsewhere"))
        for text in (other.checkpoint().json(), store.checkpoint().json().replace(f"{SIZE}", f"{SIZE - 1}")):
            (tmp_path / "checkpoint.json").write_text(text)
            problem = store.verify(against=tmp_path / "checkpoint.json").problem
            assert problem is not None
            assert problem.kind == "rewritten"


def test_a_cut_tail_with_its_head_record_shows_against_a_checkpoint(
    copy: Path, clock, tmp_path: Path
) -> None:
    with opened(copy, clock) as store:
        old_head = store.backend.meta("head")
        store.write_many([draft("soon gone"), draft("gone too")])
        (tmp_path / "checkpoint.json").write_text(store.checkpoint().json())
    c = raw(copy)
    for table in ("log", "state"):
        c.execute(f"DELETE FROM {table} WHERE seq > ?", (SIZE,))
    c.execute("UPDATE meta SET value = ? WHERE key = 'head'", (old_head,))
    c.close()
    with opened(copy, clock) as store:
        assert store.verify(full=True).ok
        problem = store.verify(against=tmp_path / "checkpoint.json").problem
    assert problem is not None
    assert (problem.kind, problem.seq) == ("cut tail", SIZE + 1)


def changes_of_state() -> Iterator[Any]:
    yield "UPDATE state SET ended_seq = 5, ended_us = 1, ended_why = 'retracted' WHERE seq = 1800"
    yield "UPDATE state SET ended_seq = NULL, ended_us = NULL, ended_why = NULL WHERE seq = 1"
    yield "DELETE FROM state WHERE seq = 1700"
    yield "UPDATE state SET klass = 'prohibition' WHERE seq = 1700"
    yield "DELETE FROM edge WHERE seq = (SELECT max(seq) FROM edge)"
    yield "UPDATE edge SET dst = src WHERE seq = (SELECT max(seq) FROM edge)"


@pytest.mark.parametrize("sql", list(changes_of_state()))
def test_a_state_that_says_something_else_than_the_log_is_found_and_can_be_rebuilt(
    copy: Path, clock, sql: str
) -> None:
    c = raw(copy)
    c.execute(sql)
    c.close()
    with opened(copy, clock) as store:
        problem = store.verify(full=True).problem
        assert problem is not None
        assert problem.kind == "state"
        store.rebuild()
        assert store.verify(full=True).ok


def test_an_entry_before_the_first_is_found(copy: Path, clock) -> None:
    c = raw(copy)
    c.execute("INSERT INTO log SELECT -5, header, body, body_hash, hash, signature FROM log WHERE seq = 5")
    c.close()
    with opened(copy, clock) as store:
        problem = store.verify(full=True).problem
    assert problem is not None
    assert (problem.kind, problem.seq) == ("inserted", -5)


def test_what_is_appended_while_the_state_is_compared_is_no_damage(copy: Path, clock, monkeypatch) -> None:
    with opened(copy, clock) as store, opened(copy, clock, seed=None) as other:
        written: list[str] = []
        compare = verifying.check_state

        def after_the_fold(log: Any) -> None:
            if not written:
                written.append(other.write(draft("meanwhile")).id)
                raise Bad("state", SIZE + 1, "as when the tables went on after the log was read")
            compare(log)

        monkeypatch.setattr(verifying, "check_state", after_the_fold)
        assert store.verify(full=True).ok
        assert store.head().seq == SIZE + 1


def test_a_device_that_the_root_key_does_not_vouch_for_signs_nothing(copy: Path, clock) -> None:
    with opened(copy, clock) as store:
        thief = DeviceKey(b"t" * 32)
        record = chain.canonical(
            {
                "certificate": thief.sign(CERTIFICATE_TAG + thief.public).hex(),
                "created_at": clock().isoformat(),
                "public_key": thief.public.hex(),
            }
        )
    c = raw(copy)
    c.execute("INSERT INTO meta VALUES (?, ?)", (f"device:{thief.device}", record))
    c.execute("INSERT INTO meta VALUES (?, ?)", (f"secret:{thief.device}", thief.seed))
    c.execute("UPDATE meta SET value = ? WHERE key = 'device'", (thief.device.encode(),))
    c.close()
    with opened(copy, clock) as store:
        store.write(draft("as the operator, by a thief"))
        problem = store.verify(full=True).problem
    assert problem is not None
    assert (problem.kind, problem.seq) == ("forged author", SIZE + 1)


def test_a_full_disk_keeps_no_watermark_and_verification_says_what_it_found_all_the_same(
    copy: Path, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def full() -> Iterator[None]:
        raise StoreUnavailable("the disk is full")
        yield

    with opened(copy, clock) as store:
        monkeypatch.setattr(store, "_writing", full)
        report = store.verify(full=True)
        assert (report.ok, report.checked) == (True, SIZE)


def test_verification_goes_on_from_a_signed_watermark_only(copy: Path, clock) -> None:
    seen: list[tuple[int, int]] = []
    with opened(copy, clock) as store:
        assert store.verify(progress=lambda done, total: seen.append((done, total))).checked == SIZE
        assert seen[-1] == (SIZE, SIZE)
        store.write(draft("one more"))
        report = store.verify()
        assert (report.ok, report.start, report.checked) == (True, SIZE + 1, 1)
        forged = chain.canonical({"hash": "00" * 32, "seq": SIZE + 1, "signature": "00" * 64})
    c = raw(copy)
    c.execute("UPDATE meta SET value = ? WHERE key = 'verified'", (forged,))
    c.close()
    with opened(copy, clock) as store:
        assert store.verify().checked == SIZE + 1
