"""Following the chain: signatures are checked in threads beside it, and the first bad entry is named."""

from __future__ import annotations

import pytest
from drafting import draft, opened

from store.diagnosis import Bad
from store.port import LogEntry
from store.verifying import genesis_of, keys_of
from store.walking import Anchor, Broken, is_signed, walk

MANY = 700  # more than two batches of signatures


@pytest.fixture
def sequence(clock):
    with opened("memory:", clock) as store:
        store.write_many([draft(f"claim {number}") for number in range(MANY)])
        log = store.backend
        keys = keys_of(log)

        def check(entry: LogEntry) -> None:
            if not is_signed(entry, keys):
                raise Bad("forged author", entry.seq, "its signature does not hold")

        yield list(log.entries()), Anchor(0, genesis_of(log)), check


def test_a_whole_sequence_is_followed_to_its_end(sequence) -> None:
    entries, start, check = sequence
    end = Anchor(MANY, entries[-1].hash)
    assert walk(entries, start, frozenset()) == walk(entries, start, frozenset(), check) == end


@pytest.mark.parametrize("seq", [1, 256, 257, MANY])
def test_a_bad_signature_is_found_wherever_it_is(sequence, seq: int) -> None:
    entries, start, check = sequence
    entries[seq - 1] = entries[seq - 1]._replace(signature=bytes(64))
    assert walk(entries, start, frozenset()).seq == MANY, "the chain alone does not look at signatures"
    with pytest.raises(Bad) as bad:
        walk(entries, start, frozenset(), check)
    assert (bad.value.problem.kind, bad.value.problem.seq) == ("forged author", seq)


@pytest.mark.parametrize(("forged", "altered"), [(3, 4), (3, 600), (600, 601)])
def test_of_two_bad_entries_the_earlier_is_named(sequence, forged: int, altered: int) -> None:
    entries, start, check = sequence
    entries[forged - 1] = entries[forged - 1]._replace(signature=bytes(64))
    entries[altered - 1] = entries[altered - 1]._replace(body=b"{}")
    with pytest.raises(Bad) as bad:
        walk(entries, start, frozenset(), check)
    assert (bad.value.problem.kind, bad.value.problem.seq) == ("forged author", forged)


def test_a_break_before_a_bad_signature_is_named_first(sequence) -> None:
    entries, start, check = sequence
    entries[9] = entries[9]._replace(header=entries[9].header.replace(b"Working", b"working"))
    entries[10] = entries[10]._replace(signature=bytes(64))
    with pytest.raises(Broken) as broken:
        walk(entries, start, frozenset(), check)
    assert broken.value.entry.seq == 10
