"""An administrator can switch the guards off; what is then changed behind the store's back is found out."""

from __future__ import annotations

from pathlib import Path

import pytest
from drafting import draft, opened
from postgres_server import Server

from store.errors import StoreDamaged

pytestmark = [pytest.mark.xdist_group("postgres"), pytest.mark.conforms("P15")]
COLUMNS = "header, body, body_hash, hash, signature"
COPY = f"INSERT INTO engram.log SELECT {{to}}, {COLUMNS} FROM engram.log WHERE seq = 5"
SHIFT = "UPDATE engram.log SET seq = -seq - 1 WHERE seq >= 8; UPDATE engram.log SET seq = -seq WHERE seq < 0"
TAMPERINGS = {
    "content": ("UPDATE engram.log SET body = overlay(body placing 'X' from 30) WHERE seq = 7", "altered", 7),
    "header": ("UPDATE engram.log SET header = header || ' ' WHERE seq = 7", "altered", 7),
    "hash": ("UPDATE engram.log SET hash = sha256(hash) WHERE seq = 7", "altered", 7),
    "signature": ("UPDATE engram.log SET signature = sha256(hash) || hash WHERE seq = 7", "forged author", 7),
    "emptied": ("UPDATE engram.log SET body = NULL WHERE seq = 7", "altered", 7),
    "removed": ("DELETE FROM engram.log WHERE seq = 7", "removed", 7),
    "closed gap": (
        "DELETE FROM engram.log WHERE seq = 7; UPDATE engram.log SET seq = 1 - seq WHERE seq > 7;"
        "UPDATE engram.log SET seq = -seq WHERE seq < 0",
        "removed",
        7,
    ),
    "reordered": (
        "UPDATE engram.log SET seq = -seq WHERE seq IN (7, 8);"
        "UPDATE engram.log SET seq = 15 + seq WHERE seq < 0",
        "reordered",
        7,
    ),
    "inserted": (f"{SHIFT}; {COPY.format(to=8)}", "inserted", 8),
    "appended": (COPY.format(to=11), "inserted", 11),
    "cut tail": ("DELETE FROM engram.log WHERE seq > 8", "cut tail", 9),
    "state": ("UPDATE engram.state SET klass = 'knowledge' WHERE seq = 7", "state", 7),
    "edge": ("UPDATE engram.edge SET relation = 'blocks'", "state", 10),
}


NEVER_SHOWN = ("content", "header", "hash", "signature", "emptied")


@pytest.mark.parametrize("name", TAMPERINGS)
def test_what_was_changed_behind_its_back_is_named_with_its_place(
    database: str, postgres: Server, clock, name: str
) -> None:
    statements, kind, seq = TAMPERINGS[name]
    with opened(database, clock) as store:
        engrams = store.write_many([draft(f"claim number {i}") for i in range(9)])
        store.link(engrams[0].id, "references", engrams[1].id)
        assert store.verify(full=True).ok
        postgres.sql(f"SET session_replication_role = replica; {statements}", "trial")
        if name in NEVER_SHOWN:
            with pytest.raises(StoreDamaged, match="entry 7 "):
                list(store.log())
        problem = store.verify(full=True).problem
    assert problem is not None
    assert (problem.kind, problem.seq) == (kind, seq)


@pytest.mark.conforms("P15")
def test_a_history_made_anew_is_found_by_a_checkpoint_kept_elsewhere(
    database: str, postgres: Server, clock, tmp_path: Path
) -> None:
    checkpoint = tmp_path / "checkpoint.json"
    with opened(database, clock) as store:
        store.write_many([draft(f"claim {i}") for i in range(5)])
        checkpoint.write_text(store.checkpoint().json())
        store.write(draft("later"))
        assert store.verify(against=checkpoint).ok
    postgres.sql("DROP SCHEMA engram CASCADE", "trial")
    with opened(database, clock) as store:
        store.write_many([draft(f"another claim {i}") for i in range(6)])
        assert store.verify(full=True).ok
        problem = store.verify(against=checkpoint).problem
        assert problem is not None
        assert problem.kind == "rewritten"
