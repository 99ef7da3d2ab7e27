"""What the commands that look show to people: words and times, no data structures of the program."""

from __future__ import annotations

from pathlib import Path

from partner.bootstrap import open_partner
from partner.cli.inspect import full_text
from partner.settings import load
from partner.terminal.slash import Commands


def test_an_entry_is_shown_in_words_and_the_history_says_the_minute(tmp_path: Path, clock) -> None:
    said: list[str] = []
    with open_partner(load({}, home=tmp_path), clock=clock, engine_free=True) as partner:
        partner.remember("The deposit for the hall is 300 euros.")
        (old,) = partner.state()["concluded"]
        partner.remember("The deposit for the hall is 350 euros now.")
        (new,) = partner.state()["concluded"]
        shown = full_text(new, partner.store.status(new.id))
        assert "holds: yes" in shown
        assert f"supersedes: {old.id}" in shown
        assert f"link: supersedes {old.id}" in shown
        assert not set("{}[]'") & set(shown)
        Commands(partner, write=said.append).run(f"/history {new.id}")
    first, last = said[0].splitlines()
    assert first.startswith(f"x {old.id[-8:]}  2026-03-04 09:00  conclusion")
    assert last.startswith(f"{new.id[-8:]}  2026-03-04 09:00  conclusion")
