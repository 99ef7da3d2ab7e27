"""What was altered in the file is never shown as what holds: every reading says so, without a verify."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drafting import contents, draft, opened

from store import Store, chain, export_store
from store.errors import StoreDamaged
from store.model import EngramType, Klass
from store.sqlite.driver import dbapi2

Damage = Callable[[Any], object]


@pytest.fixture
def path(tmp_path: Path, clock) -> Path:
    """1 a claim that was retracted by 4, 2 a rule, 3 a claim that holds, 5 the last word."""
    with opened(tmp_path / "a.partner", clock) as store:
        gone = store.write(draft("The office is in Rome."))
        store.write(draft("Never deploy on Fridays.", EngramType.PROHIBITION))
        store.write(draft("Ana owns the schema."))
        store.retract(gone.id, "moved")
        store.write(draft("The last word."))
    return tmp_path / "a.partner"


def tamper(path: Path, damage: Damage) -> None:
    """As a thief of the file would: no guard of this program in the way."""
    raw = dbapi2.connect(str(path), isolation_level=None)
    for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    damage(raw)
    raw.close()


def body_alone(raw: Any) -> None:
    raw.execute("UPDATE log SET body = CAST(replace(body, 'Ana', 'Eve') AS BLOB) WHERE seq = 3")


def with_its_hash(raw: Any) -> None:
    body_alone(raw)
    (body,) = raw.execute("SELECT body FROM log WHERE seq = 3").fetchone()
    raw.execute("UPDATE log SET body_hash = ? WHERE seq = 3", (chain.body_hash(body),))


def with_every_hash(raw: Any) -> None:
    with_its_hash(raw)
    (previous,) = raw.execute("SELECT hash FROM log WHERE seq = 2").fetchone()
    digest, header = raw.execute("SELECT body_hash, header FROM log WHERE seq = 3").fetchone()
    raw.execute("UPDATE log SET hash = ? WHERE seq = 3", (chain.entry_hash(previous, digest, header),))


ALTERED = {
    "its words": body_alone,
    "its words and their hash": with_its_hash,
    "its words and every hash": with_every_hash,
    "its header": lambda raw: raw.execute(
        "UPDATE log SET header = CAST(replace(header, '0.5', '0.6') AS BLOB) WHERE seq = 3"
    ),
    "its header is text": lambda raw: raw.execute(
        "UPDATE log SET header = CAST(header AS TEXT) WHERE seq = 3"
    ),
    "its content is gone": lambda raw: raw.execute("UPDATE log SET body = NULL WHERE seq = 3"),
}
READINGS: dict[str, Callable[[Store], object]] = {
    "current": lambda store: store.current(),
    "as of": lambda store: store.as_of(4),
    "log": lambda store: list(store.log()),
    "search": lambda store: store.search("schema owns"),
    "briefing": lambda store: store.reason_on("schema"),
}


@pytest.mark.conforms("P15", "S10")
@pytest.mark.parametrize("damage", ALTERED.values(), ids=ALTERED)
def test_an_altered_entry_is_an_error_and_never_an_answer(path: Path, clock, damage: Damage) -> None:
    with opened(path, clock) as store:
        before = {name: reading(store) for name, reading in READINGS.items()}
        altered = contents(store.log()).index("Ana owns the schema.") + 1
        engram_id = next(e.id for e in store.log() if e.seq == altered)
    assert all(before.values())
    tamper(path, damage)
    with opened(path, clock) as store:
        for name, reading in READINGS.items():
            with pytest.raises(StoreDamaged, match="entry 3 "):
                pytest.fail(f"{name} shows {reading(store)}")
        with pytest.raises(StoreDamaged, match="entry 3 "):
            store.read(engram_id)
        assert contents(store.current(klass=Klass.PROHIBITION)) == ["Never deploy on Fridays."]
        assert not store.verify(full=True).ok


def test_what_was_altered_is_not_exported_as_if_it_were_whole(tmp_path: Path, path: Path, clock) -> None:
    tamper(path, body_alone)
    with opened(path, clock) as store, pytest.raises(StoreDamaged, match="entry 3 "):
        export_store(store, tmp_path / "export.jsonl")
    assert [p.name for p in tmp_path.iterdir()] == ["a.partner"]


def test_an_entry_altered_while_the_store_is_open_is_noticed_too(path: Path, clock) -> None:
    with opened(path, clock) as store:
        assert contents(store.current(klass=Klass.CONCLUSION)) == ["The last word.", "Ana owns the schema."]
        tamper(path, body_alone)
        with pytest.raises(StoreDamaged, match="entry 3 "):
            store.current(klass=Klass.CONCLUSION)


def test_a_row_cannot_make_a_retracted_claim_hold_again(path: Path, clock) -> None:
    tamper(path, lambda raw: raw.execute("UPDATE state SET ended_seq = NULL, ended_us = NULL WHERE seq = 1"))
    with opened(path, clock) as store, pytest.raises(StoreDamaged, match="a later entry ended it"):
        store.current()


@pytest.mark.parametrize("ending", [3, 4, 99])
def test_a_row_cannot_switch_a_rule_off(path: Path, clock, ending: int) -> None:
    tamper(
        path,
        lambda raw: raw.execute(
            "UPDATE state SET ended_seq = ?, ended_us = 1, ended_why = 'retracted' WHERE seq = 2", (ending,)
        ),
    )
    with opened(path, clock) as store, pytest.raises(StoreDamaged, match="the rule at entry 2"):
        store.current(klass=Klass.PROHIBITION)


def test_rules_that_were_truly_ended_raise_no_alarm(tmp_path: Path, clock) -> None:
    def rule(text: str, **fields: Any):
        return draft(text, EngramType.PROHIBITION, **fields)

    with opened(tmp_path / "a.partner", clock) as store:
        one, two, three, four = store.write_many([rule(f"Never deploy {n}.") for n in "abcd"])
        store.retract(one.id)
        first = store.supersede(two.id, rule("Never deploy e."))
        second = store.supersede(two.id, rule("Never deploy f."))  # contends with the first, which ends
        store.link(second.id, "supersedes", three.id)
        store.erase(four.id, "a secret")
        assert not store.status(first.id).holds
        assert store.current(klass=Klass.PROHIBITION) == [second]
    with opened(tmp_path / "a.partner", clock) as store:
        assert store.current(klass=Klass.PROHIBITION) == [second]


def test_a_cut_tail_is_noticed_by_the_first_reading(path: Path, clock) -> None:
    tamper(
        path, lambda raw: raw.executescript("DELETE FROM log WHERE seq = 5; DELETE FROM state WHERE seq = 5")
    )
    with (
        opened(path, clock) as store,
        pytest.raises(StoreDamaged, match="ends before its signed head, entry 5"),
    ):
        store.current()


def test_a_store_without_the_record_of_its_head_is_not_read(path: Path, clock) -> None:
    tamper(path, lambda raw: raw.execute("DELETE FROM meta WHERE key = 'head'"))
    with opened(path, clock) as store, pytest.raises(StoreDamaged, match="signed head"):
        store.current()


def test_the_first_words_of_a_store_can_be_read_in_their_own_transaction(tmp_path: Path, clock) -> None:
    with opened(tmp_path / "new.partner", clock) as store, store.transaction():
        engram = store.write(draft("the first"))
        assert store.read(engram.id) == engram


def test_what_was_erased_truly_is_shown_as_erased(path: Path, clock) -> None:
    with opened(path, clock) as store:
        engram = store.current(klass=Klass.CONCLUSION)[0]
        with store.transaction():
            store.erase(engram.id, "a secret")
            assert store.read(engram.id).erased
    with opened(path, clock) as store:
        assert store.read(engram.id).erased
        assert [e.erased for e in store.log()].count(True) == 1
