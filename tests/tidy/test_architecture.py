"""ARCHITECTURE.md is kept true: its diagram of a turn is the table that the session moves through."""

from __future__ import annotations

from pathlib import Path

from partner.turn import diagram

ROOT = Path(__file__).resolve().parents[2]


def test_the_diagram_of_a_turn_is_printed_from_the_table() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{diagram()}```" in text


def test_every_document_that_the_architecture_names_is_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = ("store/FORMAT.md", "gate/SEMANTICS.md", "router/FINGERPRINT.md")
    assert [name for name in named if name not in text or not (ROOT / name).is_file()] == []
