"""What a turn is compared with is not proved; what it replaces or meets again is, before that is written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from partner.formation import form
from partner.holds import StoreHolds
from partner.writing import apply_changes
from store import Store, chain, open_store
from store.errors import StoreDamaged
from store.model import Draft, EngramType, Provenance, ProvenanceKind
from store.sqlite.driver import dbapi2


@pytest.fixture
def store(tmp_path: Path, clock) -> Iterator[Store]:
    """One claim, whose words somebody changed together with their hash, without the key that signed them."""
    path = tmp_path / "s.partner"
    operator = Provenance(kind=ProvenanceKind.OPERATOR)
    with open_store(str(path), clock=clock, author="operator") as made:
        made.write(
            Draft(type=EngramType.CONCLUSION, content="The stand costs 80 euros.", provenance=operator)
        )
    raw = dbapi2.connect(str(path), isolation_level=None)
    raw.execute("DROP TRIGGER log_no_update")
    body = raw.execute("SELECT body FROM log WHERE seq = 1").fetchone()[0].replace(b"80", b"70")
    digest = hashlib.sha256(chain.BODY_TAG + body).digest()
    raw.execute("UPDATE log SET body = ?, body_hash = ? WHERE seq = 1", (body, digest))
    raw.close()
    with open_store(str(path), clock=clock, author="operator") as forged:
        yield forged


def settle(store: Store, text: str, at) -> None:
    formed = form(text, at=at, holds=StoreHolds(store))
    list(apply_changes(store, formed.changes, utterance=None, at=at))


@pytest.mark.conforms("P15")
@pytest.mark.parametrize("text", ["The stand costs 85 euros.", "The stand costs 70 euros."])
def test_a_forged_claim_is_neither_replaced_nor_met_again(store: Store, clock, text: str) -> None:
    with pytest.raises(StoreDamaged, match="entry 1"):
        settle(store, text, clock())
    assert store.head().seq == 1


def test_a_claim_about_something_else_is_written_beside_it(store: Store, clock) -> None:
    settle(store, "The stand stands behind the kiln.", clock())
    assert store.head().seq == 2


@pytest.mark.conforms("P15")
def test_words_that_are_not_what_their_hash_says_are_found_when_they_are_compared(
    tmp_path: Path, clock
) -> None:
    path = tmp_path / "s.partner"
    with open_store(str(path), clock=clock, author="operator") as made:
        settle(made, "The stand costs 80 euros.", clock())
    raw = dbapi2.connect(str(path), isolation_level=None)
    raw.execute("DROP TRIGGER log_no_update")
    raw.execute("UPDATE log SET body = CAST(replace(body, '80', '70') AS BLOB) WHERE seq = 1")
    raw.close()
    with (
        open_store(str(path), clock=clock, author="operator") as damaged,
        pytest.raises(StoreDamaged, match="hash"),
    ):
        form("The stand stands behind the kiln.", at=clock(), holds=StoreHolds(damaged))
