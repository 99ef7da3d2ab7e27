"""Erased through the program means gone from the whole home: store, journal, vectors, cache, ledger."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_child import run

CANARY = "zqxcanaryzqx"
FORMS = (CANARY.encode(), CANARY.upper().encode(), CANARY.encode("utf-16-le"), CANARY[:9].encode())
CONFIG = f"""
[router]
order = ["echo", "none"]
[engines.echo]
kind = "command"
argv = ["{sys.executable}", "-c", "print('The word in the cellar is {CANARY[:6]}' + '{CANARY[6:]}.')"]
local = true
"""


def traces(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if any(form in path.read_bytes() for form in FORMS)]


@pytest.mark.conforms("S10")
def test_an_erased_word_is_in_no_byte_of_the_home_and_of_no_export_made_after(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(CONFIG)

    def partner(*argv: str) -> str:
        code, said, errors = run("--home", str(home), *argv)
        assert code == 0, (argv, said, errors)
        return said + errors

    partner("decide", f"The word in the cellar is {CANARY}.")
    assert CANARY in partner("ask", "What is the word in the cellar?"), (
        "the engine has said it, and it is kept"
    )
    partner("ask", "What is the word in the cellar?")
    partner("remember", f"Bo knows the word {CANARY} too.")
    index = home / "cache" / "vectors"
    index.mkdir(parents=True, exist_ok=True)
    (index / "segment").write_text(f"made by an embedder that is not here any more: {CANARY}")
    assert any("cache" in path for path in traces(home))
    entries = json.loads(partner("log", "--json", "--limit", "1000"))
    for entry in [entry for entry in entries if CANARY in json.dumps(entry)]:
        partner("erase", entry["id"], "--reason", "a secret", "--yes")
    assert traces(home) == []
    partner("export", str(tmp_path / "export.jsonl"))
    partner("backup", str(tmp_path / "backup.partner"))
    assert traces(tmp_path) == []
    assert CANARY not in partner("ask", "Who knows the word in the cellar?", "--engine", "none")
    assert "nothing altered" in partner("verify", "--full")


def test_what_still_has_the_words_of_an_erased_claim_is_named(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    run("--home", home, "ask", "We decided to hide the lamp under the stairs.", "--engine", "none")
    entries = json.loads(run("--home", home, "log", "--json")[1])
    utterance, claim = entries[0], entries[1]
    code, said, errors = run("--home", home, "erase", claim["id"], "--reason", "x", "--yes")
    assert (code, "Erased" in said) == (0, True)
    assert f"still stand in {utterance['id'][-8:]} (utterance)" in errors
