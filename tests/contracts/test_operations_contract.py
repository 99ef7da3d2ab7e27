"""What every backend promises of its operations: what reads, what weighs, what writes, and what an id is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from drafting import draft

from store import Store
from store.errors import AmbiguousId, NotFound
from store.model import EngramType

conforms = pytest.mark.conforms
AT = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def weighed(store: Store) -> bytes | None:
    return store.backend.meta("hebbian")


@conforms("E25", "E11", "S10")
def test_reasoning_reads_using_weighs_and_claiming_writes(store: Store) -> None:
    """Three operations: a briefing changes nothing, use changes weights alone, a claim adds an entry."""
    spec, code = store.write_many([draft("the spec", EngramType.SPEC), draft("the code")])
    store.link(code.id, "implements", spec.id)
    log, before = list(store.log()), weighed(store)

    store.reason_on("spec")
    store.search("code")
    store.history(code.id)
    assert (list(store.log()), weighed(store)) == (log, before)

    store.reinforce([spec.id, code.id], AT)
    assert list(store.log()) == log
    assert weighed(store) != before

    used = weighed(store)
    store.supersede(code.id, draft("the other code"))
    assert len(list(store.log())) == len(log) + 1
    assert weighed(store) == used


@conforms("F1", "S1")
def test_entries_are_one_only_by_their_whole_id(store: Store) -> None:
    """The same title, or one that is nearly the same, makes two; only a whole id, or one end of it that no
    other has, names one."""
    titles = ["Ana Kowalska", "Ana Kowalska", "Ana Kowalski", "ana kowalska"]
    written = store.write_many([draft(title, EngramType.ENTITY) for title in titles])
    assert [e.content for e in store.current(type=EngramType.ENTITY, newest_first=False)] == titles
    assert len({e.id for e in written}) == 4
    assert store.read(written[1].id) == written[1]
    with pytest.raises(AmbiguousId):
        store.read(written[0].id[:8])  # the time, which all four share
    with pytest.raises(NotFound):
        store.read(written[0].id[:-1] + ("0" if written[0].id[-1] != "0" else "1"))
