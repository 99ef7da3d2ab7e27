"""Erased means gone: from every byte of every file that the store has."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from drafting import OPERATOR, draft, opened

from store import export_store
from store.model import EngramType, Provenance, ProvenanceKind
from store.sqlite import migrating

CANARY = "zqxcanaryzqx"
FORMS = [CANARY.encode(), CANARY.upper().encode(), CANARY.encode("utf-16-le"), CANARY[:9].encode()]


def traces(folder: Path) -> list[str]:
    """Files below `folder` in which a form of the canary is left."""
    return [
        f"{path.name}: {form!r}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for form in FORMS
        if form in path.read_bytes()
    ]


def secret(text: str):
    provenance = Provenance(
        kind=ProvenanceKind.OPERATOR, source=f"file {CANARY}.txt", evidence=f"he said {CANARY}"
    )
    metadata = {"subject": f"{CANARY} key", "attribute": CANARY, "keys": CANARY, "value": {"deep": [CANARY]}}
    return draft(text, EngramType.NOTE, provenance=provenance, metadata=metadata)


@pytest.mark.conforms("S10")
@pytest.mark.parametrize("seed", range(3))
def test_an_erased_secret_is_in_no_byte_of_any_file(tmp_path: Path, clock, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path / "identity.partner"

    def noise(n: int) -> list:
        words = [f"word{rng.randrange(400)}" for _ in range(n * 12)]
        return [
            draft(" ".join(words[i * 12 : i * 12 + 12]), metadata={"subject": words[i]}) for i in range(n)
        ]

    with opened(path, clock) as store:
        store.write_many(noise(rng.randrange(1, 200)))
        long = f"{CANARY} " * rng.choice([1, 30, 3000])
        ids = [store.write(secret(f"The password is {long}")).id]
        store.write_many(noise(rng.randrange(1, 200)))
        ids.append(store.supersede(ids[0], secret(f"It is {CANARY} now")).id)
        store.put_vectors(f"m{CANARY[:3]}", [(i, CANARY.encode() * 50) for i in ids])
        store.reinforce(ids, clock())
        store.write_many(noise(rng.randrange(1, 200)))
        assert store.search(CANARY)
        assert traces(tmp_path)
        for engram_id in ids:
            store.erase(engram_id, "a secret")
        assert traces(tmp_path) == [], "while it is open"
        assert path.read_bytes()[36:40] == bytes(4), "no free page is left (SQLite's file format, 1.3.6)"
        assert store.search(CANARY, history=True) == []
        assert CANARY not in store.reason_on(f"{CANARY} password").text().replace(f"on {CANARY}", "")
        assert store.verify(full=True).ok
        export_store(store, tmp_path / "export.jsonl")
        store.backup(tmp_path / "backup.partner")
    assert traces(tmp_path) == [], "after it is closed"
    with opened(path, clock) as store:
        assert store.verify(full=True).ok


def test_a_copy_kept_by_a_migration_goes_with_the_erasure(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    with opened(path, clock) as store:
        engram = store.write(secret(f"The password is {CANARY}"))
        store.backup(migrating.kept_copy(path, 1))
        store.erase(engram.id, "a secret")
    assert traces(tmp_path) == []


def test_an_erasure_that_a_reader_holds_up_is_finished_at_the_next_opening(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    with opened(path, clock) as store:
        engram = store.write(secret(f"The password is {CANARY}"))
        store.backend.scrub = lambda: False  # type: ignore[method-assign] - as when a reader never ends
        store.erase(engram.id, "a secret")
        assert store.read(engram.id).erased
        assert store.backend.meta("scrub") is not None
    with opened(path, clock) as store:
        assert store.backend.meta("scrub") is None
        assert traces(tmp_path) == []


def test_erasing_inside_a_transaction_is_finished_when_that_ends(tmp_path: Path, clock) -> None:
    with opened(tmp_path / "identity.partner", clock) as store:
        engram = store.write(secret(f"The password is {CANARY}"))
        with store.transaction():
            store.erase(engram.id, "a secret")
            store.write(draft("and something else", provenance=OPERATOR))
        assert traces(tmp_path) == []


def test_sealing_the_key_leaves_no_byte_of_the_open_key(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    with opened(path, clock) as store:
        seed = store.backend.meta(f"secret:{store.identity.device}")
        assert seed is not None
        assert any(seed in p.read_bytes() for p in tmp_path.iterdir())
        store.set_passphrase("open sesame")
        assert not any(seed in p.read_bytes() for p in tmp_path.iterdir())
