"""An import believes what it can prove: whatever else a file claims, nothing of it becomes a store."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from drafting import draft, opened

from store import export_store, import_store, protection
from store.canonical import canonical
from store.errors import BadRequest, Locked, StoreDamaged, StoreError
from store.importing import LONGEST_LINE
from store.keys import DeviceKey

Lines = list[bytes]


@pytest.fixture
def lines(tmp_path: Path, clock) -> Lines:
    """An export of five entries, one of them erased, with a vector and uses."""
    with opened(tmp_path / "a.partner", clock) as store:
        a, b = store.write_many([draft("claim a"), draft("claim b")])
        store.erase(store.write(draft("secret")).id, "gone")
        store.link(a.id, "blocks", b.id)
        store.put_vectors("m1", [(a.id, b"vector")])
        store.reinforce([b.id], clock())
        export_store(store, tmp_path / "export.jsonl")
    return (tmp_path / "export.jsonl").read_bytes().splitlines(keepends=True)


def ended(lines: Lines) -> bytes:
    """With the last line that fits, as whoever alters a file can write it."""
    kept = b"".join(lines[:-1])
    end = {"end": {"lines": len(lines) - 1, "sha256": hashlib.sha256(kept).hexdigest()}}
    return kept + canonical(end) + b"\n"


def refused(tmp_path: Path, clock, data: bytes, kind: type[StoreError] = StoreDamaged) -> str:
    (tmp_path / "bad.jsonl").write_bytes(data)
    with pytest.raises(kind) as error:
        import_store(tmp_path / "bad.jsonl", tmp_path / "b.partner", clock=clock, author="operator")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.partner", "bad.jsonl", "export.jsonl"]
    return str(error.value)


def changed(lines: Lines, at: int, change: Callable[[dict[str, Any]], object]) -> Lines:
    fields = json.loads(lines[at])
    change(fields)
    return [*lines[:at], canonical(fields) + b"\n", *lines[at + 1 :]]


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def place(lines: Lines, kind: bytes) -> int:
    return next(n for n, line in enumerate(lines) if line.startswith(b'{"' + kind))


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "entry 2"),
        (lambda lines: [*lines[:2], *lines[1:]], "entry 2"),
        (lambda lines: [lines[0], *lines[2:]], "entry 1"),
        (lambda lines: [*lines[:5], *lines[6:]], "its 4 entries are not the 5"),
        (lambda lines: [*lines[:2], lines[2].replace(b'"seq":2', b'"seq":9,"seq":2'), *lines[3:]], "writes"),
        (lambda lines: [*lines[:2], b" " + lines[2], *lines[3:]], "writes"),
        (lambda lines: [*lines[:2], b"\n", *lines[2:]], "not understood"),
        (lambda lines: [*lines[:2], b'{"note":1}\n', *lines[2:]], "writes"),
        (lambda lines: [*lines[:2], b"[" * 100_000 + b"\n", *lines[2:]], "not understood"),
        (lambda lines: changed(lines, 0, lambda m: m["meta"].pop("head")), "signed head"),
        (lambda lines: changed(lines, 0, lambda m: m["meta"].pop("root_key")), "identity"),
        (lambda lines: changed(lines, 0, lambda m: m["meta"].update(scrub=b64(b"1"))), "record"),
        (lambda lines: changed(lines, 0, lambda m: m["meta"].update(format=b64(b"engram/9"))), "knows"),
    ],
)
def test_what_was_altered_together_with_its_digest_is_refused_by_name(
    tmp_path: Path, clock, lines: Lines, alter: Callable[[Lines], Lines], said: str
) -> None:
    assert said in refused(tmp_path, clock, ended(alter(lines)))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("vector", {"seq": 99}),
        ("vector", {"seq": 3}),
        ("vector", {"seq": "1"}),
        ("vector", {"model": None}),
        ("vector", {"blob": "no base64!"}),
        ("access", {"seq": 0}),
        ("access", {"times": list(range(11))}),
        ("access", {"times": ["soon"]}),
        ("access", {"times": [2**53 - 1, None]}),
        ("access", {"times": 5}),
    ],
)
def test_vectors_and_uses_of_no_engram_are_refused(
    tmp_path: Path, clock, lines: Lines, kind: str, change: dict[str, Any]
) -> None:
    altered = changed(lines, place(lines, kind.encode()), lambda line: line[kind].update(change))
    refused(tmp_path, clock, ended(altered))


def test_a_signing_key_that_is_not_the_devices_is_refused(tmp_path: Path, clock, lines: Lines) -> None:
    """Else everything written from then on would be forged."""

    def swap(manifest: dict[str, Any]) -> None:
        name = next(key for key in manifest["meta"] if key.startswith("secret:"))
        manifest["meta"][name] = b64(DeviceKey(b"t" * 32).seed)

    assert "not that of its device" in refused(tmp_path, clock, ended(changed(lines, 0, swap)))


def test_a_file_of_any_claimed_size_is_read_no_further_than_it_makes_sense(
    tmp_path: Path, clock, lines: Lines
) -> None:
    huge = tmp_path / "huge"
    for first, kind in ((b"", BadRequest), (lines[0], StoreDamaged)):
        with huge.open("wb") as file:
            file.write(first)
            file.truncate(10 << 30)  # ten gigabytes without a line's end, on a disk that need not have them
        with pytest.raises(kind):
            import_store(huge, tmp_path / "b.partner", clock=clock, author="operator")
    assert LONGEST_LINE < 1 << 27
    huge.unlink()
    claimed = canonical({"end": {"lines": 10**10, "sha256": "0" * 64}}) + b"\n"
    refused(tmp_path, clock, b"".join(lines[:-1]) + claimed)


def test_an_export_cut_at_any_byte_is_refused(tmp_path: Path, clock, lines: Lines) -> None:
    data = b"".join(lines)
    for size in range(0, len(data) - 1, 97):
        (tmp_path / "cut.jsonl").write_bytes(data[:size])
        with pytest.raises((BadRequest, StoreDamaged)):
            import_store(tmp_path / "cut.jsonl", "memory:", clock=clock, author="operator")


def test_an_import_is_encrypted_or_sealed_from_its_first_byte(tmp_path: Path, clock, lines: Lines) -> None:
    def load(source: Path, name: str, **options: Any) -> Path:
        target = tmp_path / name
        import_store(source, target, clock=clock, author="operator", **options).close()
        return target

    source = tmp_path / "export.jsonl"
    whole = load(source, "whole", passphrase="sesame", encrypt=True)
    assert protection(whole) == "file"
    assert b"claim a" not in whole.read_bytes()
    sealed = load(source, "sealed", passphrase="sesame")
    assert (protection(sealed), protection(load(source, "open"))) == ("keys", "none")
    with opened(sealed, clock, passphrase="sesame") as store:
        store.write(draft("signed with the sealed key"))
        export_store(store, tmp_path / "sealed.jsonl")
    again = load(tmp_path / "sealed.jsonl", "again", passphrase=lambda: "sesame", encrypt=True)
    with opened(again, clock, passphrase="sesame") as store:
        store.write(draft("with the one passphrase"))
        assert store.verify(full=True).ok
    for wrong, encrypt in (("Sesame", True), ("Sesame", False), (None, True)):
        with suppress(FileNotFoundError), pytest.raises(Locked):
            load(tmp_path / "sealed.jsonl", "wrong", passphrase=wrong, encrypt=encrypt)
        assert not (tmp_path / "wrong").exists()
