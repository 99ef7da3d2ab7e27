"""Passphrases, encryption of the whole file, moving, copying, exporting: the identity stays one and whole."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from drafting import draft, key_of, opened

from gate import Decision, Facts, Snapshot, TextRequest, Verdict, gate
from store import chain, export_store, import_store, move_store, protection, rekey_store
from store.canonical import canonical
from store.errors import BadRequest, Locked, StoreDamaged, StoreUnavailable
from store.keys import seal, unseal
from store.model import EngramType, Klass


def filled(path: Path, clock, **options):
    """A store with every kind of thing in it; the caller closes it."""
    store = opened(path, clock, **options)
    a, b, c = store.write_many([draft(f"claim {n}", metadata={"é": 1e-9, "n": n}) for n in "abc"])
    store.supersede(a.id, draft("claim a again"))
    store.link(b.id, "blocks", c.id)
    store.erase(store.write(draft("secret", EngramType.NOTE)).id, "gone")
    store.put_vectors("m1", [(a.id, bytes(range(256))), (c.id, b"")])
    store.put_vectors("m2", [(b.id, b"\xff" * 64)])
    store.reinforce([a.id, b.id], clock())
    return store


def everything(store):
    backend = store.backend
    return (
        store.identity,
        store.head(),
        list(backend.entries()),
        list(backend.standings()),
        backend.edges(include_ended=True),
        {model: [(seq, blob) for _, seq, _, blob in backend.vectors(model)] for model, _ in backend.models()},
        backend.accesses(range(1, store.head().seq + 1)),
    )


@pytest.mark.conforms("P17", "E24")
def test_an_export_and_its_import_are_the_same_store(tmp_path: Path, clock) -> None:
    with filled(tmp_path / "a.partner", clock) as store:
        export_store(store, tmp_path / "export.jsonl")
        before = everything(store)
        found = [hit.engram.id for hit in store.search("claim again")]
    assert (tmp_path / "export.jsonl").stat().st_mode & 0o777 == 0o600
    for target in (tmp_path / "b.partner", "memory:"):
        with import_store(tmp_path / "export.jsonl", target, clock=clock, author="operator") as copy:
            assert everything(copy) == before
            assert copy.verify(full=True).ok
            assert [hit.engram.id for hit in copy.search("claim again")] == found
            assert copy.write(draft("one more")).seq == before[1].seq + 1
            assert copy.verify(full=True).ok


def test_an_export_without_keys_can_be_read_but_not_written_to(tmp_path: Path, clock) -> None:
    with filled(tmp_path / "a.partner", clock) as store:
        export_store(store, tmp_path / "export.jsonl", keys=False)
        assert "secret:" not in (tmp_path / "export.jsonl").read_text()
    with import_store(tmp_path / "export.jsonl", "memory:", clock=clock, author="operator") as copy:
        assert copy.current()
        with pytest.raises(StoreDamaged, match="signing key"):
            copy.write(draft("as somebody else"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[:3],
        lambda lines: [*lines[:2], *lines[3:]],
        lambda lines: [line.replace("claim b", "claim B") for line in lines],
        lambda lines: [],
        lambda lines: ["not json"],
        lambda lines: ['{"format":"engram-export/9","meta":{}}', *lines[1:]],
        lambda lines: ["[]", *lines[1:]],
    ],
)
def test_a_damaged_export_is_refused_and_leaves_nothing(tmp_path: Path, clock, damage) -> None:
    with filled(tmp_path / "a.partner", clock) as store:
        export_store(store, tmp_path / "export.jsonl")
    lines = (tmp_path / "export.jsonl").read_text().splitlines()
    (tmp_path / "export.jsonl").write_text("\n".join(damage(lines)) + "\n")
    with pytest.raises((BadRequest, StoreDamaged)):
        import_store(tmp_path / "export.jsonl", tmp_path / "b.partner", clock=clock, author="operator")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.partner", "export.jsonl"]


def test_an_export_that_was_altered_together_with_its_digest_is_still_refused(tmp_path: Path, clock) -> None:
    with filled(tmp_path / "a.partner", clock) as store:
        export_store(store, tmp_path / "export.jsonl")
    lines = (tmp_path / "export.jsonl").read_text().replace("claim b", "claim B").splitlines(keepends=True)
    digest = hashlib.sha256("".join(lines[:-1]).encode()).hexdigest()
    lines[-1] = json.dumps({"end": {"lines": len(lines) - 1, "sha256": digest}}) + "\n"
    (tmp_path / "export.jsonl").write_text("".join(lines))
    with pytest.raises(StoreDamaged, match="entry 2"):
        import_store(tmp_path / "export.jsonl", tmp_path / "b.partner", clock=clock, author="operator")


@pytest.mark.conforms("S2", "S3", "S4")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, None) for key in ("id", "type", "author", "created_at", "content")),
        *(("type", "opinion"), ("created_at", "yesterday"), ("provenance", "hearsay"), ("tier", "Deep")),
    ],
)
def test_an_entry_that_lacks_what_it_must_have_is_not_imported_whoever_signed_it(
    tmp_path: Path, clock, key: str, value: str | None
) -> None:
    with opened(tmp_path / "a.partner", clock) as store:
        store.write(draft("a claim"))
        export_store(store, tmp_path / "export.jsonl")
        signer, genesis = key_of(store), store._genesis
    lines = [json.loads(line) for line in (tmp_path / "export.jsonl").read_text().splitlines()]
    entry = lines[1]["entry"]
    part = entry["body"] if key == "content" else entry["header"]
    if value is None:
        del part[key]
    else:
        part[key] = value
    body = chain.body_hash(canonical(entry["body"]))
    digest = chain.entry_hash(genesis, body, canonical(entry["header"]))
    entry |= {"body_hash": chain.tagged(body), "hash": chain.tagged(digest)}
    entry["signature"] = signer.sign(chain.signed_bytes(digest)).hex()
    kept = b"".join(canonical(line) + b"\n" for line in lines[:-1])
    end = {"end": {"lines": len(lines) - 1, "sha256": hashlib.sha256(kept).hexdigest()}}
    (tmp_path / "export.jsonl").write_bytes(kept + canonical(end) + b"\n")
    with pytest.raises(StoreDamaged):
        import_store(tmp_path / "export.jsonl", tmp_path / "b.partner", clock=clock, author="operator")
    assert not (tmp_path / "b.partner").exists()


def test_nothing_that_exists_is_overwritten(tmp_path: Path, clock) -> None:
    with filled(tmp_path / "a.partner", clock) as store:
        (tmp_path / "there").write_text("precious")
        for attempt in (
            lambda: export_store(store, tmp_path / "there"),
            lambda: store.backup(tmp_path / "there"),
        ):
            with pytest.raises(BadRequest, match="exists already"):
                attempt()
        export_store(store, tmp_path / "export.jsonl")
    with pytest.raises(BadRequest, match="exists already"):
        import_store(tmp_path / "export.jsonl", tmp_path / "there", clock=clock, author="operator")
    with pytest.raises(BadRequest, match="exists already"):
        move_store(tmp_path / "a.partner", tmp_path / "there")
    assert (tmp_path / "there").read_text() == "precious"


def test_a_file_goes_into_a_folder_that_is_there_or_nowhere(tmp_path: Path, clock) -> None:
    nowhere = tmp_path / "no such" / "file"
    with filled(tmp_path / "a.partner", clock) as store:
        for attempt in (lambda: export_store(store, nowhere), lambda: store.backup(nowhere)):
            with pytest.raises(BadRequest, match="there is no folder"):
                attempt()
    with pytest.raises(BadRequest, match="there is no folder"):
        move_store(tmp_path / "a.partner", nowhere)
    assert [p.name for p in tmp_path.iterdir()] == ["a.partner"]


def test_a_passphrase_is_asked_for_only_when_it_is_needed(tmp_path: Path, clock) -> None:
    asked: list[str] = []

    def ask() -> str:
        asked.append("asked")
        return "sesame"

    sealed, whole, plain = (tmp_path / name for name in ("sealed.partner", "whole.partner", "plain.partner"))
    opened(sealed, clock, passphrase="sesame").close()
    opened(whole, clock, passphrase="sesame", encrypt=True).close()
    assert [protection(p) for p in (sealed, whole, plain, "memory:")] == ["keys", "file", "none", "none"]
    with opened(plain, clock, passphrase=ask) as store:  # a new store is not sealed with what nobody gave
        store.write(draft("a claim"))
    with opened(sealed, clock, passphrase=ask) as store:
        assert store.current() == []
        assert asked == []
        store.write_many([draft("a claim"), draft("another")])
        assert asked == ["asked"]
    with opened(whole, clock, passphrase=ask) as store:
        assert asked == ["asked", "asked"]
        assert store.current() == []
    assert protection(plain) == "none"


def test_a_backup_of_a_live_store_is_whole_and_opens_alone(tmp_path: Path, clock) -> None:
    (tmp_path / "backups").mkdir()
    with filled(tmp_path / "a.partner", clock) as store:
        before = everything(store)
        store.backup(tmp_path / "backups" / "b.partner")
        store.write(draft("after the backup"))
    copy = tmp_path / "backups" / "b.partner"
    assert [p.name for p in copy.parent.iterdir()] == ["b.partner"]
    assert copy.stat().st_mode & 0o777 == 0o600
    with opened(copy, clock) as store:
        assert everything(store) == before
        assert store.verify(full=True).ok


@pytest.mark.conforms("P17")
def test_moving_the_one_file_moves_the_identity_whole_and_leaves_no_journal(tmp_path: Path, clock) -> None:
    with filled(tmp_path / "old home" / "a.partner", clock) as store:
        before = everything(store)
    (tmp_path / "new home").mkdir()
    moved = move_store(tmp_path / "old home" / "a.partner", tmp_path / "new home")
    assert moved == tmp_path / "new home" / "a.partner"
    assert list((tmp_path / "old home").iterdir()) == []
    assert [p.name for p in (tmp_path / "new home").iterdir()] == ["a.partner"]
    with opened(moved, clock) as store:
        assert everything(store) == before
        assert store.write(draft("written at the new home")).author == "operator"
        assert store.verify(full=True).ok


@pytest.mark.conforms("P17", "P6")
def test_a_moved_store_gives_the_same_verdicts(tmp_path: Path, clock) -> None:
    at = datetime(2026, 3, 6, 10, 15, tzinfo=UTC)  # a Friday
    requests = [
        TextRequest(text=text, at=at) for text in ("Deploy the new build now.", "Who owns the schema?")
    ]

    def verdicts(path: Path) -> list[Verdict]:
        with opened(path, clock) as store:
            snapshot = Snapshot.build(store.current(klass=Klass.PROHIBITION), head=store.head().hash)
        return [replace(gate(request, Facts(), snapshot), micros=0.0) for request in requests]

    with opened(tmp_path / "a.partner", clock) as store:
        store.write(draft("Never deploy on Fridays.", EngramType.PROHIBITION))
    before = verdicts(tmp_path / "a.partner")
    assert [verdict.decision for verdict in before] == [Decision.REFUSE, Decision.ALLOW]
    assert verdicts(move_store(tmp_path / "a.partner", tmp_path / "b.partner")) == before


def test_a_store_in_use_is_neither_moved_nor_rekeyed(tmp_path: Path, clock) -> None:
    with filled(tmp_path / "a.partner", clock):
        for attempt in (
            lambda: move_store(tmp_path / "a.partner", tmp_path / "b.partner"),
            lambda: rekey_store(tmp_path / "a.partner", passphrase=None, new_passphrase="x"),
        ):
            with pytest.raises(StoreUnavailable, match="open in another program"):
                attempt()


@pytest.mark.conforms("E22")
def test_a_sealed_key_is_needed_to_write_and_not_to_read(tmp_path: Path, clock) -> None:
    path = tmp_path / "a.partner"
    filled(path, clock, passphrase="grün 東京").close()
    with opened(path, clock) as store:
        assert store.current()
        assert store.verify(full=True).ok
        head = store.head()
        with pytest.raises(Locked, match="passphrase is needed"):
            store.write(draft("locked out"))
        assert store.head() == head
    with opened(path, clock, passphrase="gruen") as store, pytest.raises(Locked, match="wrong"):
        store.write(draft("locked out"))
    with opened(path, clock, passphrase="grün 東京") as store:
        store.write(draft("let in"))
        store.set_passphrase(None)
    with opened(path, clock) as store:
        store.write(draft("no passphrase any more"))


def test_an_encrypted_file_opens_with_its_passphrase_only_and_shows_nothing(tmp_path: Path, clock) -> None:
    path = tmp_path / "a.partner"
    with filled(path, clock, passphrase="open sesame", encrypt=True) as store:
        before = everything(store)
        with pytest.raises(BadRequest, match="rekey"):
            store.set_passphrase("other")
    assert not any(word in path.read_bytes() for word in (b"SQLite format", b"claim", b"CREATE TABLE"))
    for wrong in (None, "", "Open sesame"):
        with pytest.raises(Locked):
            opened(path, clock, passphrase=wrong)
    with opened(path, clock, passphrase="open sesame") as store:
        assert everything(store) == before
        store.backup(tmp_path / "b.partner")
    with opened(tmp_path / "b.partner", clock, passphrase="open sesame") as store:
        assert everything(store) == before
    with pytest.raises(Locked):
        opened(tmp_path / "new.partner", clock, encrypt=True)


def test_protection_can_be_put_on_changed_and_taken_off_later(tmp_path: Path, clock) -> None:
    path = tmp_path / "a.partner"
    with filled(path, clock) as store:
        before = everything(store)
        seed = store.backend.meta(f"secret:{store.identity.device}")
        assert seed is not None
    rekey_store(path, passphrase=None, new_passphrase="one")
    assert [p.name for p in tmp_path.iterdir()] == ["a.partner"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert seed not in path.read_bytes()
    with pytest.raises(Locked):
        rekey_store(path, passphrase="wrong", new_passphrase="two")
    rekey_store(path, passphrase="one", new_passphrase="two", encrypt=False)
    assert path.read_bytes().startswith(b"SQLite format 3")
    assert seed not in path.read_bytes()
    with opened(path, clock, passphrase="two") as store:
        assert everything(store) == before
        assert store.write(draft("still the same")).seq == before[1].seq + 1
        assert store.verify(full=True).ok
    rekey_store(path, passphrase="two", new_passphrase=None)
    with opened(path, clock) as store:
        store.write(draft("open again"))
        assert store.verify(full=True).ok


def test_the_plain_bytes_that_a_new_key_replaced_are_wiped_after_a_crash_too(tmp_path: Path, clock) -> None:
    path = tmp_path / "a.partner"
    filled(path, clock).close()
    shutil.copy(path, tmp_path / ".a.partner.replaced")
    opened(path, clock).close()
    assert [p.name for p in tmp_path.iterdir()] == ["a.partner"]


def test_a_sealed_record_is_damaged_or_locked_and_never_a_wrong_key() -> None:
    record = seal(b"s" * 32, "pass", os.urandom)
    assert unseal(record, "pass") == b"s" * 32
    for broken in (b"", b"{}", record[:-10], record.replace(b"argon", b"scrypt").replace(b"box", b"bax")):
        with pytest.raises(StoreDamaged):
            unseal(broken, "pass")
    with pytest.raises(Locked):
        unseal(record, "Pass")
    with pytest.raises(Locked):
        unseal(record, None)
