"""What every backend promises about retraction and erasure."""

from __future__ import annotations

import pytest
from drafting import contents, draft

from store import Store
from store.errors import BadRequest
from store.model import (
    EngramType,
)

conforms = pytest.mark.conforms


@conforms("P14", "E9")
def test_a_retraction_is_an_entry_and_the_log_says_since_when(store: Store) -> None:
    claim = store.write(draft("Branches are named after tickets."))
    store.write(draft("something else"))
    retraction = store.retract(claim.id, "we stopped doing that")
    assert store.retract(claim.id) == retraction
    assert (retraction.type, retraction.content, retraction.seq) == (
        EngramType.RETRACTION,
        "we stopped doing that",
        3,
    )
    status = store.status(claim.id)
    assert (status.holds, status.retracted_by, status.since, status.why) == (
        False,
        retraction.id,
        3,
        "retracted",
    )
    assert store.read(claim.id) == claim
    assert contents(store.current()) == ["something else"]
    assert contents(store.as_of(2)) == ["something else", claim.content]


@conforms("P14", "E9")
def test_withdrawing_twice_in_one_transaction_is_one_entry(store: Store) -> None:
    kept, secret = store.write_many([draft("Branches are named after tickets."), draft("hunter2")])
    with store.transaction():
        assert store.retract(kept.id, "no more") == store.retract(kept.id, "no more")
        assert store.erase(secret.id, "a secret") == store.erase(secret.id, "a secret")
    assert [engram.type for engram in store.log(after=2)] == [EngramType.RETRACTION, EngramType.ERASURE]
    assert store.verify(full=True).ok


@conforms("S10")
def test_an_erased_engram_has_no_content_and_the_chain_still_verifies(store: Store) -> None:
    secret = store.write(
        draft("The password is hunter2.", metadata={"subject": "password", "keys": "hunter2"}, salience=0.9)
    )
    store.put_vectors("m", [(secret.id, b"hunter2")])
    erasure = store.erase(secret.id, "a secret")
    assert store.erase(secret.id, "again") == erasure
    read = store.read(secret.id)
    assert (read.erased, read.content, dict(read.metadata), read.provenance.evidence) == (True, "", {}, None)
    assert (read.id, read.seq, read.salience, read.created_at) == (secret.id, 1, 0.9, secret.created_at)
    assert store.status(secret.id).erased
    assert store.current() == store.as_of(1) == store.search("hunter2 password", history=True) == []
    assert store.current(subject="password") == []
    assert list(store.backend.vectors("m")) == []
    assert store.verify(full=True).ok
    with pytest.raises(BadRequest):
        store.erase(store.link(secret.id, "blocks", erasure.id).claim, "a link holds only ids")
