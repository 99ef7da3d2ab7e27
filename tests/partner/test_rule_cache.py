"""The file of compiled rules: it spares compiling, and changing it weakens no rule."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from gate.constraint import Constraint
from gate.kept import KeptRules
from gate.model import Verdict
from partner.bootstrap import open_partner
from partner.operations import Partner
from partner.rulecache import KIND, RuleCache
from partner.settings import Config, EmbeddingSettings, Settings
from store import create_store, open_store

AT = datetime.fromisoformat("2026-03-06T10:15:00+01:00")
RULE = "Never delete the invoices."
Opener = Callable[..., Any]


@pytest.fixture
def started(tmp_path: Path, clock) -> Opener:
    """Start the partner of this test, as a new process would."""

    @contextmanager
    def start(passphrase: str | None = None, **more: Any) -> Iterator[Partner]:
        settings = Settings(
            home=tmp_path,
            models_dir=tmp_path / "models",
            store=str(tmp_path / "identity.partner"),
            engine="none",
            config=Config(embedding=EmbeddingSettings(enabled=False)),
            passphrase=SecretStr(passphrase) if passphrase else None,
        )
        with open_partner(settings, clock=clock, engine_free=True, **more) as partner:
            yield partner

    return start


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that are compiled from now on."""
    import gate.snapshot as snapshot

    found: list[str] = []
    real = snapshot.compile_rule

    def counting(engram, learned):
        found.append(engram.content)
        return real(engram, learned)

    monkeypatch.setattr(snapshot, "compile_rule", counting)
    return found


def ask(partner: Partner) -> Verdict:
    return partner.policy.check_text("Please delete the invoices.", AT)


def file_of(tmp_path: Path) -> Path:
    return next((tmp_path / "cache" / "rules").iterdir())


def kept_once(started: Opener, tmp_path: Path) -> Path:
    with started() as partner:
        partner.forbid(RULE)
    with started() as partner:
        assert not ask(partner).allowed
    return file_of(tmp_path)


def test_a_later_start_compiles_nothing_and_refuses_the_same(
    started: Opener, tmp_path: Path, compiled: list[str]
) -> None:
    path = kept_once(started, tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    del compiled[:]
    with started() as partner:
        verdict = ask(partner)
    assert not verdict.allowed
    assert verdict.matches[0].sentence == RULE
    assert compiled == []


def weakened(data: bytes) -> bytes:
    """The same rules, on balloons."""
    start = data.index(b"\n") + 1 + 64
    body = json.loads(data[start:])
    body["parts"] = [[word, {"balloon": 1.0}, *rest] for word, _, *rest in body["parts"]]
    objects = [field.name for field in fields(Constraint)].index("objects")
    for row, _ in body["rules"].values():
        row[objects] = [[words, parts, {}, *rest] for words, parts, _, *rest in row[objects]]
    return data[:start] + json.dumps(body).encode()


def forged(data: bytes, sign: Callable[[bytes], bytes]) -> bytes:
    """The weakened rules with a signature made for them."""
    magic = data.index(b"\n") + 1
    body = weakened(data)[magic + 64 :]
    return data[:magic] + sign(hashlib.sha256(body).digest()) + body


@pytest.mark.parametrize(
    "way", ["changed", "unsigned", "by another store", "as another kind", "empty", "cut"]
)
def test_a_file_that_the_store_did_not_sign_weakens_nothing_and_is_written_anew(
    way: str, started: Opener, tmp_path: Path, clock, compiled: list[str]
) -> None:
    path = kept_once(started, tmp_path)
    good = path.read_bytes()
    assert weakened(good) != good

    def by_another(digest: bytes) -> bytes:
        with create_store(tmp_path / "other.partner", clock=clock, author="mallory") as other:
            return other.vouch(KIND, digest) or b""

    def as_another(digest: bytes) -> bytes:
        with open_store(tmp_path / "identity.partner", clock=clock, author="lea") as store:
            return store.vouch("something else", digest) or b""

    path.write_bytes(
        {
            "changed": lambda: weakened(good),
            "unsigned": lambda: forged(good, lambda digest: bytes(64)),
            "by another store": lambda: forged(good, by_another),
            "as another kind": lambda: forged(good, as_another),
            "empty": lambda: b"",
            "cut": lambda: good[:-1],
        }[way]()
    )
    del compiled[:]
    with started() as partner:
        assert not ask(partner).allowed
    assert compiled == [RULE]
    assert path.read_bytes() == good


def test_a_file_that_the_store_signed_for_weaker_rules_would_be_believed(
    started: Opener, tmp_path: Path, clock
) -> None:
    path = kept_once(started, tmp_path)
    good = path.read_bytes()
    with open_store(tmp_path / "identity.partner", clock=clock, author="lea") as store:
        path.write_bytes(forged(good, lambda digest: store.vouch(KIND, digest) or b""))
    with started() as partner:  # so it is the signature alone that the test before rests on
        assert ask(partner).allowed


def test_signed_bytes_of_an_unknown_form_are_as_good_as_none(started: Opener, tmp_path: Path, clock) -> None:
    path = kept_once(started, tmp_path)
    good = path.read_bytes()
    for body in (b"[]", b'{"rules": 1}', b"\xff", json.dumps({"rules": {}, "parts": [1]}).encode()):
        with open_store(tmp_path / "identity.partner", clock=clock, author="lea") as store:
            signature = store.vouch(KIND, hashlib.sha256(body).digest()) or b""
        path.write_bytes(good[: good.index(b"\n") + 1] + signature + body)
        with started() as partner:
            assert not ask(partner).allowed
        assert path.read_bytes() == good


def test_nothing_of_an_encrypted_store_is_kept_in_the_clear(started: Opener, tmp_path: Path, clock) -> None:
    place = tmp_path / "identity.partner"
    create_store(place, clock=clock, author="lea", passphrase="ferry", encrypt=True).close()
    with started("ferry") as partner:
        partner.forbid(RULE)
        assert not ask(partner).allowed
    assert not list((tmp_path / "cache").rglob("*.json"))


def test_where_nothing_may_be_written_no_file_is_made(started: Opener, tmp_path: Path) -> None:
    with started() as partner:
        partner.forbid(RULE)
    with started(read_only=True) as partner:
        assert not ask(partner).allowed
        assert partner.store.vouch(KIND, bytes(32)) is None
    assert not list((tmp_path / "cache").rglob("*.json"))


def test_keys_that_would_have_to_be_asked_for_sign_no_rules(tmp_path: Path, clock) -> None:
    path = tmp_path / "identity.partner"
    create_store(path, clock=clock, author="lea", passphrase="ferry").close()
    asked: list[int] = []

    def passphrase() -> str:
        asked.append(1)
        return "ferry"

    with open_store(path, clock=clock, author="lea", passphrase=passphrase) as store:
        RuleCache(tmp_path / "rules", store).write(KeptRules())
        assert asked == []
        assert not (tmp_path / "rules").exists()
        store.unlock()
        RuleCache(tmp_path / "rules", store).write(KeptRules())
    assert len(list((tmp_path / "rules").iterdir())) == 1


def test_nothing_of_an_erased_rule_stays_in_the_file(started: Opener, tmp_path: Path) -> None:
    kept_once(started, tmp_path)
    with started() as partner:
        formed = partner.forbid("Never sell the houseboat.")
        partner.policy.check_text("Hello.", AT)
    with started() as partner:
        partner.policy.check_text("Hello.", AT)
        assert b"houseboat" in file_of(tmp_path).read_bytes()
        partner.erase(formed.engram.id, "private")
        assert not ask(partner).allowed
    assert b"houseboat" not in file_of(tmp_path).read_bytes()
